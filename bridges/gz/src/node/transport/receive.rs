//! What a node takes from peers: datagrams, subscriptions, messages and requests.

use bridgehead_plugin_api::serving::during;

use super::{DONTWAIT, MAX_DATAGRAM, MAX_PER_TURN, Transport};
use crate::codes::{FOREIGN, RIVAL};
use crate::discovery::{Datagram, Kind, Publisher, Scope};
use crate::multicast::{Multicast, Subject};
use crate::node::answer::{Answer, Caller};
use crate::node::remotes::{Added, Key, is_allowed};
use crate::wall_clock;

/// The type of subscribers that take every type.
const EVERY_TYPE: &str = "google.protobuf.Message";

impl Transport {
    pub(super) fn discovery(&self, subject: Subject) -> &Multicast {
        let [topics, services] = &self.discovery;
        match subject {
            Subject::Topics => topics,
            Subject::Services => services,
        }
    }

    /// Takes the datagrams that have arrived.
    pub(super) fn hear(&mut self, subject: Subject, buffer: &mut [u8; MAX_DATAGRAM]) {
        for _ in 0..MAX_PER_TURN {
            let Some(bytes) = self.discovery(subject).receive(buffer) else { return };
            match Datagram::decode_datagram(bytes) {
                Ok(datagram) if datagram.process == self.process => {}
                Ok(datagram) => self.act_on(subject, datagram),
                Err(fault) => {
                    self.foreign.warn(&format!("[{FOREIGN}] a datagram of discovery is ignored: {fault}"))
                }
            }
        }
    }

    fn act_on(&mut self, subject: Subject, datagram: Datagram) {
        self.remotes.hear(&datagram.process, wall_clock::now());
        let kind = datagram.kind();
        let Datagram { process, subscriber, publisher, .. } = datagram;
        match (kind, subject) {
            (Kind::Advertise, Subject::Topics) => {
                if let Some(publisher) = publisher {
                    self.connect_to(&publisher);
                    if self.publications.find(&publisher.topic).is_some() {
                        self.report_rival(&publisher, "publishes", "subscribers receive both");
                    }
                }
            }
            (Kind::Advertise, Subject::Services) => {
                if let Some(service) = publisher.filter(|service| self.offers.contains_key(&service.topic)) {
                    self.report_rival(&service, "offers", "callers choose either");
                }
            }
            (Kind::Subscribe, Subject::Topics) => {
                if let Some(topic) = subscriber.and_then(|looking| self.publications.find(&looking.topic)) {
                    self.say_of_topic(topic, Kind::Advertise);
                }
            }
            (Kind::Subscribe, Subject::Services) => {
                if let Some(offer) = subscriber.and_then(|looking| self.offers.get(&looking.topic)) {
                    self.say_of_offer(offer, Kind::Advertise);
                }
            }
            (Kind::Unadvertise, Subject::Topics) => {
                let Some(gone) = publisher else { return };
                let unused = self.remotes.remove(|key| {
                    key.topic == gone.topic && key.process == gone.process && key.node == gone.node
                });
                self.disconnect_soon(unused);
            }
            (Kind::Bye, Subject::Topics) => {
                let unused = self.remotes.remove(|key| key.process == process);
                self.disconnect_soon(unused);
            }
            (Kind::SubscribersRequest, Subject::Topics) => {
                for subscription in &self.subscriptions {
                    self.say_of_connection(
                        subscription,
                        self.publications.address(),
                        "",
                        Kind::SubscribersReply,
                    );
                }
            }
            // Who receives a topic of this node, its connection tells.
            _ => {}
        }
    }

    /// Reports that another process has a topic or a service of the same name.
    fn report_rival(&mut self, of: &Publisher, does: &str, consequence: &str) {
        if self.rivals.is_new(&of.process) {
            log::warn!(
                "[{RIVAL}] another process also {does} `{}`: {consequence}; give one of the two another `partition=`",
                of.topic
            );
        }
    }

    /// Connects to a publisher of a topic that the run receives, and tells it so at each of its announcements: it sends
    /// nothing before it knows, and a datagram can be lost.
    fn connect_to(&mut self, publisher: &Publisher) {
        let Publisher { topic, address, process, node, .. } = publisher;
        let type_name = publisher.topic_details.as_ref().map(|details| details.type_name.as_str());
        let wanted = self.subscriptions.iter().find(|known| {
            known.name == *topic
                && type_name.is_some_and(|name| name == known.type_name || name == EVERY_TYPE)
        });
        let Some(subscription) = wanted.cloned() else { return };
        let discovery = self.discovery(Subject::Topics);
        if publisher.scope() == Scope::Process || !is_allowed(address, self.ip, |ip| discovery.is_own(ip)) {
            return;
        }
        let key = Key { topic: topic.clone(), process: process.clone(), node: node.clone() };
        match self.remotes.add(key.clone(), address, wall_clock::now()) {
            Added::Excess => return,
            Added::Known | Added::Publisher => {}
            Added::Address => {
                let is_leaving = self.leaving.iter().any(|(leaving, _)| leaving == address);
                if !is_leaving && let Err(error) = self.subscriber.connect(address) {
                    log::debug!("connecting to {address}: {error}");
                    // Its next announcement is another attempt.
                    self.remotes.remove(|known| *known == key);
                    return;
                }
            }
        }
        self.say_of_connection(&subscription, address, process, Kind::NewConnection);
    }

    /// Takes the messages of peers.
    pub(super) fn take_messages(&self) {
        for _ in 0..MAX_PER_TURN {
            let Ok(frames) = self.subscriber.recv_multipart(DONTWAIT) else { return };
            // The fifth has the times of processes that measure topics.
            let ([topic, _, message, type_name] | [topic, _, message, type_name, _]) = frames.as_slice()
            else {
                self.foreign.warn(&format!("[{FOREIGN}] a message of {} frames is ignored", frames.len()));
                continue;
            };
            let receivers = self.subscriptions.iter().filter(|known| {
                known.name.as_bytes() == topic && known.type_name.as_bytes() == type_name.as_slice()
            });
            for subscription in receivers {
                during("a message", None, || (subscription.deliver)(message));
            }
        }
    }

    /// Takes the requests of peers.
    pub(super) fn take_requests(&self) {
        for _ in 0..MAX_PER_TURN {
            let Ok(frames) = self.replier.recv_multipart(DONTWAIT) else { return };
            let [_, service, address, socket, node, request, body, request_type, response_type] =
                frames.as_slice()
            else {
                self.foreign.warn(&format!("[{FOREIGN}] a request of {} frames is ignored", frames.len()));
                continue;
            };
            let offer = std::str::from_utf8(service).ok().and_then(|name| self.offers.get(name));
            let offer = offer.filter(|offer| {
                offer.request.as_bytes() == request_type.as_slice()
                    && offer.response.as_bytes() == response_type.as_slice()
            });
            let Some(offer) = offer else {
                let service = String::from_utf8_lossy(service);
                self.foreign.warn(&format!(
                    "[{FOREIGN}] a request of {service} is ignored: no such service with these types"
                ));
                continue;
            };
            let address = String::from_utf8_lossy(address).into_owned();
            let discovery = self.discovery(Subject::Services);
            if !is_allowed(&address, self.ip, |ip| discovery.is_own(ip)) {
                self.foreign.warn(&format!(
                    "[{FOREIGN}] a request from {address} is ignored: the run does not connect to it"
                ));
                continue;
            }
            let caller =
                Caller { address, socket: socket.clone(), node: node.clone(), request: request.clone() };
            let answer = Answer::new(self.inbox.clone(), caller, &offer.name);
            during("a request", None, || (offer.serve)(body, answer));
        }
    }
}
