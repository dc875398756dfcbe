//! The participant that instances share: one for equal options, with the world and all vehicles as one node.
//!
//! The only state that instances share. Called from `[main]` only.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::{Error, Result};

use crate::connection::Connection;
use crate::connection::network;
use crate::dds::{Participant, ParticipantOptions, guard};
use crate::lock::lock;
use crate::service::{ServiceOptions, Services, TakenNames};

/// One participant, which exists as long as an instance is connected to it.
pub(crate) struct SharedParticipant {
    pub(crate) participant: Arc<Participant>,
    options: ParticipantOptions,
    services: Mutex<Vec<(ServiceOptions, Weak<Services>)>>,
    taken: Arc<TakenNames>,
}

static PARTICIPANTS: Mutex<Vec<Weak<SharedParticipant>>> = Mutex::new(Vec::new());

impl SharedParticipant {
    /// Opens a participant, or returns the open one with equal options.
    ///
    /// # Errors
    /// Returns an error if an interface does not exist or the domain cannot be joined.
    pub(crate) fn join(connection: &Connection) -> Result<Arc<Self>> {
        let options = ParticipantOptions {
            domain: connection.domain,
            network: network::resolve(&connection.interfaces)?,
            node: connection.node.clone(),
            gid: connection.gid,
        };
        // Held while the participant opens, so that instances that connect at the same time share it.
        let mut open_participants = lock(&PARTICIPANTS);
        open_participants.retain(|shared| shared.strong_count() > 0);
        if let Some(open) =
            open_participants.iter().filter_map(Weak::upgrade).find(|shared| shared.options == options)
        {
            return Ok(open);
        }
        if !guard::is_in_effect() {
            return Err(unguarded());
        }
        let participant = Participant::open(&options)?;
        let shared = Arc::new(SharedParticipant {
            participant,
            options,
            services: Mutex::default(),
            taken: Arc::default(),
        });
        open_participants.push(Arc::downgrade(&shared));
        Ok(shared)
    }

    /// Returns the services of this participant that are offered with these options.
    ///
    /// # Errors
    /// Returns an error if their thread cannot be started.
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

fn unguarded() -> Error {
    Error::unsupported(
        "[BH-ROS-011] this library was linked without the guard of its sockets, so a datagram could end the host; build \
         it with the linker arguments of its `build.rs`, which a linker other than `ld` or `lld` may not support",
    )
}
