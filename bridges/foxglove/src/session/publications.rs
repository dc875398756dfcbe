//! What clients publish: their channels, and the messages on them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_websocket::Link;

use super::callbacks::{Failure, report};
use super::client::Publication;
use super::input::Input;
use super::{Session, State};
use crate::codec::{ENCODINGS, Encoding};
use crate::codes;
use crate::lock::lock;
use crate::protocol::quoted;
use crate::protocol::request::ClientChannel;

/// Channels of one client.
const MAX_CHANNELS: usize = 1024;
/// Longest name of a topic or type of a client, in bytes.
const LONGEST_NAME: usize = 1024;
/// Topics that an error lists.
const LISTED: usize = 12;

impl Session {
    /// Records channels of a client. An unknown topic is reported, and works as soon as a plugin subscribes to it.
    pub(super) fn advertise_of_client(&self, link: &Link, channels: Vec<ClientChannel>) -> Vec<Failure> {
        let mut state = lock(&self.state);
        self.has_new_graph.store(true, Ordering::Release);
        channels.into_iter().filter_map(|channel| advertise(&mut state, link, channel).err()).collect()
    }

    pub(super) fn unadvertise_of_client(&self, link: &Link, ids: &[u32]) -> Vec<Failure> {
        let mut state = lock(&self.state);
        self.has_new_graph.store(true, Ordering::Release);
        let Some(client) = state.clients.get_mut(&link.id()) else { return Vec::new() };
        let unknown = ids.iter().filter(|id| client.publications.remove(id).is_none());
        unknown.map(|id| Failure::new(codes::ID, format!("the client has no channel {id}"))).collect()
    }

    /// Hands a message of a client to the simulation.
    pub(super) fn publish_of_client(&self, link: &Link, channel: u32, data: &[u8]) {
        let failure = match self.publication(link, channel) {
            Ok((publication, input)) => {
                let Publication { topic, schema_name, encoding, .. } = &publication;
                let delivered = input.deliver(schema_name, *encoding, data);
                delivered.err().map(|reason| {
                    let reason = format!("a message on {topic} is dropped: {reason}");
                    Failure::new(codes::UNUSABLE, reason)
                })
            }
            Err(failure) => Some(failure),
        };
        let text = failure.map(|failure| failure.text()).unwrap_or_default();
        if self.is_new_report(link, channel, &text) {
            report(link, &text);
        }
    }

    /// Returns a channel of a client with the topic on which it publishes.
    fn publication(&self, link: &Link, channel: u32) -> Result<(Publication, Arc<Input>), Failure> {
        let state = lock(&self.state);
        let client = state.clients.get(&link.id());
        let publication = client.and_then(|client| client.publications.get(&channel)).ok_or_else(|| {
            Failure::new(
                codes::ID,
                format!("the client has no channel {channel}; advertise it before a message"),
            )
        })?;
        let input = input(&state, &publication.topic, &publication.schema_name)?;
        Ok((publication.clone(), input))
    }

    /// Records the error of a channel; an empty text is none. Returns true if it must be reported: it is not the one that
    /// was reported last.
    fn is_new_report(&self, link: &Link, channel: u32, text: &str) -> bool {
        let mut state = lock(&self.state);
        let client = state.clients.get_mut(&link.id());
        match client.and_then(|client| client.publications.get_mut(&channel)) {
            Some(publication) if publication.reported == text => false,
            Some(publication) => {
                text.clone_into(&mut publication.reported);
                !text.is_empty()
            }
            None => !text.is_empty(),
        }
    }
}

fn advertise(state: &mut State, link: &Link, channel: ClientChannel) -> Result<(), Failure> {
    let ClientChannel { id, topic, encoding, schema_name } = channel;
    if topic.len().max(schema_name.len()) > LONGEST_NAME {
        let reason = format!("a name may have {LONGEST_NAME} bytes, found `{}`", quoted(&topic));
        return Err(Failure::new(codes::LIMIT, reason));
    }
    let Some(parsed) = Encoding::parse(&encoding) else {
        let known = ENCODINGS.map(|encoding| encoding.name()).join(", ");
        let reason = format!(
            "the encoding of {} must be one of {known}, found `{}`",
            quoted(&topic),
            quoted(&encoding)
        );
        return Err(Failure::new(codes::WRONG_TYPE, reason));
    };
    let found = input(state, &topic, &schema_name);
    let Some(client) = state.clients.get_mut(&link.id()) else { return Ok(()) };
    if client.publications.contains_key(&id) {
        return Err(Failure::new(
            codes::ID,
            format!("the client has a channel {id} already; choose another id"),
        ));
    }
    if client.publications.len() >= MAX_CHANNELS {
        return Err(Failure::new(codes::LIMIT, format!("a client may have {MAX_CHANNELS} channels")));
    }
    let reported = found.as_ref().err().map(Failure::text).unwrap_or_default();
    client.publications.insert(id, Publication { topic, schema_name, encoding: parsed, reported });
    found.map(|_| ())
}

/// Returns the topic with that name, if it accepts that type.
fn input(state: &State, topic: &str, type_name: &str) -> Result<Arc<Input>, Failure> {
    let Some(input) = state.inputs.iter().find(|input| input.topic == topic) else {
        let reason = format!("no plugin subscribes to `{}`; {}", quoted(topic), subscribed(state));
        return Err(Failure::new(codes::NO_TOPIC, reason));
    };
    if !input.accepts(type_name) {
        let (expected, found) = (input.type_name(), quoted(type_name));
        let reason = format!("the type of {topic} is `{expected}`, found `{found}`; publish that type");
        return Err(Failure::new(codes::WRONG_TYPE, reason));
    }
    Ok(Arc::clone(input))
}

/// Lists topics to which plugins subscribe.
fn subscribed(state: &State) -> String {
    let listed: Vec<&str> = state.inputs.iter().take(LISTED).map(|input| input.topic.as_str()).collect();
    match state.inputs.len().saturating_sub(LISTED) {
        _ if listed.is_empty() => "at present they subscribe to no topics".to_owned(),
        0 => format!("they subscribe to {}", listed.join(", ")),
        more => format!("they subscribe to {} and {more} more", listed.join(", ")),
    }
}
