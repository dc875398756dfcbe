//! How runs end: outcomes, exit codes, aborts, quitting, exactly one disconnect for each connect.

use super::State::*;
use super::*;

const NEVER_STARTED: [State; 3] = [Loading, Connect, Start];

/// The outcome reported at the end; there is exactly one.
fn reported(player: &Player) -> Outcome {
    let outcomes: Vec<_> = player
        .effects
        .iter()
        .filter_map(|effect| if let Effect::ReportOutcome(outcome) = effect { Some(*outcome) } else { None })
        .collect();
    assert_eq!(outcomes.len(), 1, "{:?}", player.effects);
    outcomes[0]
}

#[test]
fn the_duration_stops_the_run() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.ask(Interrupt::Stop, Cause::Duration);
    player.settle();
    assert_eq!(player.trail_from(StepEnd), [StepEnd, Stop, Disconnect, Quitting]);
    assert_eq!(
        player.effects,
        [
            Effect::HoldClock,
            Effect::Announce(Notice::Stopped),
            Effect::StopPlugins(Manner::Orderly),
            Effect::DisconnectBridges,
            Effect::UnloadWorld,
            Effect::DisconnectWorldBridges,
            Effect::ReportOutcome(Outcome::Stopped),
            Effect::Exit,
        ]
    );
}

#[test]
fn success_and_failure_pass_through_their_states() {
    let cases = [
        (Interrupt::Success, Success, Notice::Succeeded, Outcome::Success),
        (Interrupt::Fail, Fail, Notice::Failed, Outcome::Failure),
    ];
    for (interrupt, state, notice, outcome) in cases {
        let mut player = Player::loaded(Settings::default(), StartIn::Playing);
        player.ask(interrupt, Cause::Trigger("goal".to_owned()));
        player.settle();
        let trail = [StepEnd, state, Stop, Disconnect, Quitting];
        assert_eq!(player.trail_from(StepEnd), trail);
        assert_eq!(player.count(&Effect::Announce(notice)), 1);
        assert_eq!(reported(&player), outcome);
        let verdict = player.life.machine().verdict().expect("decided");
        assert_eq!(verdict.cause.to_string(), "trigger `goal`");
    }
}

#[test]
fn a_run_that_both_failed_and_succeeded_has_failed() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.control(Interrupt::Success);
    player.control(Interrupt::Fail);
    player.settle();
    assert_eq!(reported(&player), Outcome::Failure);
    assert_eq!(player.answers.len(), 3, "load, fail, success: each is answered");
    assert_eq!(player.last_refusal().kind, RefusalKind::OperationFailed);
}

#[test]
fn the_first_decision_stands_even_if_stopping_goes_wrong() {
    let mut player = Player::loaded(Settings::default(), StartIn::Playing);
    player.control(Interrupt::Success);
    player.play_until(Stop);
    player.ask(Interrupt::Abort, fault());
    player.settle();
    assert_eq!(player.trail_from(Success), [Success, Stop, Abort, Stop, Disconnect, Quitting]);
    assert_eq!(reported(&player), Outcome::Success);
}

#[test]
fn kept_alive_a_run_can_be_played_again_and_counts_anew() {
    let mut player = Player::loaded(kept_alive(), StartIn::Playing);
    player.control(Interrupt::Fail);
    player.settle();
    assert_eq!(player.state(), Stopped);
    assert_eq!(player.life.machine().outcome(), Outcome::Failure);

    player.control(Interrupt::Play);
    player.play_until(StepEnd);
    assert_eq!(player.life.machine().verdict(), None);
    assert_eq!(player.count(&Effect::StartPlugins), 1);
    assert_eq!(player.count(&Effect::DisconnectBridges), 0);

    player.control(Interrupt::Success);
    player.settle();
    player.control(Interrupt::Quit);
    player.settle();
    assert_eq!(reported(&player), Outcome::Success);
    assert_eq!(player.count(&Effect::DisconnectBridges), 1);
}

#[test]
fn an_abort_stops_with_best_effort_from_every_working_state() {
    let passed = [Resume, Pause, Reset, Success, Fail, Stop];
    for state in
        State::ALL.into_iter().filter(|s| s.is_step() || NEVER_STARTED.contains(s) || passed.contains(s))
    {
        let mut player = brought_to(state);
        player.ask(Interrupt::Abort, interrupted());
        player.settle();
        let trail = player.trail_from(Abort);
        let has_bridges = player.count(&Effect::ConnectBridges) == 1;
        let expected: &[State] =
            if has_bridges { &[Abort, Stop, Disconnect, Quitting] } else { &[Abort, Stop, Quitting] };
        assert_eq!(trail, expected, "from {state}");
        assert_eq!(player.count(&Effect::StopPlugins(Manner::BestEffort)), 1, "from {state}");
        assert_eq!(player.count(&Effect::DisconnectBridges), usize::from(has_bridges), "from {state}");
        assert_eq!(reported(&player), outcome_of_abort(state), "from {state}");
    }
}

fn outcome_of_abort(state: State) -> Outcome {
    if NEVER_STARTED.contains(&state) {
        Outcome::NotStarted
    } else if state == Success {
        Outcome::Success
    } else if state == Fail {
        Outcome::Failure
    } else {
        Outcome::Aborted
    }
}

/// A kept-alive host in `state`, by the shortest way.
fn brought_to(state: State) -> Player {
    if NEVER_STARTED.contains(&state) || state.is_step() {
        return Player::in_state(kept_alive(), state);
    }
    let ways = [
        (Pause, Interrupt::Pause),
        (Resume, Interrupt::Pause),
        (Reset, Interrupt::Reset(ResetRequest::running_on(ResetScope::ALL))),
        (Success, Interrupt::Success),
        (Fail, Interrupt::Fail),
        (Stop, Interrupt::Stop),
    ];
    let (_, way) = ways.into_iter().find(|(to, _)| *to == state).expect("a way is known");
    let mut player = Player::in_state(kept_alive(), StepEnd);
    player.control(way);
    if state == Resume {
        player.play_until(Pause);
        player.control(Interrupt::Resume);
    }
    player.play_until(state);
    player
}

#[test]
fn an_error_leaves_a_kept_alive_host_without_a_world_but_there() {
    let mut player = Player::loaded(kept_alive(), StartIn::Playing);
    player.ask(Interrupt::Abort, fault());
    player.settle();
    assert_eq!(player.state(), NoWorld);
    assert_eq!(player.life.machine().outcome(), Outcome::Aborted);
    player.control(load(StartIn::Stopped));
    player.settle();
    assert_eq!(player.life.machine().outcome(), Outcome::Stopped, "a new world is a new beginning");
}

#[test]
fn a_second_abort_by_the_operator_quits_a_kept_alive_host() {
    let mut player = Player::loaded(kept_alive(), StartIn::Playing);
    player.ask(Interrupt::Abort, fault());
    player.play_until(Disconnect);
    player.ask(Interrupt::Abort, interrupted());
    player.settle();
    assert_eq!(player.state(), Quitting);
    assert_eq!(player.count(&Effect::DisconnectBridges), 1);
    assert_eq!(reported(&player), Outcome::Aborted);
}

#[test]
fn leaving_a_stopped_host_keeps_what_the_run_decided() {
    for cause in [interrupted(), Cause::Control("client".to_owned())] {
        let mut player = Player::loaded(kept_alive(), StartIn::Playing);
        player.control(Interrupt::Success);
        player.settle();
        let interrupt = if cause.is_operator() { Interrupt::Abort } else { Interrupt::Quit };
        player.ask(interrupt, cause);
        player.settle();
        assert_eq!(player.trail_from(Stopped), [Stopped, Disconnect, Quitting]);
        assert_eq!(reported(&player), Outcome::Success);
    }
}

#[test]
fn quitting_before_the_run_begins_stops_it() {
    for state in NEVER_STARTED {
        let mut player = Player::in_state(kept_alive(), state);
        player.ask(Interrupt::Quit, Cause::Signal("SIGTERM".to_owned()));
        player.settle();
        assert_eq!(player.state(), Quitting);
        assert_eq!(player.count(&Effect::CancelWork), 1);
        assert_eq!(reported(&player), Outcome::Stopped, "nothing failed");
        let verdict = player.life.machine().verdict().expect("decided");
        assert_eq!(verdict.cause.to_string(), "signal SIGTERM");
    }
}

#[test]
fn a_host_without_a_world_quits_at_once() {
    let mut player = Player::new(kept_alive());
    player.control(Interrupt::Quit);
    player.turn();
    let last_effects =
        [Effect::DisconnectWorldBridges, Effect::ReportOutcome(Outcome::Stopped), Effect::Exit];
    assert_eq!(player.effects, last_effects);
}

#[test]
fn a_failed_start_disconnects_and_reports_no_start() {
    let cause = Cause::Bridge { name: "car1/ros2".to_owned(), reason: "not connected after 5 s".to_owned() };
    for (state, report) in
        [(Connect, Report::ConnectFailed(cause.clone())), (Start, Report::StartFailed(cause))]
    {
        let mut player = Player::in_state(Settings::default(), state);
        player.turn_with(Some(report));
        player.settle();
        assert_eq!(player.trail_from(Abort), [Abort, Stop, Disconnect, Quitting]);
        assert_eq!(reported(&player).exit_code(false), 4);
        let verdict = player.life.machine().verdict().expect("decided");
        assert_eq!(verdict.cause.to_string(), "bridge `car1/ros2`: not connected after 5 s");
    }
}

#[test]
fn a_failed_load_ends_the_host_or_leaves_it_without_a_world() {
    for (is_configuration, exit_code) in [(true, 1), (false, 4)] {
        let failed = |is_first| {
            let cause = Cause::Host("yard.sdf:3: not XML".to_owned());
            Some(Report::LoadFailed(LoadFailure { is_configuration, is_first, cause }))
        };
        let mut player = Player::in_state(Settings::default(), Loading);
        player.turn_with(failed(true));
        assert_eq!(player.state(), Quitting);
        assert_eq!(reported(&player).exit_code(false), exit_code);
        assert_eq!(player.count(&Effect::DisconnectBridges), 0);

        for (settings, is_first) in
            [(kept_alive(), true), (kept_alive(), false), (Settings::default(), false)]
        {
            let mut player = Player::in_state(settings, Loading);
            player.turn_with(failed(is_first));
            assert_eq!(player.state(), NoWorld);
            assert_eq!(player.effects.last(), Some(&Effect::UnloadWorld));
        }
    }
}

#[test]
fn an_abort_that_meets_a_finished_phase_replaces_it() {
    let mut player = Player::in_state(Settings::default(), StepSimulator);
    player.ask(Interrupt::Abort, fault());
    let turn = player.life.advance(Some(Report::PhaseDone));
    assert_eq!(turn.effects, [Effect::HoldClock, Effect::CancelWork]);
    assert_eq!(turn.dropped, Some(Report::PhaseDone));
}

#[test]
fn a_probe_runs_no_plugin() {
    let mut player = Player::new(Settings { probe: true, ..Settings::default() });
    player.ask(load(StartIn::Playing), Cause::CommandLine);
    player.settle();
    assert_eq!(player.states, [NoWorld, Loading, Connect, Probe, Disconnect, Quitting]);
    assert_eq!(player.count(&Effect::CollectProbe), 1);
    assert_eq!(player.count(&Effect::StartPlugins), 0);
    assert_eq!(reported(&player).exit_code(true), 0);
}
