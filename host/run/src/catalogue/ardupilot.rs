//! The bridge `ardupilot`.

use super::entry::{Entry, entries};

entries! {
    "BH-APM-001": "The connection string is invalid."
        => "the error shows the expected form and the wrong part";
    "BH-APM-002": "The port for ArduPilot cannot be opened, or its socket fails."
        => "see the reason; each instance of ArduPilot has a port of its own, 9002 and 10 more for each further one";
    "BH-APM-003": "The vehicle lacks a sensor that the autopilot needs."
        => "the error shows what to add, or the key that names its topic";
    "BH-APM-004": "Datagrams arrive that are no packets of ArduPilot; they are ignored."
        => "see which program sends to this port; ArduPilot needs `--model JSON`";
}
