//! A watch on the thread of a server: if a request keeps it, nobody else is answered, and the log says so.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::thread;

/// Interval of looking at the pulse, which beats twice as often.
const LOOK: Duration = Duration::from_secs(1);

/// So many looks in turn without a beat are reported. They are counted, not timed, because the looks stop with the
/// pulse while the process is suspended.
const SILENT: u32 = 10;

/// Counts while the thread of a server serves.
#[derive(Clone, Debug, Default)]
pub(super) struct Pulse(Arc<AtomicU64>);

impl Pulse {
    /// Beats as long as it is polled, as a task of the server.
    pub(super) async fn beat(self) {
        loop {
            self.0.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(LOOK / 2).await;
        }
    }

    /// Watches the pulse of the thread `name` until the sender is dropped.
    ///
    /// # Errors
    /// Returns an error if no thread can be created.
    pub(super) fn watch(&self, name: &str) -> io::Result<Sender<()>> {
        let (end, ended) = channel();
        let (server, pulse, mut silence) = (name.to_owned(), self.clone(), Silence::default());
        let body = move || {
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if silence.look(pulse.0.load(Ordering::Relaxed)) {
                    log::warn!(
                        "[BH-WEB-016] the thread `{server}` has not come back from a request for {} s; all other \
                         clients wait",
                        LOOK.as_secs() * u64::from(SILENT)
                    );
                }
            }
        };
        drop(thread::spawn(format!("{name}:watch"), body)?);
        Ok(end)
    }
}

/// Looks at a pulse.
#[derive(Debug, Default)]
struct Silence {
    beats: u64,
    looks: u32,
}

impl Silence {
    /// Takes note of the count of beats; true, once, if it has not changed for too long.
    fn look(&mut self, beats: u64) -> bool {
        if beats != self.beats {
            *self = Silence { beats, looks: 0 };
            return false;
        }
        self.looks = self.looks.saturating_add(1);
        self.looks == SILENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_of_ten_looks_is_reported_once() {
        let mut silence = Silence::default();
        let reported: Vec<u32> = (1..40).filter(|_| silence.look(0)).collect();
        assert_eq!(reported, [10]);
        let mut looks = [1; 9].into_iter().chain([2; 10]).chain([3; 11]).map(|beats| silence.look(beats));
        assert_eq!(looks.by_ref().take(29).filter(|is_reported| *is_reported).count(), 0);
        assert_eq!(looks.next(), Some(true));
    }

    #[test]
    fn the_pulse_beats_while_the_thread_serves() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let pulse = Pulse::default();
        runtime.block_on(async {
            tokio::spawn(pulse.clone().beat());
            while pulse.0.load(Ordering::Relaxed) < 3 {
                tokio::task::yield_now().await;
            }
        });
    }
}
