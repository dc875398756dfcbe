//! What all requests and clients of a recording share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::FromRef;
use bridgehead_plugin_api::messages::{JsonPlan, Message, Schema};
use tokio::sync::watch;

use super::playback::Playback;
use crate::clock;
use crate::recording::{Entry, Recording};
use crate::thread::lock;
use crate::web::guard::Guard;
use crate::web::page::Page;

/// The state that all requests share.
pub(super) struct ViewApp {
    pub(super) recording: Recording,
    pub(super) playback: Mutex<Playback>,
    /// Told when a client changes the playback.
    pub(super) changed: watch::Sender<()>,
    pub(super) guard: Guard,
    pub(super) page: Page,
    /// True when the server must stop.
    pub(super) stop: watch::Receiver<bool>,
    pub(super) body_limit: usize,
    plans: Mutex<HashMap<&'static str, Arc<JsonPlan>>>,
}

/// The recording at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    /// Time of the recording, nanoseconds.
    pub(super) time_ns: u64,
    /// Simulated time, nanoseconds.
    pub(super) simulated_ns: i64,
    pub(super) step: u64,
    /// Changes if what clients have collected is no longer of the time before: at a jump, and at a recorded reset.
    pub(super) epoch: u32,
    pub(super) is_playing: bool,
    pub(super) speed: f64,
}

impl ViewApp {
    pub(super) fn new(recording: Recording, guard: Guard, page: Page, stop: watch::Receiver<bool>) -> Self {
        let playback = Mutex::new(Playback::new(recording.times(), clock::now()));
        ViewApp {
            recording,
            playback,
            changed: watch::Sender::new(()),
            guard,
            page,
            stop,
            body_limit: 64 << 10,
            plans: Mutex::default(),
        }
    }

    /// Returns where the recording is.
    pub(super) fn position(&self) -> Position {
        let now = clock::now();
        let playback = lock(&self.playback).clone();
        let time_ns = playback.position(now);
        let newest = self.recording.newest_at(time_ns).copied();
        Position {
            time_ns,
            simulated_ns: newest.map_or(0, |entry| simulated(&entry, time_ns)),
            step: newest.map_or(0, |entry| entry.step),
            epoch: playback.jumps().wrapping_add(newest.map_or(0, |entry| entry.epoch)),
            is_playing: playback.is_playing(now),
            speed: playback.speed(),
        }
    }

    /// Changes the playback, and tells all clients.
    pub(super) fn change(&self, change: impl FnOnce(&mut Playback, Instant)) {
        change(&mut lock(&self.playback), clock::now());
        self.changed.send_replace(());
    }

    /// Returns a message as JSON, in the form of the services.
    pub(super) fn json<M: Message>(&self, message: &M) -> Result<String, String> {
        let plan = self.plan::<M>()?;
        let mut json = Vec::new();
        plan.encode(&message.encode_to_vec(), &mut json).map_err(|error| error.to_string())?;
        String::from_utf8(json).map_err(|error| error.to_string())
    }

    fn plan<M: Message>(&self) -> Result<Arc<JsonPlan>, String> {
        let mut plans = lock(&self.plans);
        if let Some(plan) = plans.get(M::FULL_NAME) {
            return Ok(Arc::clone(plan));
        }
        let message = Schema::of::<M>().resolve().map_err(|error| error.to_string())?;
        let plan = Arc::new(JsonPlan::compile(&message));
        plans.insert(M::FULL_NAME, Arc::clone(&plan));
        Ok(plan)
    }
}

/// Returns the simulated time at a time of the recording, at or after a message.
fn simulated(entry: &Entry, time_ns: u64) -> i64 {
    let after = i64::try_from(time_ns.saturating_sub(entry.time_ns)).unwrap_or(i64::MAX);
    entry.stamp_ns.saturating_add(after)
}

impl FromRef<Arc<ViewApp>> for Page {
    fn from_ref(app: &Arc<ViewApp>) -> Page {
        app.page.clone()
    }
}
