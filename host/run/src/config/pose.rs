//! Named poses in the configuration file. Plain values; the entities they are relative to are known when a world is
//! loaded.

use bridgehead_sdf::element::PoseBounds;
use bridgehead_sdf::params::Place;

/// A named pose, like `<bridgehead:pose>` in a world.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseRequest {
    /// Name among the poses of the world.
    pub name: String,
    /// The entity in whose frame it is given; empty for the world.
    pub relative_to: String,
    /// x, y, z in metres, roll, pitch, yaw in radians.
    pub pose: [f64; 6],
    /// Description for people.
    pub description: String,
    /// Tags for filters.
    pub tags: Vec<String>,
    /// Free space around its origin, along the axes of the pose.
    pub bounds: Option<PoseBounds>,
    /// Its place in the file.
    pub place: Place,
}
