//! What rays of sensors hit: the shapes that make contact, or those that are drawn. Simulation thread only.

use std::num::NonZeroUsize;

use bridgehead_physics::rays::{FrameId, Hit, Placement, Query, Ray, RayScene};
use bridgehead_sdf::Budget;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::Link;

use super::drawn_shapes::DrawnShapes;
use super::solid::{Meshes, Solid};

/// Rays in one frame.
pub struct RayQuery<'a> {
    /// Frame of directions and origins, in the world frame.
    pub frame: Pose,
    /// Unit vectors in that frame.
    pub directions: &'a [[f64; 3]],
    /// Origins in that frame; `None` for its origin.
    pub origins: Option<&'a [[f64; 3]]>,
    /// Minimum and maximum distance, metres.
    pub range: [f64; 2],
    /// Link whose own shapes are ignored, with those of the links that fixed joints hold to it.
    pub ignore: Option<u32>,
}

/// The shapes that rays hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shapes {
    /// Those that make contact.
    Collisions,
    /// Those that are drawn.
    Visuals,
}

/// The shapes of a world for rays.
pub(super) struct Sight {
    contact_shapes: RayScene,
    drawn_shapes: DrawnShapes,
    /// True if the scenes have the current poses of the links.
    is_fresh: bool,
    rays: Vec<Ray>,
    hits: Vec<Hit>,
    threads: NonZeroUsize,
}

impl Sight {
    /// Creates scenes without shapes.
    pub(super) fn new() -> Self {
        Sight {
            contact_shapes: RayScene::new(),
            drawn_shapes: DrawnShapes::default(),
            is_fresh: false,
            rays: Vec::new(),
            hits: Vec::new(),
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
    }

    /// Notes that links have moved.
    pub(super) fn expire(&mut self) {
        self.is_fresh = false;
    }

    /// Adds the frame of a link at a pose in the world, in the rigid body with that frame.
    pub(super) fn add_frame(&mut self, pose: Pose, body: Option<FrameId>) -> FrameId {
        let frame = self.contact_shapes.add_frame(pose);
        if let Some(body) = body {
            self.contact_shapes.unite(frame, body);
        }
        frame
    }

    /// Adds the shapes of a link at a pose in the world; `rigid` is the first link of its rigid body. Returns a message
    /// for each collision that rays do not see.
    pub(super) fn add_shapes(
        &mut self,
        (handle, frame): (u32, FrameId),
        (name, rigid): (&str, u32),
        pose: Pose,
        (link, solids): (&Link, &[Option<Solid>]),
    ) -> Vec<String> {
        self.drawn_shapes.add(handle, (name, rigid), pose, link);
        let mut problems = Vec::new();
        for (placed, solid) in link.collisions.iter().zip(solids) {
            // It is in the list of problems already.
            let Some(solid) = solid else { continue };
            let (shape, turned) = solid.seen.clone();
            // Ids of hit entities count from 1, because 0 means no hit.
            let object = u64::from(handle) + 1;
            let placement = Placement { pose: placed.pose * turned, ..Placement::of_object(object) };
            if let Err(error) = self.contact_shapes.add_shape(frame, shape, &placement) {
                problems.push(format!("`{name}` is invisible to rays: {error}"));
            }
        }
        problems
    }

    /// Removes the shapes of a link.
    pub(super) fn remove(&mut self, handle: u32, frame: FrameId) {
        self.contact_shapes.remove_frame(frame);
        self.drawn_shapes.remove(handle);
    }

    /// Makes shapes of the visuals that rays have not needed so far; returns what is invisible to them.
    pub(super) fn build_drawn_shapes(&mut self, meshes: &mut Meshes, budget: &Budget) -> Vec<String> {
        if !self.drawn_shapes.has_unbuilt() {
            return Vec::new();
        }
        self.is_fresh = false;
        self.drawn_shapes.build(meshes, budget)
    }

    /// Sets the poses of links that move, unless the scenes have them.
    pub(super) fn update(&mut self, moved: impl Iterator<Item = (u32, FrameId, Pose)>) {
        if self.is_fresh {
            return;
        }
        for (handle, frame, pose) in moved {
            self.contact_shapes.set_pose(frame, pose);
            self.drawn_shapes.set_pose(handle, pose);
        }
        self.is_fresh = true;
    }

    /// Casts rays, and passes each hit to `take`, in order. The rigid body `ignore`, given by its first link and the
    /// frame of that, is invisible to them.
    pub(super) fn cast(
        &mut self,
        shapes: Shapes,
        query: &RayQuery<'_>,
        ignore: Option<(u32, FrameId)>,
        mut take: impl FnMut(usize, &Hit),
    ) {
        self.rays.clear();
        self.rays.extend(query.directions.iter().enumerate().map(|(index, direction)| Ray {
            origin: match query.origins.and_then(|origins| origins.get(index)) {
                Some(origin) => query.frame.transform_point(DVec3::from_array(*origin)),
                None => query.frame.position,
            },
            direction: query.frame.rotation * DVec3::from_array(*direction),
        }));
        self.hits.resize(self.rays.len(), Hit::NONE);
        let (ignore, scene) = match shapes {
            Shapes::Collisions => (ignore.map(|(_, frame)| frame), &mut self.contact_shapes),
            Shapes::Visuals => (
                ignore.and_then(|(first_link, _)| self.drawn_shapes.body(first_link)),
                self.drawn_shapes.scene_mut(),
            ),
        };
        let [from, to] = query.range;
        let settings = Query { from, to, ignore, normals: true, ..Query::up_to(to) };
        scene.caster().cast_batch(&self.rays, &settings, &mut self.hits, self.threads);
        self.hits.iter().enumerate().for_each(|(index, hit)| take(index, hit));
    }
}
