//! Words for lifecycle states. Pure.

use bridgehead_lifecycle::State;

/// Returns the word for a state: the phases of a step count as one state.
pub(super) fn state(name: &str) -> String {
    match State::ALL.iter().find(|state| state.name() == name) {
        Some(state) if state.is_step() => "playing".to_owned(),
        Some(State::Pause) => "paused".to_owned(),
        Some(State::NoWorld) => "no world".to_owned(),
        Some(_) | None => name.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_a_step_are_playing() {
        let shown = ["StepBegin", "StepEnd", "Pause", "NoWorld", "Stopped", "", "New"].map(state);
        assert_eq!(shown, ["playing", "playing", "paused", "no world", "stopped", "", "new"]);
    }
}
