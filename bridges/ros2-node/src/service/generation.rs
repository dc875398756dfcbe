//! The two generations of `simulation_interfaces`, whose types have the same names.
//!
//! Requests of both are always understood: the fields that 2.x appended have defaults. Of the responses only the list
//! of spawnables differs; over DDS a client misreads the list of the other generation, and over Zenoh it finds no service,
//! because the hashes of four services differ.

use bridgehead_plugin_api::messages::Schema;

/// The generation of responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Generation {
    /// 1.x, as in Humble, Jazzy and Kilted.
    One,
    /// 2.x, as in Rolling and Lyrical.
    #[default]
    Two,
}

/// `simulation_interfaces/srv/GetSpawnables` of 1.x, for payloads of 2.x.
const OLDER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/older.bin"));

/// Responses of 2.x, each with the schema for clients of 1.x.
const CHANGED: [(&str, &str); 1] = [("GetSpawnablesResponse", "GetSpawnablesResponse")];

/// Requests and responses of 2.x, each with its definition in 1.x.
const DEFINED: [(&str, &str); 4] = [
    ("GetSpawnablesResponse", "GetSpawnablesResponseOfOne"),
    ("LoadWorldRequest", "LoadWorldRequestOfOne"),
    ("SetEntityStateRequest", "SetEntityStateRequestOfOne"),
    ("SpawnEntityRequest", "SpawnEntityRequestOfOne"),
];

impl Generation {
    /// Parses `1` or `2`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1" => Some(Generation::One),
            "2" => Some(Generation::Two),
            _ => None,
        }
    }

    /// Returns the schema of a response for clients of this generation, if it differs from the response's own.
    pub(super) fn response(self, full_name: &str) -> Option<Schema> {
        self.older(&CHANGED, full_name)
    }

    /// Returns the schema that this generation defines for a request or a response, if it differs from its own.
    pub(super) fn definition(self, full_name: &str) -> Option<Schema> {
        self.older(&DEFINED, full_name)
    }

    fn older(self, table: &[(&str, &str)], full_name: &str) -> Option<Schema> {
        let name = full_name.strip_prefix("bridgehead.simulation_interfaces.v1.")?;
        let (_, older) = table.iter().find(|(newer, _)| *newer == name && self == Generation::One)?;
        Some(Schema::new(OLDER, format!("bridgehead.ros2.older.{older}")))
    }
}
