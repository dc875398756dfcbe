//! Which services are open in this process: equal addresses are one service.
//!
//! The only state that instances of this plugin share. Opening and closing hold its lock, so a service that is being
//! closed is never opened again at the same time. Called from `[main]` only.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::{Error, Result};

use super::Hub;
use crate::connection::Connection;
use crate::member::{Member, lock};
use crate::ports::Ports;

/// A service, and the ports it has given, which outlive it.
#[derive(Default)]
struct Entry {
    hub: Option<Arc<Hub>>,
    ports: Arc<Mutex<Ports>>,
}

static SERVICES: Mutex<BTreeMap<SocketAddr, Entry>> = Mutex::new(BTreeMap::new());

/// Opens a service, or joins those who have it open.
///
/// # Errors
/// Where its address or the ports of the world cannot be had, or where it is open with other options.
pub(crate) fn join(connection: &Connection, member: Arc<Member>) -> Result<Arc<Hub>> {
    let mut services = lock(&SERVICES);
    let entry = services.entry(connection.service).or_default();
    let hub = match &entry.hub {
        Some(hub) if hub.connection == *connection => Arc::clone(hub),
        Some(hub) => return Err(disagreement(connection, &hub.connection)),
        None => {
            let hub = Hub::start(connection, Arc::clone(&entry.ports))?;
            entry.hub = Some(Arc::clone(&hub));
            hub
        }
    };
    hub.add(member);
    Ok(hub)
}

/// Leaves a service; the last one closes it.
pub(crate) fn leave(hub: &Arc<Hub>, member: &Arc<Member>) {
    let mut services = lock(&SERVICES);
    if !hub.remove(member) {
        // Those who stay speak for the service.
        let withdrawn = hub.ports_now().into_iter().map(|(address, _)| (address, String::new()));
        member.report_ports(&withdrawn.collect::<Vec<_>>());
        return;
    }
    hub.stop();
    member.report_ports(&hub.ports_now());
    if let Some(entry) = services.get_mut(&hub.connection.service) {
        entry.hub = None;
    }
}

fn disagreement(asked: &Connection, open: &Connection) -> Error {
    let text = |of: &Connection| {
        format!("bind {}, ports {}-{}, backend {:?}", of.bind, of.ports.start(), of.ports.end(), of.backend)
    };
    Error::invalid(format!(
        "the service {} is open already with other options ({}, here {}); give every connection to one service the \
         same [BH-CLO-011]",
        asked.service,
        text(open),
        text(asked)
    ))
}
