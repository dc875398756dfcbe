//! The underlying participant of `rustdds`: opens it behind the guard, creates its endpoints, and sends what `rustdds` does
//! not send to the addresses that it has discovered.

use std::fmt::Display;
use std::sync::Arc;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use rustdds::dds::CreateResult;
use rustdds::{
    DomainParticipant, DomainParticipantBuilder, Publisher, RTPSEntity, Subscriber, Topic, TopicKind,
};

use super::guard::{self, GuardedParticipant};
use super::guid::Guid;
use super::options::{Network, ParticipantOptions};
use super::qos::Qos;
use super::{first_heartbeat, raw, resend_request};

/// An error of DDS.
pub(super) const DDS: &str = "BH-ROS-002";

/// Returns the error of an operation of DDS.
pub(super) fn failed(what: impl Display, error: &dyn Display) -> Error {
    Error::with_status(status::IO, format!("[{DDS}] {what}: {error}"))
}

/// A participant of `rustdds`. It leaves its domain when it and its endpoints are dropped.
pub(super) struct RawParticipant {
    publisher: Publisher,
    subscriber: Subscriber,
    network: Network,
    /// Last, so that it is dropped after everything it created.
    dds: DomainParticipant,
}

impl RawParticipant {
    /// Joins a domain. Takes some tens of milliseconds.
    ///
    /// # Errors
    /// Returns an error if ports of the domain are not available.
    pub(super) fn join(options: &ParticipantOptions, guarded: &Arc<GuardedParticipant>) -> Result<Self> {
        let dds = build(options, guarded).map_err(|error| {
            failed(format_args!("the domain {} cannot be joined", options.domain), &error)
        })?;
        Ok(RawParticipant {
            publisher: dds
                .create_publisher(&Qos::DEFAULT.policies())
                .map_err(|error| failed("the publisher cannot be created", &error))?,
            subscriber: dds
                .create_subscriber(&Qos::DEFAULT.policies())
                .map_err(|error| failed("the subscriber cannot be created", &error))?,
            network: options.network.clone(),
            dds,
        })
    }

    /// Returns its address.
    pub(super) fn guid(&self) -> Guid {
        self.dds.guid().into()
    }

    /// Returns the participant with its events and its discovery database.
    pub(super) fn dds(&self) -> &DomainParticipant {
        &self.dds
    }

    /// Creates a writer.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    pub(super) fn writer(&self, topic: &str, kind: &str, qos: Qos) -> Result<raw::Writer> {
        self.publisher.create_datawriter_no_key(&self.topic(topic, kind, qos)?, Some(qos.policies())).map_err(
            |error| failed(format_args!("a writer of the DDS topic {topic} cannot be created"), &error),
        )
    }

    /// Creates a reader.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    pub(super) fn reader(&self, topic: &str, kind: &str, qos: Qos) -> Result<raw::Reader> {
        self.subscriber
            .create_simple_datareader_no_key(&self.topic(topic, kind, qos)?, Some(qos.policies()))
            .map_err(|error| {
                failed(format_args!("a reader of the DDS topic {topic} cannot be created"), &error)
            })
    }

    fn topic(&self, name: &str, kind: &str, qos: Qos) -> Result<Topic> {
        self.dds.create_topic(name.to_owned(), kind.to_owned(), &qos.policies(), TopicKind::NoKey).map_err(
            |error| failed(format_args!("the DDS topic {name} of type {kind} cannot be created"), &error),
        )
    }

    /// Requests the first sample of a remote writer for a local reader.
    pub(super) fn request_resend(&self, writer: Guid, reader: Guid) {
        let known = self.dds.discovered_writers();
        let known = known.iter().find(|known| Guid::from(known.writer_proxy.remote_writer_guid) == writer);
        let addresses = known.into_iter().flat_map(|known| &known.writer_proxy.unicast_locator_list);
        resend_request::send(writer, reader, &self.network, addresses.map(|address| (*address).into()));
    }

    /// Sends a remote reader the first heartbeat of a local writer.
    pub(super) fn send_first_heartbeat(&self, writer: Guid, last: i64, reader: Guid) {
        let known = self.dds.discovered_readers();
        let known = known.iter().find(|known| Guid::from(known.reader_proxy.remote_reader_guid) == reader);
        let addresses = known.into_iter().flat_map(|known| &known.reader_proxy.unicast_locator_list);
        first_heartbeat::send(
            writer,
            last,
            reader,
            &self.network,
            addresses.map(|address| (*address).into()),
        );
    }
}

fn build(options: &ParticipantOptions, guarded: &Arc<GuardedParticipant>) -> CreateResult<DomainParticipant> {
    let builder = DomainParticipantBuilder::new(options.domain);
    let builder = match &options.network {
        Network::All => builder,
        Network::Only(addresses) => builder.with_only_networks(addresses.iter().copied()),
    };
    guard::open_guarded(guarded, || builder.build(), |dds| Guid::from(dds.guid()).prefix())
}
