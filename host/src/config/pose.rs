//! Poses with a name that the configuration file gives to the world. Plain values; what they are relative to is known
//! when a world is loaded.

use bridgehead_sdf::element::PoseBounds;
use bridgehead_sdf::params::Place;

/// A place of the world with a name, as `<bridgehead:pose>` is one.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseRequest {
    /// Name among the poses of the world.
    pub name: String,
    /// The entity in whose frame it is given; empty for the world.
    pub relative_to: String,
    /// x, y, z in metres, roll, pitch, yaw in radians.
    pub pose: [f64; 6],
    /// For people.
    pub description: String,
    /// For filters.
    pub tags: Vec<String>,
    /// How much room there is, in the axes of the pose and about its origin.
    pub bounds: Option<PoseBounds>,
    /// Where it stands in the file.
    pub place: Place,
}
