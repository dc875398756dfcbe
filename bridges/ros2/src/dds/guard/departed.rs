//! Places in the limit of announcements that are free again, because `rustdds` has forgotten the endpoints.
//!
//! One number for all participants of this process: the thread of a filter does not know whose participant it serves.

use std::sync::atomic::{AtomicU32, Ordering};

static PLACES: AtomicU32 = AtomicU32::new(0);

/// Adds the places of endpoints that were disposed, or whose participant is gone.
pub(crate) fn note(endpoints: usize) {
    let endpoints = u32::try_from(endpoints).unwrap_or(u32::MAX);
    let add = |places: u32| Some(places.saturating_add(endpoints));
    let _ = PLACES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
}

/// Takes at most so many places.
pub(super) fn take(most: u32) -> u32 {
    let rest = |places: u32| Some(places.saturating_sub(most));
    PLACES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).map_or(0, |places| places.min(most))
}
