//! `bridgehead.description/1` of a test: the world as the test describes it.

use bridgehead_abi::Status;

use super::host::{Shared, TestHost, lock};
use crate::hosting::DescriptionHost;
use crate::messages::bridgehead_simulation_interfaces::WorldDescription;
use crate::messages::prost::Message as _;
use crate::payload::Payload;

/// What the test said of the world last.
#[derive(Default)]
pub(super) struct DescriptionRecord {
    described: WorldDescription,
}

impl DescriptionRecord {
    pub(super) fn new(described: WorldDescription) -> Self {
        let mut record = DescriptionRecord::default();
        // A test that says nothing is a host that never had a world.
        if described != WorldDescription::default() {
            record.set(described);
        }
        record
    }

    fn set(&mut self, described: WorldDescription) {
        let revision = described.revision.max(self.described.revision + 1);
        self.described = WorldDescription { revision, ..described };
    }
}

impl TestHost {
    /// Describes the world anew: its revision is the one in the message, or where that is no greater than the last,
    /// the next one.
    pub fn set_description(self, description: WorldDescription) {
        lock(&self.shared.description).set(description);
    }
}

impl DescriptionHost for Shared {
    fn revision(&self) -> u64 {
        lock(&self.description).described.revision
    }

    fn read(&self) -> Result<Payload, Status> {
        Ok(Payload::from_vec(lock(&self.description).described.encode_to_vec()))
    }
}
