//! Meaning and advice for the error codes without a table of their own: messages, bridges, physics, the run, and running
//! plugins.
//!
//! The messages themselves are written where the errors occur; `docs/errors.md` is made from this table. Codes of SDF, the
//! configuration and plugin files are in the tables of [`sdf`](bridgehead_sdf), [`config`](crate::config) and
//! [`plugin`](crate::plugin). Plain data, any thread.

mod ardupilot;
mod betaflight;
mod bridges;
mod camera;
mod campaign;
mod cloisim;
mod control;
mod entities;
mod entry;
mod foxglove;
mod gz;
mod kit;
mod mavlink;
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
mod step_channel;
mod triggers;
mod web;
mod zenoh;

pub use entry::{CODE_LENGTH, Entry, is_code, split_code};

/// Returns every code without a table of its own, sorted.
pub fn catalogue() -> impl Iterator<Item = &'static Entry> {
    let areas = [
        ardupilot::ENTRIES,
        betaflight::ENTRIES,
        bridges::ENTRIES,
        campaign::ENTRIES,
        cloisim::ENTRIES,
        control::ENTRIES,
        camera::ENTRIES,
        entities::ENTRIES,
        foxglove::ENTRIES,
        gz::ENTRIES,
        kit::ENTRIES,
        mavlink::ENTRIES,
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
        step_channel::ENTRIES,
        triggers::ENTRIES,
        web::ENTRIES,
        zenoh::ENTRIES,
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
