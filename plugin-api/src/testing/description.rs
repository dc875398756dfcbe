//! `bridgehead.description/1` of a test: the world as the test describes it.

use bridgehead_abi::description::HostDescription;
use bridgehead_abi::{Buffer, Host, Status, status};

use super::host::{Shared, TestHost, lock};
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

pub(super) static TABLE: HostDescription =
    HostDescription { struct_size: HostDescription::SIZE, reserved: 0, revision, read };

unsafe extern "C" fn revision(host: *const Host) -> u64 {
    // SAFETY: plugins pass back the pointer they were given.
    lock(&unsafe { Shared::of(host) }.description).described.revision
}

unsafe extern "C" fn read(host: *const Host, out: *mut *const Buffer) -> Status {
    // SAFETY: as above.
    let bytes = lock(&unsafe { Shared::of(host) }.description).described.encode_to_vec();
    // SAFETY: `out` is writable; the reference is the caller's from here on.
    unsafe { out.write(Payload::from_vec(bytes).into_raw()) };
    status::OK
}
