//! The committed page equals the generated one.

use std::path::Path;

use super::super::document;

const SWITCH: &str = "BRIDGEHEAD_UPDATE_DOCS";

#[test]
fn the_page_in_the_docs_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lifecycle.md");
    let page = document();
    if std::env::var_os(SWITCH).is_some() {
        std::fs::write(&path, &page).expect("docs/lifecycle.md is writable");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = found.lines().zip(page.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or_else(|| found.lines().count().min(page.lines().count())) + 1;
    assert!(
        found == page,
        "docs/lifecycle.md differs from the code from line {line} on; update it with\n    \
         {SWITCH}=1 cargo test -p bridgehead-lifecycle"
    );
}
