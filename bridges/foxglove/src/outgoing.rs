//! An outgoing topic of an instance: hands its messages to the channel of the session, and to what else needs them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel as HostChannel, TxItem};
use bridgehead_plugin_api::host::Durability;
use bridgehead_plugin_api::messages::Message as _;
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::messages::visualization_msgs::MarkerArray;
use bridgehead_plugin_api::{Error, Result};

use crate::bridge::FoxgloveBridge;
use crate::codec::Codec;
use crate::codes;
use crate::lock::lock;
use crate::session::Session;
use crate::session::channel::{Channel, Message};

/// Numbers publishers over all instances. 0 stands for the session itself.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// What the messages of a topic are used for, besides sending them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Nothing,
    /// Latched markers name meshes.
    Meshes,
    /// Transforms and odometry place frames.
    Transforms,
    Odometry,
}

/// One topic of an instance.
pub(crate) struct Outgoing {
    id: u64,
    name: String,
    vehicle: String,
    codec: Arc<Codec>,
    is_latched: bool,
    use_of: Use,
    open: Mutex<Option<Open>>,
}

/// State while the bridge is connected.
#[derive(Clone)]
struct Open {
    session: Arc<Session>,
    channel: Arc<Channel>,
}

impl Outgoing {
    /// Creates a topic that is not announced yet.
    ///
    /// # Errors
    /// Returns an error if its messages have a form for this bridge that a converter makes.
    pub(crate) fn new(channel: &HostChannel<'_>) -> Result<Arc<Self>> {
        let data = channel.data_type();
        refuse_converter(channel)?;
        let (name, codec) = (channel.topic().to_owned(), Codec::of(data));
        let is_static = data.name == TfMessage::FULL_NAME && name.ends_with("tf_static");
        // Maps are published once, and viewers connect later.
        let is_map = codec.type_name() == "nav_msgs/msg/OccupancyGrid";
        let is_latched = channel.qos().durability == Durability::Latched || is_static || is_map;
        let use_of = match data.name {
            MarkerArray::FULL_NAME if is_latched => Use::Meshes,
            TfMessage::FULL_NAME => Use::Transforms,
            Odometry::FULL_NAME => Use::Odometry,
            _ => Use::Nothing,
        };
        Ok(Arc::new(Outgoing {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            name,
            vehicle: channel.vehicle().to_owned(),
            codec: Arc::new(codec),
            is_latched,
            use_of,
            open: Mutex::default(),
        }))
    }

    /// Returns its name in the host.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Announces it to clients.
    ///
    /// # Errors
    /// Returns an error if there is a topic of the same name and another type.
    pub(crate) fn open(&self, session: &Arc<Session>) -> Result {
        self.close();
        let channel = session.add_publisher(self.id, &self.name, &self.vehicle, &self.codec)?;
        *lock(&self.open) = Some(Open { session: Arc::clone(session), channel });
        Ok(())
    }

    /// Withdraws it.
    pub(crate) fn close(&self) {
        let Some(Open { session, channel }) = lock(&self.open).take() else { return };
        session.remove_publisher(self.id, &channel);
        if self.use_of == Use::Meshes {
            session.take_markers(self.id, None);
        }
    }

    /// Sends a message. Returns how many messages slow clients lost by it; `None` if the topic is withdrawn.
    pub(crate) fn send(&self, item: &TxItem<'_, FoxgloveBridge>) -> Option<u64> {
        let Open { session, channel } = lock(&self.open).clone()?;
        let stamp_ns = item.stamp_ns();
        match self.use_of {
            Use::Nothing => {}
            Use::Meshes => session.take_markers(self.id, Some(item.payload())),
            Use::Transforms => session.take_frames(|tf| tf.take_transforms(item.bytes())),
            Use::Odometry => session.take_frames(|tf| tf.take_odometry(item.bytes())),
        }
        if self.is_latched {
            return Some(channel.publish_latched(self.id, Message { payload: item.payload(), stamp_ns }));
        }
        Some(channel.publish(item.bytes(), stamp_ns))
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        self.close();
    }
}

/// Refuses a topic or service whose messages a converter makes.
///
/// # Errors
/// Returns an error if there is a converter.
pub(crate) fn refuse_converter(channel: &HostChannel<'_>) -> Result {
    if !channel.is_converted() {
        return Ok(());
    }
    let (code, name) = (codes::NOT_OFFERED, channel.data_type().name);
    Err(Error::unsupported(format!(
        "[{code}] `{name}` has a converter for this bridge, which reads every type by its descriptor and supports no \
         converters"
    )))
}
