//! The zoo: plugins that are faulty, misbehave or are built in unusual ways, each with the outcome of the run.
//!
//! Every row of the tables is a test, and a line of `docs/plugin-outcomes.md`, so that the page is correct. A row
//! states what the plugin does, how it is made, how the host is started, and what the results are.

/// Plugins that break the rules of the boundary.
mod boundary;
/// Plugins that implement bridges.
mod bridges;
/// Compilers, compiler settings, and languages.
mod builds;
/// Bridges that misuse their connection, their loops and their messages, in the process and isolated.
mod careless_bridges;
/// Model plugins that misuse their process, their messages and the host, in the process and isolated.
mod careless_models;
/// Runs a row and checks the results.
mod check;
/// `docs/plugin-outcomes.md`.
mod document;
/// Plugins that end the process.
mod ends;
/// Files that are not valid plugins, or contradict their metadata.
mod files;
/// Bridges that misbehave in processes of their own.
mod isolated;
/// Plugins that implement sensors and controllers.
mod models;
/// Plugins that change the process.
mod process;
/// The definition of a row.
mod row;
/// A hundred thousand messages per second.
mod storm;
/// Whether `plugin validate` finds the faults of the tables.
mod validation;

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
