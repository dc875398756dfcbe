//! The bridge `mavlink`.

use super::entry::{Entry, entries};

entries! {
    "BH-MAV-001": "The connection string is invalid."
        => "the error shows the expected form and the wrong part";
    "BH-MAV-002": "A port for an autopilot or a ground station cannot be opened, or another vehicle has the same system id."
        => "see the reason; each vehicle needs an `instance=` of its own, which is added to port 4560 of PX4";
    "BH-MAV-003": "The vehicle lacks a sensor that the autopilot or the ground station needs."
        => "the message shows what to add, or the key that names its topic";
    "BH-MAV-004": "The time between two samples for the autopilot is no whole number of steps."
        => "choose a step of the world whose multiple it is, such as 0.001 s for 250 samples a second, or another `rate=`";
    "BH-MAV-005": "The autopilot has ended its connection; the next sample waits for another one."
        => "see why it ended; PX4 connects only when it starts, so start it again";
    "BH-MAV-006": "The autopilot sends bytes that are no messages which the bridge reads; they are ignored."
        => "see which program connects to this port";
    "BH-MAV-007": "The autopilot has left out answers, so steps ran with the commands before them and the run depends on the machine."
        => "give it more time with `skip=`, or any time with `skip=0`";
    "BH-MAV-008": "Another autopilot wants to connect while one is connected; it is refused."
        => "each vehicle has a port of its own, by `instance=`; PX4 counts them with `-i`";
}
