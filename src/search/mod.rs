//! Search that knows no game: rollouts and trees.
