//! An abort in each state that can be reached from outside. A run that has not started ends as a no-start, exit code 4.

use super::row::Act::{Ask, Logs, Reaches, Refused};
use super::row::{acts, bridges, models, triggers, without_world};
use super::scenarios;

const COMMANDS: &str = "[triggers]\nenable_command_action = true\n";

/// A program that fails, which aborts the run.
const FAILING: &str = "command=exit 3";

scenarios! {
    abort_in_no_world: without_world(&[
        Reaches("NoWorld"),
        Refused("abort", "{}", "there is nothing to abort"),
        Ask("quit", "{}"),
    ]).ends(0, "stopped");
    abort_in_loading: bridges(&["car1=rogue_bridge:"]).given(&[("ROGUE", "create=asks_abort")])
        .ends(4, "no-start").reports(&["fixture asks in create"]);
    abort_in_connect: bridges(&["car1=rogue_bridge:connect=asks_abort"]).ends(4, "no-start")
        .reports(&["fixture asks in connect"]);
    abort_in_connect_by_a_client: acts(&[Reaches("Connect"), Ask("abort", "{}")])
        .bridges(&["car1=unreliable:never"]).ends(4, "no-start").reports(&["control client"]);
    abort_in_awake: models(&["awake=asks_abort"]).ends(4, "no-start").reports(&["fixture asks in awake"]);
    abort_in_start: models(&["start=asks_abort"]).ends(4, "no-start").reports(&["fixture asks in start"]);
    abort_in_the_first_reset: models(&["reset=asks_abort"]).ends(4, "no-start").steps(0);
    abort_in_all_started: models(&["all_started=asks_abort"]).ends(16, "aborted").steps(0);
    abort_in_step_begin: models(&[]).configured(COMMANDS).when(&[("loop", FAILING)]).ends(16, "aborted").steps(0)
        .logs(&["BH-TRG-034", "exit status: 3"]);
    abort_in_step_simulator: models(&["sample=asks_abort"]).ends(16, "aborted").steps(1);
    abort_in_step_controller: models(&["control=asks_abort"]).ends(16, "aborted").steps(1);
    abort_in_step_end: models(&[]).configured(COMMANDS).when(&[("time=0.05", FAILING)]).ends(16, "aborted").steps(50);
    abort_while_it_runs_by_a_client: acts(&[Reaches("Step"), Ask("abort", "{}")]).ends(16, "aborted")
        .reports(&["\"cause\":\"control client"]);
    abort_in_pause: acts(&[Reaches("Pause"), Ask("abort", "{}")]).with(&["--start", "paused"])
        .ends(16, "aborted").steps(0);
    abort_in_pause_by_a_plugin: models(&["pause=asks_abort"]).when(&[("start", "pause")]).ends(16, "aborted").steps(0);
    abort_in_resume: models(&["resume=asks_abort"]).when(&[("time=0.05", "pause"), ("pause", "resume")])
        .ends(16, "aborted").steps(50);
    // The first outcome is kept; the error is in the result.
    abort_in_success: triggers(&[("time=0.1", "succeed"), ("success", FAILING)]).configured(COMMANDS)
        .ends(0, "success").steps(100).reports(&["[BH-TRG-034]"]);
    abort_in_fail: triggers(&[("time=0.1", "fail"), ("failure", FAILING)]).configured(COMMANDS)
        .ends(9, "failure").steps(100).reports(&["[BH-TRG-034]"]);
    abort_in_stop: models(&[]).configured(COMMANDS).when(&[("stop", FAILING)]).ends(16, "aborted").steps(100);
    abort_in_stop_by_a_plugin: models(&["stop=asks_abort"]).ends(16, "aborted").steps(100);
    // There is no run to abort.
    abort_in_stopped: acts(&[Reaches("Stopped"), Ask("abort", "{}")]).with(&["--start", "stopped"]).ends(0, "stopped");
    abort_in_stopped_after_a_failure: triggers(&[("time=0.1", "fail"), ("start", "keep_alive")])
        .then(&[Reaches("Stopped"), Ask("abort", "{}"), Reaches("NoWorld"), Ask("quit", "{}")]).ends(9, "failure");
    abort_in_reset: models(&[]).configured(COMMANDS).when(&[("time=0.05", "reset"), ("reset", FAILING)])
        .ends(16, "aborted").resets(1);
    abort_in_reset_by_a_plugin: models(&["reset_again=asks_abort"]).when(&[("time=0.05", "reset")])
        .ends(16, "aborted").steps(0).resets(1).reports(&["fixture asks in reset_again"]);
    abort_in_abort: models(&["control=asks_abort", "control=asks_abort"]).ends(16, "aborted").steps(1)
        .reports(&["plugin `car1/a`: fixture asks in control"]);
    abort_in_disconnect: bridges(&["car1=rogue_bridge:disconnect=asks_abort"]).ends(0, "stopped").steps(100);
    abort_of_a_run_that_is_kept_alive: triggers(&[("start", "keep_alive"), ("time=0.05", FAILING)])
        .configured(COMMANDS)
        .then(&[Logs("BH-TRG-034"), Reaches("NoWorld"), Ask("quit", "{}")]).ends(16, "aborted");
}
