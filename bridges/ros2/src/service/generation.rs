//! The two generations of `simulation_interfaces`, which have the same names in DDS.
//!
//! Requests of both are understood at any time: what 2.x appended has a meaning where it is missing. Of the responses
//! only the list of spawnables differs; a client of 1.x reads that of 2.x wrongly, and the other way round.

use bridgehead_plugin_api::messages::Schema;

/// Which responses are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Generation {
    /// Those that Humble, Jazzy and Kilted have.
    One,
    /// Those of 2.x, which Rolling and Lyrical have.
    #[default]
    Two,
}

/// `simulation_interfaces/srv/GetSpawnables` of 1.x, for payloads of 2.x.
const OLDER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/older.bin"));

/// Responses of 2.x with what describes them to clients of 1.x.
const CHANGED: [(&str, &str); 1] = [(
    "bridgehead.simulation_interfaces.v1.GetSpawnablesResponse",
    "bridgehead.ros2.older.GetSpawnablesResponse",
)];

impl Generation {
    /// From `1` or `2`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "1" => Some(Generation::One),
            "2" => Some(Generation::Two),
            _ => None,
        }
    }

    /// What describes a response to clients of this generation, where that is not its own schema.
    pub(crate) fn response(self, full_name: &str) -> Option<Schema> {
        let changed = CHANGED.iter().filter(|_| self == Generation::One);
        changed.clone().find(|(newer, _)| *newer == full_name).map(|(_, older)| Schema::new(OLDER, *older))
    }
}
