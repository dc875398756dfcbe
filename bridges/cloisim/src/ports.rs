//! Assigns ports to devices for the lifetime of the process.
//!
//! Clients do not reconnect if only a port changes, so a device keeps its ports over resets, other worlds and
//! disconnects. Ports are assigned in the order of requests, so the same world has the same ports in every run.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use crate::device::{Device, Key, Kind};

/// The device and key that a port belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner {
    pub(crate) model: String,
    pub(crate) kind: Kind,
    pub(crate) parts: String,
    pub(crate) key: Key,
}

impl Owner {
    pub(crate) fn of(device: &Device, key: Key) -> Self {
        let (model, kind, parts) = device.identity();
        Owner { model, kind, parts, key }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.model, self.kind.name(), self.parts, self.key.name())
    }
}

/// An assigned port, and whether another program turned out to use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortAssignment {
    pub(crate) port: u16,
    pub(crate) owner: Owner,
    pub(crate) was_taken: bool,
}

impl fmt::Display for PortAssignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}{}",
            self.port,
            self.owner,
            if self.was_taken { " (taken by another program)" } else { "" }
        )
    }
}

/// The ports of a service.
#[derive(Debug, Default)]
pub(crate) struct Ports {
    assigned: BTreeMap<Owner, u16>,
    history: Vec<PortAssignment>,
}

impl Ports {
    /// Returns the port of an owner and assigns one if there is none yet; `None` if the range is exhausted.
    pub(crate) fn assign(&mut self, owner: &Owner, range: &RangeInclusive<u16>) -> Option<u16> {
        if let Some(port) = self.assigned.get(owner).filter(|port| range.contains(port)) {
            return Some(*port);
        }
        let port =
            range.clone().find(|port| self.history.iter().all(|assignment| assignment.port != *port))?;
        self.assigned.insert(owner.clone(), port);
        self.history.push(PortAssignment { port, owner: owner.clone(), was_taken: false });
        Some(port)
    }

    /// Assigns the next port because another program uses the present one.
    pub(crate) fn replace(&mut self, owner: &Owner, range: &RangeInclusive<u16>) -> Option<u16> {
        let taken = self.assigned.remove(owner);
        let found = self.history.iter_mut().find(|assignment| Some(assignment.port) == taken);
        if let Some(assignment) = found {
            assignment.was_taken = true;
        }
        self.assign(owner, range)
    }

    /// Returns every port that was ever assigned, in order.
    pub(crate) fn history(&self) -> &[PortAssignment] {
        &self.history
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(parts: &str) -> Owner {
        Owner { model: "cloi".into(), kind: Kind::Imu, parts: parts.into(), key: Key::Data }
    }

    #[test]
    fn ports_are_assigned_in_order_and_kept() {
        let mut ports = Ports::default();
        let range = 50000..=50009;
        let mut assign = |parts| ports.assign(&owner(parts), &range);
        assert_eq!([assign("a"), assign("b"), assign("a")], [Some(50000), Some(50001), Some(50000)]);
    }

    #[test]
    fn a_taken_port_is_never_assigned_again() {
        let mut ports = Ports::default();
        let range = 50000..=50009;
        ports.assign(&owner("a"), &range);
        assert_eq!(ports.replace(&owner("a"), &range), Some(50001));
        assert_eq!(ports.assign(&owner("b"), &range), Some(50002));
        let lines: Vec<String> = ports.history().iter().map(PortAssignment::to_string).collect();
        assert_eq!(lines[0], "50000 cloi IMU a Data (taken by another program)");
        assert_eq!(lines[1], "50001 cloi IMU a Data");
    }

    #[test]
    fn a_range_can_be_exhausted() {
        let mut ports = Ports::default();
        assert_eq!(ports.assign(&owner("a"), &(50000..=50000)), Some(50000));
        assert_eq!(ports.assign(&owner("b"), &(50000..=50000)), None);
        assert_eq!(ports.assign(&owner("a"), &(50005..=50006)), Some(50005), "another range was requested");
    }
}
