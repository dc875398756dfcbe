//! Runs that end by themselves, by triggers, signals and clients.

use super::row::Act::{Ask, Later, Logs, Reaches, Refused, Signal};
use super::row::{acts, bridges, models, triggers, without_world};
use super::scenarios;

const BUNDLE: &str = "{ name = 'bundle', actions = ['succeed', 'stop', 'fail'] }";

/// Sends SIGINT to the host from a separate process.
const INTERRUPT: &str = "{ name = 'command', command = 'kill -INT $PPID', mode = 'async' }";

const COMMANDS: &str = "[triggers]\nenable_command_action = true\n";

scenarios! {
    the_duration_is_reached: models(&[]).ends(0, "stopped").steps(100).reports(&["\"cause\":\"duration reached\""]);
    the_duration_is_reached_without_a_success: models(&[]).with(&["--duration", "0.1s", "--require-success"])
        .ends(8, "stopped");
    success: triggers(&[("time=2", "succeed")]).with(&["--require-success"]).ends(0, "success").steps(2000);
    failure: triggers(&[("time=1", "fail")]).ends(9, "failure").steps(1000);
    failure_after_ten_seconds: triggers(&[("time=10", "fail")]).with(&[]).ends(9, "failure").steps(10_000);
    stop: triggers(&[("time=1", "stop")]).ends(0, "stopped").steps(1000);
    stop_is_not_success: triggers(&[("time=1", "stop")]).with(&["--require-success"]).ends(8, "stopped").steps(1000);
    a_minute_in_steps_of_5_ms: triggers(&[("time=60", "succeed")]).configured("[run]\nstep_width = '5ms'\n")
        .with(&["--duration", "61s"]).ends(0, "success").steps(12_000);
    a_minute_in_steps_of_20_ms: triggers(&[("time=60", "succeed")]).configured("[run]\nstep_width = '20ms'\n")
        .with(&["--duration", "61s"]).ends(0, "success").steps(3000);
    a_minute_in_steps_of_60_ms: triggers(&[("time=60", "succeed")]).configured("[run]\nstep_width = '60ms'\n")
        .with(&["--duration", "61s"]).ends(0, "success").steps(1000);
    a_time_between_two_steps: triggers(&[("time=0.9995", "succeed")]).ends(0, "success").steps(1000);
    no_trigger_fires: triggers(&[("time=100", "fail")]).ends(0, "stopped").steps(3000);
    next: triggers(&[("next=0.25", "succeed")]).ends(0, "success").steps(250);
    a_loop: triggers(&[("loop", "succeed")]).ends(0, "success").steps(1);
    the_first_of_two: triggers(&[("time=2", "succeed"), ("time=1", "fail")]).ends(9, "failure").steps(1000);
    a_bundle: triggers(&[("time=1", BUNDLE)]).ends(9, "failure").steps(1000);
    success_in_the_last_step: triggers(&[("time=3", "succeed")]).with(&["--duration", "3s", "--require-success"])
        .ends(0, "success").steps(3000);
    a_pause_before_the_first_step: triggers(&[("start", "pause"), ("pause", "stop")]).ends(0, "stopped").steps(0);
    a_pause_that_ends: triggers(&[("time=1", "pause"), ("pause", "resume"), ("time=2", "fail")])
        .ends(9, "failure").steps(2000);
    a_pause_late_in_a_long_run: triggers(&[("time=45", "pause"), ("pause", "resume"), ("time=60", "succeed")])
        .configured("[run]\nstep_width = '20ms'\n").with(&["--require-success"]).ends(0, "success").steps(3000);
    a_reset_once: triggers(&[("time=0.5", "reset"), ("time=1", "succeed")]).ends(0, "success").steps(1000).resets(1);
    a_pause_that_is_ended_by_a_client: triggers(&[("time=0.045", "pause"), ("time=0.06", "succeed")]).with(&[])
        .then(&[Reaches("Pause"), Ask("resume", "{}")]).ends(0, "success").steps(60);
    a_trigger_of_a_client: acts(&[
        Reaches("Pause"),
        Ask("add_triggers", r#"{"json": "[{\"event\": \"time=2\", \"action\": \"succeed\"}]"}"#),
        Ask("resume", "{}"),
    ]).with(&["--start", "paused", "--require-success"]).ends(0, "success").steps(2000)
        .reports(&["\"source\":\"network\""]);
    a_forbidden_program_in_a_trigger_of_a_client: acts(&[
        Reaches("Pause"),
        Ask("add_triggers", r#"{"json": "[{\"event\": \"time=1\", \"action\": \"command=exit 1\"}, {\"event\": \"time=2\", \"action\": \"fail\"}]"}"#),
        Ask("resume", "{}"),
    ]).with(&["--start", "paused"]).ends(9, "failure").steps(2000).logs(&["BH-TRG-033", "enable_command_action"]);
    an_unknown_trigger_of_a_client: acts(&[
        Reaches("Pause"),
        Refused("add_triggers", r#"{"json": "[{\"event\": \"tame=2\", \"action\": \"succeed\"}]"}"#, "BH-TRG-006"),
        Ask("stop", "{}"),
    ]).with(&["--start", "paused"]).ends(0, "stopped").steps(0);
    a_success_of_a_client: acts(&[Reaches("Step"), Ask("succeed", "{}")]).ends(0, "success");
    a_failure_of_a_client: acts(&[Reaches("Step"), Ask("fail", "{}")]).ends(9, "failure");
    a_stop_of_a_client: acts(&[Reaches("Step"), Ask("stop", "{}")]).ends(0, "stopped")
        .reports(&["\"cause\":\"control client"]);
    a_forbidden_quit_of_a_client: acts(&[
        Reaches("Step"),
        Refused("quit", "{}", "control.allow_quit"),
        Signal(libc::SIGINT),
    ]).configured("[control]\nallow_quit = false\n").ends(0, "stopped").reports(&["\"cause\":\"signal SIGINT\""]);
    sigint_while_it_runs: acts(&[Reaches("Step"), Signal(libc::SIGINT)]).ends(0, "stopped")
        .reports(&["\"cause\":\"signal SIGINT\""]);
    sigterm_while_it_runs: acts(&[Reaches("Step"), Signal(libc::SIGTERM)]).ends(0, "stopped")
        .reports(&["\"cause\":\"signal SIGTERM\""]);
    sighup_while_it_runs: acts(&[Reaches("Step"), Signal(libc::SIGHUP)]).ends(0, "stopped")
        .reports(&["\"cause\":\"signal SIGHUP\""]);
    sigint_in_a_pause: acts(&[Reaches("Pause"), Signal(libc::SIGINT)]).with(&["--start", "paused"])
        .ends(0, "stopped").steps(0);
    sigint_in_stopped: acts(&[Reaches("Stopped"), Signal(libc::SIGINT)]).with(&["--start", "stopped"])
        .ends(0, "stopped");
    a_panic_in_a_pause_leaves_it_paused: acts(&[
        Logs("fixture panics in pause"),
        Reaches("Pause"),
        Signal(libc::SIGINT),
    ]).models(&["pause=panics"]).with(&["--start", "paused"]).ends(0, "stopped").steps(0);
    sigterm_without_a_world: without_world(&[Reaches("NoWorld"), Signal(libc::SIGTERM)]).ends(0, "stopped");
    sigterm_after_a_success: triggers(&[("start", "keep_alive"), ("time=1", "succeed")])
        .then(&[Reaches("Stopped"), Signal(libc::SIGTERM)]).ends(0, "success").steps(1000);
    sigint_after_a_failure: triggers(&[("start", "keep_alive"), ("time=1", "fail")])
        .then(&[Reaches("Stopped"), Signal(libc::SIGINT)]).ends(9, "failure").steps(1000);
    sigint_from_a_stop_trigger_with_keep_alive: triggers(&[
        ("start", "keep_alive"),
        ("time=1", "stop"),
        ("stop", INTERRUPT),
    ]).configured(COMMANDS).with(&[]).ends(0, "stopped").steps(1000).logs(&["Quit requested: signal SIGINT"]);
    a_second_sigint_ends_the_process_at_once: bridges(&["world=unreliable:hangs"]).with(&[]).then(&[
        Reaches("Step"),
        Signal(libc::SIGINT),
        Logs("ends the process at once"),
        Later,
        Signal(libc::SIGINT),
    ]).ends(130, "aborted").reports(&["[BH-SIM-242] SIGINT was received a second time"]);
    a_sigterm_after_a_sigint_ends_the_process_at_once: bridges(&["car1=unreliable:hangs"]).with(&[]).then(&[
        Reaches("Step"),
        Signal(libc::SIGINT),
        Logs("ends the process at once"),
        Later,
        Signal(libc::SIGTERM),
    ]).ends(143, "aborted").reports(&["[BH-SIM-242] SIGTERM was received a second time"]);
    a_second_sighup_has_no_effect_and_a_sigterm_after_it_has: bridges(&["car1=unreliable:hangs"]).with(&[]).then(&[
        Reaches("Step"),
        Signal(libc::SIGHUP),
        Logs("ends the process at once"),
        Later,
        Signal(libc::SIGHUP),
        Signal(libc::SIGTERM),
    ]).ends(143, "aborted").reports(&["[BH-SIM-242] SIGTERM was received a second time"]);
}
