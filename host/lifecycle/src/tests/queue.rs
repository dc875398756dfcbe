//! The order in which requests are taken.

use super::State::*;
use super::*;

fn names(queue: &InterruptQueue) -> Vec<&'static str> {
    queue.waiting.iter().map(|(_, request)| request.interrupt.name()).collect()
}

fn asked(interrupt: Interrupt) -> Request {
    Request::new(interrupt, Cause::Control("client".to_owned()))
}

#[test]
fn priorities_are_abort_reset_fail_success_stop_pause() {
    let mut queue = InterruptQueue::default();
    let reset = Interrupt::Reset(ResetRequest::standard(ResetScope::TIME));
    for interrupt in [
        Interrupt::Step(1),
        Interrupt::Play,
        Interrupt::Pause,
        Interrupt::UnloadWorld,
        Interrupt::Quit,
        Interrupt::Stop,
        Interrupt::Success,
        Interrupt::Fail,
        reset,
        Interrupt::Abort,
    ] {
        queue.push(asked(interrupt));
    }
    assert_eq!(
        names(&queue),
        ["Abort", "Reset", "Fail", "Success", "Stop", "Quit", "UnloadWorld", "Pause", "Play", "Step"]
    );
}

#[test]
fn equal_priorities_keep_their_order_of_arrival() {
    let mut queue = InterruptQueue::default();
    let tickets: Vec<_> = (0..5).map(|steps| queue.push(asked(Interrupt::Step(steps)))).collect();
    queue.push(asked(Interrupt::Pause));
    assert!(queue.waiting[1..].iter().map(|(ticket, _)| *ticket).eq(tickets));
}

#[test]
fn what_can_only_be_taken_later_stays_and_lets_others_pass() {
    let mut player = Player::in_state(kept_alive(), Loading);
    player.answers.clear();
    player.control(partial_reset());
    let quit = player.control(Interrupt::Quit);
    player.turn();
    assert_eq!(player.answers[0].ticket, quit);
    assert_eq!(player.life.queue.len(), 1);
}

#[test]
fn every_request_is_answered_once_whatever_happens() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.answers.clear();
    let wishes = [
        Interrupt::Pause,
        Interrupt::Stop,
        partial_reset(),
        Interrupt::Success,
        Interrupt::Fail,
        Interrupt::Quit,
    ];
    let mut tickets: Vec<_> = wishes.into_iter().map(|interrupt| player.control(interrupt)).collect();
    player.settle();
    let mut answered: Vec<_> = player.answers.iter().map(|answer| answer.ticket).collect();
    answered.sort();
    tickets.sort();
    assert_eq!(answered, tickets);
    assert_eq!(player.count(&Effect::ReportOutcome(Outcome::Failure)), 1);
    assert!(player.states.ends_with(&[StepEnd, Reset, Start, Fail, Stop, Disconnect, Quitting]));
}

#[test]
fn a_withdrawn_request_is_not_taken() {
    let mut player = Player::in_state(Settings::default(), StepBegin);
    let ticket = player.control(Interrupt::Stop);
    assert_eq!(player.life.withdraw(ticket).map(|request| request.interrupt), Some(Interrupt::Stop));
    assert_eq!(player.life.withdraw(ticket), None);
    player.play_until(StepEnd);
    player.turn();
    assert_eq!(player.state(), StepBegin);
}

fn partial_reset() -> Interrupt {
    Interrupt::Reset(ResetRequest::standard(ResetScope::TIME))
}
