//! Lengths of roads and Longest Road as the other program has them (note 1), and where it lets a seat build on.

use super::setting::*;
use crate::catanatron::differences::Difference;
use crate::parts::places::EdgeSet;

fn edges(pairs: &[(u8, u8)]) -> EdgeSet {
    let edge = |&(a, b): &(u8, u8)| match road(a, b) {
        crate::parts::island::action::Action::Road { edge } => edge,
        _ => unreachable!("a road"),
    };
    pairs.iter().map(edge).collect()
}

#[test]
fn an_edge_up_to_a_building_counts_only_if_the_building_came_later() {
    let first = plain().founded(S1, 16).founded(S2, 18).laid(S1, &[16, 17, 18]);
    assert_eq!(first.lengths(S1), (2, 1));
    assert!(first.at.past_buildings(S1).is_empty(), "nor does it go on from there");
    let later = plain().founded(S1, 16).laid(S1, &[16, 17, 18]);
    let later = later.founded(S2, 20).laid(S2, &[20, 19, 18]).settled(S2, 18);
    assert_eq!(later.lengths(S1), (2, 2));
    assert_eq!(later.at.past_buildings(S1), edges(&[(18, 29)]), "it goes on past it");
    let between = plain().founded(S2, 14).founded(S2, 20).founded(S1, 16);
    let between = between.laid(S1, &[16, 17, 18, 19, 20]);
    assert_eq!(between.lengths(S1), (4, 3));
}

#[test]
fn a_cut_gives_the_card_to_the_greatest_length_even_below_five() {
    let before = plain().founded(S1, 16).laid(S1, &[16, 17, 18, 19, 20, 21, 22]);
    assert_eq!(before.holders(), (Some(S1), Some(S1)));
    let mut after = before.founded(S2, 32).laid(S2, &[32, 31, 20]).settled(S2, 20).turn_of(S2);
    assert_eq!(after.lengths(S1), (4, 4));
    assert_eq!(after.holders(), (None, Some(S1)));
    after.note_roads();
    after.note_roads();
    assert_eq!(after.met.of(Difference::RoadHolder), 1, "until both agree again");
    let taken = after.founded(S3, 38).laid(S3, &[38, 39, 40, 41, 42, 43]);
    assert_eq!(taken.holders(), (Some(S3), Some(S3)));
}

#[test]
fn a_cut_breaks_ties_by_order_of_seats() {
    let before = plain().founded(S3, 38).laid(S3, &[38, 39, 40, 41, 42, 43]);
    let before = before.founded(S1, 0).laid(S1, &[0, 1, 2, 3, 4, 5]);
    assert_eq!(before.holders(), (Some(S3), Some(S3)), "as long is not longer");
    let before = before.founded(S4, 19).laid(S4, &[19, 20, 21, 22]);
    let after = before.founded(S2, 12).laid(S2, &[12, 11, 21]).settled(S2, 21);
    assert_eq!(after.holders(), (Some(S3), Some(S1)));
}

#[test]
fn a_cut_takes_up_vertices_with_others_buildings() {
    // Seat 1 comes up to seat 3, which has been at 18 before; that cut elsewhere opens the edge beyond.
    let before = plain().founded(S3, 18).founded(S1, 22).laid(S1, &[22, 21, 20, 19, 18]);
    assert_eq!((before.lengths(S1), before.at.past_buildings(S1)), ((4, 3), EdgeSet::NONE));
    let after = before.founded(S2, 32).laid(S2, &[32, 31, 20]).settled(S2, 20);
    assert_eq!(after.lengths(S1), (2, 2));
    assert_eq!(after.at.past_buildings(S1), edges(&[(17, 18), (18, 29)]));
}

#[test]
fn a_card_in_another_hand_is_worth_points_to_that_seat() {
    let before = plain().founded(S3, 38).laid(S3, &[38, 39, 40, 41, 42, 43]);
    let before = before.founded(S1, 0).laid(S1, &[0, 1, 2, 3, 4, 5]);
    let before = before.founded(S4, 19).laid(S4, &[19, 20, 21, 22]);
    let after = before.founded(S2, 12).laid(S2, &[12, 11, 21]).settled(S2, 21);
    assert_eq!((after.at.their_shown_points(S1), after.at.their_shown_points(S3)), (3, 1));
    assert_eq!(after.state().table.points(&after.at.ours, S3), 3);
}
