//! Resets in every state, any number of times.

use super::State::*;
use super::*;

fn partial() -> Interrupt {
    Interrupt::Reset(ResetRequest::standard(ResetScope::STATE | ResetScope::TIME))
}

fn full() -> Interrupt {
    Interrupt::Reset(ResetRequest::standard(ResetScope::ALL))
}

fn cascade(scope: ResetScope) -> [Effect; 3] {
    [Effect::PauseSensors, Effect::RunResetCascade(scope), Effect::ResumeSensors]
}

#[test]
fn a_partial_reset_of_a_running_simulation_runs_on() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.control(partial());
    player.turn();
    assert_eq!(player.life.machine().simulation_state(), SimulationState::Playing);
    player.play_until(StepBegin);
    assert_eq!(player.trail_from(StepEnd), [StepEnd, Reset, Start, StepBegin]);
    let [pause, run, resume] = cascade(ResetScope::STATE | ResetScope::TIME);
    assert_eq!(
        player.effects,
        [
            Effect::HoldClock,
            pause,
            run,
            resume,
            Effect::AwaitAllStarted,
            Effect::ReleaseClock,
            Effect::BeginStep
        ]
    );
}

#[test]
fn a_partial_reset_of_a_paused_simulation_stays_paused_in_silence() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(partial());
    player.turn();
    assert_eq!(player.life.machine().simulation_state(), SimulationState::Paused);
    player.settle();
    assert_eq!(player.trail_from(Reset), [Reset, Start, Pause]);
    assert!(!player.effects.iter().any(|effect| matches!(effect, Effect::Announce(_))));
}

#[test]
fn a_full_reset_ends_stopped_and_playable() {
    for start_in in [StartIn::Playing, StartIn::Paused] {
        let mut player = Player::loaded(Settings::default(), start_in);
        player.control(full());
        player.settle();
        assert_eq!(player.trail_from(Stop), [Stop, Reset, Stopped]);
        assert_eq!(player.count(&Effect::RunResetCascade(ResetScope::ALL)), 1);
        assert_eq!(player.count(&Effect::DisconnectBridges), 0);
        player.control(Interrupt::Play);
        player.play_until(StepEnd);
    }
}

#[test]
fn halting_is_a_full_reset_and_no_outcome() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.control(Interrupt::Halt);
    player.settle();
    assert_eq!(player.state(), Stopped);
    assert_eq!(player.count(&Effect::RunResetCascade(ResetScope::ALL)), 1);
    assert_eq!(player.life.machine().verdict(), None);
}

#[test]
fn a_stop_that_meets_a_halt_still_ends_the_host() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.control(Interrupt::Halt);
    player.ask(Interrupt::Stop, Cause::Duration);
    player.settle();
    assert_eq!(player.state(), Quitting);
}

#[test]
fn a_stopped_simulation_is_reset_in_place() {
    let mut player = Player::loaded(kept_alive(), StartIn::Stopped);
    for interrupt in [partial(), full()] {
        player.control(interrupt);
        player.settle();
        assert_eq!(player.trail_from(Reset), [Reset, Stopped]);
    }
    assert_eq!(player.count(&Effect::StartPlugins), 0);
}

#[test]
fn a_reset_that_runs_on_starts_a_stopped_simulation() {
    let mut player = Player::loaded(kept_alive(), StartIn::Stopped);
    player.control(Interrupt::Reset(ResetRequest::running_on(ResetScope::ALL)));
    player.play_until(StepBegin);
    assert_eq!(player.trail_from(Stopped), [Stopped, Reset, Start, StepBegin]);
    assert_eq!(player.count(&Effect::Announce(Notice::AllStarted)), 1);
}

#[test]
fn a_reset_that_runs_on_resumes_a_paused_simulation() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(Interrupt::Reset(ResetRequest::running_on(ResetScope::TIME)));
    player.play_until(StepBegin);
    assert_eq!(player.count(&Effect::Announce(Notice::Resumed)), 1);
}

#[test]
fn a_reset_asked_for_while_stopping_leads_from_stop_to_reset_to_start() {
    let mut player = Player::loaded(kept_alive(), StartIn::Playing);
    player.control(Interrupt::Stop);
    player.play_until(Stop);
    player.control(Interrupt::Reset(ResetRequest::running_on(ResetScope::ALL)));
    player.play_until(StepBegin);
    assert_eq!(player.trail_from(Stop), [Stop, Reset, Start, StepBegin]);
}

#[test]
fn resets_before_all_have_started_run_once_before_the_announcement() {
    let mut player = Player::in_state(Settings::default(), Start);
    player.effects.clear();
    for scope in [ResetScope::TIME, ResetScope::SPAWNED] {
        player.control(Interrupt::Reset(ResetRequest::standard(scope)));
    }
    player.play_until(StepBegin);
    let [pause, run, resume] = cascade(ResetScope::TIME | ResetScope::SPAWNED);
    assert_eq!(
        player.effects,
        [
            pause,
            run,
            resume,
            Effect::AwaitAllStarted,
            Effect::Announce(Notice::AllStarted),
            Effect::ReleaseClock,
            Effect::BeginStep
        ]
    );
}

#[test]
fn a_reset_that_a_plugin_requests_during_load_and_connect_is_kept() {
    for state in [Loading, Connect] {
        let mut player = Player::in_state(Settings::default(), state);
        player.ask(partial(), fault());
        player.play_until(StepEnd);
        assert_eq!(player.count(&Effect::RunResetCascade(ResetScope::STATE | ResetScope::TIME)), 1);
    }
}

#[test]
fn a_thousand_resets_connect_start_and_announce_once() {
    let mut player = Player::in_state(Settings::default(), StepEnd);
    for _ in 0..1000 {
        player.control(partial());
        player.play_until(Reset);
        player.play_until(StepEnd);
    }
    let once = [Effect::ConnectBridges, Effect::StartPlugins, Effect::Announce(Notice::AllStarted)];
    for effect in once {
        assert_eq!(player.count(&effect), 1, "{effect}");
    }
    assert_eq!(player.count(&Effect::RunResetCascade(ResetScope::STATE | ResetScope::TIME)), 1000);
    assert_eq!(player.life.machine().verdict(), None, "a reset decides nothing");
}

#[test]
fn a_reset_cancels_the_steps_that_are_left() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(Interrupt::Step(100));
    player.play_until(StepEnd);
    player.control(partial());
    player.settle();
    assert_eq!(player.state(), Pause);
    assert_eq!(player.count(&Effect::EndStep), 1);
}

#[test]
fn a_plugin_that_cannot_reset_aborts_the_run_by_name() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.control(partial());
    player.play_until(Reset);
    player.turn_with(Some(Report::ResetFailed(fault())));
    player.settle();
    assert_eq!(player.trail_from(Reset), [Reset, Abort, Stop, Disconnect, Quitting]);
    let verdict = player.life.machine().verdict().expect("decided");
    assert_eq!(verdict.outcome.exit_code(false), 16);
    assert_eq!(verdict.cause.to_string(), "plugin `car1/lidar`: panicked in step");
}

#[test]
fn a_reset_needs_a_world() {
    let mut player = Player::new(kept_alive());
    player.control(partial());
    player.turn();
    let refusal = player.last_refusal();
    assert_eq!(refusal.kind.result_code(), Some(3));
    assert_eq!(
        refusal.to_string(),
        "[BH-SIM-102] Reset is refused while the simulation is without a world: no world is loaded; load one first"
    );
}
