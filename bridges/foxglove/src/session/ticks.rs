//! What happens repeatedly, called by the transmit loop of one instance: time, and changes of parameters and of the
//! connection graph. It also starts the thread of the scene.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::{Clock, ClockReading, HostHandle};
use bridgehead_websocket::Frame;

use super::Session;
use crate::lock::lock;
use crate::protocol::frame;
use crate::scene::tf::Tf;
use crate::wall_clock;

/// Period of the time, which limits its rate to 100 Hz.
const TIME: Duration = Duration::from_millis(10);
/// Period of changes of the connection graph.
const GRAPH: Duration = Duration::from_millis(200);
/// Period of changes of parameters, and of late reports of losses.
const SLOW: Duration = Duration::from_secs(1);
/// Waiting frames beyond which a client is behind: it gets the time when it has caught up.
const BEHIND: usize = 8;
/// Period at which other instances look whether they are needed.
const IDLE: Duration = Duration::from_millis(500);

/// When things happened last.
#[derive(Default)]
pub(super) struct Schedule {
    time: Option<Instant>,
    graph: Option<Instant>,
    slow: Option<Instant>,
}

impl Session {
    /// Does what is due, if this instance is the one that does it. Returns the time until the next call.
    pub(crate) fn tick(&self, instance: u64, host: HostHandle, clock: Clock) -> Duration {
        let kept = self.keeper.compare_exchange(0, instance, Ordering::AcqRel, Ordering::Acquire);
        if kept.is_err_and(|keeper| keeper != instance) {
            return IDLE;
        }
        let now = wall_clock::now();
        let (time, graph, slow) = {
            let mut schedule = lock(&self.schedule);
            let Schedule { time, graph, slow } = &mut *schedule;
            (is_due(time, now, TIME), is_due(graph, now, GRAPH), is_due(slow, now, SLOW))
        };
        self.begin_show(host);
        if time {
            self.send_time(&clock.read());
        }
        if graph {
            self.send_graph();
        }
        if slow {
            self.read_parameters();
            self.report_losses(now);
        }
        self.send_parameters();
        TIME
    }

    /// Lets another instance do it.
    pub(crate) fn release(&self, instance: u64) {
        // It fails if another instance does it already.
        let _ = self.keeper.compare_exchange(instance, 0, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Sends the simulated time if it has changed. Viewers forget everything if it goes back, so latched messages are then
    /// sent again.
    fn send_time(&self, reading: &ClockReading) {
        let current = (reading.time_ns, reading.reset_epoch);
        let last = lock(&self.time).replace(current);
        if last == Some(current) {
            return;
        }
        self.broadcast_time(current.0);
        if last.is_some_and(|last| current.0 < last.0) {
            self.repeat_latched();
        }
    }

    fn broadcast_time(&self, time_ns: i64) {
        let frame = Frame::binary(frame::time(u64::try_from(time_ns).unwrap_or(0)));
        for client in lock(&self.state).clients.values() {
            // Old times are useless, and must not take the places of messages.
            if client.link.waiting().frames < BEHIND {
                self.note_lost(client.link.data(frame.clone()));
            }
        }
    }

    fn repeat_latched(&self) {
        let channels: Vec<_> =
            lock(&self.state).channels.values().map(|offered| Arc::clone(&offered.channel)).collect();
        self.note_lost(channels.iter().map(|channel| channel.repeat()).sum());
        self.display.repeat();
    }

    /// Returns the latched transforms of all topics.
    pub(super) fn kept_transforms(&self) -> Vec<Payload> {
        let state = lock(&self.state);
        let channels = state.channels.values().map(|offered| &offered.channel);
        channels.filter(|channel| channel.has_transforms()).flat_map(|channel| channel.kept()).collect()
    }

    /// Takes what a plugin publishes about frames, if a client needs it.
    pub(crate) fn take_frames(&self, take: impl FnOnce(&mut Tf)) {
        self.display.take_frames(take);
    }

    /// Takes the markers of a topic; `None` if it is withdrawn.
    pub(crate) fn take_markers(&self, topic: u64, array: Option<Payload>) {
        self.display.take_markers(topic, array);
    }

    /// Counts messages that slow clients lost, until an instance takes the number.
    pub(super) fn note_lost(&self, count: u64) {
        self.lost.fetch_add(count, Ordering::Relaxed);
    }

    /// Returns the number of messages that slow clients have lost since the last call, by other causes than messages of an
    /// instance.
    pub(crate) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }

    /// Reports losses that were too early to be reported when they happened.
    fn report_losses(&self, now: Instant) {
        for client in lock(&self.state).clients.values_mut() {
            if let Some(report) = client.losses.add(0, now) {
                client.link.reply(report);
            }
        }
    }
}

fn is_due(last: &mut Option<Instant>, now: Instant, period: Duration) -> bool {
    let is_due = last.is_none_or(|last| now.saturating_duration_since(last) >= period);
    if is_due {
        *last = Some(now);
    }
    is_due
}
