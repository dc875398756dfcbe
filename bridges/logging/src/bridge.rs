//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop writes messages and is the only place that reads the host's
//! clock. Nothing is received.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, Tx, TxItem, Wait,
};
use bridgehead_plugin_api::host::{ClockReading, HostHandle};
use bridgehead_plugin_api::messages::{RecordTime, Schema, StepMark};
use bridgehead_plugin_api::{Error, Result};

use crate::connection::{Connection, Images, Topics};
use crate::log_file::{FLUSH_INTERVAL, Member, Outcome, registry};
use crate::place::Origin;
use crate::topic::{Record, Topic};

#[cfg(test)]
mod tests;

/// Time-out of an instance that shares its file, which limits how long others wait for it: see [`crate::merge`].
const SHARED_INTERVAL: Duration = Duration::from_millis(20);

/// One instance.
pub(crate) struct LoggingBridge {
    host: HostHandle,
    session: Mutex<Option<Arc<Session>>>,
    /// Names of the topics with compressed images. A camera has announced them before its first message.
    compressed: Mutex<HashSet<String>>,
}

/// Exists from connect to disconnect.
struct Session {
    file: Member,
    topics: Topics,
    images: Images,
}

/// What a camera adds to the name of a topic for its compressed images, as image_transport of ROS does.
const COMPRESSED: &str = "/compressed";

impl LoggingBridge {
    /// Returns true if a message is left out because the same image is written compressed.
    fn is_compressed_elsewhere(&self, session: &Session, topic: &Topic) -> bool {
        if session.images == Images::All || !topic.is_raw_image() {
            return false;
        }
        let twin = format!("{}{COMPRESSED}", topic.name);
        session.topics.contains(&twin) && self.compressed().contains(&twin)
    }

    fn compressed(&self) -> MutexGuard<'_, HashSet<String>> {
        self.compressed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn session(&self) -> MutexGuard<'_, Option<Arc<Session>>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the file; what its end has cost is reported.
    fn close(&self, session: &Session) -> Result {
        let closed = registry::close(&session.file);
        self.report_errors(session);
        closed
    }

    /// Reports errors of the file and lost messages to the host, each once.
    fn report_errors(&self, session: &Session) {
        let lost = session.file.take_lost();
        if lost > 0
            && let Ok(report) = self.host.report()
        {
            report.lost(lost);
        }
        for error in session.file.take_errors() {
            match self.host.lifecycle() {
                Ok(lifecycle) => lifecycle.report_error(error.code, &error.text),
                Err(_) => log::error!("[{}] {}", error.code, error.text),
            }
        }
    }
}

impl Bridge for LoggingBridge {
    type Connection = Connection;
    type Publisher = Arc<Topic>;
    type Subscriber = ();

    const LOOPS: Loops = Loops::TRANSMIT;
    /// A recording with gaps is useless: the simulation waits for the disk unless it is configured otherwise.
    const IS_LOSSLESS: bool = true;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(LoggingBridge { host, session: Mutex::new(None), compressed: Mutex::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        let joined = mark_of(&self.host.clock()?.read());
        let file = registry::open(&connection, &Origin::of_instance(self.host), joined)?;
        let session = Session { file, topics: connection.topics, images: connection.images };
        let before = self.session().replace(Arc::new(session));
        before.map_or(Ok(()), |session| self.close(&session))
    }

    fn disconnect(&self) -> Result {
        let session = self.session().take();
        session.map_or(Ok(()), |session| self.close(&session))
    }

    fn status(&self) -> BridgeStatus {
        match &*self.session() {
            None => BridgeStatus::Disconnected,
            Some(session) if session.file.is_broken() => BridgeStatus::UnexpectedlyDisconnected,
            Some(_) => BridgeStatus::Connected,
        }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Arc<Topic>> {
        let data = channel.data_type();
        if channel.is_converted() {
            return Err(Error::unsupported(format!(
                "`{}` has a converter for this bridge, which writes every type by its descriptor and supports \
                 no converters",
                data.name
            )));
        }
        // Declining here saves the computation of messages that would not be written; `log` filters publishers that
        // were created before `connect`.
        if self.session().as_ref().is_some_and(|session| !session.topics.contains(channel.topic())) {
            return Err(Error::unsupported(format!("`{}` is not among the topics to log", channel.topic())));
        }
        let schema = Schema::new(data.descriptor_set.to_vec(), data.name.to_owned());
        let topic = Topic::new(channel.vehicle(), channel.topic(), &schema, channel.qos().durability)?;
        if topic.is_compressed_image() {
            self.compressed().insert(topic.name.clone());
        }
        Ok(topic)
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(session) = self.session().clone() else { return Ok(()) };
        let clock = self.host.clock()?;
        let ending = EndOnDrop(&session);
        loop {
            // Read before the queue is seen empty: messages published later are of this step or a later one.
            let reading = clock.read();
            match tx.next(Some(session.timeout())) {
                Wait::Ready(item) if self.is_compressed_elsewhere(&session, item.publisher()) => {}
                Wait::Ready(item) => session.log(item),
                Wait::TimedOut => session.file.advance(mark_of(&reading)),
                Wait::Interrupted => break,
            }
            session.file.flush_if_due(clock.monotonic());
            self.report_errors(&session);
        }
        drop(ending);
        self.report_errors(&session);
        Ok(())
    }
}

impl Session {
    /// Returns how long the loop may wait for a message.
    fn timeout(&self) -> Duration {
        if self.file.is_shared() { SHARED_INTERVAL } else { FLUSH_INTERVAL }
    }

    fn log(&self, item: TxItem<'_, LoggingBridge>) {
        if !self.topics.contains(item.topic()) {
            return;
        }
        let time = RecordTime {
            stamp_ns: item.stamp_ns(),
            sequence: item.sequence(),
            step: item.step(),
            epoch: item.reset_epoch(),
        };
        let record = Record { topic: Arc::clone(item.publisher()), time, payload: item.payload() };
        if self.file.take(record) == Outcome::Refused {
            item.reject();
        }
    }
}

/// Releases the messages of other instances when the loop ends, even by a panic.
struct EndOnDrop<'a>(&'a Session);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.file.end();
    }
}

/// Returns the mark before which every message had been published when the clock was read. A paused step is not over:
/// entities that are spawned during the pause may publish in it.
fn mark_of(reading: &ClockReading) -> StepMark {
    StepMark { epoch: reading.reset_epoch, step: reading.step }
}
