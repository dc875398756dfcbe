//! An entry of the table, and the form of a code. Plain data, any thread.

/// What one code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code, as `BH-PHY-010`. A number is never reused.
    pub code: &'static str,
    /// What it means, as a sentence.
    pub meaning: &'static str,
    /// What to try.
    pub advice: &'static str,
}

/// Builds the table of one area from its list.
macro_rules! entries {
    ($( $code:literal: $meaning:literal => $advice:literal; )*) => {
        /// Its codes, sorted.
        pub(super) const ENTRIES: &[Entry] = &[$( Entry { code: $code, meaning: $meaning, advice: $advice } ),*];
    };
}
pub(super) use entries;

/// Length of a code in bytes.
pub const CODE_LENGTH: usize = "BH-PHY-010".len();

/// Returns true if a text is exactly an error code.
#[must_use]
pub fn is_code(text: &str) -> bool {
    let parts = text.strip_prefix("BH-").and_then(|rest| rest.split_once('-'));
    parts.is_some_and(|(area, number)| {
        area.len() == 3
            && area.bytes().all(|letter| letter.is_ascii_uppercase())
            && number.len() == 3
            && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Returns the code of a text, and the text without it: `[CODE] text`, or `place: [CODE] text`.
#[must_use]
pub fn split_code(text: &str) -> Option<(&str, String)> {
    text.match_indices("[BH-").find_map(|(at, _)| {
        let (place, text) = (text.get(..at)?, text.get(at + 1..)?);
        let (code, rest) = (text.get(..CODE_LENGTH)?, text.get(CODE_LENGTH..)?.strip_prefix("] ")?);
        let is_leading = place.is_empty() || place.ends_with(": ");
        (is_leading && is_code(code)).then(|| (code, format!("{place}{rest}")))
    })
}
