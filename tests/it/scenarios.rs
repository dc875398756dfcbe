//! The scenarios: one table of runs, each with what is given, what is done to it, and how it ends.
//!
//! Every row is a test of its own. What a row consists of is in `row`, and how it is played in `play`; the others are
//! the table, cut by what is looked at. A run is of a world with the vehicle `car1`, whose plugins and bridges are the
//! fixtures `rogue_model` and `rogue_bridge`: they go wrong, or ask for something, in the call that a row names.

/// An abort in each state that can be reached from outside.
mod aborts;
/// Plugins that fail, panic or ask for something, in each of their calls.
mod calls;
/// Calls and connections that never come back.
mod hangs;
/// Two things asked for at once.
mod pairs;
/// Plays a row and compares.
mod play;
/// A reset in each state that can be reached from outside.
mod resets;
/// What a row consists of.
mod row;
/// Runs that never begin.
mod starts;
/// Runs that end by themselves, by triggers, signals and clients.
mod verdicts;

/// Declares rows of the table: a test for each.
macro_rules! scenarios {
    ($( $name:ident: $scenario:expr; )*) => {$(
        #[test]
        fn $name() {
            super::play::play(&$scenario);
        }
    )*};
}
use scenarios;
