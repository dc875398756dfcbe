//! The scenarios: one table of runs, each with preconditions, actions, and the expected end.
//!
//! Every row is a separate test. `row` defines a row, and `play` executes it; the other modules are the parts of the
//! table, divided by topic. A run has a world with the vehicle `car1`, whose plugins and bridges are the fixtures
//! `rogue_model` and `rogue_bridge`: they fail, or request something, in the call that a row names.

/// An abort in each state that can be reached from outside.
mod aborts;
/// Plugins that fail, panic or request something, in each of their calls.
mod calls;
/// Calls and connections that never finish.
mod hangs;
/// Two requests at the same time.
mod pairs;
/// Executes a row and checks the result.
mod play;
/// A reset in each state that can be reached from outside.
mod resets;
/// The definition of a row.
mod row;
/// Runs that never start.
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
