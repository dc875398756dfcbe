//! The outgoing endpoint of a topic.

use std::sync::Arc;
use std::time::Duration;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use bytes::Bytes;
use rustdds::dds::WriteError;
use rustdds::no_key::DataWriter;
use rustdds::{RTPSEntity, WriteOptionsBuilder};

use super::first_heartbeat::FirstHeartbeats;
use super::participant::{Participant, failed};
use super::raw::{self, Outgoing};
use super::sole::Side;
use super::{Guid, Peer, Qos, SampleId};

/// The underlying writer of `rustdds`.
pub(super) type Raw = DataWriter<Outgoing, raw::Raw>;

/// Options of one write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The sample that this one replies to, sent as inline QoS: Fast DDS identifies replies by it.
    pub related: Option<SampleId>,
    /// The only reader that receives it. Other readers do not notice the sample.
    pub to: Option<Guid>,
}

/// The outgoing endpoint of a topic. Peers forget it when it is dropped. Usable from any thread.
pub struct Writer {
    dds: Raw,
    topic: String,
    kind: String,
    first_heartbeats: FirstHeartbeats,
    /// Last, since it leaves its domain with the last of its endpoints.
    participant: Arc<Participant>,
}

impl Writer {
    pub(super) fn new(participant: &Arc<Participant>, topic: &str, kind: &str, qos: Qos) -> Result<Self> {
        let dds = participant.core.bare_writer(topic, kind, qos)?;
        let guid = dds.guid().into();
        participant.core.change_graph(|graph| graph.add_writer(guid));
        Ok(Writer {
            dds,
            topic: topic.to_owned(),
            kind: kind.to_owned(),
            first_heartbeats: FirstHeartbeats::default(),
            participant: Arc::clone(participant),
        })
    }

    /// Returns its address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.dds.guid().into()
    }

    /// Logs a warning for each other participant that writes to the topic too. `what` says what this writer does:
    /// `publishes /clock`.
    pub fn warn_of_others(&self, what: String) {
        self.participant.core.peers.expect_alone(self.guid(), Side::Writes, &self.topic, what);
    }

    /// Writes a CDR body, little endian and without the four bytes of encapsulation. It is padded with zeros to a
    /// multiple of four bytes: some readers lose other bodies if they are fragmented.
    ///
    /// A reliable writer with slow readers blocks for at most a tenth of a second, and a megabyte takes milliseconds
    /// in any case. So it must not be called on the simulation thread.
    ///
    /// # Errors
    /// Returns an error if readers are too far behind (status `TIMEOUT`) or the participant has failed.
    pub fn write(&self, mut body: Vec<u8>, options: WriteOptions) -> Result<SampleId> {
        body.resize(body.len().next_multiple_of(4), 0);
        let mut builder =
            WriteOptionsBuilder::new().related_sample_identity_opt(options.related.map(Into::into));
        if let Some(reader) = options.to {
            self.send_first_heartbeat_to(reader);
            builder = builder.to_single_reader(reader.into());
        }
        let written = self.dds.write_with_options(Outgoing(Bytes::from(body)), builder.build());
        let id = written.map(SampleId::from).map_err(|error| match error {
            WriteError::WouldBlock { .. } => Error::with_status(
                status::TIMEOUT,
                format!("readers of the DDS topic {} do not keep up; they lose a message", self.topic),
            ),
            other => failed(format_args!("writing to the DDS topic {}", self.topic), &other),
        })?;
        self.first_heartbeats.note(id.sequence);
        Ok(id)
    }

    /// Sends a first heartbeat before the first sample that is for this reader alone.
    fn send_first_heartbeat_to(&self, reader: Guid) {
        if let Some(last) = self.first_heartbeats.due(reader, || self.readers()) {
            self.participant.core.send_first_heartbeat(self.guid(), last, reader);
        }
    }

    /// Waits for at most `timeout` until its readers have what was written. Samples that are in flight when the
    /// writer is dropped may be lost.
    pub fn flush(&self, timeout: Duration) {
        // A reader that does not respond is not waited for any longer.
        drop(self.dds.wait_for_acknowledgments(timeout));
    }

    /// Returns true if it is matched with a reader.
    #[must_use]
    pub fn has_readers(&self) -> bool {
        !self.readers().is_empty()
    }

    /// Returns the remote readers with which it is matched.
    #[must_use]
    pub fn readers(&self) -> Vec<Guid> {
        self.participant.core.peers.matched(self.guid(), &self.kind)
    }

    /// Waits for at most `timeout` until a reader that is `wanted` is matched and returns its address. The [`Peer`]
    /// of a reader is `None` if it has just been matched. Must not be called on the thread of the participant, and so
    /// not in a handler: matches are processed there.
    #[must_use]
    pub fn await_reader(
        &self,
        wanted: impl Fn(Guid, Option<&Peer>) -> bool,
        timeout: Duration,
    ) -> Option<Guid> {
        self.participant.core.peers.await_match(self.guid(), wanted, timeout)
    }

    /// Waits for at most `timeout` until the matched readers are as `wanted` and returns whether they are. Like
    /// [`Writer::await_reader`], it must not be called in a handler.
    #[must_use]
    pub fn await_change(&self, wanted: impl Fn(&[Guid]) -> bool, timeout: Duration) -> bool {
        self.participant.core.peers.await_readers(self.guid(), &self.kind, wanted, timeout)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let guid = self.guid();
        self.participant.core.peers.forget_writer(guid);
        self.participant.core.change_graph(|graph| graph.remove(guid));
    }
}
