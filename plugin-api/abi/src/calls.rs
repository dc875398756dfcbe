//! Calls of services by model plugins, such as by a trigger that moves something.

use crate::{Bytes, Host, Status, Str};

abi_struct! {
    /// Extension `bridgehead.service-calls/1`: calls of the services of the run, also those of the host.
    pub struct HostServiceCalls {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Calls the service with that full name. `request_type` is the full protobuf name of the request. A service of
        /// the host is called after the step, one of a plugin in its next step. The caller receives no response: the host
        /// logs a failure. NOT_FOUND if there is no such service, SCHEMA if it takes another request.
        /// `[thread: sim] [state: started]`
        pub call: unsafe extern "C" fn(host: *const Host, name: Str, request_type: Str, request: Bytes) -> Status,
    }
}
