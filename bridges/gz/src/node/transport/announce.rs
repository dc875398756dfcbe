//! What a node says of itself: its topics, its services, its subscriptions, and that it lives.

use std::sync::Arc;

use super::Transport;
use crate::discovery::{Datagram, Kind, Publisher, Scope, ServiceDetails, TopicDetails};
use crate::multicast::Subject;
use crate::node::answer::Reply;
use crate::node::topic::{Offer, Subscription, Topic};
use crate::wall_clock;

impl Transport {
    pub(super) fn advertise(&mut self, topic: &Arc<Topic>) {
        if self.publications.add(topic) {
            self.say_of_topic(topic, Kind::Advertise);
        }
    }

    pub(super) fn withdraw(&mut self, topic: &Arc<Topic>) {
        if self.publications.remove(topic) {
            self.say_of_topic(topic, Kind::Unadvertise);
        }
    }

    pub(super) fn subscribe(&mut self, subscription: Arc<Subscription>) {
        if let Err(error) = self.subscriber.set_subscribe(subscription.name.as_bytes()) {
            log::debug!("subscribing to {}: {error}", subscription.name);
        }
        let looking = Datagram::looking_for(&self.process, &subscription.name);
        self.subscriptions.push(subscription);
        self.send(Subject::Topics, &looking);
    }

    pub(super) fn unsubscribe(&mut self, subscription: &Arc<Subscription>) {
        let before = self.subscriptions.len();
        self.subscriptions.retain(|known| !Arc::ptr_eq(known, subscription));
        if self.subscriptions.len() == before {
            return;
        }
        // The library counts the subscriptions of one name.
        if let Err(error) = self.subscriber.set_unsubscribe(subscription.name.as_bytes()) {
            log::debug!("unsubscribing from {}: {error}", subscription.name);
        }
        if self.subscriptions.iter().any(|known| known.name == subscription.name) {
            return;
        }
        for process in self.remotes.processes_of(&subscription.name) {
            self.say_of_connection(subscription, self.publications.address(), &process, Kind::EndConnection);
        }
        let unused = self.remotes.remove(|key| key.topic == subscription.name);
        self.disconnect_soon(unused);
    }

    pub(super) fn offer(&mut self, offer: Arc<Offer>) {
        self.say_of_offer(&offer, Kind::Advertise);
        self.offers.insert(offer.name.clone(), offer);
    }

    pub(super) fn retract(&mut self, offer: &Arc<Offer>) {
        if self.offers.get(&offer.name).is_some_and(|known| Arc::ptr_eq(known, offer)) {
            self.offers.remove(&offer.name);
            self.say_of_offer(offer, Kind::Unadvertise);
        }
    }

    pub(super) fn reply(&mut self, reply: Reply) {
        self.replies.add(&self.replier, reply, wall_clock::now());
    }

    pub(super) fn announce_all(&self) {
        self.say(&Subject::ALL, Kind::Heartbeat);
        for topic in self.publications.topics() {
            self.say_of_topic(topic, Kind::Advertise);
        }
        for offer in self.offers.values() {
            self.say_of_offer(offer, Kind::Advertise);
        }
    }

    pub(super) fn withdraw_all(&mut self) {
        for topic in self.publications.topics() {
            self.say_of_topic(topic, Kind::Unadvertise);
        }
        for offer in std::mem::take(&mut self.offers).into_values() {
            self.say_of_offer(&offer, Kind::Unadvertise);
        }
    }

    pub(super) fn say(&self, subjects: &[Subject], kind: Kind) {
        for subject in subjects {
            self.send(*subject, &Datagram::new(&self.process, kind));
        }
    }

    pub(super) fn say_of_topic(&self, topic: &Topic, kind: Kind) {
        let details = TopicDetails::new("", &topic.type_name);
        let publisher = Publisher {
            topic_details: Some(details),
            ..self.publisher(&topic.name, self.publications.address())
        };
        self.send(Subject::Topics, &Datagram::about(&self.process, kind, publisher));
    }

    pub(super) fn say_of_offer(&self, offer: &Offer, kind: Kind) {
        let details = ServiceDetails {
            socket: self.replier_identity.clone(),
            request: offer.request.clone(),
            response: offer.response.clone(),
        };
        let publisher = Publisher {
            service_details: Some(details),
            ..self.publisher(&offer.name, &self.replier_address)
        };
        self.send(Subject::Services, &Datagram::about(&self.process, kind, publisher));
    }

    /// Tells a process that this one receives a topic of it, or no longer does. `address` is that of the publisher for a new
    /// connection, and the own one at its end, as the library sends it.
    pub(super) fn say_of_connection(
        &self,
        subscription: &Subscription,
        address: &str,
        process: &str,
        kind: Kind,
    ) {
        let details = TopicDetails::new(process, &subscription.type_name);
        let publisher =
            Publisher { topic_details: Some(details), ..self.publisher(&subscription.name, address) };
        self.send(Subject::Topics, &Datagram::about(&self.process, kind, publisher));
    }

    fn publisher(&self, name: &str, address: &str) -> Publisher {
        Publisher {
            topic: name.to_owned(),
            address: address.to_owned(),
            process: self.process.clone(),
            node: self.node.clone(),
            scope: Scope::All.into(),
            topic_details: None,
            service_details: None,
        }
    }

    pub(super) fn send(&self, subject: Subject, datagram: &Datagram) {
        self.discovery(subject).send(datagram);
    }
}
