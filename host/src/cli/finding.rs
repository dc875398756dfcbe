//! Warnings and errors as lines of one form: `warning[BH-PLG-095]: car1/lidar: text`.
//!
//! Texts carry their code where it suits those who write them; here it comes to the front. Any thread.

use crate::catalogue::{CODE_LENGTH, is_code};

/// A finding as one line. Texts that begin with their own level are complete.
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

/// The code of a text and the text without it. Of several codes the first one counts, then the one at the end.
fn split_code(text: &str) -> Option<(&str, String)> {
    leading_code(text).or_else(|| {
        let (rest, code) = text.strip_suffix(']')?.rsplit_once(" [")?;
        is_code(code).then(|| (code, rest.to_owned()))
    })
}

/// A code that stands before what is said, as `[CODE] text` or `CODE: text`: at the beginning, or after the place
/// or name that it is said of, as in `file.so: CODE: text`.
fn leading_code(text: &str) -> Option<(&str, String)> {
    text.match_indices("BH-").find_map(|(at, _)| {
        let (before, code, after) =
            (text.get(..at)?, text.get(at..at + CODE_LENGTH)?, text.get(at + CODE_LENGTH..)?);
        let (before, after) = match before.strip_suffix('[') {
            Some(before) => (before, after.strip_prefix("] ")?),
            None => (before, after.strip_prefix(": ")?),
        };
        let is_leading = before.is_empty() || before.ends_with(": ");
        (is_leading && is_code(code)).then(|| (code, format!("{before}{after}")))
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
            (("error", "", "BH-PHY-020: no longer finite"), "error[BH-PHY-020]: no longer finite"),
            (
                ("warning", "", "a.so: BH-PLG-020: no ELF\n  try: x"),
                "warning[BH-PLG-020]: a.so: no ELF\n  try: x",
            ),
            (("warning", "", "a.sdf:3: [BH-PHY-062] a mesh"), "warning[BH-PHY-062]: a.sdf:3: a mesh"),
            (("error", "car1/log", "the disk [BH-BRG-114]"), "error[BH-BRG-114]: car1/log: the disk"),
        ];
        for ((level, label, text), line) in cases {
            assert_eq!(finding(level, label, text), line);
        }
    }

    #[test]
    fn of_several_codes_the_outer_one_comes_to_the_front() {
        let text = "[BH-BRG-021] `logging` refuses `x`: no such form [BH-BRG-110]";
        let line = "error[BH-BRG-021]: `logging` refuses `x`: no such form [BH-BRG-110]";
        assert_eq!(finding("error", "", text), line);
        let text = "line 1: no number [BH-MSG-033] [BH-MSG-040]";
        assert_eq!(finding("error", "", text), "error[BH-MSG-040]: line 1: no number [BH-MSG-033]");
    }

    #[test]
    fn what_is_no_code_stays_where_it_is() {
        for text in
            ["[BH-", "[BH-PLG-95] out", "see BH-PLG-095: out", "ends in [BH-x]", "[BH-PLG-095]", "é: BH-é"]
        {
            assert_eq!(finding("info", "", text), format!("info: {text}"));
        }
    }
}
