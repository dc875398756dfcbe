//! What all instances of this plugin share: one participant for equal options, in which the world and all vehicles are
//! one node.
//!
//! The only state that instances share. Called from `[main]` only.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;

use crate::bridge::lock;
use crate::connection::Connection;
use crate::connection::network;
use crate::dds::{Participant, ParticipantOptions};
use crate::service::{ServiceOptions, Services, TakenNames};

/// One participant, as long as an instance is connected to it.
pub(crate) struct Hub {
    pub(crate) participant: Arc<Participant>,
    options: ParticipantOptions,
    services: Mutex<Vec<(ServiceOptions, Weak<Services>)>>,
    taken: Arc<TakenNames>,
}

static HUBS: Mutex<Vec<Weak<Hub>>> = Mutex::new(Vec::new());

impl Hub {
    /// Opens a participant, or joins those who have it open.
    ///
    /// # Errors
    /// Where an interface is not there, or the domain cannot be joined.
    pub(crate) fn join(connection: &Connection) -> Result<Arc<Self>> {
        let options = ParticipantOptions {
            domain: connection.domain,
            network: network::resolve(&connection.reach)?,
            node: connection.node.clone(),
            gid: connection.gid,
        };
        // Held while it opens, so that instances that connect at once get one.
        let mut hubs = lock(&HUBS);
        hubs.retain(|hub| hub.strong_count() > 0);
        if let Some(open) = hubs.iter().filter_map(Weak::upgrade).find(|hub| hub.options == options) {
            return Ok(open);
        }
        let participant = Participant::open(&options)?;
        let hub = Arc::new(Hub { participant, options, services: Mutex::default(), taken: Arc::default() });
        hubs.push(Arc::downgrade(&hub));
        Ok(hub)
    }

    /// The services of this participant that are offered with these options.
    ///
    /// # Errors
    /// Where no thread can be had.
    pub(crate) fn services(&self, options: ServiceOptions) -> Result<Arc<Services>> {
        let mut services = lock(&self.services);
        services.retain(|(_, services)| services.strong_count() > 0);
        let open = services.iter().filter(|(open, _)| *open == options).find_map(|(_, open)| open.upgrade());
        if let Some(open) = open {
            return Ok(open);
        }
        let new = Services::new(&self.participant, options, &self.taken)?;
        services.push((options, Arc::downgrade(&new)));
        Ok(new)
    }
}
