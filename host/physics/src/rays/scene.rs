//! The contents of the ray scene: frames that move and the shapes on them.
//!
//! Changes are only recorded; [`RayScene::caster`] updates the tree, so that a step without rays costs
//! nothing. Moved frames cost a refit; added or removed shapes, or moves that degrade the tree, cost a
//! rebuild. Changed by one thread at a time.

use bridgehead_pose::Pose;

use super::aabb::Aabb;
use super::bvh::Bvh;
use super::caster::Caster;
use super::instance::Instance;
use super::shape::{Shape, ShapeError};

/// The exact test of a shape costs about as much as visiting a node, so leaves hold one.
const MAX_LEAF: usize = 1;

/// A frame of the scene; its id is not reused after its removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId {
    index: u32,
    generation: u32,
}

/// The pose of a shape in its frame, and what can see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The pose of the shape in its frame.
    pub pose: Pose,
    /// The value that a hit reports, for example an entity id.
    pub object: u64,
    /// Seen by rays whose mask has at least one of these bits (SDF `visibility_flags`).
    pub visibility: u32,
}

impl Placement {
    /// At the origin of the frame, seen by every ray.
    #[must_use]
    pub fn of_object(object: u64) -> Self {
        Self { pose: Pose::IDENTITY, object, visibility: u32::MAX }
    }
}

/// Why a shape was not added.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AddError {
    /// The dimensions are invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The frame was removed or belongs to another scene.
    #[error("[BH-PHY-005] the ray scene has no frame {0:?}; it was removed before the shape was added")]
    NoSuchFrame(FrameId),
}

#[derive(Debug, Default)]
struct Frame {
    generation: u32,
    /// `None` while the slot is free.
    pose: Option<Pose>,
    shapes: Vec<(Shape, Placement)>,
    /// The frame whose shapes are ignored together with these; `None` for itself.
    body: Option<FrameId>,
    /// The index of the first instance of this frame.
    first_instance: usize,
    moved: bool,
}

/// What is out of date in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Stale {
    #[default]
    Nothing,
    Poses,
    Everything,
}

/// All shapes that rays can hit.
#[derive(Debug, Default)]
pub struct RayScene {
    frames: Vec<Frame>,
    free: Vec<u32>,
    stale: Stale,
    /// Every shape, sorted by frame.
    pub(super) instances: Vec<Instance>,
    boxes: Vec<Aabb>,
    pub(super) tree: Bvh,
    /// Unbounded instances, which every ray must test.
    pub(super) endless: Vec<u32>,
}

impl RayScene {
    /// Creates a scene in which every ray misses.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a frame at this pose in the world, for example a link.
    pub fn add_frame(&mut self, pose: Pose) -> FrameId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.frames.push(Frame::default());
            u32::try_from(self.frames.len() - 1).unwrap_or(u32::MAX)
        });
        let frame = &mut self.frames[index as usize];
        frame.pose = Some(pose);
        FrameId { index, generation: frame.generation }
    }

    /// Counts the shapes of a frame among those of `body` for [`Query::ignore`](super::Query::ignore): a frame that does
    /// not move relative to it. Returns false if the frame was removed.
    pub fn unite(&mut self, id: FrameId, body: FrameId) -> bool {
        let Some(frame) = self.frame_mut(id) else { return false };
        frame.body = Some(body);
        self.stale = Stale::Everything;
        true
    }

    /// Removes a frame with all its shapes; returns false if it was removed before.
    pub fn remove_frame(&mut self, id: FrameId) -> bool {
        let Some(frame) = self.frame_mut(id) else { return false };
        *frame = Frame { generation: id.generation.wrapping_add(1), ..Frame::default() };
        self.free.push(id.index);
        self.stale = Stale::Everything;
        true
    }

    /// Adds a shape to a frame.
    ///
    /// # Errors
    /// Returns an error if a dimension is not positive and finite, or the frame was removed.
    pub fn add_shape(&mut self, id: FrameId, shape: Shape, placement: &Placement) -> Result<(), AddError> {
        shape.check()?;
        let frame = self.frame_mut(id).ok_or(AddError::NoSuchFrame(id))?;
        frame.shapes.push((shape, *placement));
        self.stale = Stale::Everything;
        Ok(())
    }

    /// Moves a frame to this pose in the world; returns false if it was removed.
    ///
    /// A pose that is not finite hides the shapes of the frame.
    pub fn set_pose(&mut self, id: FrameId, pose: Pose) -> bool {
        let Some(frame) = self.frame_mut(id) else { return false };
        if frame.pose != Some(pose) {
            frame.pose = Some(pose);
            frame.moved = true;
            self.stale = self.stale.max(Stale::Poses);
        }
        true
    }

    /// The number of shapes in the scene.
    pub fn shape_count(&self) -> usize {
        self.frames.iter().map(|frame| frame.shapes.len()).sum()
    }

    /// Updates the tree and returns the caster.
    pub fn caster(&mut self) -> Caster<'_> {
        self.refresh();
        Caster::new(self)
    }

    /// Returns the caster without updating the tree; `None` while a change waits for [`RayScene::caster`].
    pub fn fresh_caster(&self) -> Option<Caster<'_>> {
        (self.stale == Stale::Nothing).then(|| Caster::new(self))
    }

    fn refresh(&mut self) {
        match self.stale {
            Stale::Nothing => {}
            Stale::Poses => self.follow_frames(),
            Stale::Everything => self.rebuild(),
        }
        self.stale = Stale::Nothing;
    }

    fn rebuild(&mut self) {
        self.instances.clear();
        self.boxes.clear();
        self.endless.clear();
        for (index, frame) in (0_u32..).zip(&mut self.frames) {
            let Some(pose) = frame.pose else { continue };
            let id = FrameId { index, generation: frame.generation };
            let body = frame.body.unwrap_or(id);
            frame.first_instance = self.instances.len();
            frame.moved = false;
            for (shape, placement) in &frame.shapes {
                self.instances.push(Instance::new(shape.clone(), placement, body, &pose));
            }
        }
        self.boxes.resize(self.instances.len(), Aabb::EMPTY);
        for index in 0..self.frames.len() {
            self.place_shapes(index);
        }
        self.tree = Bvh::build(&self.boxes, MAX_LEAF);
        self.find_endless();
    }

    fn follow_frames(&mut self) {
        for index in 0..self.frames.len() {
            if std::mem::take(&mut self.frames[index].moved) {
                self.place_shapes(index);
            }
        }
        let items = self.boxes.iter().filter(|bounds| bounds.is_finite()).count();
        if self.tree.refit(&self.boxes) || items != self.tree.order().len() {
            self.tree = Bvh::build(&self.boxes, MAX_LEAF);
        }
    }

    fn place_shapes(&mut self, index: usize) {
        let frame = &self.frames[index];
        let Some(frame_pose) = frame.pose else { return };
        for (offset, (_, placement)) in frame.shapes.iter().enumerate() {
            let pose = frame_pose * placement.pose;
            let place = frame.first_instance + offset;
            self.instances[place].place(&pose);
            self.boxes[place] = self.instances[place].bounds(&pose).unwrap_or(Aabb::EMPTY);
        }
    }

    fn find_endless(&mut self) {
        let endless = (0_u32..).zip(&self.instances).filter(|(_, instance)| instance.is_endless());
        self.endless = endless.map(|(index, _)| index).collect();
    }

    fn frame_mut(&mut self, id: FrameId) -> Option<&mut Frame> {
        let frame = self.frames.get_mut(id.index as usize)?;
        (frame.generation == id.generation && frame.pose.is_some()).then_some(frame)
    }
}
