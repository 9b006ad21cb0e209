//! Pictures of estimates as SVG, in one style: points with intervals, histograms, curves with bands, and how far a test
//! has come. They take numbers and words, and know no table; which pictures a run has is decided in `lab/page`.
//!
//! A picture needs no script and no font of its own. It says in words what it shows (`title` and `desc`), and colour
//! alone never carries a meaning. The same numbers give the same bytes: places are rounded to a tenth.

pub mod label;
pub mod scale;
pub mod svg;
pub mod points;
pub mod histogram;
pub mod curve;
pub mod gauges;
pub mod map;
pub mod ranks;
