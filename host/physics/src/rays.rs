//! The ray scene, which lidars and other range sensors see, and ray casts.
//!
//! It holds analytic shapes and meshes on moving frames, in f64, and is independent of the physics and the
//! sensors. The simulation thread changes it; any number of threads may cast rays between two changes.
//!
//! ```
//! use bridgehead_pose::{DVec3, Pose};
//! use bridgehead_physics::rays::{Hit, Placement, Query, Ray, RayScene, Shape};
//!
//! let mut scene = RayScene::new();
//! let ball = scene.add_frame(Pose::from_position(DVec3::new(10.0, 0.0, 0.0)));
//! scene.add_shape(ball, Shape::Sphere { radius: 1.0 }, &Placement::of_object(7))?;
//!
//! let rays = [Ray { origin: DVec3::ZERO, direction: DVec3::X }];
//! let mut hits = [Hit::NONE];
//! scene.caster().cast(&rays, &Query::up_to(100.0), &mut hits);
//! assert_eq!((hits[0].distance, hits[0].object), (9.0, 7));
//! # Ok::<(), bridgehead_physics::rays::AddError>(())
//! ```

mod aabb;
mod bvh;
mod caster;
mod instance;
mod mesh;
mod primitive;
mod scene;
mod shape;
#[cfg(test)]
mod tests;

pub use caster::{Caster, Hit, Query, Ray};
pub use mesh::{MeshError, TriMesh};
pub use scene::{AddError, FrameId, Placement, RayScene};
pub use shape::{Shape, ShapeError};
