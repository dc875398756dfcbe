//! The page on triggers against the tables.

use std::path::Path;

use super::document;

const BEGIN: &str =
    "<!-- Generated from the program; the tests rewrite it with BRIDGEHEAD_UPDATE_DOCS=1. -->\n\n";
const END: &str = "\n<!-- The end of the generated tables. -->";

#[test]
fn the_page_on_triggers_has_every_event_and_action() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/triggers.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("the first mark");
    let (found, after) = rest.split_once(END).expect("the second mark");
    if std::env::var_os("BRIDGEHEAD_UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", document())).expect("written");
    } else {
        assert!(
            found == document(),
            "docs/triggers.md is not up to date: run the test with BRIDGEHEAD_UPDATE_DOCS=1"
        );
    }
}
