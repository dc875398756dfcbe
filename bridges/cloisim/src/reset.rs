//! Notifies the client of a reset of the simulation, so that it resets its own clocks and filters.
//!
//! The world's Control port sends a request and the client replies. If no client is connected, the request is sent as
//! soon as one connects. The simulation never waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use prost::Message as _;

use crate::frame::{frame, payload};
use crate::lock::lock;
use crate::msgs::{Any, Param, any};
use crate::socket::{RequestOutcome, RequestPort};
use crate::tag::Tag;
use crate::wall_clock;

/// Time limit for the reply: the client calls several of its own services in sequence.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Delay between two attempts while no client is connected.
const RETRY_DELAY: Duration = Duration::from_millis(250);
/// Time without a client after which this is logged.
const LOG_AFTER: Duration = Duration::from_secs(30);

/// Pending notification of a reset.
#[derive(Default)]
pub(crate) struct ResetNotifier {
    waiting: Mutex<bool>,
    changed: Condvar,
    is_over: AtomicBool,
}

impl ResetNotifier {
    /// Requests a notification: the simulation was reset.
    pub(crate) fn request(&self) {
        *lock(&self.waiting) = true;
        self.changed.notify_all();
    }

    /// Lets [`ResetNotifier::run`] return.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        drop(lock(&self.waiting));
        self.changed.notify_all();
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Notifies the client of each reset until [`ResetNotifier::end`] is called.
    pub(crate) fn run(&self, request_port: &mut dyn RequestPort, tag: Tag) {
        while self.wait() {
            self.notify(request_port, tag);
        }
    }

    /// Waits for a reset. Returns false once the service ends.
    fn wait(&self) -> bool {
        let idle = |waiting: &mut bool| !*waiting && !self.is_over();
        let mut waiting =
            self.changed.wait_while(lock(&self.waiting), idle).unwrap_or_else(PoisonError::into_inner);
        *waiting = false;
        !self.is_over()
    }

    fn notify(&self, request_port: &mut dyn RequestPort, tag: Tag) {
        let question = frame(tag, &Param::named("reset_simulation", Any::truth(true)).encode_to_vec());
        let mut since = Some(wall_clock::now());
        while !self.is_over() {
            match request_port.request(&question, TIMEOUT, &|| self.is_over()) {
                Ok(RequestOutcome::Replied(answer)) => return report(&answer),
                Ok(RequestOutcome::TimedOut) if self.is_over() => return,
                Ok(RequestOutcome::TimedOut) => {
                    log::warn!(
                        "[BH-CLO-009] the client did not answer the reset within {} s; it may still carry it out",
                        TIMEOUT.as_secs()
                    );
                    return;
                }
                Ok(RequestOutcome::NoClient) => {}
                Err(error) => log::debug!("the client cannot be notified of the reset yet: {error}"),
            }
            if since.is_some_and(|since| since.elapsed() > LOG_AFTER) {
                log::info!("no client is connected to be notified of the reset; the next one will be");
                since = None;
            }
            self.wait_before_retry();
        }
    }

    fn wait_before_retry(&self) {
        let waiting = lock(&self.waiting);
        let waited = self.changed.wait_timeout_while(waiting, RETRY_DELAY, |_| !self.is_over());
        // A reset that happened in the meantime is covered by the same notification.
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }
}

/// Logs the client's reply to the reset.
fn report(answer: &[u8]) {
    let read = payload(answer).and_then(|payload| Param::decode(payload).ok());
    let result = read.as_ref().and_then(|param| param.params.get("result"));
    match result.and_then(|result| result.value.as_ref()) {
        Some(any::Value::StringValue(text)) if text.starts_with("OK") => {
            log::info!("the client has reset: {text}")
        }
        Some(any::Value::StringValue(text)) => {
            log::warn!("[BH-CLO-009] the client was notified of the reset and replied `{text}`");
        }
        _ => log::warn!("[BH-CLO-009] the client was notified of the reset and sent an unknown reply"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::socket::SocketError;

    /// Has no client for two requests, then replies.
    struct LateClient(Arc<Mutex<Vec<Vec<u8>>>>);

    impl RequestPort for LateClient {
        fn request(
            &mut self,
            frame: &[u8],
            _: Duration,
            _: &dyn Fn() -> bool,
        ) -> Result<RequestOutcome, SocketError> {
            lock(&self.0).push(frame.to_vec());
            if lock(&self.0).len() < 3 {
                return Ok(RequestOutcome::NoClient);
            }
            Ok(RequestOutcome::Replied(crate::frame::frame(
                [0; 8],
                &Param::named("result", Any::text("OK(1/1)")).encode_to_vec(),
            )))
        }
    }

    #[test]
    fn a_client_that_connects_late_is_notified_once() {
        let (reset_notifier, requests) =
            (Arc::new(ResetNotifier::default()), Arc::new(Mutex::new(Vec::new())));
        let thread = wall_clock::thread({
            let (reset_notifier, mut client) =
                (Arc::clone(&reset_notifier), LateClient(Arc::clone(&requests)));
            move || reset_notifier.run(&mut client, [7; 8])
        });
        reset_notifier.request();
        let deadline = wall_clock::now() + Duration::from_secs(10);
        while lock(&requests).len() < 3 {
            assert!(wall_clock::now() < deadline, "{} requests", lock(&requests).len());
            std::thread::sleep(Duration::from_millis(5));
        }
        reset_notifier.end();
        thread.join().expect("the thread");
        let requests = lock(&requests);
        assert_eq!(requests.len(), 3);
        assert_eq!(requests[0][..8], [7; 8]);
        let question = Param::decode(&requests[0][8..]).expect("a Param");
        assert_eq!(question.params["reset_simulation"], Any::truth(true));
    }
}
