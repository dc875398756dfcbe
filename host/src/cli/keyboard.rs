//! Keys that control a run from its terminal. A separate thread reads them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bridgehead_lifecycle::{Cause, Interrupt, Request, SimulationState};

use crate::api::Shared;
use crate::config::KeyboardConfig;
use crate::terminal::{self, Keys};
use crate::thread::{Named, spawn};

/// The reader of keys; it stops when this value is dropped.
pub(super) struct Listener {
    is_over: Arc<AtomicBool>,
    thread: Option<Named<()>>,
}

/// Reads keys if standard input is a terminal.
pub(super) fn listen(keys: &KeyboardConfig, shared: &Arc<Shared>) -> Option<Listener> {
    let terminal = Keys::begin()?;
    let is_over = Arc::new(AtomicBool::new(false));
    let (end, keys, shared) = (Arc::clone(&is_over), keys.clone(), Arc::clone(shared));
    let body = move || {
        while !end.load(Ordering::Acquire) {
            match terminal.next() {
                Ok(Some(key)) => press(&keys, char::from(key), &shared),
                Ok(None) => {}
                Err(_) => return,
            }
        }
    };
    let thread = spawn("keyboard", body).map_err(|error| log::warn!("keys cannot be read: {error}")).ok()?;
    Some(Listener { is_over, thread: Some(thread) })
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            drop(thread.join(Duration::from_secs(1)));
        }
        terminal::restore();
    }
}

fn press(keys: &KeyboardConfig, key: char, shared: &Shared) {
    let state = shared.watchdog.state().map_or(SimulationState::NoWorld, |state| state.simulation_state());
    if let Some(interrupt) = meaning(keys, key, state) {
        shared.requests.push(Request::new(interrupt, Cause::CommandLine));
    }
}

/// Returns the request of a key in a state.
fn meaning(keys: &KeyboardConfig, key: char, state: SimulationState) -> Option<Interrupt> {
    match state {
        _ if key == keys.quit => Some(Interrupt::Quit),
        SimulationState::Stopped if key == keys.stopped_to_playing => Some(Interrupt::Play),
        SimulationState::Paused if key == keys.paused_to_playing => Some(Interrupt::Play),
        SimulationState::Playing if key == keys.playing_to_paused => Some(Interrupt::Pause),
        SimulationState::Stopped
        | SimulationState::Paused
        | SimulationState::Playing
        | SimulationState::Quitting
        | SimulationState::NoWorld
        | SimulationState::LoadingWorld => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_means_what_the_state_allows() {
        let keys = KeyboardConfig { stopped_to_playing: 's', ..KeyboardConfig::default() };
        let cases = [
            ('s', SimulationState::Stopped, Some(Interrupt::Play)),
            ('r', SimulationState::Stopped, None),
            ('r', SimulationState::Paused, Some(Interrupt::Play)),
            ('p', SimulationState::Playing, Some(Interrupt::Pause)),
            ('p', SimulationState::Paused, None),
            ('r', SimulationState::Playing, None),
            ('q', SimulationState::LoadingWorld, Some(Interrupt::Quit)),
            ('x', SimulationState::Playing, None),
        ];
        for (key, state, expected) in cases {
            assert_eq!(meaning(&keys, key, state), expected, "{key} {state:?}");
        }
    }
}
