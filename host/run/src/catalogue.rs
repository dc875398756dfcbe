//! Meaning and advice for the error codes without a table of their own: messages, bridges, physics, the run, and running
//! plugins.
//!
//! The messages themselves are written where the errors occur; `docs/errors.md` is made from this table. Codes of SDF, the
//! configuration and plugin files are in the tables of [`sdf`](bridgehead_sdf), [`config`](crate::config) and
//! [`plugin`](crate::plugin). Plain data, any thread.

mod bridges;
mod camera;
mod campaign;
mod cloisim;
mod control;
mod entities;
mod foxglove;
mod gz;
mod kit;
mod meshes;
mod messages;
mod physics;
mod pictures;
mod plugins;
mod python;
mod recordings;
mod resources;
mod ros2;
mod rosbridge;
mod run;
mod triggers;
mod web;

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

/// Builds the table of one area from its list.
macro_rules! entries {
    ($( $code:literal: $meaning:literal => $advice:literal; )*) => {
        /// Its codes, sorted.
        pub(super) const ENTRIES: &[Entry] = &[$( Entry { code: $code, meaning: $meaning, advice: $advice } ),*];
    };
}
use entries;

/// Returns every code without a table of its own, sorted.
pub fn catalogue() -> impl Iterator<Item = &'static Entry> {
    let areas = [
        bridges::ENTRIES,
        campaign::ENTRIES,
        cloisim::ENTRIES,
        control::ENTRIES,
        camera::ENTRIES,
        entities::ENTRIES,
        foxglove::ENTRIES,
        gz::ENTRIES,
        kit::ENTRIES,
        messages::ENTRIES,
        meshes::ENTRIES,
        physics::ENTRIES,
        pictures::ENTRIES,
        plugins::ENTRIES,
        python::ENTRIES,
        rosbridge::ENTRIES,
        recordings::ENTRIES,
        resources::ENTRIES,
        ros2::ENTRIES,
        run::ENTRIES,
        triggers::ENTRIES,
        web::ENTRIES,
    ];
    areas.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_codes_with_a_sentence_and_advice() {
        let codes = catalogue().map(|entry| entry.code);
        assert!(codes.is_sorted_by(|a, b| a < b), "sorted, and each code once");
        for entry in catalogue() {
            assert!(is_code(entry.code), "{}", entry.code);
            assert!(entry.meaning.ends_with('.'), "{}: {}", entry.code, entry.meaning);
            assert!(!entry.advice.is_empty() && !entry.advice.ends_with('.'), "{}", entry.code);
        }
    }

    #[test]
    fn a_code_is_an_area_and_a_number() {
        assert!(is_code("BH-SIM-900"));
        for text in
            ["", "BH-", "BH-SIM", "BH-SIM-90", "BH-SIM-9000", "BH-sim-900", "BH-SIM-9x0", " BH-SIM-900"]
        {
            assert!(!is_code(text), "{text}");
        }
    }
}
