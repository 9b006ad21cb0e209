//! The strategies that the program carries: the files of `strategies/`.

/// A shipped level of difficulty.
macro_rules! level {
    ($name:literal) => {
        (
            concat!("levels/", $name),
            include_str!(concat!("../../../strategies/levels/", $name, ".toml")),
        )
    };
}

/// Strategies that the binary carries: name and TOML.
pub const STRATEGIES: &[(&str, &str)] = &[
    ("skilled", include_str!("../../../strategies/skilled.toml")),
    ("no-trade", include_str!("../../../strategies/no-trade.toml")),
    ("warlord", include_str!("../../../strategies/warlord.toml")),
    ("surveyor", include_str!("../../../strategies/surveyor.toml")),
    level!("on-the-road/beginner"),
    level!("on-the-road/easy"),
    level!("on-the-road/medium"),
    level!("on-the-road/hard"),
    level!("on-the-road/expert"),
    level!("base/beginner"),
    level!("base/easy"),
    level!("base/medium"),
    level!("base/hard"),
    level!("base/expert"),
    level!("struggle/beginner"),
    level!("struggle/easy"),
    level!("struggle/medium"),
    level!("struggle/hard"),
    level!("struggle/expert"),
    level!("two-player/beginner"),
    level!("two-player/easy"),
    level!("two-player/medium"),
    level!("two-player/hard"),
    level!("two-player/expert"),
    level!("boats/beginner"),
    level!("boats/easy"),
    level!("boats/medium"),
    level!("boats/hard"),
    level!("boats/expert"),
];
