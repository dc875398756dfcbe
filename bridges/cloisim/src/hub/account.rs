//! What the host is told: which ports are whose, and what slow clients lost.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use super::Hub;
use crate::member::lock;

impl Hub {
    /// Tells which ports were ever given, and which of them are open. The instance that came first speaks for all.
    pub(super) fn tell_ports(&self) {
        if let Some(first) = self.members.first() {
            first.report_ports(&self.ports_now());
        }
    }

    /// Addresses and whose they are, in the order in which they were given.
    pub(super) fn ports_now(&self) -> Vec<(String, String)> {
        let open: BTreeSet<u16> = self
            .stations()
            .iter()
            .flat_map(|station| station.ports().to_vec())
            .map(|(_, port)| port)
            .collect();
        lock(&self.ports)
            .history()
            .iter()
            .map(|given| {
                let address = format!("tcp://{}", SocketAddr::new(self.connection.bind, given.port));
                let state = match (given.was_taken, open.contains(&given.port)) {
                    (true, _) => " (taken by another program)",
                    (false, true) => "",
                    (false, false) => " (closed)",
                };
                (address, format!("{}{state}", given.owner))
            })
            .collect()
    }

    /// Tells what clients have lost since the last time.
    pub(super) fn tell_losses(&self) {
        for station in self.stations() {
            let lost = station.newly_lost();
            if lost > 0 {
                self.members.report_lost(&station.device().vehicle, lost);
            }
        }
    }
}
