//! Rule tests of On the Road, one file for each part of the rules; each test names its clause.
