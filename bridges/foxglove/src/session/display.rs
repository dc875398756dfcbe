//! The two channels that viewers need to display the run: the scene, and the transforms of its frames; what clients need
//! of them, and what plugins publish that concerns them.
//!
//! [`super::show`] sends them, on a thread that exists while a client receives one of them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::Payload;
use bridgehead_websocket::{Bytes, Link};

use super::channel::Channel;
use super::{Offered, State};
use crate::assets::Content;
use crate::assets::markers::Markers;
use crate::codec::{Codec, Encoding};
use crate::lock::lock;
use crate::scene::messages;
use crate::scene::tf::Tf;

/// Topic of the scene.
const SCENE: &str = "/scene";
/// Topic of the transforms of its frames.
const TRANSFORMS: &str = "/scene_transforms";

/// The two channels.
pub(super) struct Display {
    pub(super) scene: Arc<Channel>,
    pub(super) frames: Arc<Channel>,
    /// True while the thread of [`super::show`] runs.
    pub(super) is_shown: AtomicBool,
    /// What plugins publish about frames.
    pub(super) tf: Mutex<Tf>,
    markers: Mutex<Markers>,
    /// Models that are too large for the scene, by their addresses.
    models: Mutex<BTreeMap<String, Bytes>>,
    demand: Mutex<Demand>,
    has_demand: Condvar,
}

/// What clients need that the thread has not sent yet.
#[derive(Default)]
pub(super) struct Demand {
    /// Subscribers that need the whole scene.
    pub(super) newcomers: Vec<(Link, u32)>,
    /// True if all subscribers need the whole scene.
    pub(super) is_scene_due: bool,
    /// True if all transforms are needed.
    pub(super) are_frames_due: bool,
}

impl Demand {
    fn is_empty(&self) -> bool {
        self.newcomers.is_empty() && !self.is_scene_due && !self.are_frames_due
    }
}

impl Display {
    /// Adds the channels to a session.
    pub(super) fn new(state: &mut State) -> Self {
        let mut channel = |topic, schema| {
            let codec = Arc::new(Codec::new(schema));
            let definition = codec.definition(Encoding::Protobuf);
            let channel = Arc::new(Channel::new(state.next_id(), topic, codec, definition));
            let publishers = vec![(0, String::new())];
            state.channels.insert(channel.id, Offered { channel: Arc::clone(&channel), publishers });
            channel
        };
        Display {
            scene: channel(SCENE, messages::scene_update()),
            frames: channel(TRANSFORMS, messages::frame_transforms()),
            is_shown: AtomicBool::new(false),
            tf: Mutex::default(),
            markers: Mutex::default(),
            models: Mutex::default(),
            demand: Mutex::default(),
            has_demand: Condvar::new(),
        }
    }

    /// Has a new subscriber sent what it needs.
    pub(super) fn begin(&self, channel: &Channel, link: &Link, subscription: u32) {
        let mut demand = lock(&self.demand);
        if channel.id == self.scene.id {
            demand.newcomers.push((link.clone(), subscription));
        }
        demand.are_frames_due |= channel.id == self.frames.id;
        self.has_demand.notify_one();
    }

    /// Has everything sent again after time went back.
    pub(super) fn repeat(&self) {
        let mut demand = lock(&self.demand);
        (demand.is_scene_due, demand.are_frames_due) = (true, true);
        self.has_demand.notify_one();
    }

    /// Returns what clients need, which the caller sends.
    pub(super) fn take_demand(&self) -> Demand {
        std::mem::take(&mut *lock(&self.demand))
    }

    /// Waits until clients need something, at most that long.
    pub(super) fn wait(&self, time: Duration) {
        let demand = lock(&self.demand);
        let waited = self.has_demand.wait_timeout_while(demand, time, |demand| demand.is_empty());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns true if a client receives one of the channels.
    pub(super) fn is_wanted(&self) -> bool {
        self.scene.is_received() || self.frames.is_received()
    }

    /// Takes what a plugin publishes about frames, if a client needs it.
    pub(super) fn take_frames(&self, take: impl FnOnce(&mut Tf)) {
        if self.frames.is_received() && self.is_shown.load(Ordering::Acquire) {
            take(&mut lock(&self.tf));
        }
    }

    /// Takes the markers of a topic; `None` if it is withdrawn.
    pub(super) fn take_markers(&self, topic: u64, array: Option<Payload>) {
        lock(&self.markers).set(topic, array);
    }

    /// Replaces the models that clients may request.
    pub(super) fn offer(&self, models: BTreeMap<String, Bytes>) {
        *lock(&self.models) = models;
    }

    /// Returns what a client means by the address of an asset: a model of the scene, or the mesh of a marker.
    pub(super) fn asset(&self, address: &str) -> Option<Content> {
        let model = lock(&self.models).get(address).cloned().map(Content::Bytes);
        model.or_else(|| lock(&self.markers).mesh(address).map(Content::File))
    }
}
