//! The two channels that viewers need to display the run: the scene, and the transforms of its frames.
//!
//! Nothing is computed for them while no client receives them.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    GetLinkPosesResponse, WorldDescription,
};
use bridgehead_plugin_api::messages::simulation_interfaces::GetEntitiesStatesResponse;
use bridgehead_websocket::Link;

use super::channel::Channel;
use super::{Offered, State};
use crate::codec::{Codec, Encoding};
use crate::lock::lock;
use crate::scene::frames::{Frames, LinkPoses};
use crate::scene::messages;
use crate::scene::store::Scene;
use crate::scene::tf::Tf;

/// Topic of the scene.
const SCENE: &str = "/scene";
/// Topic of the transforms of its frames.
const TRANSFORMS: &str = "/scene_transforms";
/// Interval at which the transforms of links and sensors are sent again, for clients that lost them.
const REPEAT: Duration = Duration::from_secs(1);

/// The two channels.
pub(super) struct Display {
    scene: Mutex<Scene>,
    scene_channel: Arc<Channel>,
    frames: Mutex<FrameState>,
    frames_channel: Arc<Channel>,
}

/// What is known of frames while a client receives transforms.
#[derive(Default)]
struct FrameState {
    revision: Option<u64>,
    frames: Frames,
    tf: Tf,
    /// When the transforms of all links and sensors were sent.
    inner_at: Option<Instant>,
    /// Whether they must be sent again.
    is_inner_due: bool,
    /// The links of the last poses, with their revision.
    links: (u64, Vec<String>),
    /// Whether the states of entities are being read.
    is_reading: bool,
    /// Time of the last states.
    time_ns: Option<i64>,
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
            scene: Mutex::default(),
            scene_channel: channel(SCENE, messages::scene_update()),
            frames: Mutex::default(),
            frames_channel: channel(TRANSFORMS, messages::frame_transforms()),
        }
    }

    /// Sends a new subscriber what it needs.
    pub(super) fn begin(&self, channel: &Channel, link: &Link, subscription: u32, time_ns: i64) {
        if channel.id == self.scene_channel.id {
            let whole = lock(&self.scene).whole(time_ns);
            channel.send_to(link, subscription, &whole, time_ns);
        }
        if channel.id == self.frames_channel.id {
            let mut state = lock(&self.frames);
            (state.inner_at, state.time_ns) = (None, None);
        }
    }

    /// Sends everything again after time went back. Returns how many messages slow clients lost by it.
    pub(super) fn repeat(&self, time_ns: i64) -> u64 {
        let mut lost = 0;
        if self.scene_channel.is_received() {
            let whole = lock(&self.scene).whole(time_ns);
            lost = self.scene_channel.publish(&whole, time_ns);
        }
        let mut state = lock(&self.frames);
        (state.inner_at, state.time_ns) = (None, None);
        lost
    }

    /// Takes the markers of a topic; `None` if it is withdrawn. Returns how many messages slow clients lost by it.
    pub(super) fn take_markers(&self, topic: u64, array: Option<Payload>, time_ns: i64) -> u64 {
        let mut scene = lock(&self.scene);
        let change = match array {
            Some(array) => Some(scene.set(topic, array)),
            None => scene.remove(topic),
        };
        if self.scene_channel.is_received()
            && let Some(message) = change.and_then(|change| change.message(time_ns))
        {
            return self.scene_channel.publish(&message, time_ns);
        }
        0
    }

    /// Returns the mesh of a marker that a client means by an address.
    pub(super) fn mesh(&self, address: &str) -> Option<String> {
        lock(&self.scene).mesh(address)
    }

    /// Returns true if a client receives transforms.
    pub(super) fn wants_frames(&self) -> bool {
        self.frames_channel.is_received()
    }

    /// Takes what a plugin publishes about frames.
    pub(super) fn take_frames(&self, take: impl FnOnce(&mut Tf)) {
        take(&mut lock(&self.frames).tf);
    }

    /// Forgets what is known of frames.
    pub(super) fn forget_frames(&self) {
        let mut state = lock(&self.frames);
        if state.revision.is_some() {
            *state = FrameState { is_reading: state.is_reading, ..FrameState::default() };
        }
    }

    /// Returns true if the frames of this description are not known yet.
    pub(super) fn is_new(&self, world: &WorldDescription) -> bool {
        lock(&self.frames).revision != Some(world.revision)
    }

    /// Learns the frames of a world, with the transforms that plugins published once.
    pub(super) fn learn(&self, world: &WorldDescription, transforms: &[Payload]) {
        let mut state = lock(&self.frames);
        let mut tf = Tf::default();
        transforms.iter().for_each(|payload| tf.take_transforms(payload));
        let is_reading = state.is_reading;
        let (revision, frames) = (Some(world.revision), Frames::of(world));
        *state = FrameState { revision, frames, tf, is_reading, ..FrameState::default() };
    }

    /// Returns true if the states of entities must be read: time has changed or all transforms are due, and no reading is
    /// in progress. [`Display::finish_frames`] must follow then.
    pub(super) fn begin_frames(&self, now: Instant, time_ns: i64) -> bool {
        let mut state = lock(&self.frames);
        if state.inner_at.is_none_or(|at| now.saturating_duration_since(at) >= REPEAT) {
            state.inner_at = Some(now);
            state.is_inner_due = true;
        }
        // A service may move a model while time stands still.
        let is_due = state.is_inner_due || state.time_ns != Some(time_ns);
        if state.is_reading || !is_due {
            return false;
        }
        state.is_reading = true;
        state.time_ns = Some(time_ns);
        true
    }

    /// Returns the revision of the links that are known.
    pub(super) fn known_links(&self) -> u64 {
        lock(&self.frames).links.0
    }

    /// Sends the transforms of models and of links that have moved, and of all links and sensors if they are due; `None` if
    /// the states of entities are not available. Returns how many messages slow clients lost by it.
    pub(super) fn finish_frames(
        &self,
        states: Option<&GetEntitiesStatesResponse>,
        links: Option<GetLinkPosesResponse>,
    ) -> u64 {
        let mut lost = 0;
        let mut guard = lock(&self.frames);
        let state = &mut *guard;
        state.is_reading = false;
        if let (Some(states), Some(links)) = (states, links) {
            state.follow(states, links);
        }
        if std::mem::take(&mut state.is_inner_due) {
            let time_ns = state.time_ns.unwrap_or(0);
            if let Some(message) = state.frames.inner(&state.tf, time_ns) {
                lost += self.frames_channel.publish(&message, time_ns);
            }
        }
        if let Some((time_ns, message)) = states.and_then(|states| state.frames.moving(states, &state.tf)) {
            lost += self.frames_channel.publish(&message, time_ns);
        }
        lost
    }
}

impl FrameState {
    /// Moves links to their present poses.
    fn follow(&mut self, states: &GetEntitiesStatesResponse, links: GetLinkPosesResponse) {
        // A response to a request of before the frames of this world were learned may have no names.
        if links.links.len() * 7 == links.poses.len() {
            self.links = (links.revision, links.links);
        }
        if self.links.0 == links.revision {
            self.frames.follow(states, LinkPoses { names: &self.links.1, poses: &links.poses });
        }
    }
}
