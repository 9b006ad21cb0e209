//! The strategies that the program carries: the files of `strategies/`.

/// The file of a strategy, by its name.
macro_rules! strategy {
    ($($name:literal)+) => {
        (concat!($($name),+), include_str!(concat!("../../../strategies/", $($name,)+ ".toml")))
    };
}

/// Strategies, and the nine levels of each game.
macro_rules! strategies {
    ($($name:literal)+; $($game:literal)+) => {
        &[
            $(strategy!($name),)+
            $(
                strategy!("levels/" $game "/newcomer"),
                strategy!("levels/" $game "/novice"),
                strategy!("levels/" $game "/beginner"),
                strategy!("levels/" $game "/easy"),
                strategy!("levels/" $game "/medium"),
                strategy!("levels/" $game "/hard"),
                strategy!("levels/" $game "/expert"),
                strategy!("levels/" $game "/master"),
                strategy!("levels/" $game "/grandmaster"),
            )+
        ]
    };
}

/// Strategies that the binary carries: name and TOML.
pub const STRATEGIES: &[(&str, &str)] = strategies!(
    "skilled" "no-trade" "warlord" "surveyor";
    "on-the-road" "base" "struggle" "two-player" "boats"
);
