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
    level!("on-the-road/newcomer"),
    level!("on-the-road/novice"),
    level!("on-the-road/beginner"),
    level!("on-the-road/easy"),
    level!("on-the-road/medium"),
    level!("on-the-road/hard"),
    level!("on-the-road/expert"),
    level!("on-the-road/master"),
    level!("on-the-road/grandmaster"),
    level!("base/newcomer"),
    level!("base/novice"),
    level!("base/beginner"),
    level!("base/easy"),
    level!("base/medium"),
    level!("base/hard"),
    level!("base/expert"),
    level!("base/master"),
    level!("base/grandmaster"),
    level!("struggle/newcomer"),
    level!("struggle/novice"),
    level!("struggle/beginner"),
    level!("struggle/easy"),
    level!("struggle/medium"),
    level!("struggle/hard"),
    level!("struggle/expert"),
    level!("struggle/master"),
    level!("struggle/grandmaster"),
    level!("two-player/newcomer"),
    level!("two-player/novice"),
    level!("two-player/beginner"),
    level!("two-player/easy"),
    level!("two-player/medium"),
    level!("two-player/hard"),
    level!("two-player/expert"),
    level!("two-player/master"),
    level!("two-player/grandmaster"),
    level!("boats/newcomer"),
    level!("boats/novice"),
    level!("boats/beginner"),
    level!("boats/easy"),
    level!("boats/medium"),
    level!("boats/hard"),
    level!("boats/expert"),
    level!("boats/master"),
    level!("boats/grandmaster"),
];
