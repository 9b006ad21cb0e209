//! The program as its users meet it: runs, replays, faults and interruptions, each by its exit code, what
//! it says, and what it leaves on the disk.

mod faults;
mod hostile;
mod interrupts;
mod listings;
mod replays;
mod runs;
mod support;
