//! Warnings and errors as lines of one form: `warning[BH-PLG-095]: car1/lidar: text`.
//!
//! A text with a code is `[CODE] text`, or `place: [CODE] text` if something put a place in front of it. Any thread.

pub(super) use crate::catalogue::split_code;

/// The levels of findings about files, which their texts begin with.
const LEVELS: [&str; 3] = ["error", "warning", "note"];

/// Returns a finding as one line. A text that begins with a level of its own is returned unchanged, so that a line has one
/// level.
pub(super) fn finding(level: &str, label: &str, text: &str) -> String {
    let has_level =
        LEVELS.iter().any(|level| text.strip_prefix(level).is_some_and(|rest| rest.starts_with("[BH-")));
    if label.is_empty() && has_level {
        return text.to_owned();
    }
    let gap = if label.is_empty() { "" } else { ": " };
    match split_code(text) {
        Some((code, rest)) => format!("{level}[{code}]: {label}{gap}{rest}"),
        None => format!("{level}: {label}{gap}{text}"),
    }
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
            (("info", "", "note[BH-SDF-014] a.sdf:1:1: kept"), "note[BH-SDF-014] a.sdf:1:1: kept"),
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
