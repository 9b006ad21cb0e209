//! Base CATAN: settle an island of hexes, for 3 to 6 players; 10 points on one's own turn win.
//!
//! # Source
//!
//! German rules of the compact edition, which say of themselves that they are those of the base game, and
//! an overview with scoring. What they lack (†) is the published standard of the game family.
//!
//! # Rules
//!
//! A dagger (†) marks what the sources leave open: see *Choices*. Tests cite these numbers.
//!
//! Components
//! - **BASE-1** 19 hexes: 4 each that yield grain, lumber and wool, 3 each for brick and ore, a desert.
//! - **BASE-2** 18 tokens: a 2, a 12 and two each of 3 to 11 without the 7; none lies on the desert. †
//! - **BASE-3** 19 cards of each resource.
//! - **BASE-4** 25 development cards: 14 knights, 5 worth a point, 2 each of three kinds of progress. †
//! - **BASE-5** A player has 5 settlements, 4 cities and 15 roads, and builds with no others. A city frees
//!   the settlement that stood in its place; cities and roads never leave.
//! - **BASE-6** Nine harbours on the shore with two vertices each: four at 3:1, one at 2:1 of each kind. †
//! - **BASE-7** 54 vertices with 1 to 3 hexes and 2 or 3 edges each; 72 edges.
//!
//! Set-up
//! - **BASE-10** The variable island: terrain by luck, tokens by letter along a spiral from a random corner,
//!   or by luck with no 6 or 8 beside another; harbours as printed on the frame, or by luck. †
//! - **BASE-11** The beginner island: everything as published, the first pieces too. †
//! - **BASE-12** The robber begins on the desert; of two deserts luck picks one. †
//! - **BASE-13** In seat order everyone founds a settlement, with a road at it, keeping the distance.
//! - **BASE-14** Then in reverse order a second one, anywhere, with a road at that one.
//! - **BASE-15** The second settlement brings a card for each hex around it that yields something.
//! - **BASE-16** Who founded last, seat 1, has the first turn; who sits there is luck. Then clockwise.
//!
//! Turn
//! - **BASE-20** Roll, trade, build: after the roll in any order (`mixed`), or no trade once something has
//!   been built or bought (`strict`), so that a new harbour waits for the next turn.
//! - **BASE-21** One development card a turn, not one bought in it, before the roll or after.
//! - **BASE-22** Hexes with the number rolled bring a card to each settlement and two to each city around
//!   them; not where the robber stands.
//! - **BASE-23** What the bank can't pay in full to several, it pays to none of them; one alone gets what
//!   is there. †
//! - **BASE-24** On a 7 no hex yields. Whoever has more than 7 cards returns half, rounded down; all choose
//!   before anything shows †. The roller moves the robber elsewhere and steals a random resource card from
//!   one player with a building there and cards in hand. Then the turn continues.
//! - **BASE-25** A knight never makes anyone return cards.
//!
//! Trade
//! - **BASE-30** The player on turn trades with any other, without limit; others not among themselves.
//! - **BASE-31** Both give something, and no kind goes both ways. †
//! - **BASE-32** A player who is asked may name other terms, which may be accepted or not.
//! - **BASE-33** The bank gives a card that it has for 4 of a kind; at a harbour for 3, or for 2 of its kind.
//! - **BASE-34** Nothing but resource cards is traded.
//! - **BASE-35** Those asked answer in turn order, once; then the proposer picks one or none. Up to three
//!   proposals a turn may fail. †
//! - **BASE-36** Hidden are hands and unplayed development cards, but not their numbers; of a stolen card
//!   only the two concerned see the kind. Everything else is open. †
//!
//! Building
//! - **BASE-40** Road: brick and lumber; on a free edge at one's own road or building, not past another's
//!   building.
//! - **BASE-41** Settlement: brick, lumber, wool and grain; at one's own road, no building on it or next to it.
//! - **BASE-42** City: 3 ore and 2 grain; replaces one's own settlement.
//! - **BASE-43** Development card: ore, wool and grain; while any are left.
//! - **BASE-44** What is paid goes to the bank.
//!
//! Development cards
//! - **BASE-50** Knight: the robber moves and steals; the card stays before its owner.
//! - **BASE-51** Road Building: up to two free roads, or as many as there are pieces and places for; its player
//!   may stop before either.
//! - **BASE-52** Year of Plenty: two cards of the bank's, to be used at once. †
//! - **BASE-53** Monopoly: everyone's cards of one kind.
//! - **BASE-54** Progress cards are out of the game when played.
//! - **BASE-55** A point card counts from the moment it is bought, unseen.
//!
//! Special cards
//! - **BASE-60** Longest Road goes to the first with a trail of 5 roads, then to whoever has a longer one; a
//!   trail takes no edge twice and ends at another's building.
//! - **BASE-61** After a cut the holder keeps it if none is longer and 5 are left; else one alone longest
//!   gets it; else it lies free until one alone is longest.
//! - **BASE-62** Largest Army goes to the first with 3 knights played, then to whoever has more.
//!
//! End
//! - **BASE-70** A settlement is worth 1, a city 2, either special card 2, a point card 1. 10 on one's own
//!   turn win at once; points that come on another's turn wait for it.
//! - **BASE-71** A score is the sum of these five, within the supply of pieces and with one holder per card.
//! - **BASE-72** The others are ranked by points, hidden ones included; equals share a rank. †
//! - **BASE-73** At its turn limit a match ends without a winner. †
//!
//! Five and six †
//! - **BASE-80** 30 hexes, 28 tokens, 24 cards of each resource, 34 development cards, 11 harbours.
//! - **BASE-81** After a turn each other player in order may build and buy, no more than that, and wins on
//!   its own turn only; or the player three seats on acts, with bank and card, and may win.
//!
//! # Choices
//!
//! - *Who starts? (BASE-16)* Seats are drawn, seat 1 starts. Reason: the same law, in seat order. Studies
//!   may give the first turn to a later seat (`first_turn`), to separate founding order from turn order.
//! - *May two play? (BASE-13)* Yes, marked unofficial, on the island for four. Reason: studies.
//! - *Who wins when? (BASE-70)* The match ends as soon as the points are there; nobody needs to say so.
//!   Reason: nobody would wait.
//! - *Is a free road a building that ends trade? (BASE-20, BASE-51)* No. Reason: it is the card's effect.
//! - *Must both free roads be laid? (BASE-51)* No. Reason: the text says that they may. Without a place for any,
//!   the card can't be played. Our planners never stop.
//! - *And if the bank has one card only? (BASE-52)* Year of Plenty takes it; with an empty bank it can't be
//!   played.
//! - *And if the bank lacks a card for a second settlement? (BASE-15)* It isn't paid; can happen on an island from a file,
//!   or with a small `bank`, only. Reason: the bank pays what it has.
//! - *How are cards returned? (BASE-24)* One by one, still in hand until all have chosen. Reason: a short
//!   list, and nothing shows early.
//! - *Must the robber steal? (BASE-24)* Yes, where it can; `robber.steal`. Reason: the rules of the source say so,
//!   though its almanac has it as leave to steal.
//! - *Whom may the robber not rob? (BASE-24)* Nobody; `robber.spares_below` keeps it away from players who
//!   show few points, or from their cards alone if they are everywhere. Reason: other programs have it.
//! - *How many trades? (BASE-30)* 100 a turn. Reason: no match comes near it, but a match must end.
//! - *Which offers are listed? (BASE-31)* Those to all, of up to `trade.listed_max` cards a side; others are
//!   legal if named, with up to 15 cards of a kind. Who proposes, counters or accepts must hold what it would give.
//! - *Which harbour is where for five and six? (BASE-80)* The kinds of the small frame, then 3:1 and wool.
//! - *How long is a match? (BASE-73)* At most `turns_max` turns, each of one player.
//! - *What else is a field?* Prices, the minimum and worth of the special cards, the decks, the bank, the
//!   hand limit. Reason: studies.
//!
//! # Left out
//!
//! - Talk and promises; proposals by players who are not on turn, other than counters.
//! - The double-sided parts of the sources' own island, whose text is missing.
//! - Taking back the choice of cards to return.
//!
//! # Hidden
//!
//! Item | Owner sees | Others see
//! ---|---|---
//! resource cards in a hand | kinds | number
//! a stolen card | thief and victim: its kind | from whom to whom
//! cards chosen on a 7, until all have chosen | kinds | number
//! unplayed development cards | kinds | number, and how many are new
//! the deck of development cards | – | number; not the order
//! everything else | everything | everything
//!
//! # Chance
//!
//! Event | Function | Distribution
//! ---|---|---
//! `terrain`, `token`, `harbour`: what lies where | `Island::variable_board` | a shuffle, piece by piece
//! `corner`: where the letters start | `Island::letter_tokens` | uniform over six
//! `hex`: a 6 or 8, a desert for the robber | `draw_hex` | uniform over the hexes left
//! `dice`: the roll | `Island::roll` | two dice
//! `steal`: a card of the victim's | `steal` | uniform over its cards
//! `card`: a development card | `Island::buy` | uniform over the deck
//!
//! # Determinization
//!
//! The law is that of On the Road. To a seat, the physical cards that it can't see lie uniformly
//! at random where they can be, conditional on all that it has seen:
//! - It knows every hand except for the cards that others stole from others. Each such card is any of the
//!   victim's at that moment with equal probability.
//! - What is paid, offered or agreed to is there. It is a card that is surely in that hand, if there is
//!   one; else any other, so that two such cards make it twice as likely as one. Monopoly shows all of a
//!   kind.
//! - Cards chosen on a 7 and not yet shown are any of their owner's.
//! - Unseen development cards lie uniformly at random in the deck and the other hands, given that nobody
//!   has won: a seat that could win now lacks the points, and at a table of up to four no one had them when
//!   its last turn ended.
//! - Beyond that a seat infers nothing from what others choose.
//!
//! The method keeps all hands that are possible, with their weights, and deals development cards until they
//! fit. It departs from the law in this:
//! - Beyond `WORLDS` possibilities the least likely are dropped. If what is seen then fits none, cards that
//!   are sure stay and the others are dealt as one pool, until all are known again.
//! - If no deal of development cards fits in `DEALS` tries, point cards that can't be there change places
//!   with others of the deck.
//!
//! # Bounds
//!
//! `ACTIONS_MAX`: a turn's end; each city, vertex and edge; a purchase; every card to play; 20 trades with
//! the bank; an offer for each pair of bundles of up to three cards without a common kind.
//!
//! `decisions_max`: a turn has one roll, returns at most half of all cards, moves the robber twice, plays
//! one card; each proposal has an answer of each player and a choice; each trade with the bank takes a card
//! out of a hand that had no more than all cards. Pieces and development cards are used once in a match.

#[cfg(test)]
pub(crate) mod tests;

pub use crate::parts::island::Island as Base;
