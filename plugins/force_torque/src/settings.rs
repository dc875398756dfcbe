//! The `<force_torque>` element of a sensor: frame, direction and noise of each axis. Read once in `awake`.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;

/// Noise about x, y and z.
pub(crate) type AxisNoise = [Noise; 3];

/// The axes of the wrench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The child link, SDF's default.
    Child,
    /// The parent link.
    Parent,
    /// The sensor.
    Sensor,
}

/// Direction of the wrench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// The wrench that the child exerts on the parent, SDF's default.
    ChildToParent,
    /// The wrench that the parent exerts on the child.
    ParentToChild,
}

impl Direction {
    /// Returns the factor on the wrench that the parent exerts on the child.
    pub(crate) fn sign(self) -> f64 {
        match self {
            Direction::ChildToParent => -1.0,
            Direction::ParentToChild => 1.0,
        }
    }
}

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) frame: Frame,
    pub(crate) direction: Direction,
    /// Noise of the force, newtons.
    pub(crate) force: AxisNoise,
    /// Noise of the torque, newton metres.
    pub(crate) torque: AxisNoise,
}

impl Settings {
    pub(crate) fn read(params: Params, random: RandomKey) -> Result<Self> {
        let noise = |what: &str, axis: &str| {
            Noise::read(params, &format!("force_torque/{what}/{axis}/noise"), random)
        };
        let axes = |what: &str| -> Result<AxisNoise> {
            Ok([noise(what, "x")?, noise(what, "y")?, noise(what, "z")?])
        };
        Ok(Settings {
            frame: read_frame(params)?,
            direction: read_direction(params)?,
            force: axes("force")?,
            torque: axes("torque")?,
        })
    }
}

fn read_frame(params: Params) -> Result<Frame> {
    const PATH: &str = "force_torque/frame";
    match params.text(PATH).as_deref() {
        None | Some("child") => Ok(Frame::Child),
        Some("parent") => Ok(Frame::Parent),
        Some("sensor") => Ok(Frame::Sensor),
        Some(other) => Err(params.refuse(PATH, other, "`child`, `parent` or `sensor`")),
    }
}

fn read_direction(params: Params) -> Result<Direction> {
    const PATH: &str = "force_torque/measure_direction";
    match params.text(PATH).as_deref() {
        None | Some("child_to_parent") => Ok(Direction::ChildToParent),
        Some("parent_to_child") => Ok(Direction::ParentToChild),
        Some(other) => Err(params.refuse(PATH, other, "`child_to_parent` or `parent_to_child`")),
    }
}
