//! Counts of answered requests, for the metrics.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axum::http::Method;

/// Answered requests, by method and status.
#[derive(Default)]
pub(super) struct Requests {
    counts: Mutex<BTreeMap<(&'static str, u16), u64>>,
}

impl Requests {
    /// Counts one request.
    pub(super) fn count(&self, method: &Method, status: u16) {
        // Clients choose methods freely: only known ones have a label of their own.
        let known = ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"];
        let method = known.into_iter().find(|known| *known == method.as_str()).unwrap_or("other");
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry((method, status)).or_default() += 1;
    }

    /// Returns the counts by method and status.
    pub(super) fn counts(&self) -> BTreeMap<(&'static str, u16), u64> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
