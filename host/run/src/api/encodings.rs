//! `bridgehead.encodings/1`: payloads in other encodings, and their fields.

use std::sync::Arc;

use bridgehead_plugin_api::hosting::EncodingsHost;
use bridgehead_plugin_api::rules::TypePlans;

use super::context::Context;

impl EncodingsHost for Context {
    fn plans(&self, type_id: u32) -> Option<Arc<TypePlans>> {
        self.shared.types.get(type_id).map(|known| known.plans())
    }

    fn explain(&self, reason: String) {
        Context::explain(self, reason);
    }
}
