//! The zoo: plugins that are broken, rude or built strangely, each with what becomes of the run.
//!
//! Every row of the tables is a test, and a line of `docs/plugin-outcomes.md`: what authors read there is what happens.
//! A row says what the plugin does, how such a plugin is made, how the host is started, and what is seen then.

/// Plugins that implement bridges.
mod bridges;
/// Compilers, their settings, and languages.
mod builds;
/// Runs a row and compares.
mod check;
/// `docs/plugin-outcomes.md`.
mod document;
/// Files that are no plugin, or another one than they say.
mod files;
/// Plugins that implement sensors and controllers.
mod models;
/// What a row consists of.
mod row;
/// A hundred thousand messages per second.
mod storm;

/// Declares the rows of one table: a constant for the page, and a test for each.
macro_rules! zoo {
    ($( $name:ident: $row:expr; )*) => {
        /// The rows, in the order of the page.
        pub(super) const ROWS: &[super::row::Row] = &[$( $row ),*];

        $(
            #[test]
            fn $name() {
                super::check::check(&$row);
            }
        )*
    };
}
use zoo;
