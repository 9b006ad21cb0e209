//! A small network that says what a position is worth to one seat: one layer of rectified sums of its inputs, and a
//! weighted sum of these. The chances to win are a softmax of the worths of all seats.
//!
//! It is G. Tesauro's form of judgement ("Temporal Difference Learning and TD-Gammon", 1995), with rectified sums in
//! place of sigmoids. All sums are taken in a fixed order, eight side by side, and nothing is contracted, so the same
//! weights give the same bits on any machine.

use std::hint::black_box;

pub mod file;

/// Rectified sums of a network.
pub const SUMS: usize = 32;

/// Sums that are added side by side.
const LANES: usize = 8;

/// Far more than a weight can become.
pub const WEIGHT_MAX: f32 = 1e6;

/// A network, by its weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// Weights of each input in the sums.
    inputs: Vec<[f32; SUMS]>,
    /// What each sum starts with.
    start: [f32; SUMS],
    /// What each sum is worth, where it is above 0.
    worth: [f32; SUMS],
}

impl Net {
    /// A network by its weights: those of each input, then what the sums start with, then what they are worth.
    pub fn new(inputs: Vec<[f32; SUMS]>, start: [f32; SUMS], worth: [f32; SUMS]) -> Net {
        Net { inputs, start, worth }
    }

    /// What a position is worth to a seat, by its inputs; only differences between seats mean anything.
    ///
    /// # Panics
    /// If there are more inputs than the network has.
    #[inline]
    pub fn worth(&self, inputs: &[f32]) -> f32 {
        assert!(inputs.len() <= self.inputs.len(), "as many inputs as weights");
        let mut sums = self.start;
        for (&input, weights) in inputs.iter().zip(&self.inputs) {
            // Most flags are off.
            if input != 0.0 {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += input * weight;
                }
            }
        }
        let mut lanes = [0.0_f32; LANES];
        // Not `max`, which has to mind what is no number.
        let (sums, worths) = (sums.as_chunks::<LANES>().0, self.worth.as_chunks::<LANES>().0);
        for (sums, worths) in sums.iter().zip(worths) {
            for (lane, (&sum, worth)) in lanes.iter_mut().zip(sums.iter().zip(worths)) {
                *lane += if sum > 0.0 { sum } else { 0.0 } * worth;
            }
        }
        // Stored first: else the compiler adds lanes up in halves of vectors, which takes half as long again.
        black_box(lanes).iter().sum()
    }
}

/// What a network is told of a seat: its inputs, in order.
#[derive(Debug, Clone, Copy)]
pub struct InputList {
    /// Raised by one when an input comes to mean something else under its old name: nets that learned the old meaning are
    /// then refused.
    pub version: u32,
    /// Their names.
    pub names: &'static [&'static str],
    /// What the value of each is multiplied by, so that it is about 1.
    pub scales: &'static [f32],
}

/// A flag as an input.
#[inline]
pub fn flag(of: bool) -> f32 {
    f32::from(u8::from(of))
}

/// The inputs of a network, with the version of what they mean. Each is written once: name, what its value is multiplied by
/// so that it is about 1, meaning.
macro_rules! inputs {
    (version $version:literal; $($name:ident * $scale:literal, $what:literal;)+) => {
        /// What a net is told of a seat.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Inputs { $(#[doc = $what] pub $name: f32,)+ }

        /// The inputs, in order.
        pub const OWN: crate::core::net::InputList = crate::core::net::InputList {
            version: $version,
            names: &[$(stringify!($name)),+],
            scales: &[$($scale),+],
        };

        impl Inputs {
            /// The values in the order of [`OWN`], as the net takes them.
            #[inline]
            pub fn scaled(&self) -> [f32; OWN.names.len()] {
                [$($scale * self.$name),+]
            }
        }
    };
}
pub(crate) use inputs;

#[cfg(test)]
mod tests {
    use super::*;

    /// Two inputs: sum 0 is 1 + 2 - 6, which counts as 0; sum 9 is -0.5 + 4 + 3; all others are 0.
    #[test]
    fn sums_are_rectified_and_weighed() {
        let (mut first, mut second) = ([0.0; SUMS], [0.0; SUMS]);
        (first[0], first[9], second[0], second[9]) = (1.0, 2.0, 2.0, -1.0);
        let (mut start, mut worth) = ([0.0; SUMS], [0.0; SUMS]);
        (start[0], start[9]) = (1.0, -0.5);
        (worth[0], worth[9]) = (10.0, 3.0);
        let net = Net::new(vec![first, second], start, worth);
        assert!((net.worth(&[2.0, -3.0]) - 19.5).abs() < 1e-6);
        assert!((net.worth(&[5.0, 0.0]) - (60.0 + 28.5)).abs() < 1e-6);
    }
}
