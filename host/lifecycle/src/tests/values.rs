//! Numbers and names that other programs rely on.

use super::*;

#[test]
fn simulation_states_have_the_standards_numbers() {
    let numbers = [
        (SimulationState::Stopped, 0),
        (SimulationState::Playing, 1),
        (SimulationState::Paused, 2),
        (SimulationState::Quitting, 3),
        (SimulationState::NoWorld, 4),
        (SimulationState::LoadingWorld, 5),
    ];
    for (state, number) in numbers {
        assert_eq!(state.number(), number);
        assert_eq!(SimulationState::from_number(number), Some(state));
    }
    assert_eq!(SimulationState::from_number(77), None);
}

#[test]
fn exit_codes_are_the_documented_ones() {
    let codes = [
        (Outcome::Success, 0, 0),
        (Outcome::Stopped, 0, 8),
        (Outcome::Failure, 9, 9),
        (Outcome::Aborted, 16, 16),
        (Outcome::NotStarted, 4, 4),
        (Outcome::ConfigurationError, 1, 1),
        (Outcome::Probed, 0, 0),
    ];
    for (outcome, plain, strict) in codes {
        assert_eq!((outcome.exit_code(false), outcome.exit_code(true)), (plain, strict), "{outcome}");
    }
}

#[test]
fn reset_scopes_are_a_bit_field() {
    assert_eq!(ResetScope::from_bits(0), Some(ResetScope::ALL));
    assert_eq!(ResetScope::from_bits(255), Some(ResetScope::ALL));
    assert_eq!(ResetScope::from_bits(3), Some(ResetScope::TIME | ResetScope::STATE));
    assert_eq!(ResetScope::from_bits(8 | 4), Some(ResetScope::SPAWNED));
    assert_eq!(ResetScope::from_bits(8), None);
    assert!(ResetScope::ALL.contains(ResetScope::SPAWNED));
    assert_eq!((ResetScope::TIME | ResetScope::SPAWNED).to_string(), "time,spawned");
    assert_eq!(ResetScope::ALL.to_string(), "all");
}

#[test]
fn states_are_listed_once_and_named_as_in_the_code() {
    for (place, state) in State::ALL.into_iter().enumerate() {
        assert_eq!(state as usize, place);
        assert_eq!(state.name(), format!("{state:?}"));
    }
}

#[test]
fn plain_names_of_states_complete_a_sentence() {
    for state in State::ALL {
        let name = state.plain_name();
        assert!(name.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b' '), "{name}");
        assert_eq!(name == "playing", state.is_step(), "{state}");
    }
    assert_eq!(State::Pause.plain_name(), "paused");
}
