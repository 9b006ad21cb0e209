//! The command line: parses, calls, prints the error and sets the exit code.

fn main() {}
