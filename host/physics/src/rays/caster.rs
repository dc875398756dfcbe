//! Casting rays into a scene that does not change meanwhile.
//!
//! A [`Caster`] borrows an up-to-date scene and may be copied to any thread; results do not depend on how
//! rays are divided between threads. It decides visibility and order; the instances compute intersections.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use bridgehead_pose::DVec3;

use super::bvh::CullRay;
use super::instance::{Crossing, Instance};
use super::scene::{FrameId, RayScene};

/// Rays that one thread takes at a time: about a quarter of a millisecond of work.
const CHUNK: usize = 1024;
/// Below this many rays, starting a thread costs more than it saves.
const PARALLEL_FROM: usize = 4 * CHUNK;

/// A half line in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Its origin, metres.
    pub origin: DVec3,
    /// Its direction. Normalised before use; if it is zero or not finite, the ray hits nothing.
    pub direction: DVec3,
}

/// What all rays of a batch have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query {
    /// Surfaces nearer than this are ignored, metres.
    pub from: f64,
    /// Surfaces farther than this are ignored, metres; may be infinite.
    pub to: f64,
    /// Shapes whose visibility shares no bit with this are ignored.
    pub mask: u32,
    /// The frame whose shapes are ignored, with those of the frames that are united with it: the rigid body that carries
    /// the sensor.
    pub ignore: Option<FrameId>,
    /// True if [`Hit::normal`] is computed.
    pub normals: bool,
}

impl Query {
    /// Everything up to this distance in metres, without normals.
    #[must_use]
    pub fn up_to(distance: f64) -> Self {
        Self { from: 0.0, to: distance, mask: u32::MAX, ignore: None, normals: false }
    }

    fn sees(&self, instance: &Instance) -> bool {
        self.mask & instance.visibility != 0 && self.ignore != Some(instance.frame)
    }
}

/// The first surface that a ray hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Metres along the ray; infinite if nothing was hit.
    pub distance: f64,
    /// The object of the shape's placement; zero if nothing was hit.
    pub object: u64,
    /// The unit normal of the surface on the side of the ray's origin; zero unless requested.
    pub normal: DVec3,
}

impl Hit {
    /// No hit.
    pub const NONE: Self = Self { distance: f64::INFINITY, object: 0, normal: DVec3::ZERO };

    /// Returns true if a surface was hit.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.distance < f64::INFINITY
    }
}

/// Casts rays into a borrowed scene.
#[derive(Debug, Clone, Copy)]
pub struct Caster<'a> {
    scene: &'a RayScene,
}

impl<'a> Caster<'a> {
    pub(super) fn new(scene: &'a RayScene) -> Self {
        Self { scene }
    }

    /// Casts every ray on the calling thread; `out` gets one hit for each ray, in order.
    ///
    /// Surfaces are seen from both sides, so that a ray that starts inside a solid hits its inner side. Of
    /// two surfaces at exactly the same distance, that of the older frame is hit. If the slices differ in
    /// length, the shorter one counts.
    pub fn cast(&self, rays: &[Ray], query: &Query, out: &mut [Hit]) {
        for (hit, ray) in out.iter_mut().zip(rays) {
            *hit = self.cast_one(ray, query);
        }
    }

    /// Like [`Caster::cast`], on up to `threads` threads if the batch is large enough.
    pub fn cast_batch(&self, rays: &[Ray], query: &Query, out: &mut [Hit], threads: NonZeroUsize) {
        if threads.get() == 1 || rays.len() < PARALLEL_FROM {
            return self.cast(rays, query, out);
        }
        let chunks = Mutex::new(rays.chunks(CHUNK).zip(out.chunks_mut(CHUNK)));
        let next = || chunks.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
        let work = || {
            while let Some((rays, out)) = next() {
                self.cast(rays, query, out);
            }
        };
        std::thread::scope(|scope| {
            for helper in 1..threads.get() {
                // If no thread can be started, the calling thread does the work.
                let named = std::thread::Builder::new().name(format!("rays:{helper}"));
                drop(named.spawn_scoped(scope, work));
            }
            work();
        });
    }

    fn cast_one(&self, ray: &Ray, query: &Query) -> Hit {
        let Some(direction) = unit(ray.direction).filter(|_| ray.origin.is_finite()) else {
            return Hit::NONE;
        };
        let mut search = Search { scene: self.scene, query, origin: ray.origin, direction, best: None };
        for &instance in &self.scene.endless {
            search.test(instance);
        }
        let cull = CullRay::new(ray.origin - self.scene.tree.origin(), direction, query.from);
        let order = self.scene.tree.order();
        self.scene.tree.traverse(&cull, search.limit(), |places| {
            for &instance in &order[places.start as usize..places.end as usize] {
                search.test(instance);
            }
            search.limit()
        });
        search.hit()
    }
}

/// The search for the first surface along one ray.
struct Search<'a> {
    scene: &'a RayScene,
    query: &'a Query,
    origin: DVec3,
    direction: DVec3,
    best: Option<(Crossing, u32)>,
}

impl Search<'_> {
    fn limit(&self) -> f64 {
        self.best.map_or(self.query.to, |(crossing, _)| crossing.distance)
    }

    fn test(&mut self, index: u32) {
        let instance = &self.scene.instances[index as usize];
        if !self.query.sees(instance) {
            return;
        }
        let found = instance.crossing(self.origin, self.direction, self.query.from, self.limit());
        let Some(found) = found.filter(|found| found.distance.is_finite()) else { return };
        if self.best.is_none_or(|(best, holder)| found.distance < best.distance || index < holder) {
            self.best = Some((found, index));
        }
    }

    fn hit(&self) -> Hit {
        let Some((crossing, index)) = self.best else { return Hit::NONE };
        let instance = &self.scene.instances[index as usize];
        let normal = if self.query.normals {
            instance.normal(self.origin, self.direction, &crossing)
        } else {
            DVec3::ZERO
        };
        Hit { distance: crossing.distance, object: instance.object, normal }
    }
}

/// The direction with length one; `None` if it has no length or is not finite.
fn unit(direction: DVec3) -> Option<DVec3> {
    let squared = direction.length_squared();
    if (squared - 1.0).abs() <= 4.0 * f64::EPSILON {
        return Some(direction);
    }
    direction.try_normalize()
}
