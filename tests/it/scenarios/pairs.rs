//! Two requests at the same time. In each row the request with the lower priority comes first, so that the priority
//! decides: abort before reset, reset before fail, fail before success, success before stop, stop before pause. A reset
//! does not end the run: the other request takes effect after it, before the first step.

use super::row::{models, triggers};
use super::scenarios;

const PAUSE: (&str, &str) = ("time=0.05", "pause");
const STOP: (&str, &str) = ("time=0.05", "stop");
const SUCCEED: (&str, &str) = ("time=0.05", "succeed");
const FAIL: (&str, &str) = ("time=0.05", "fail");
const RESET: (&str, &str) = ("time=0.05", "reset");
const ABORT: (&str, &str) = ("time=0.05", "command=exit 3");

/// Ends the run if the pause was granted.
const AFTER_PAUSE: (&str, &str) = ("pause", "succeed");

const COMMANDS: &str = "[triggers]\nenable_command_action = true\n";

scenarios! {
    pause_and_stop: triggers(&[PAUSE, STOP, AFTER_PAUSE]).ends(0, "stopped").steps(50);
    pause_and_success: triggers(&[PAUSE, SUCCEED]).ends(0, "success").steps(50);
    pause_and_fail: triggers(&[PAUSE, FAIL, AFTER_PAUSE]).ends(9, "failure").steps(50);
    pause_and_reset: triggers(&[PAUSE, RESET, AFTER_PAUSE]).ends(0, "success").steps(0).resets(1);
    pause_and_abort: triggers(&[PAUSE, ABORT, AFTER_PAUSE]).configured(COMMANDS).ends(16, "aborted").steps(50);
    pause_and_resume: triggers(&[("time=0.05", "resume"), PAUSE]).with(&["--duration", "0.1s"])
        .ends(0, "stopped").steps(100);
    stop_and_success: triggers(&[STOP, SUCCEED]).ends(0, "success").steps(50);
    stop_and_fail: triggers(&[STOP, FAIL]).ends(9, "failure").steps(50);
    stop_and_reset: triggers(&[STOP, RESET]).ends(0, "stopped").steps(0).resets(1);
    stop_and_abort: triggers(&[STOP, ABORT]).configured(COMMANDS).ends(16, "aborted").steps(50);
    success_and_fail: triggers(&[SUCCEED, FAIL]).ends(9, "failure").steps(50);
    success_and_reset: triggers(&[SUCCEED, RESET]).ends(0, "success").steps(0).resets(1);
    success_and_abort: triggers(&[SUCCEED, ABORT]).configured(COMMANDS).ends(16, "aborted").steps(50);
    fail_and_reset: triggers(&[FAIL, RESET]).ends(9, "failure").steps(0).resets(1);
    fail_and_abort: triggers(&[FAIL, ABORT]).configured(COMMANDS).ends(16, "aborted").steps(50);
    reset_and_abort: triggers(&[RESET, ABORT]).configured(COMMANDS).ends(16, "aborted").steps(50).resets(0);
    reset_and_reset: triggers(&[RESET, RESET, ("time=0.1", "succeed")]).ends(0, "success").steps(100);

    two_plugins_ask_for_stop_and_success: models(&["control=asks_stop", "control=asks_success"])
        .ends(0, "success").steps(1);
    two_plugins_ask_for_stop_and_fail: models(&["control=asks_stop", "control=asks_fail"]).ends(9, "failure").steps(1);
    two_plugins_ask_for_stop_and_reset: models(&["control=asks_stop", "control=asks_reset"])
        .ends(0, "stopped").steps(0).resets(1);
    two_plugins_ask_for_stop_and_abort: models(&["control=asks_stop", "control=asks_abort"])
        .ends(16, "aborted").steps(1);
    two_plugins_ask_for_success_and_fail: models(&["control=asks_success", "control=asks_fail"])
        .ends(9, "failure").steps(1);
    two_plugins_ask_for_success_and_reset: models(&["control=asks_success", "control=asks_reset"])
        .ends(0, "success").steps(0).resets(1);
    two_plugins_ask_for_success_and_abort: models(&["control=asks_success", "control=asks_abort"])
        .ends(16, "aborted").steps(1);
    two_plugins_ask_for_fail_and_reset: models(&["control=asks_fail", "control=asks_reset"])
        .ends(9, "failure").steps(0).resets(1);
    two_plugins_ask_for_fail_and_abort: models(&["control=asks_fail", "control=asks_abort"])
        .ends(16, "aborted").steps(1);
    two_plugins_ask_for_reset_and_abort: models(&["control=asks_reset", "control=asks_abort"])
        .ends(16, "aborted").steps(1).resets(0);
    a_request_in_an_earlier_phase_of_the_same_step: models(&["control=asks_fail", "sample=asks_success"])
        .ends(9, "failure").steps(1);
    an_abort_skips_the_rest_of_the_step: models(&["sample=asks_abort", "control=panics"])
        .ends(16, "aborted").steps(1).reports(&["\"errors\":[]"]);
}
