//! One form of error codes in texts: `[BH-XXX-nnn] what failed`.
//!
//! A code in a string literal is the whole literal, as in tables, or it begins a message in brackets. Rendered messages
//! begin with their severity: `error[BH-XXX-nnn]: …`, and in JSON a code is a value. Tests may quote codes in any form.

use std::collections::BTreeSet;
use std::fs;

use super::lexer::{Token, tokens, without_tests};
use super::{assert_none, sources};
use crate::support::root;

/// Length of `BH-XXX-nnn`.
const LENGTH: usize = 10;

/// Whether a text begins with a code.
fn begins_with_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= LENGTH
        && bytes.starts_with(b"BH-")
        && bytes[3..6].iter().all(u8::is_ascii_uppercase)
        && bytes[6] == b'-'
        && bytes[7..LENGTH].iter().all(u8::is_ascii_digit)
}

/// Whether every code of a string literal has an allowed form.
fn is_well_formed(literal: &str) -> bool {
    let mut codes = literal.match_indices("BH-").filter(|(at, _)| begins_with_code(&literal[*at..]));
    let Some((first, _)) = codes.next() else { return true };
    if codes.next().is_some() {
        return false;
    }
    let (before, after) = (&literal[..first], &literal[first + LENGTH..]);
    match before {
        "" => after.is_empty(),
        "[" => after.starts_with("] "),
        "error[" | "warning[" => after.starts_with("]: "),
        // A literal with JSON text.
        _ => before.ends_with(":\\\"") && after.starts_with("\\\""),
    }
}

/// The literals of a source with codes in another form, with their lines.
fn wrong_literals(source: &str) -> Vec<(usize, &str)> {
    let literals = without_tests(&tokens(source)).into_iter().filter_map(|(token, line)| match token {
        Token::Text(text) if !is_well_formed(text) => Some((line, text)),
        _ => None,
    });
    literals.collect()
}

#[test]
fn codes_have_one_form() {
    let sources = sources();
    let findings = sources.iter().filter(|source| !source.is_test() && !source.path.starts_with("tests/"));
    let findings: Vec<String> = findings
        .flat_map(|source| {
            let wrong = wrong_literals(&source.text);
            wrong.into_iter().map(move |(line, text)| format!("{}:{line}: {text:?}", source.path))
        })
        .collect();
    assert_none(&findings, "a code begins its text as `[BH-XXX-nnn] `, or is the whole text");
}

#[test]
fn other_forms_of_codes_are_detected() {
    for right in [
        "BH-SIM-001",
        "[BH-SIM-001] the step is too long",
        "error[BH-PLG-109]: the plugin ended the process",
        r#"{\"code\":\"BH-WEB-021\"}"#,
        "no code at all",
        "a pattern such as BH-SIM-nnn",
    ] {
        assert!(is_well_formed(right), "{right}");
    }
    for wrong in [
        "BH-SIM-001: the step is too long",
        "the step is too long [BH-SIM-001]",
        "the step is too long (BH-SIM-001)",
        "world.sdf: [BH-SIM-001] the step is too long",
        "[BH-SIM-001]: the step is too long",
        "[BH-SIM-001]the step is too long",
        "[BH-SIM-001] as BH-SIM-002",
        " BH-SIM-001",
    ] {
        assert!(!is_well_formed(wrong), "{wrong}");
    }
}

#[test]
fn comments_and_tests_may_quote_codes() {
    let source = "// BH-SIM-001: a\n/// BH-SIM-001: b\nconst A: &str =\n    \"BH-SIM-001: c\";\n\
                  #[cfg(test)]\nmod tests { const B: &str = \"d BH-SIM-001\"; }\n";
    assert_eq!(wrong_literals(source), [(4, "BH-SIM-001: c")]);
}

/// The codes of an area in the lines of a table, such as `BH-ROS-`.
fn tabulated(page: &str, area: &str) -> BTreeSet<String> {
    let page = fs::read_to_string(root().join(page)).expect("a page");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    cells
        .map(|cell| cell.trim_matches('`'))
        .filter(|code| code.starts_with(area))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_pages_of_bridges_have_all_their_codes() {
    for (bridge, area) in [
        ("cloisim", "BH-CLO-"),
        ("foxglove", "BH-FOX-"),
        ("gz", "BH-GZT-"),
        ("logging", "BH-BRG-11"),
        ("replay", "BH-BRG-12"),
        ("ros2", "BH-ROS-"),
        ("rosbridge", "BH-RBR-"),
        ("zenoh", "BH-ZEN-"),
    ] {
        let page = tabulated(&format!("bridges/{bridge}/README.md"), area);
        assert_eq!(page, tabulated("docs/errors.md", area), "{bridge}");
        assert!(!page.is_empty(), "{bridge}");
    }
}
