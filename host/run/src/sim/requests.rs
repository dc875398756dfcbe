//! Requests to the lifecycle, and the answers that their callers have not taken yet.
//!
//! The queue itself is part of [`Lifecycle`]. Belongs to the simulation thread; other threads use
//! [`RequestInbox`](crate::api::RequestInbox).

use std::collections::BTreeMap;

use bridgehead_lifecycle::{Answer, Interrupt, Lifecycle, Refusal, Request, Ticket};

/// Requests that wait for an answer, and the cause of the first stop request.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// Answers that callers will take; `None` until the lifecycle has decided.
    answers: BTreeMap<Ticket, Option<Result<(), Refusal>>>,
    /// Cause of the first stop request. It does not affect the outcome, but explains one without a verdict.
    stop_cause: String,
}

impl Requests {
    /// Submits a request to the lifecycle. Its answer is only logged, and only if it is a refusal.
    pub(super) fn submit(&mut self, lifecycle: &mut Lifecycle, request: Request) -> Ticket {
        // A client may request thousands of steps per second.
        let is_frequent = matches!(request.interrupt, Interrupt::Step(_));
        let level = if is_frequent { log::Level::Debug } else { log::Level::Info };
        log::log!(level, "{} requested: {}", request.interrupt.name(), request.cause);
        if matches!(request.interrupt, Interrupt::Stop | Interrupt::Quit) && self.stop_cause.is_empty() {
            self.stop_cause = request.cause.to_string();
        }
        lifecycle.submit(request)
    }

    /// Submits a request to the lifecycle, and keeps its answer for [`Self::take_answer`].
    pub(super) fn submit_answered(&mut self, lifecycle: &mut Lifecycle, request: Request) -> Ticket {
        let ticket = self.submit(lifecycle, request);
        self.answers.insert(ticket, None);
        ticket
    }

    /// Withdraws a request that the lifecycle has not taken. Returns true if it was still queued.
    pub(super) fn withdraw(&mut self, lifecycle: &mut Lifecycle, ticket: Ticket) -> bool {
        let is_withdrawn = lifecycle.withdraw(ticket).is_some();
        if is_withdrawn {
            self.answers.remove(&ticket);
        }
        is_withdrawn
    }

    /// Keeps an answer for its caller. If no caller waits for it, a refusal is logged.
    pub(super) fn record(&mut self, answer: &Answer) {
        match self.answers.get_mut(&answer.ticket) {
            Some(slot) => *slot = Some(answer.result),
            None => {
                if let Err(refusal) = &answer.result {
                    log::warn!("{refusal}");
                }
            }
        }
    }

    /// Takes the answer to a request, once; `None` while the lifecycle has not decided.
    pub(super) fn take_answer(&mut self, ticket: Ticket) -> Option<Result<(), Refusal>> {
        let answer = (*self.answers.get(&ticket)?)?;
        self.answers.remove(&ticket);
        Some(answer)
    }

    /// Returns the cause of the first stop request; empty if there is none.
    pub(super) fn stop_cause(&self) -> &str {
        &self.stop_cause
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_lifecycle::{Cause, RefusalKind, Settings, StartIn, WorldRequest};

    use super::*;

    fn request(interrupt: Interrupt, caller: &str) -> Request {
        Request::new(interrupt, Cause::Control(caller.to_owned()))
    }

    fn load() -> Request {
        let world = WorldRequest { world: "w.sdf".to_owned(), start_in: StartIn::Stopped };
        request(Interrupt::LoadWorld(world), "test")
    }

    fn host() -> (Requests, Lifecycle) {
        let settings = Settings { keep_alive: true, ..Settings::default() };
        (Requests::default(), Lifecycle::new(settings))
    }

    fn turn(requests: &mut Requests, lifecycle: &mut Lifecycle) {
        lifecycle.advance(None).answers.iter().for_each(|answer| requests.record(answer));
    }

    #[test]
    fn a_ticket_is_answered_once() {
        let (mut requests, mut lifecycle) = host();
        let accepted = requests.submit_answered(&mut lifecycle, load());
        assert_eq!(requests.take_answer(accepted), None, "not taken yet");
        turn(&mut requests, &mut lifecycle);
        assert_eq!(requests.take_answer(accepted), Some(Ok(())));
        assert_eq!(requests.take_answer(accepted), None);

        let refused = requests.submit_answered(&mut lifecycle, request(Interrupt::Play, "test"));
        turn(&mut requests, &mut lifecycle);
        let answer = requests.take_answer(refused).expect("an answer");
        assert_eq!(answer.expect_err("still loading").kind, RefusalKind::IncorrectTransition);
        assert_eq!(requests.take_answer(refused), None);
        assert!(requests.answers.is_empty());
    }

    #[test]
    fn an_answer_without_a_caller_is_not_kept() {
        let (mut requests, mut lifecycle) = host();
        let ticket = requests.submit(&mut lifecycle, request(Interrupt::Play, "test"));
        turn(&mut requests, &mut lifecycle);
        assert_eq!(requests.take_answer(ticket), None);
        assert!(requests.answers.is_empty());
    }

    #[test]
    fn a_withdrawn_request_is_neither_taken_nor_answered() {
        let (mut requests, mut lifecycle) = host();
        let ticket = requests.submit_answered(&mut lifecycle, load());
        assert!(requests.withdraw(&mut lifecycle, ticket));
        assert!(!requests.withdraw(&mut lifecycle, ticket), "already withdrawn");
        turn(&mut requests, &mut lifecycle);
        assert_eq!(requests.take_answer(ticket), None);
        assert!(requests.answers.is_empty());

        let taken = requests.submit_answered(&mut lifecycle, load());
        turn(&mut requests, &mut lifecycle);
        assert!(!requests.withdraw(&mut lifecycle, taken), "already taken by the lifecycle");
        assert_eq!(requests.take_answer(taken), Some(Ok(())), "its answer is kept");
    }

    #[test]
    fn the_first_stop_cause_is_kept() {
        let (mut requests, mut lifecycle) = host();
        assert_eq!(requests.stop_cause(), "");
        requests.submit(&mut lifecycle, request(Interrupt::Pause, "pauses"));
        assert_eq!(requests.stop_cause(), "");
        requests.submit_answered(&mut lifecycle, request(Interrupt::Stop, "first"));
        requests.submit(&mut lifecycle, request(Interrupt::Quit, "second"));
        assert!(requests.stop_cause().contains("first"), "{}", requests.stop_cause());
    }
}
