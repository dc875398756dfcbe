//! Plugins and bridges that fail, panic or request something, in each of their calls.

use super::row::{Scenario, bridges, models};
use super::scenarios;

/// A run that is paused and resumed half-way, so that every call is made.
const fn paused(faults: &'static [&'static str]) -> Scenario {
    models(faults).when(&[("time=0.05", "pause"), ("pause", "resume")])
}

/// The plugin is disabled, the result reports these texts, and the run continues to its end.
const fn disabled(scenario: Scenario, texts: &'static [&'static str]) -> Scenario {
    scenario.ends(0, "stopped").steps(100).reports(texts)
}

scenarios! {
    awake_fails: disabled(models(&["awake=fails"]), &["[BH-PLG-097] plugin `car1/a`", "fixture fails in awake"]);
    awake_panics: disabled(models(&["awake=panics"]), &["[BH-PLG-097] plugin `car1/a`", "fixture panics in awake"]);
    // A run that is requested to end before its start still starts, and ends after its first step.
    awake_asks_stop: models(&["awake=asks_stop"]).ends(0, "stopped").steps(0);
    awake_asks_success: models(&["awake=asks_success"]).ends(0, "success").steps(0);
    awake_asks_fail: models(&["awake=asks_fail"]).ends(9, "failure").steps(0);

    start_fails: disabled(models(&["start=fails"]), &["[BH-PLG-097] plugin `car1/a`", "fixture fails in start"]);
    start_panics: disabled(models(&["start=panics"]), &["[BH-PLG-097] plugin `car1/a`", "fixture panics in start"]);
    start_asks_stop: models(&["start=asks_stop"]).ends(0, "stopped").steps(0);
    start_asks_success: models(&["start=asks_success"]).ends(0, "success").steps(0);
    start_asks_fail: models(&["start=asks_fail"]).ends(9, "failure").steps(0);

    all_started_fails: disabled(models(&["all_started=fails"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails"]);
    all_started_panics: disabled(models(&["all_started=panics"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics"]);
    all_started_asks_stop: models(&["all_started=asks_stop"]).ends(0, "stopped");
    all_started_asks_success: models(&["all_started=asks_success"]).ends(0, "success");
    all_started_asks_fail: models(&["all_started=asks_fail"]).ends(9, "failure");

    // A run whose reset failed has no defined state.
    the_first_reset_fails: models(&["reset=fails"]).ends(16, "aborted").steps(0)
        .reports(&["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails in reset"]);
    the_first_reset_panics: models(&["reset=panics"]).ends(16, "aborted").steps(0)
        .reports(&["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics in reset"]);
    reset_asks_stop: models(&["reset=asks_stop"]).ends(0, "stopped").steps(0);
    reset_asks_success: models(&["reset=asks_success"]).ends(0, "success").steps(0);
    reset_asks_fail: models(&["reset=asks_fail"]).ends(9, "failure").steps(0);

    a_later_reset_fails: models(&["reset_again=fails"]).when(&[("time=0.05", "reset")]).ends(16, "aborted").steps(0)
        .resets(1).reports(&["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails in reset_again"]);
    a_later_reset_panics: models(&["reset_again=panics"]).when(&[("time=0.05", "reset")]).ends(16, "aborted").steps(0)
        .resets(1).reports(&["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics in reset_again"]);
    a_later_reset_asks_stop: models(&["reset_again=asks_stop"]).when(&[("time=0.05", "reset")])
        .ends(0, "stopped").steps(0).resets(1);
    a_later_reset_asks_success: models(&["reset_again=asks_success"]).when(&[("time=0.05", "reset")])
        .ends(0, "success").steps(0).resets(1);
    a_later_reset_asks_fail: models(&["reset_again=asks_fail"]).when(&[("time=0.05", "reset")])
        .ends(9, "failure").steps(0).resets(1);

    sample_fails: disabled(models(&["sample=fails"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails in sample"]);
    sample_panics: disabled(models(&["sample=panics"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics in sample"]);
    sample_asks_stop: models(&["sample=asks_stop"]).ends(0, "stopped").steps(1);
    sample_asks_success: models(&["sample=asks_success"]).ends(0, "success").steps(1);
    sample_asks_fail: models(&["sample=asks_fail"]).ends(9, "failure").steps(1);
    sample_fails_with_on_failure_abort: models(&["sample=fails"]).configured("[run]\non_failure = 'abort'\n")
        .ends(16, "aborted").steps(1);
    sample_panics_with_on_failure_pause: models(&["sample=panics"]).configured("[run]\non_failure = 'pause'\n")
        .when(&[("pause", "fail")]).ends(9, "failure").steps(1);

    control_fails: disabled(models(&["control=fails"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails in control"]);
    control_panics: disabled(models(&["control=panics"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics in control"]);
    control_asks_stop: models(&["control=asks_stop"]).ends(0, "stopped").steps(1);
    control_asks_success: models(&["control=asks_success"]).ends(0, "success").steps(1);
    control_asks_fail: models(&["control=asks_fail"]).ends(9, "failure").steps(1);
    control_panics_with_on_failure_abort: models(&["control=panics"]).configured("[run]\non_failure = 'abort'\n")
        .ends(16, "aborted").steps(1);

    pause_fails: disabled(paused(&["pause=fails"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails in pause"]);
    pause_panics: disabled(paused(&["pause=panics"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics in pause"]);
    pause_asks_stop: paused(&["pause=asks_stop"]).ends(0, "stopped").steps(50);
    pause_asks_success: paused(&["pause=asks_success"]).ends(0, "success").steps(50);
    pause_asks_fail: paused(&["pause=asks_fail"]).ends(9, "failure").steps(50);

    resume_fails: disabled(paused(&["resume=fails"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails in resume"]);
    resume_panics: disabled(paused(&["resume=panics"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics in resume"]);
    // Resume lasts no step: a request made there takes effect after the next step.
    resume_asks_stop: paused(&["resume=asks_stop"]).ends(0, "stopped").steps(50);
    resume_asks_success: paused(&["resume=asks_success"]).ends(0, "success").steps(50);
    resume_asks_fail: paused(&["resume=asks_fail"]).ends(9, "failure").steps(50);

    stop_fails: disabled(models(&["stop=fails"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture fails in stop"]);
    stop_panics: disabled(models(&["stop=panics"]), &["[BH-PLG-095] plugin `car1/a` is disabled", "fixture panics in stop"]);
    // The run is already ending; the log says that the request is denied.
    stop_asks_stop: models(&["stop=asks_stop"]).ends(0, "stopped").steps(100).logs(&["the run is already ending"]);
    stop_asks_success: models(&["stop=asks_success"]).ends(0, "stopped").steps(100).logs(&["the run is already ending"]);
    stop_asks_fail: models(&["stop=asks_fail"]).ends(0, "stopped").steps(100).logs(&["the run is already ending"]);

    destroy_panics: models(&["drop=panics"]).ends(0, "stopped").steps(100).logs(&["car1/a", "fixture panics in drop"]);

    disconnect_fails: bridges(&["car1=rogue_bridge:disconnect=fails"]).ends(0, "stopped").steps(100)
        .reports(&["[BH-BRG-014] bridge `car1/rogue_bridge`", "fixture fails in disconnect"]);
    disconnect_panics: bridges(&["car1=rogue_bridge:disconnect=panics"]).ends(0, "stopped").steps(100)
        .reports(&["[BH-BRG-014]", "fixture panics in disconnect"]);
    disconnect_of_the_world_fails: bridges(&["world=rogue_bridge:disconnect=fails"]).ends(0, "stopped").steps(100)
        .reports(&["[BH-BRG-014] bridge `world/rogue_bridge`", "fixture fails in disconnect"]);
    disconnect_fails_after_an_abort: bridges(&["car1=rogue_bridge:disconnect=fails"]).models(&["control=asks_abort"])
        .ends(16, "aborted").reports(&["[BH-BRG-014] bridge `car1/rogue_bridge`", "fixture fails in disconnect"]);
    disconnect_fails_after_a_failure: bridges(&["car1=rogue_bridge:disconnect=fails"]).models(&["control=asks_fail"])
        .ends(9, "failure").reports(&["[BH-BRG-014] bridge `car1/rogue_bridge`", "fixture fails in disconnect"]);
    notice_fails: bridges(&["car1=rogue_bridge:notice=fails"]).ends(0, "stopped").steps(100);
    notice_asks_stop: bridges(&["car1=rogue_bridge:notice=asks_stop"]).with(&[]).ends(0, "stopped");
    connect_asks_stop: bridges(&["car1=rogue_bridge:connect=asks_stop"]).ends(0, "stopped").steps(0);
}
