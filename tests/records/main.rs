//! Match records: what is written is accepted, and what is altered is refused at the altered line.

mod accepted;
mod altered;
mod hostile;
mod played;
mod shadow;
