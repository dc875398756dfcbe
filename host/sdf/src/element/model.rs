//! `<model>`: links, joints and frames under one name, possibly with models inside it.
//! The same type serves models written in place and included ones; `origin` tells which file they came from.
//! Plain values, usable from any thread.

use super::entity::Entity;
use super::frame::{Frame, FramePose};
use super::joint::Joint;
use super::link::Link;
use super::plugin::Plugin;
use crate::document::Origin;

/// A `<model>`, top-level or nested.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Name among its siblings, unscoped; an include may have renamed it.
    pub name: String,
    /// True if the model never moves; a static model makes everything inside it static.
    pub is_static: bool,
    /// True if its links collide with each other.
    pub self_collide: bool,
    /// True if the engine may put it to sleep.
    pub allow_auto_disable: bool,
    /// True if the wind acts on its links.
    pub enable_wind: bool,
    /// `<bridgehead:entity>`; counts for a top-level model.
    pub entity: Option<Entity>,
    /// The label of its visuals and nested models that have none of their own.
    pub label: Option<u32>,
    /// Pose of the placement frame (the model frame, if there is none) in its parent.
    pub pose: FramePose,
    /// The frame of the model that `pose` places, if not the model frame itself.
    pub placement_frame: Option<String>,
    /// The link that carries the model frame; `None` means the first link.
    pub canonical_link: Option<String>,
    /// Links in document order.
    pub links: Vec<Link>,
    /// Joints in document order.
    pub joints: Vec<Joint>,
    /// Frames in document order.
    pub frames: Vec<Frame>,
    /// Nested models in document order, included ones among them.
    pub models: Vec<Model>,
    /// Plugins of the model, then those of the `<include>` element.
    pub plugins: Vec<Plugin>,
    /// Address the model was included from, as written; `None` for a model written in place.
    pub uri: Option<String>,
    /// The `<model>` element in its own file.
    pub origin: Origin,
    /// The `<include>` element that included it; `None` for a model written in place.
    pub include: Option<Origin>,
}
