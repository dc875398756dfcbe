//! Words for people in place of names of the lifecycle. Pure.

use bridgehead_lifecycle::State;

/// A state by its name: the phases of a step are one state to somebody who looks at it from outside.
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
