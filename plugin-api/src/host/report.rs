//! What a bridge or a plugin reports of itself.

use bridgehead_abi::{extension, report as abi};

use crate::host::extension_handle;

extension_handle! {
    /// Figures and places that only the instance can know, for those who ask the host how it is. `[any]`
    Report, abi::HostReport, extension::REPORT
}

impl Report {
    /// Adds to the messages that this instance took and then lost, because a peer was slower than what it asked for,
    /// or to those of a sensor that it could not make. `[any]`
    pub fn lost(self, messages: u64) {
        // Without a host there is nobody to tell.
        drop(self.extension.lost(messages));
    }

    /// Says what peers find at an address, such as a port, in the words of the protocol. The same address again
    /// replaces what was said of it; an empty `purpose` takes it back. `[any]`
    pub fn endpoint(self, address: &str, purpose: &str) {
        drop(self.extension.endpoint(address.as_bytes(), purpose.as_bytes()));
    }
}
