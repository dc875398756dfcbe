//! What an instance reports of itself: figures and places that only it can know.

use crate::{Host, Str};

abi_struct! {
    /// Extension `bridgehead.report/1`: what an instance says of itself, such as of its side of a connection, for those who
    /// ask the host how its bridges and plugins are.
    pub struct HostReport {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Adds to the messages that the instance took and then lost, because a peer was slower than what it asked for,
        /// or to those of a sensor that it could not make. What a peer never wanted is no loss, nor is what a reset throws away.
        /// `[thread: any] [state: any]`
        pub lost: unsafe extern "C" fn(host: *const Host, messages: u64),
        /// Says what peers find at an address, such as a port, in the words of the bridge's protocol. The same address
        /// again replaces what was said of it; an empty `purpose` takes it back. What was said ends with the instance.
        /// `[thread: any] [state: any]`
        pub endpoint: unsafe extern "C" fn(host: *const Host, address: Str, purpose: Str),
    }
}
