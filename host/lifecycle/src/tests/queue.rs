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
    player.ask(partial_reset(), fault());
    let quit = player.control(Interrupt::Quit);
    player.turn();
    assert_eq!(player.answers[0].ticket, quit);
    assert_eq!(player.life.queue.len(), 1);
}

#[test]
fn what_plugins_request_while_their_world_loads_is_kept_and_what_others_request_is_refused() {
    for state in [Loading, Connect] {
        let mut player = Player::in_state(kept_alive(), state);
        player.answers.clear();
        player.ask(partial_reset(), fault());
        let wishes = [
            partial_reset(),
            Interrupt::Success,
            Interrupt::Fail,
            Interrupt::Stop,
            Interrupt::Halt,
            Interrupt::Pause,
            Interrupt::Play,
            Interrupt::Resume,
            Interrupt::Step(1),
            Interrupt::UnloadWorld,
            load(StartIn::Playing),
        ];
        let mut tickets: Vec<_> = wishes.into_iter().map(|wish| player.control(wish)).collect();
        player.turn_with(None);
        assert_eq!(player.state(), state, "nothing interrupts the load");
        assert!(player.answers.iter().all(|answer| answer.result.is_err()), "{:?}", player.answers);
        let mut answered: Vec<_> = player.answers.iter().map(|answer| answer.ticket).collect();
        answered.sort();
        tickets.sort();
        assert_eq!(answered, tickets, "each is refused at once, except that of the plugin");
        player.play_until(Reset);
    }
}

#[test]
fn what_plugins_requested_of_the_last_world_does_not_reach_the_next_one() {
    let mut player = Player::loaded(kept_alive(), StartIn::Playing);
    player.control(load(StartIn::Playing));
    player.play_until(Disconnect);
    player.answers.clear();
    let late = player.ask(partial_reset(), fault());
    player.play_until(Loading);
    let refused = player.answers.iter().find(|answer| answer.ticket == late).expect("an answer");
    assert_eq!(refused.result.expect_err("refused").reason, "it was requested before this world was loaded");
    player.play_until(StepEnd);
    assert_eq!(player.states.iter().filter(|state| **state == Reset).count(), 0);
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
