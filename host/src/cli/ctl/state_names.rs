//! Names of lifecycle states, as `ctl` shows them. Pure.

use bridgehead_lifecycle::State;

/// Returns the name of a state: the phases of a step count as one state. A newer host may have other states.
pub(super) fn shown(name: &str) -> String {
    match State::ALL.iter().find(|state| state.name() == name) {
        Some(State::NoWorld) => "no world".to_owned(),
        Some(state) => state.plain_name().to_owned(),
        None => name.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_a_step_are_playing() {
        let names = ["StepBegin", "StepEnd", "Pause", "NoWorld", "Stopped", "", "New"].map(shown);
        assert_eq!(names, ["playing", "playing", "paused", "no world", "stopped", "", "new"]);
    }
}
