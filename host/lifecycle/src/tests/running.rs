//! Load, start, step, pause and resume.

use super::State::*;
use super::*;

#[test]
fn a_run_goes_from_load_to_its_first_step() {
    let player = Player::in_state(Settings::default(), StepEnd);
    assert_eq!(
        player.states,
        [NoWorld, Loading, Connect, Start, StepBegin, StepSimulator, StepController, StepEnd]
    );
    assert_eq!(
        player.effects,
        [
            Effect::LoadWorld("yard.sdf".to_owned()),
            Effect::ConnectBridges,
            Effect::StartPlugins,
            Effect::RunInitialReset,
            Effect::AwaitAllStarted,
            Effect::Announce(Notice::AllStarted),
            Effect::ReleaseClock,
            Effect::BeginStep,
            Effect::StepSimulator,
            Effect::StepControllers,
            Effect::EndStep,
        ]
    );
}

#[test]
fn steps_follow_each_other_without_further_effects() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    for _ in 0..8 {
        player.turn();
    }
    let step = [Effect::BeginStep, Effect::StepSimulator, Effect::StepControllers, Effect::EndStep];
    assert_eq!(player.effects, [step.clone(), step].concat());
}

#[test]
fn started_paused_the_run_waits_before_its_first_step() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    assert_eq!(player.life.machine().simulation_state(), SimulationState::Paused);
    assert_eq!(player.states.last(), Some(&Pause));
    assert!(!player.states.contains(&StepBegin));

    player.control(Interrupt::Resume);
    player.turn();
    player.turn();
    assert_eq!(player.effects, [Effect::Announce(Notice::Resumed), Effect::ReleaseClock, Effect::BeginStep]);
}

#[test]
fn started_stopped_plugins_wait_for_play() {
    let mut player = Player::new(Settings::default());
    player.ask(load(StartIn::Stopped), Cause::CommandLine);
    player.play_until(Stopped);
    assert_eq!(player.count(&Effect::ConnectBridges), 1);
    assert_eq!(player.count(&Effect::StartPlugins), 0);

    player.control(Interrupt::Play);
    player.play_until(StepEnd);
    assert_eq!(player.count(&Effect::ConnectBridges), 1);
    assert_eq!(player.count(&Effect::StartPlugins), 1);
}

#[test]
fn a_pause_during_a_step_is_taken_at_its_end() {
    let mut player = Player::in_state(Settings::default(), StepSimulator);
    player.effects.clear();
    player.control(Interrupt::Pause);
    player.play_until(Pause);
    assert_eq!(
        player.effects,
        [Effect::StepControllers, Effect::EndStep, Effect::HoldClock, Effect::Announce(Notice::Paused)]
    );
}

#[test]
fn a_request_that_ends_the_wait_for_a_step_is_taken_before_it() {
    for (interrupt, state) in [(Interrupt::Pause, Pause), (Interrupt::Stop, Stop), (Interrupt::Quit, Stop)] {
        let mut player = Player::in_state(Settings::default(), StepBegin);
        player.effects.clear();
        player.control(interrupt);
        assert!(player.life.has_due_requests());
        player.play_until(state);
        assert!(!player.effects.contains(&Effect::StepSimulator), "{:?}", player.effects);
    }
}

#[test]
fn a_request_that_must_wait_is_not_due() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(Interrupt::Step(5));
    player.play_until(StepBegin);
    player.control(Interrupt::Step(1));
    player.life.advance(None);
    assert!(player.life.has_requests() && !player.life.has_due_requests(), "5 steps are completed first");
    player.control(Interrupt::Play);
    assert!(player.life.has_due_requests());
}

#[test]
fn a_pause_during_the_start_keeps_the_first_step_back() {
    let mut player = Player::in_state(Settings::default(), Start);
    player.control(Interrupt::Pause);
    player.settle();
    assert_eq!(player.trail_from(Start), [Start, Pause]);
}

#[test]
fn stepping_runs_the_steps_asked_for_and_pauses_again() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    for steps in [1, 5, 10] {
        player.effects.clear();
        player.control(Interrupt::Step(steps));
        player.turn();
        assert!(!player.life.machine().is_settled());
        player.settle();
        assert_eq!(player.count(&Effect::EndStep) as u64, steps);
        assert_eq!(player.state(), Pause);
        assert!(player.life.machine().is_settled());
    }
}

#[test]
fn zero_steps_are_accepted_and_change_nothing() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(Interrupt::Step(0));
    player.turn();
    assert!(player.answers.last().is_some_and(|answer| answer.result.is_ok()));
    assert_eq!(player.effects, []);
}

#[test]
fn two_step_requests_both_run() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(Interrupt::Step(3));
    player.control(Interrupt::Step(4));
    player.settle();
    assert_eq!(player.count(&Effect::EndStep), 7);
}

#[test]
fn a_pause_cancels_the_steps_that_are_left() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(Interrupt::Step(1_000_000));
    player.play_until(StepEnd);
    player.control(Interrupt::Pause);
    player.settle();
    assert_eq!(player.count(&Effect::EndStep), 1);
    player.control(Interrupt::Step(1));
    player.settle();
    assert_eq!(player.count(&Effect::EndStep), 2);
}

#[test]
fn play_turns_stepping_into_running() {
    let mut player = Player::loaded(Settings::default(), StartIn::Paused);
    player.control(Interrupt::Step(1));
    player.play_until(StepController);
    player.control(Interrupt::Play);
    for _ in 0..9 {
        player.turn();
    }
    assert!(player.life.machine().state().is_step());
    assert_eq!(player.life.machine().steps_left(), None);
}

#[test]
fn steps_are_refused_while_playing_and_while_stopped() {
    for start_in in [StartIn::Playing, StartIn::Stopped] {
        let mut player = Player::loaded(kept_alive(), start_in);
        player.control(Interrupt::Step(1));
        player.turn();
        assert_eq!(player.last_refusal().kind.result_code(), Some(4));
    }
}

#[test]
fn the_codes_of_set_simulation_state_are_the_standards() {
    let cases = [
        (StartIn::Playing, Interrupt::Play, 101),
        (StartIn::Stopped, Interrupt::Halt, 101),
        (StartIn::Paused, Interrupt::Pause, 101),
        (StartIn::Stopped, Interrupt::Pause, 103),
    ];
    for (start_in, interrupt, code) in cases {
        let mut player = Player::loaded(kept_alive(), start_in);
        let before = player.state();
        player.control(interrupt);
        player.turn_with(None);
        assert_eq!(player.last_refusal().kind.result_code(), Some(code));
        assert_eq!(player.state(), before);
    }
    for interrupt in [Interrupt::Play, Interrupt::Halt, Interrupt::Pause] {
        let mut player = Player::new(kept_alive());
        player.control(interrupt);
        player.turn();
        assert_eq!(player.last_refusal().kind.result_code(), Some(103));
    }
}

#[test]
fn pausing_from_stopped_can_be_allowed() {
    let mut player = Player::loaded(Settings { pause_from_stopped: true, ..kept_alive() }, StartIn::Stopped);
    player.control(Interrupt::Pause);
    player.settle();
    assert_eq!(player.trail_from(Stopped), [Stopped, Start, Pause]);
}

#[test]
fn a_world_is_loaded_in_place_of_the_running_one() {
    let mut player = Player::loaded(kept_alive(), StartIn::Playing);
    player.control(load(StartIn::Stopped));
    player.settle();
    assert_eq!(player.trail_from(StepEnd), [StepEnd, Stop, Disconnect, Loading, Connect, Stopped]);
    assert_eq!(
        player.effects,
        [
            Effect::HoldClock,
            Effect::Announce(Notice::Stopped),
            Effect::StopPlugins(Manner::Orderly),
            Effect::DisconnectBridges,
            Effect::UnloadWorld,
            Effect::LoadWorld("yard.sdf".to_owned()),
            Effect::ConnectBridges,
        ]
    );
}

#[test]
fn a_world_is_loaded_again_after_unloading() {
    let mut player = Player::loaded(kept_alive(), StartIn::Stopped);
    player.control(Interrupt::UnloadWorld);
    player.settle();
    assert_eq!(player.state(), NoWorld);
    player.control(Interrupt::UnloadWorld);
    player.turn();
    assert_eq!(player.last_refusal().kind, RefusalKind::AlreadyInTarget);
    player.control(load(StartIn::Paused));
    player.settle();
    assert_eq!(player.state(), Pause);
}

#[test]
fn a_second_load_is_refused_until_the_first_has_ended() {
    let mut player = Player::in_state(kept_alive(), Loading);
    player.control(load(StartIn::Stopped));
    player.turn();
    assert_eq!(player.last_refusal().reason, "the world is still loading");
    player.play_until(StepEnd);
    player.control(load(StartIn::Stopped));
    player.settle();
    assert_eq!(player.state(), Stopped);
    let loads = player.effects.iter().filter(|effect| matches!(effect, Effect::LoadWorld(_))).count();
    assert_eq!(loads, 2);
}
