//! What commands of a joint say: its interfaces of `ros2_control`.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;

/// What a value is: rad or m, rad/s or m/s, N·m or N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    Position,
    Velocity,
    Effort,
}

impl Interface {
    pub(crate) const EXPECTED: &str = "`position`, `velocity` or `effort`";

    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "position" => Some(Interface::Position),
            "velocity" => Some(Interface::Velocity),
            "effort" => Some(Interface::Effort),
            _ => None,
        }
    }
}

/// Which values a joint takes from a message with fewer values than names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interfaces {
    position: bool,
    velocity: bool,
    effort: bool,
}

impl Interfaces {
    pub(crate) fn read(params: Params, path: &str) -> Result<Self> {
        let mut interfaces = Interfaces::default();
        for index in 0..params.count(path) {
            let path = format!("{path}[{index}]");
            let name = params.require::<String>(&path)?;
            match Interface::named(&name) {
                Some(Interface::Position) => interfaces.position = true,
                Some(Interface::Velocity) => interfaces.velocity = true,
                Some(Interface::Effort) => interfaces.effort = true,
                None => return Err(params.refuse(&path, &name, Interface::EXPECTED)),
            }
        }
        Ok(interfaces)
    }

    pub(crate) fn has(self, interface: Interface) -> bool {
        match interface {
            Interface::Position => self.position,
            Interface::Velocity => self.velocity,
            Interface::Effort => self.effort,
        }
    }
}
