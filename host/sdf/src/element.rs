//! The typed elements of an SDF file: plain data in SI units and radians, as written, with SDF's defaults
//! filled in. Poses still name the frames they are relative to; `resolve` turns them into numbers. Each
//! element keeps its [`Origin`](super::Origin), so that errors and saved worlds can refer to the text. Plain
//! values, usable from any thread.

mod actor;
mod collision;
mod entity;
mod environment;
mod frame;
mod geometry;
mod inertial;
mod joint;
mod light;
mod link;
mod material;
mod model;
mod physics;
mod plugin;
mod scene;
mod sensor;
mod surface;
mod visual;
mod world;

pub use actor::{Actor, Trajectory, Waypoint};
pub use collision::Collision;
pub use entity::{
    Category, Entity, EntityInfo, MAX_NAME, MAX_TAGS, MAX_TEXT, NamedPose, PoseBounds, is_token, namespace,
};
pub use environment::{Atmosphere, Ellipsoid, Environment, SphericalCoordinates};
pub use frame::{Frame, FramePose};
pub use geometry::{Blend, Geometry, Heightmap, HeightmapTexture, Mesh, Optimization};
pub use inertial::Inertial;
pub use joint::{Axis, Dynamics, Joint, JointKind, Limit, Mimic, SoftStop};
pub use light::{Attenuation, Light, LightKind, Spot};
pub use link::{Battery, Link, VelocityDecay};
pub use material::{Material, Pbr, Rgba, Script, Texture, Workflow};
pub use model::Model;
pub use physics::{DEFAULT_GRAVITY, DEFAULT_MAGNETIC_FIELD, Physics};
pub use plugin::Plugin;
pub use scene::{Fog, Scene, Sky};
pub use sensor::{FRAME_ELEMENTS, Sensor, is_placeholder};
pub use surface::{Bounce, Contact, Friction, Surface, Torsional};
pub use visual::Visual;
pub use world::World;
