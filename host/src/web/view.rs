//! A recording instead of a run, for `bridgehead view`: the page, its services and its WebSocket, as far as a recording
//! has what they show.
//!
//! The recording has one position for all clients, as a run has one time. [`playback`] moves it, [`services`] answer
//! what the recording has there, and each WebSocket sends what happened since it was asked last. The forms of requests,
//! responses and events are those of a host (`docs/http.md`), so that the page and `bridgehead ctl` work with both.

mod app;
mod client;
mod entity;
mod events;
mod playback;
mod server;
mod services;

pub use server::ViewServer;
