//! Which services are open in this process: equal addresses are one service.
//!
//! The only state that instances of this plugin share. Opening and closing hold its lock, so a service that is being
//! closed is never opened again at the same time. Called from `[main]` only.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::{Error, Result};

use super::CloisimService;
use crate::connection::Connection;
use crate::lock::lock;
use crate::member::Member;
use crate::ports::Ports;

/// A service, and the ports it has given, which outlive it.
#[derive(Default)]
struct Entry {
    service: Option<Arc<CloisimService>>,
    ports: Arc<Mutex<Ports>>,
}

static SERVICES: Mutex<BTreeMap<SocketAddr, Entry>> = Mutex::new(BTreeMap::new());

/// Opens a service, or joins those who have it open.
///
/// # Errors
/// Where its address or the ports of the world cannot be had, or where it is open with other options.
pub(crate) fn join(connection: &Connection, member: Arc<Member>) -> Result<Arc<CloisimService>> {
    let mut services = lock(&SERVICES);
    let entry = services.entry(connection.service).or_default();
    let service = match &entry.service {
        Some(service) if service.connection == *connection => Arc::clone(service),
        Some(service) => return Err(disagreement(connection, &service.connection)),
        None => {
            let service = CloisimService::start(connection, Arc::clone(&entry.ports))?;
            entry.service = Some(Arc::clone(&service));
            service
        }
    };
    service.add(member);
    Ok(service)
}

/// Leaves a service; the last one closes it.
pub(crate) fn leave(service: &Arc<CloisimService>, member: &Arc<Member>) {
    let mut services = lock(&SERVICES);
    if !service.remove(member) {
        // Those who stay speak for the service.
        let withdrawn = service.port_states().into_iter().map(|(address, _)| (address, String::new()));
        member.report_ports(&withdrawn.collect::<Vec<_>>());
        return;
    }
    service.stop();
    member.report_ports(&service.port_states());
    if let Some(entry) = services.get_mut(&service.connection.service) {
        entry.service = None;
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
