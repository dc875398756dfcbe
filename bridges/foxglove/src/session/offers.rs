//! Announces the topics and services that the host opens, and withdraws them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};

use super::channel::Channel;
use super::input::Input;
use super::service::Service;
use super::{Offered, Session, State};
use crate::codec::Codec;
use crate::codes;
use crate::lock::lock;
use crate::protocol::event::{self, ChannelInfo, ServiceInfo};

impl Session {
    /// Adds a publisher of a topic. Topics of the same name are one channel.
    ///
    /// # Errors
    /// Returns an error if the topic exists with another type.
    pub(crate) fn add_publisher(
        &self,
        publisher: u64,
        topic: &str,
        vehicle: &str,
        codec: &Arc<Codec>,
    ) -> Result<Arc<Channel>> {
        let mut state = lock(&self.state);
        self.has_new_graph.store(true, Ordering::Release);
        let publisher = (publisher, vehicle.to_owned());
        if let Some(known) = state.channels.values_mut().find(|known| known.channel.topic == topic) {
            if !known.channel.codec().is_of_same_type(codec) {
                return Err(of_other_type(topic, codec, known.channel.codec()));
            }
            known.publishers.push(publisher);
            return Ok(Arc::clone(&known.channel));
        }
        let definition = codec.definition(self.encoding());
        let channel = Arc::new(Channel::new(state.next_id(), topic, Arc::clone(codec), definition));
        state.tell_all(event::advertise(std::iter::once(channel_info(&channel))));
        state
            .channels
            .insert(channel.id, Offered { channel: Arc::clone(&channel), publishers: vec![publisher] });
        Ok(channel)
    }

    /// Removes a publisher. A channel without publishers is withdrawn, with its subscriptions.
    pub(crate) fn remove_publisher(&self, publisher: u64, channel: &Channel) {
        channel.forget(publisher);
        let mut state = lock(&self.state);
        self.has_new_graph.store(true, Ordering::Release);
        let Some(known) = state.channels.get_mut(&channel.id) else { return };
        known.publishers.retain(|(id, _)| *id != publisher);
        if !known.publishers.is_empty() {
            return;
        }
        state.channels.remove(&channel.id);
        for client in state.clients.values_mut() {
            client.subscriptions.retain(|_, subscribed| *subscribed != channel.id);
        }
        state.tell_all(event::unadvertise(&[channel.id]));
    }

    /// Adds a topic on which clients may publish.
    pub(crate) fn add_input(&self, input: &Arc<Input>) {
        lock(&self.state).inputs.push(Arc::clone(input));
        self.has_new_graph.store(true, Ordering::Release);
    }

    /// Removes a topic on which clients may publish.
    pub(crate) fn remove_input(&self, input: &Arc<Input>) {
        lock(&self.state).inputs.retain(|known| !Arc::ptr_eq(known, input));
        self.has_new_graph.store(true, Ordering::Release);
    }

    /// Adds a service.
    ///
    /// # Errors
    /// Returns an error if there is one of that name.
    pub(crate) fn add_service(&self, service: &Arc<Service>) -> Result {
        let mut state = lock(&self.state);
        if state.services.values().any(|known| known.name == service.name) {
            let (code, name) = (codes::NOT_OFFERED, &service.name);
            let text =
                format!("[{code}] the service {name} is offered already; give one of the two another name");
            return Err(Error::with_status(status::EXISTS, text));
        }
        let id = state.next_id();
        state.tell_all(self.services_text(std::iter::once((id, service))));
        state.services.insert(id, Arc::clone(service));
        self.has_new_graph.store(true, Ordering::Release);
        Ok(())
    }

    /// Removes a service.
    pub(crate) fn remove_service(&self, service: &Arc<Service>) {
        let mut state = lock(&self.state);
        let mut found = state.services.iter().filter(|(_, known)| Arc::ptr_eq(known, service));
        let Some(id) = found.next().map(|(id, _)| *id) else { return };
        state.services.remove(&id);
        state.tell_all(event::unadvertise_services(&[id]));
        self.has_new_graph.store(true, Ordering::Release);
    }

    /// Returns the text that announces all channels.
    pub(super) fn all_channels(state: &State) -> String {
        event::advertise(state.channels.values().map(|offered| channel_info(&offered.channel)))
    }

    /// Returns the text that announces all services.
    pub(super) fn all_services(&self, state: &State) -> String {
        self.services_text(state.services.iter().map(|(id, service)| (*id, service)))
    }

    fn services_text<'a>(&self, services: impl Iterator<Item = (u32, &'a Arc<Service>)>) -> String {
        let encoding = self.encoding();
        let described: Vec<_> =
            services.map(|(id, service)| (id, service, service.definitions(encoding))).collect();
        event::advertise_services(described.iter().map(|(id, service, [request, response])| ServiceInfo {
            id: *id,
            name: &service.name,
            kind: &service.kind,
            request,
            response,
        }))
    }
}

fn channel_info(channel: &Channel) -> ChannelInfo<'_> {
    ChannelInfo { id: channel.id, topic: &channel.topic, definition: &channel.definition }
}

fn of_other_type(topic: &str, requested: &Codec, found: &Codec) -> Error {
    let code = codes::NOT_OFFERED;
    let (requested, found) = (requested.type_name(), found.type_name());
    let text = format!(
        "[{code}] the topic {topic} of the type `{requested}` is not offered, because there is one of the type \
         `{found}`; give one of the two another name"
    );
    Error::with_status(status::EXISTS, text)
}
