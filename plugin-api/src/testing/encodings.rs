//! `bridgehead.encodings/1` of a test.

use std::sync::Arc;

use bridgehead_abi::encodings::HostEncodings;
use bridgehead_abi::{Host, Status};

use super::host::{Shared, lock};
use crate::rules::{self, EncodingsHost, TypePlans};

pub(super) static TABLE: HostEncodings = rules::encodings_table::<Offer>();

struct Offer;

impl EncodingsHost for Offer {
    fn plans(_: &'static str, host: *const Host, type_id: u32) -> Result<Option<Arc<TypePlans>>, Status> {
        // SAFETY: plugins pass back the pointer they were given.
        let shared = unsafe { Shared::of(host) };
        let known = lock(&shared.types).get(type_id);
        Ok(known.map(|known| Arc::new(TypePlans::new(known.clone()))))
    }

    fn explain(host: *const Host, reason: String) {
        // SAFETY: as above.
        unsafe { Shared::of(host) }.calls.explain(reason);
    }

    fn guarded(_: &'static str, body: impl FnOnce() -> Status) -> Status {
        body()
    }
}
