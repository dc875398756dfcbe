//! The two generations of `simulation_interfaces`, which have the same names in DDS.
//!
//! Requests of both are always understood: the fields that 2.x appended have defaults. Of the responses only the list
//! of spawnables differs; a client misreads the list of the other generation.

use bridgehead_plugin_api::messages::Schema;

/// The generation of responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Generation {
    /// 1.x, as in Humble, Jazzy and Kilted.
    One,
    /// 2.x, as in Rolling and Lyrical.
    #[default]
    Two,
}

/// `simulation_interfaces/srv/GetSpawnables` of 1.x, for payloads of 2.x.
const OLDER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/older.bin"));

/// Responses of 2.x, each with the schema for clients of 1.x.
const CHANGED: [(&str, &str); 1] = [(
    "bridgehead.simulation_interfaces.v1.GetSpawnablesResponse",
    "bridgehead.ros2.older.GetSpawnablesResponse",
)];

impl Generation {
    /// Parses `1` or `2`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "1" => Some(Generation::One),
            "2" => Some(Generation::Two),
            _ => None,
        }
    }

    /// Returns the schema of a response for clients of this generation, if it differs from the response's own.
    pub(crate) fn response(self, full_name: &str) -> Option<Schema> {
        let changed = CHANGED.iter().filter(|_| self == Generation::One);
        changed.clone().find(|(newer, _)| *newer == full_name).map(|(_, older)| Schema::new(OLDER, *older))
    }
}
