//! Rule tests by clause.

mod support;
mod play;
