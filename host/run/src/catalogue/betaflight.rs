//! The bridge `betaflight`.

use super::entry::{Entry, entries};

entries! {
    "BH-BFL-001": "The connection string is invalid."
        => "the error shows the expected form and the wrong part";
    "BH-BFL-002": "The port for the outputs of Betaflight cannot be opened, or its socket fails."
        => "see the reason; Betaflight has fixed ports, so only one runs on a machine or in a network namespace";
    "BH-BFL-003": "The vehicle lacks a sensor that the flight controller needs."
        => "the error shows what to add, or the key that names its topic";
    "BH-BFL-004": "The time between two states for Betaflight is no whole number of steps."
        => "choose a step of the world whose multiple it is, or another `rate=`";
    "BH-BFL-005": "Betaflight does not answer any more; the step waits for it."
        => "see why it ended, and start it again; it exits when its configuration is saved";
}
