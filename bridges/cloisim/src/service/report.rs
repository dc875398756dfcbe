//! Reports to the host: assigned ports, and messages that slow clients lost.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use super::CloisimService;
use crate::lock::lock;

impl CloisimService {
    /// Reports every port that was ever assigned and whether it is open, through the first instance.
    pub(super) fn report_ports(&self) {
        if let Some(first) = self.members.first() {
            first.report_ports(&self.port_states());
        }
    }

    /// Returns addresses and owners in the order of assignment.
    pub(super) fn port_states(&self) -> Vec<(String, String)> {
        let open: BTreeSet<u16> = self
            .device_servers()
            .iter()
            .flat_map(|device_server| device_server.ports().to_vec())
            .map(|(_, port)| port)
            .collect();
        lock(&self.ports)
            .history()
            .iter()
            .map(|assignment| {
                let address = format!("tcp://{}", SocketAddr::new(self.connection.bind, assignment.port));
                let state = match (assignment.was_taken, open.contains(&assignment.port)) {
                    (true, _) => " (taken by another program)",
                    (false, true) => "",
                    (false, false) => " (closed)",
                };
                (address, format!("{}{state}", assignment.owner))
            })
            .collect()
    }

    /// Reports messages that clients lost since the last call.
    pub(super) fn report_losses(&self) {
        for device_server in self.device_servers() {
            let lost = device_server.take_unreported_losses();
            if lost > 0 {
                self.members.report_lost(&device_server.device().vehicle, lost);
            }
        }
    }
}
