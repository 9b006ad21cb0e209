// Names as people read them.

const GAMES = {
  'on-the-road': 'On the Road',
  struggle: 'Struggle for Catan',
  base: 'Base CATAN',
  'two-player': 'CATAN for two',
  boats: 'Boats',
};

/** The name of a game. */
export const gameName = (game) => GAMES[game] ?? game;

/** A word of the engine without its underscores. */
export const plain = (word) => String(word).replaceAll('_', ' ');

/** With a capital letter. */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** An action of the list with what it comes to, such as the terms of a trade. */
export const inFull = ({ words, terms }) => (terms ? `${words} (${terms})` : words);

/** One thing or several. */
export const many = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** An agent by a short name: a level without the folder that it lies in. */
export const agentName = (name) => name.replace(/^levels\/[^/]+\//, '');

/** A share as percent. */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Counts of cards as a list of pairs. */
export const counts = (cards) => Object.entries(cards ?? {}).filter(([, count]) => count > 0);
