//! A reset in each state that can be reached from outside. If a state is too short for a client, a plugin, a bridge or
//! a trigger requests the reset. Only two states cannot be reached: Quitting accepts no more requests, and no run
//! enters Probe.

use super::row::Act::{Ask, Reaches, Refused, Signal};
use super::row::{acts, bridges, models, triggers, without_world};
use super::scenarios;

/// A run that a trigger resets, so that `reset` is an event.
const RESET: (&str, &str) = ("time=0.05", "reset");

/// A trigger that resets the run in each reset.
const ENDLESS: &str = "[[trigger]]\nevent = 'reset'\naction = 'reset'\nsticky = true\n";

const COMMANDS: &str = "[triggers]\nenable_command_action = true\n";

scenarios! {
    reset_in_no_world: without_world(&[
        Reaches("NoWorld"),
        Refused("reset", "{}", "no world is loaded; load one first"),
        Ask("quit", "{}"),
    ]).ends(0, "stopped").resets(0);
    reset_in_loading: bridges(&["car1=rogue_bridge:"]).given(&[("ROGUE", "create=asks_reset")]).steps(100).resets(1);
    reset_in_connect: bridges(&["car1=rogue_bridge:connect=asks_reset"]).steps(100).resets(1);
    reset_in_awake: models(&["awake=asks_reset"]).steps(100).resets(1);
    reset_in_start: models(&["start=asks_reset"]).steps(100).resets(1);
    reset_in_the_first_reset: models(&["reset=asks_reset"]).steps(100).resets(1);
    reset_in_all_started: models(&["all_started=asks_reset"]).steps(100).resets(1);
    reset_in_step_begin: models(&[]).when(&[("loop", "reset")]).steps(100).resets(1);
    reset_in_step_simulator: models(&["sample=asks_reset"]).steps(100).resets(1);
    reset_in_step_controller: models(&["control=asks_reset"]).steps(100).resets(1);
    reset_in_step_end: models(&[]).when(&[RESET]).steps(100).resets(1);
    reset_while_it_runs_by_a_client: acts(&[
        Reaches("Step"),
        Ask("reset", r#"{"then": "play"}"#),
        Reaches("Step"),
        Ask("quit", "{}"),
    ]).ends(0, "stopped").resets(1);
    reset_in_pause_without_a_state_stays_paused: acts(&[
        Reaches("Pause"),
        Ask("step_simulation", r#"{"steps": 7}"#),
        Ask("reset", r#"{"then": "keep"}"#),
        Reaches("Pause"),
        Ask("quit", "{}"),
    ]).with(&["--start", "paused"]).ends(0, "stopped").steps(0).resets(1);
    reset_in_pause_then_plays: acts(&[Reaches("Pause"), Ask("reset", r#"{"then": "play"}"#)])
        .with(&["--start", "paused", "--duration", "0.1s"]).ends(0, "stopped").steps(100).resets(1);
    reset_in_pause_then_stopped: acts(&[
        Reaches("Pause"), Ask("reset", r#"{"then": "stopped"}"#), Reaches("Stopped"), Ask("quit", "{}"),
    ]).with(&["--start", "paused"]).ends(0, "stopped").resets(1);
    reset_in_pause_stays_paused: acts(&[
        Reaches("Pause"),
        Ask("step_simulation", r#"{"steps": 7}"#),
        Ask("reset", "{}"),
        Ask("step_simulation", r#"{"steps": 5}"#),
        Ask("quit", "{}"),
    ]).with(&["--start", "paused"]).ends(0, "stopped").steps(5).resets(1);
    reset_in_a_stop_then_paused: acts(&[
        Reaches("Stopped"),
        Ask("reset", r#"{"then": "paused"}"#),
        Reaches("Pause"),
        Ask("step_simulation", r#"{"steps": 5}"#),
        Ask("quit", "{}"),
    ]).with(&["--start", "stopped"]).ends(0, "stopped").steps(5).resets(1);
    reset_of_the_time_in_pause: acts(&[
        Reaches("Pause"),
        Ask("step_simulation", r#"{"steps": 7}"#),
        Ask("reset", r#"{"scope": 1}"#),
        Reaches("Pause"),
        Ask("quit", "{}"),
    ]).with(&["--start", "paused"]).ends(0, "stopped").steps(0).resets(1);
    reset_of_the_state_in_pause: acts(&[
        Reaches("Pause"),
        Ask("step_simulation", r#"{"steps": 7}"#),
        Ask("reset", r#"{"scope": 2}"#),
        Reaches("Pause"),
        Ask("quit", "{}"),
    ]).with(&["--start", "paused"]).ends(0, "stopped").steps(7).resets(1);
    reset_in_pause_by_a_trigger: triggers(&[("time=0.05", "pause"), ("pause", "reset"), ("time=0.1", "succeed")])
        .then(&[Reaches("Pause"), Ask("resume", "{}")]).ends(0, "success").steps(100).resets(1);
    reset_in_pause_by_a_plugin: models(&["pause=asks_reset"]).when(&[("start", "pause")])
        .ends(0, "stopped").steps(100).resets(1);
    reset_in_resume: models(&["resume=asks_reset"]).when(&[("start", "pause"), ("pause", "resume")])
        .steps(100).resets(1);
    reset_in_success: triggers(&[("time=0.1", "succeed"), ("success", "reset")])
        .ends(0, "success").steps(100).resets(0).logs(&["Reset is refused while the simulation is quitting"]);
    reset_in_success_kept_alive: triggers(&[("start", "keep_alive"), ("time=0.1", "succeed"), ("success", "reset")])
        .then(&[Reaches("Stopped"), Signal(libc::SIGINT)]).ends(0, "success").steps(100).resets(1);
    reset_in_fail: triggers(&[("time=0.1", "fail"), ("failure", "reset")]).ends(9, "failure").steps(100).resets(0).logs(&["Reset is refused while the simulation is quitting"]);
    reset_in_fail_kept_alive: triggers(&[("start", "keep_alive"), ("time=0.1", "fail"), ("failure", "reset")])
        .then(&[Reaches("Stopped"), Signal(libc::SIGINT)]).ends(9, "failure").steps(100).resets(1);
    reset_in_stop: models(&[]).when(&[("stop", "reset")]).steps(100).resets(0)
        .logs(&["Reset is refused while the simulation is quitting"]);
    reset_in_stop_kept_alive: models(&[]).when(&[("start", "keep_alive"), ("stop", "reset")])
        .then(&[Reaches("Stopped"), Signal(libc::SIGINT)]).ends(0, "stopped").steps(100).resets(1);
    reset_in_stop_by_a_plugin: models(&["stop=asks_reset"]).steps(100).resets(0).logs(&["Reset is refused while the simulation is quitting"]);
    reset_in_stop_by_a_plugin_kept_alive: models(&["stop=asks_reset"]).when(&[("start", "keep_alive")])
        .then(&[Reaches("Stopped"), Signal(libc::SIGINT)]).steps(100).resets(1);
    reset_in_stopped: acts(&[
        Reaches("Stopped"),
        Ask("reset", "{}"),
        Ask("reset", r#"{"then": "keep"}"#),
        Ask("reset", r#"{"scope": 3}"#),
        Reaches("Stopped"),
        Ask("quit", "{}"),
    ]).with(&["--start", "stopped"]).ends(0, "stopped").steps(0).resets(3);
    reset_in_stopped_then_plays: acts(&[Reaches("Stopped"), Ask("reset", r#"{"then": "play"}"#)])
        .with(&["--start", "stopped", "--duration", "0.1s"]).ends(0, "stopped").steps(100).resets(1);
    reset_in_stopped_after_a_success: triggers(&[("start", "keep_alive"), ("time=0.1", "succeed")])
        .then(&[Reaches("Stopped"), Ask("reset", "{}"), Reaches("Stopped"), Signal(libc::SIGINT)])
        .ends(0, "success").steps(0).resets(1);
    reset_in_stopped_after_a_failure: triggers(&[("start", "keep_alive"), ("time=0.1", "fail")])
        .then(&[Reaches("Stopped"), Ask("reset", "{}"), Reaches("Stopped"), Signal(libc::SIGINT)])
        .ends(9, "failure").steps(0).resets(1);
    reset_in_reset: models(&[]).when(&[RESET, ("reset", "reset")]).steps(100).resets(2);
    reset_in_reset_by_a_plugin: models(&["reset_again=asks_reset"]).when(&[RESET]).steps(100).resets(2);
    reset_in_abort: models(&["control=asks_abort", "control=asks_reset"]).ends(16, "aborted").steps(1).resets(0);
    reset_in_disconnect: bridges(&["car1=rogue_bridge:disconnect=asks_reset"]).steps(100).resets(0);
    reset_that_runs_a_program: models(&[]).configured(COMMANDS).when(&[RESET, ("reset", "command=true")])
        .steps(100).resets(1);
    endless_resets_in_a_reset: triggers(&[
        RESET,
        ("time=0.1", "succeed"),
        ("start", "{ name = 'insert', triggers = [{ event = 'reset', action = 'reset', sticky = true }] }"),
    ]).ends(0, "success").steps(100).resets(10).reports(&["BH-TRG-035", "without a step in between"]);
    endless_resets_at_time_0: triggers(&[("time=0.1", "succeed")])
        .configured("[[trigger]]\nevent = 'time=0'\naction = 'reset=time'\nsticky = true\n")
        .ends(0, "success").steps(100).resets(10).reports(&["BH-TRG-035"]);
    clients_are_answered_during_endless_resets: acts(&[
        Reaches("Step"),
        Ask("reset", r#"{"then": "play"}"#),
        Ask("pause", "{}"),
        Ask("reset", r#"{"then": "keep"}"#),
        Ask("unload_world", "{}"),
        Reaches("NoWorld"),
        Ask("quit", "{}"),
    ]).configured(ENDLESS).ends(0, "stopped");
    endless_resets_are_found_by_a_check: triggers(&[]).configured(ENDLESS).checked().ends(0, "")
        .logs(&["BH-TRG-035", "`reset`"]);
    two_resets_by_triggers: triggers(&[RESET, ("time=0.07", "reset"), ("time=0.1", "succeed")])
        .ends(0, "success").steps(100).resets(2);
    three_resets: models(&["start=asks_reset", "sample=asks_reset", "control=asks_reset"]).steps(100);
}
