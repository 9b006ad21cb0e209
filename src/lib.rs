#![doc = include_str!("../README.md")]

pub mod types;
pub mod seed;
pub mod chance;
pub mod game;
pub mod parts;
pub mod games;
