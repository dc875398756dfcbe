//! `bridgehead.report/1`: what a bridge says of its side of a connection.

use std::sync::atomic::Ordering;

use bridgehead_plugin_api::hosting::ReportHost;
use bridgehead_plugin_api::rules::MAX_ENDPOINTS;

use super::context::Context;
use crate::call;
use crate::call::Rule;

impl ReportHost for Context {
    fn lost(&self, messages: u64) {
        self.report.lost.fetch_add(messages, Ordering::Relaxed);
    }

    fn endpoint(&self, address: &[u8], purpose: &[u8]) {
        let [address, purpose] = [address, purpose].map(String::from_utf8_lossy);
        if !self.report.say(&address, &purpose) {
            let text = format!("reports more than {MAX_ENDPOINTS} addresses; further ones are ignored");
            call::breach_of(Rule::Amount, &self.label, &text);
        }
    }
}
