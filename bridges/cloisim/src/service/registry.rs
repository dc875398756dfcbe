//! The open services of this process; connections with equal addresses share one.
//!
//! The only state that instances of this plugin share. Opening and closing hold its lock, so a service is never
//! reopened while it is being closed. Called from `[main]` only.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::{Error, Result};

use super::CloisimService;
use crate::connection::Connection;
use crate::lock::lock;
use crate::member::Member;
use crate::ports::Ports;

/// A service and its assigned ports, which outlive it.
#[derive(Default)]
struct Entry {
    service: Option<Arc<CloisimService>>,
    ports: Arc<Mutex<Ports>>,
}

static SERVICES: Mutex<BTreeMap<SocketAddr, Entry>> = Mutex::new(BTreeMap::new());

/// Opens a service, or joins the open one with the same address.
///
/// # Errors
/// Returns an error if its address or the ports of the world cannot be opened, or if it is open with other options.
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

/// Leaves a service. The last instance closes it.
pub(crate) fn leave(service: &Arc<CloisimService>, member: &Arc<Member>) {
    let mut services = lock(&SERVICES);
    if !service.remove(member) {
        // The remaining instances report the ports from now on.
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

fn disagreement(requested: &Connection, open: &Connection) -> Error {
    let text = |of: &Connection| {
        format!("bind {}, ports {}-{}, backend {:?}", of.bind, of.ports.start(), of.ports.end(), of.backend)
    };
    Error::invalid(format!(
        "[BH-CLO-011] the service {} is already open with other options ({}, here {}); use the same options for every \
        connection to one service",
        requested.service,
        text(open),
        text(requested)
    ))
}
