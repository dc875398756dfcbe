//! `<frame>` and the pose of anything that has one: a transform together with the frame it is written in.
//! Finding that frame is the work of `resolve`.
//! Plain values, usable from any thread.

use crate::document::Origin;
use bridgehead_pose::Pose;

/// A `<pose>` as written: numbers, and the name of the frame they are relative to.
#[derive(Clone, Debug, Default)]
pub struct FramePose {
    /// The transform, metres and radians, for all formats of the file.
    pub pose: Pose,
    /// `relative_to` (before SDF 1.7: `frame`); `None` means the default frame of the element's kind.
    pub relative_to: Option<String>,
}

/// A `<frame>`: a named pose that other elements refer to.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Unique among the frames, links, joints and models of its scope.
    pub name: String,
    /// The link, joint, frame or model it moves with; `None` means the model (or world) that contains it.
    pub attached_to: Option<String>,
    /// Its pose; the default frame is `attached_to`.
    pub pose: FramePose,
    /// The element in its file.
    pub origin: Origin,
}
