//! What all generated pages have.

/// Environment variable that makes the test write the files.
pub const UPDATE: &str = "BRIDGEHEAD_UPDATE_DOCS";

/// First line of a generated file, a warning against edits.
pub(super) const NOTE: &str =
    "<!-- Generated from the program; the tests rewrite it with BRIDGEHEAD_UPDATE_DOCS=1. -->\n\n";
