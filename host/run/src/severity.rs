//! The severity of what is found about a world, by its code: the same in `check`, `world check`, a run and a spawn.
//!
//! [`SEVERITIES`] has the findings of building a world and starting its plugins; those of reading it have theirs in the
//! table of [`Code`](bridgehead_sdf::Code), by what they cost. Plain data, any thread.

use bridgehead_sdf::Severity;

use crate::catalogue::split_code;

/// The severity of each code. A finding is an error if a part of the world is not simulated, and a warning if it behaves
/// otherwise than its author meant.
pub const SEVERITIES: &[(&str, Severity)] = &[
    ("BH-PHY-030", Severity::Warning),
    ("BH-PHY-031", Severity::Warning),
    ("BH-PHY-032", Severity::Warning),
    ("BH-PHY-033", Severity::Warning),
    ("BH-PHY-061", Severity::Error),
    ("BH-PHY-062", Severity::Error),
    ("BH-PHY-065", Severity::Error),
    ("BH-PHY-066", Severity::Error),
    ("BH-PHY-067", Severity::Warning),
    ("BH-PLG-093", Severity::Warning),
    ("BH-PLG-094", Severity::Error),
    ("BH-PLG-097", Severity::Error),
    ("BH-PLG-110", Severity::Warning),
];

/// Returns the severity of a finding that begins with its code; other texts are warnings.
#[must_use]
pub fn of(text: &str) -> Severity {
    let code = split_code(text).map(|(code, _)| code);
    let row = SEVERITIES.iter().find(|(known, _)| Some(*known) == code);
    row.map_or(Severity::Warning, |(_, severity)| *severity)
}

/// Returns true for the codes of the table.
#[must_use]
pub fn is_listed(code: &str) -> bool {
    SEVERITIES.iter().any(|(known, _)| *known == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;

    #[test]
    fn every_row_is_a_known_code_and_they_are_sorted() {
        assert!(SEVERITIES.is_sorted_by(|a, b| a.0 < b.0));
        for (code, severity) in SEVERITIES {
            assert!(catalogue().any(|entry| entry.code == *code), "{code}");
            assert_eq!(of(&format!("[{code}] w.sdf:1: text: [BH-MSH-004] cause")), *severity);
            assert_eq!(of(&format!("w.sdf:1: [{code}] text")), *severity);
        }
        assert_eq!(of("a text without a code"), Severity::Warning);
    }
}
