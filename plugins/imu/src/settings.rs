//! The `<imu>` element of a sensor: noise of each axis and the reference of the orientation.
//!
//! Read once in `awake`. Invalid values are errors; an unsupported reference is a warning, because angular velocity
//! and specific force are correct without it.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Level, LinkId, Params, Pose};
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;

use crate::motion::Reference;

/// Noise about x, y and z of the sensor.
pub(crate) type AxisNoise = [Noise; 3];

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Whether orientation is measured.
    pub(crate) has_orientation: bool,
    /// Reference of the orientation.
    pub(crate) axes: Axes,
    /// Noise of the angular velocity, rad/s.
    pub(crate) angular_velocity: AxisNoise,
    /// Noise of the specific force, m/s².
    pub(crate) linear_acceleration: AxisNoise,
}

/// The axes relative to which orientation is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Axes {
    /// Those of the world or of navigation.
    Named(Reference),
    /// Those of a frame, turned.
    Custom(Frame, Pose),
}

/// The parent of custom axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frame {
    World,
    /// The sensor as it was at the last reset.
    Start,
    Link(LinkId),
}

impl Settings {
    pub(crate) fn read(host: HostHandle, random: RandomKey) -> Result<Self> {
        let params = host.params()?;
        Ok(Settings {
            has_orientation: params.get_or("imu/enable_orientation", true)?,
            axes: read_axes(host, params)?,
            angular_velocity: read_noise(params, "imu/angular_velocity", random)?,
            linear_acceleration: read_noise(params, "imu/linear_acceleration", random)?,
        })
    }
}

fn read_noise(params: Params, path: &str, random: RandomKey) -> Result<AxisNoise> {
    let axis = |name: &str| Noise::read(params, &format!("{path}/{name}/noise"), random);
    Ok([axis("x")?, axis("y")?, axis("z")?])
}

fn read_axes(host: HostHandle, params: Params) -> Result<Axes> {
    const PATH: &str = "imu/orientation_reference_frame/localization";
    Ok(match params.text(PATH).as_deref() {
        None | Some("ENU") => Axes::Named(Reference::Enu),
        Some("NED") => Axes::Named(Reference::Ned),
        Some("NWU") => Axes::Named(Reference::Nwu),
        Some("CUSTOM") => read_custom(host, params)?,
        Some(other) => {
            let refusal = params.refuse(PATH, other, "ENU, NED, NWU or CUSTOM; orientation is given in ENU");
            host.log()?.write(Level::Warn, "imu", refusal.text(), file!(), line!());
            Axes::Named(Reference::Enu)
        }
    })
}

/// Reads `<custom_rpy>`: the axes are those of its `parent_frame`, turned by these angles.
fn read_custom(host: HostHandle, params: Params) -> Result<Axes> {
    const PATH: &str = "imu/orientation_reference_frame/custom_rpy";
    const PARENT: &str = "imu/orientation_reference_frame/custom_rpy/@parent_frame";
    let frame = match params.text(PARENT).as_deref().map(str::trim) {
        None | Some("") => Frame::Start,
        Some("world") => Frame::World,
        Some(name) => match find_link(host, name)? {
            Some(link) => Frame::Link(link),
            None => {
                let expected = "`world`, a link of the model, or nothing for the start of the sensor";
                return Err(params.refuse(PARENT, name, expected));
            }
        },
    };
    Ok(Axes::Custom(frame, Pose::from_rpy(params.get_or(PATH, [0.0; 3])?)))
}

/// Returns the link of the model with that name, which may begin with the name of the model.
fn find_link(host: HostHandle, name: &str) -> Result<Option<LinkId>> {
    let model = host.model()?;
    let scope = format!("{}::", model.attachment()?.vehicle);
    let links = model.links();
    let found = [Some(name), name.strip_prefix(&scope)].into_iter().flatten();
    Ok(found.into_iter().find_map(|name| links.iter().find(|link| link.name == name)).map(|link| link.id))
}
