//! Tells the client that the simulation was reset, so that it resets its own clocks and filters.
//!
//! The world's Control port asks, the client answers. A client that is not there yet is asked as soon as it is; the
//! simulation waits for none of this.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use prost::Message as _;

use crate::frame::{frame, payload};
use crate::member::lock;
use crate::msgs::{Any, Param, any};
use crate::socket::{Ask, Asked};
use crate::tag::Tag;
use crate::wall;

/// How long the client may take: it asks several of its own services, one after the other.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries where no client is there.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a client is waited for before that is worth a line.
const WORTH_A_LINE: Duration = Duration::from_secs(30);

/// Resets that wait to be told.
#[derive(Default)]
pub(crate) struct Desk {
    waiting: Mutex<bool>,
    changed: Condvar,
    is_over: AtomicBool,
}

impl Desk {
    /// The simulation was reset.
    pub(crate) fn request(&self) {
        *lock(&self.waiting) = true;
        self.changed.notify_all();
    }

    /// Lets [`Desk::run`] return.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        drop(lock(&self.waiting));
        self.changed.notify_all();
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Tells of each reset until the end.
    pub(crate) fn run(&self, asker: &mut dyn Ask, tag: Tag) {
        while self.wait() {
            self.tell(asker, tag);
        }
    }

    /// Waits for a reset; false at the end.
    fn wait(&self) -> bool {
        let idle = |waiting: &mut bool| !*waiting && !self.is_over();
        let mut waiting =
            self.changed.wait_while(lock(&self.waiting), idle).unwrap_or_else(PoisonError::into_inner);
        *waiting = false;
        !self.is_over()
    }

    fn tell(&self, asker: &mut dyn Ask, tag: Tag) {
        let question = frame(tag, &Param::named("reset_simulation", Any::truth(true)).encode_to_vec());
        let mut since = Some(wall::now());
        while !self.is_over() {
            match asker.ask(&question, PATIENCE, &|| self.is_over()) {
                Ok(Asked::Answer(answer)) => return report(&answer),
                Ok(Asked::NoAnswer) if self.is_over() => return,
                Ok(Asked::NoAnswer) => {
                    log::warn!(
                        "the client did not answer the reset within {} s; it may still carry it out [BH-CLO-009]",
                        PATIENCE.as_secs()
                    );
                    return;
                }
                Ok(Asked::NobodyThere) => {}
                Err(error) => log::debug!("the client cannot be told of the reset yet: {error}"),
            }
            if since.is_some_and(|since| since.elapsed() > WORTH_A_LINE) {
                log::info!("no client is there to be told of the reset; the next one will be");
                since = None;
            }
            self.pause();
        }
    }

    fn pause(&self) {
        let waiting = lock(&self.waiting);
        let waited = self.changed.wait_timeout_while(waiting, PAUSE, |_| !self.is_over());
        // A further reset that came in between is told together with this one.
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }
}

/// Writes what the client says of its own reset.
fn report(answer: &[u8]) {
    let read = payload(answer).and_then(|payload| Param::decode(payload).ok());
    let result = read.as_ref().and_then(|param| param.params.get("result"));
    match result.and_then(|result| result.value.as_ref()) {
        Some(any::Value::StringValue(text)) if text.starts_with("OK") => {
            log::info!("the client has reset: {text}")
        }
        Some(any::Value::StringValue(text)) => {
            log::warn!("the client was told of the reset and says `{text}` [BH-CLO-009]");
        }
        _ => log::warn!("the client was told of the reset and says nothing that is understood [BH-CLO-009]"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Nobody is there twice, then somebody.
    struct Late(Arc<Mutex<Vec<Vec<u8>>>>);

    impl Ask for Late {
        fn ask(&mut self, frame: &[u8], _: Duration, _: &dyn Fn() -> bool) -> Result<Asked, String> {
            lock(&self.0).push(frame.to_vec());
            if lock(&self.0).len() < 3 {
                return Ok(Asked::NobodyThere);
            }
            Ok(Asked::Answer(crate::frame::frame(
                [0; 8],
                &Param::named("result", Any::text("OK(1/1)")).encode_to_vec(),
            )))
        }
    }

    #[test]
    fn a_client_that_comes_late_is_told_and_told_once() {
        let (desk, asked) = (Arc::new(Desk::default()), Arc::new(Mutex::new(Vec::new())));
        let thread = wall::thread({
            let (desk, mut late) = (Arc::clone(&desk), Late(Arc::clone(&asked)));
            move || desk.run(&mut late, [7; 8])
        });
        desk.request();
        let deadline = wall::now() + Duration::from_secs(10);
        while lock(&asked).len() < 3 && wall::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        desk.end();
        thread.join().expect("the thread");
        let asked = lock(&asked);
        assert_eq!(asked.len(), 3);
        assert_eq!(asked[0][..8], [7; 8]);
        let question = Param::decode(&asked[0][8..]).expect("a Param");
        assert_eq!(question.params["reset_simulation"], Any::truth(true));
    }
}
