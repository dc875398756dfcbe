//! `bridgehead.encodings/1` of a test.

use std::sync::Arc;

use super::host::{Shared, lock};
use crate::hosting::EncodingsHost;
use crate::rules::TypePlans;

impl EncodingsHost for Shared {
    fn plans(&self, type_id: u32) -> Option<Arc<TypePlans>> {
        let known = lock(&self.types).get(type_id);
        known.map(|known| Arc::new(TypePlans::new(known.clone())))
    }

    fn explain(&self, reason: String) {
        self.calls.explain(reason);
    }
}
