//! The program as its users meet it: runs, replays, faults and interruptions, each by its exit code, what
//! it says, and what it leaves on the disk.

mod answers;
mod base;
mod benchmarks;
mod boats;
mod crafted;
mod damaged;
mod explained;
mod faults;
mod file_calls;
mod full_disk;
mod fuzz;
mod fuzzed_inputs;
mod fuzzed_runs;
mod hostile;
mod interrupts;
mod killed;
mod learn;
mod limits;
mod luck;
mod listings;
mod publishing;
mod random_kills;
mod replays;
mod runs;
mod searches;
mod shards;
mod sparse;
mod studies;
mod support;
mod thresholds;
mod tournaments;
mod tuning;
mod unofficial;
mod verify;
mod wrong_studies;
