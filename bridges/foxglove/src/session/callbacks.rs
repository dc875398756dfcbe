//! What the thread of the server calls for clients.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bridgehead_websocket::{Bytes, Frame, Link, Negotiation, Protocol};

use super::client::Client;
use super::later::Later;
use super::{Session, State};
use crate::codec::Encoding;
use crate::codes;
use crate::lock::lock;
use crate::protocol::event::{self, Level};
use crate::protocol::frame::{self, ClientFrame};
use crate::protocol::request::{self, Request};
use crate::protocol::{SUBPROTOCOLS, quoted};
use crate::{assets, wall_clock};

/// The ROS distribution that CDR channels are like. With it, viewers offer the types of ROS for publishing.
const DISTRIBUTION: &str = "jazzy";

/// Failures of one request that are reported one by one.
const REPORTED: usize = 16;

/// How long work for one client is done before other clients have their turn.
const TURN: Duration = Duration::from_millis(2);

/// A failed request: its code and the reason.
pub(super) struct Failure {
    pub(super) code: &'static str,
    pub(super) reason: String,
}

impl Failure {
    pub(super) fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Failure { code, reason: reason.into() }
    }

    pub(super) fn text(&self) -> String {
        let Failure { code, reason } = self;
        format!("[{code}] {reason}")
    }
}

/// A client, for the thread of the server.
pub(crate) struct Peer {
    link: Link,
    later: Arc<Later>,
}

/// The protocol of a session.
pub(crate) struct Callbacks(pub(super) Arc<Session>);

impl Callbacks {
    /// Returns the session.
    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.0
    }
}

impl Protocol for Callbacks {
    type Client = Peer;

    fn negotiate(&self, offered: &[&str]) -> Negotiation {
        match SUBPROTOCOLS.into_iter().find(|known| offered.contains(known)) {
            Some(known) => Negotiation::Use(known.to_owned()),
            None => Negotiation::Refuse(format!(
                "the client must offer the subprotocol {}, found `{}`",
                SUBPROTOCOLS.join(" or "),
                quoted(&offered.join(", "))
            )),
        }
    }

    fn opened(&self, link: &Link) -> Peer {
        let time = *lock(&self.0.time);
        let mut state = lock(&self.0.state);
        let texts = [self.0.server_info(), Session::all_channels(&state), self.0.all_services(&state)];
        texts.into_iter().for_each(|text| link.reply(Frame::text(text)));
        if let Some((time_ns, _)) = time {
            link.reply(Frame::binary(frame::time(u64::try_from(time_ns).unwrap_or(0))));
        }
        let client = Client::new(link);
        let peer = Peer { link: link.clone(), later: Arc::clone(&client.later) };
        state.clients.insert(link.id(), client);
        peer
    }

    fn text(&self, Peer { link, .. }: &Peer, text: &str) {
        let failures = match request::parse(text) {
            Ok(request) => self.0.answer(link, request),
            Err(reason) => vec![Failure::new(codes::MALFORMED, reason)],
        };
        failures.iter().take(REPORTED).for_each(|failure| report(link, &failure.text()));
        if failures.len() > REPORTED {
            let more = failures.len() - REPORTED;
            report(
                link,
                &Failure::new(codes::LIMIT, format!("{more} more elements of the request failed")).text(),
            );
        }
    }

    fn binary(&self, Peer { link, .. }: &Peer, bytes: Bytes) {
        match frame::parse(&bytes) {
            Ok(ClientFrame::Message { channel, data }) => self.0.publish_of_client(link, channel, data),
            Ok(ClientFrame::Call(call)) => self.0.call_of_client(link, &call),
            Err(reason) => report(link, &Failure::new(codes::MALFORMED, reason).text()),
        }
    }

    fn poll(&self, peer: &Peer) -> Option<Duration> {
        let begin = wall_clock::now();
        while peer.later.proceed(&self.0) {
            if begin.elapsed() > TURN {
                peer.link.wake();
                break;
            }
        }
        None
    }

    fn lost(&self, peer: &Peer, count: u64) -> Option<Frame> {
        lock(&self.0.state).clients.get_mut(&peer.link.id())?.losses.add(count, wall_clock::now())
    }

    fn warn(&self, text: &str) {
        let code = codes::SERVER;
        log::warn!("[{code}] {text}");
    }

    fn closed(&self, Peer { link, later }: &Peer) {
        let mut state = lock(&self.0.state);
        let Some(client) = state.clients.remove(&link.id()) else { return };
        for channel in client.subscriptions.values() {
            unsubscribe(&state, *channel, link);
        }
        drop(state);
        later.clear();
        self.0.has_new_graph.store(true, Ordering::Release);
    }
}

impl Session {
    fn server_info(&self) -> String {
        let mut metadata = vec![("host", "bridgehead"), ("version", env!("CARGO_PKG_VERSION"))];
        if self.encoding() == Encoding::Cdr {
            metadata.push(("ROS_DISTRO", DISTRIBUTION));
        }
        event::server_info(&self.id, &metadata)
    }

    /// Answers a request. Returns what failed.
    fn answer(&self, link: &Link, request: Request) -> Vec<Failure> {
        match request {
            Request::Subscribe(subscriptions) => self.subscribe(link, &subscriptions),
            Request::Unsubscribe(ids) => self.unsubscribe(link, &ids),
            Request::Advertise(channels) => self.advertise_of_client(link, channels),
            Request::Unadvertise(ids) => self.unadvertise_of_client(link, &ids),
            Request::GetParameters { names, id } => self.get_parameters(link, names, id),
            Request::SetParameters { names, id } => self.set_parameters(link, names, id),
            Request::SubscribeParameterUpdates(names) => self.subscribe_parameters(link, names),
            Request::UnsubscribeParameterUpdates(names) => self.unsubscribe_parameters(link, &names),
            Request::SubscribeConnectionGraph => self.subscribe_graph(link),
            Request::UnsubscribeConnectionGraph => self.unsubscribe_graph(link),
            Request::FetchAsset { uri, request_id } => self.fetch_asset(link, &uri, request_id),
        }
    }

    /// Has a model of the scene or the mesh of a marker sent; everything else is refused.
    fn fetch_asset(&self, link: &Link, uri: &str, request_id: u32) -> Vec<Failure> {
        let place = self.place(link).map(|(_, place)| place);
        let found = self.display.asset(uri).ok_or_else(|| {
            let reason = format!(
                "`{}` is neither the mesh of a marker nor a model of the scene; only those are served",
                quoted(uri)
            );
            Failure::new(codes::ASSET, reason)
        });
        match found.and_then(|content| Ok((content, place?))) {
            Ok((content, place)) => self.assets.fetch(link, request_id, content, place),
            Err(failure) => assets::refuse(link, request_id, &failure.text()),
        }
        Vec::new()
    }
}

/// Removes the subscription of a client from a channel.
pub(super) fn unsubscribe(state: &State, channel: u32, link: &Link) {
    if let Some(offered) = state.channels.get(&channel) {
        offered.channel.unsubscribe(link.id());
    }
}

/// Shows the user of a client an error.
pub(super) fn report(link: &Link, text: &str) {
    link.reply(Frame::text(event::status(Level::Error, text)));
}
