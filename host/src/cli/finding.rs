//! Warnings and errors as lines of one form: `warning[BH-PLG-095]: car1/lidar: text`.
//!
//! A text with a code is `[CODE] text`, or `place: [CODE] text` if something put a place in front of it. Any thread.

use crate::catalogue::{CODE_LENGTH, is_code};

/// Returns a finding as one line. A text that begins with its own level is returned unchanged.
pub(super) fn finding(level: &str, label: &str, text: &str) -> String {
    if label.is_empty() && text.starts_with(&format!("{level}[")) {
        return text.to_owned();
    }
    let gap = if label.is_empty() { "" } else { ": " };
    match split_code(text) {
        Some((code, rest)) => format!("{level}[{code}]: {label}{gap}{rest}"),
        None => format!("{level}: {label}{gap}{text}"),
    }
}

/// Returns the code of a text, and the text without it.
pub(super) fn split_code(text: &str) -> Option<(&str, String)> {
    text.match_indices("[BH-").find_map(|(at, _)| {
        let (place, text) = (text.get(..at)?, text.get(at + 1..)?);
        let (code, rest) = (text.get(..CODE_LENGTH)?, text.get(CODE_LENGTH..)?.strip_prefix("] ")?);
        let is_leading = place.is_empty() || place.ends_with(": ");
        (is_leading && is_code(code)).then(|| (code, format!("{place}{rest}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_has_its_level_and_code_in_front() {
        let cases = [
            (("warning", "car1/x", "late"), "warning: car1/x: late"),
            (("error", "car1/x", "[BH-PLG-095] out"), "error[BH-PLG-095]: car1/x: out"),
            (("error", "", "[BH-SIM-201] full"), "error[BH-SIM-201]: full"),
            (("error", "", "error[BH-SDF-003] a.sdf:1:1: no XML"), "error[BH-SDF-003] a.sdf:1:1: no XML"),
            (
                ("warning", "", "a.so: [BH-PLG-020] no ELF\n  try: x"),
                "warning[BH-PLG-020]: a.so: no ELF\n  try: x",
            ),
            (("warning", "", "a.sdf:3: [BH-PHY-062] a mesh"), "warning[BH-PHY-062]: a.sdf:3: a mesh"),
        ];
        for ((level, label, text), line) in cases {
            assert_eq!(finding(level, label, text), line);
        }
    }

    #[test]
    fn the_outer_one_of_several_codes_is_moved_to_the_front() {
        let text = "[BH-BRG-021] `logging` refuses `x`: [BH-BRG-110] no such form";
        let line = "error[BH-BRG-021]: `logging` refuses `x`: [BH-BRG-110] no such form";
        assert_eq!(finding("error", "", text), line);
    }

    #[test]
    fn text_without_a_leading_code_is_unchanged() {
        for text in [
            "[BH-",
            "[BH-PLG-95] out",
            "see [BH-PLG-095] out",
            "ends in [BH-PLG-095]",
            "[BH-PLG-095]",
            "é: [BH-é",
        ] {
            assert_eq!(finding("info", "", text), format!("info: {text}"));
        }
    }
}
