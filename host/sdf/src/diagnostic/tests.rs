//! How findings read, and that the table of codes is sound.

use super::{Code, Diagnostic};
use crate::Source;

#[test]
fn a_finding_reads_as_place_found_expected_and_advice() {
    let mut location = Source::from_text("w.sdf", "\n <gravity/>").location(2);
    location.path = "/sdf/world[@name=w]/gravity".to_owned();
    let finding =
        Diagnostic::error(Code::ValueInvalid, Some(location), "`a b`").expected("three finite numbers");
    assert_eq!(
        finding.to_string(),
        "error[BH-SDF-010] w.sdf:2:2 /sdf/world[@name=w]/gravity: `a b`; expected three finite numbers\n  \
         try: correct the value or remove the element"
    );
}

#[test]
fn a_finding_without_place_or_advice_is_one_line() {
    let note = Diagnostic::note(Code::NotSimulated, None, "`<wind>` is kept, not simulated");
    assert_eq!(note.to_string(), "note[BH-SDF-014]: `<wind>` is kept, not simulated");
}

#[test]
fn every_code_has_a_number_of_its_own_in_rising_order_and_a_meaning() {
    for pair in Code::ALL.windows(2) {
        assert!(pair[0].number() < pair[1].number(), "{} before {}", pair[0], pair[1]);
    }
    for code in Code::ALL {
        assert!(code.meaning().ends_with('.'), "{code}");
        assert!(!code.advice().ends_with('.'), "{code}");
    }
}
