//! Runs that never start: exit code 4 if the start failed or was aborted, 1 if the configuration is invalid. A run that
//! is ended before it begins was only stopped: exit code 0.

use super::row::Act::{Ask, Reaches, Refused, Signal};
use super::row::{acts, bridges, models, triggers};
use super::scenarios;

/// The configuration of a required bridge with this connection string.
macro_rules! required {
    ($name:literal, $connection:literal) => {
        concat!(
            "[[bridge]]\nattach = 'car1'\nname = '",
            $name,
            "'\nconnection = '",
            $connection,
            "'\nrequired = true\nconnect_timeout = '60s'\n"
        )
    };
}

const STRICT: &[&str] = &["--duration", "0.1s", "--strict"];

scenarios! {
    a_required_bridge_fails: models(&[]).configured(required!("unreliable", "fails")).ends(4, "no-start")
        .reports(&["the peer refused the connection", "\"steps\":0"]);
    a_required_bridge_panics: models(&[]).configured(required!("rogue_bridge", "connect=panics")).ends(4, "no-start")
        .reports(&["fixture panics in connect"]);
    a_bridge_that_is_not_required_fails: bridges(&["car1=unreliable:fails"]).ends(0, "stopped").steps(100);
    a_strict_start_fails: models(&["start=fails"]).with(STRICT).ends(4, "no-start")
        .reports(&["fixture fails in start"]);
    a_strict_start_panics: models(&["start=panics"]).with(STRICT).ends(4, "no-start")
        .reports(&["fixture panics in start"]);
    a_strict_awake_fails: models(&["awake=fails"]).with(STRICT).ends(4, "no-start");
    a_strict_start_is_late: models(&["start=blocks"]).with(STRICT).configured("[run]\nstart_timeout = '300ms'\n")
        .ends(4, "no-start").logs(&["BH-PLG-098", "car1/a"]);
    sigint_in_connect: acts(&[Reaches("Connect"), Signal(libc::SIGINT)])
        .configured(required!("unreliable", "never")).ends(0, "stopped").reports(&["signal SIGINT"]);
    sigterm_in_connect: acts(&[Reaches("Connect"), Signal(libc::SIGTERM)])
        .configured(required!("unreliable", "never")).ends(0, "stopped").reports(&["signal SIGTERM"]);
    sigint_in_start: acts(&[Reaches("Start"), Signal(libc::SIGINT)]).models(&["start=blocks"]).ends(0, "stopped");
    quit_in_connect: acts(&[Reaches("Connect"), Ask("quit", "{}")])
        .configured(required!("unreliable", "never")).ends(0, "stopped");
    quit_in_start: acts(&[Reaches("Start"), Ask("quit", "{}")]).models(&["start=blocks"]).ends(0, "stopped");
    pause_in_connect: acts(&[
        Reaches("Connect"),
        Refused("pause", "{}", "the world is still loading"),
        Refused("step_simulation", r#"{"steps": 1}"#, "steps need a paused simulation"),
        Ask("abort", "{}"),
    ]).configured(required!("unreliable", "never")).ends(4, "no-start");
    pause_in_start: acts(&[Reaches("Start"), Ask("pause", "{}"), Reaches("Pause"), Ask("stop", "{}")])
        .models(&["start=blocks"]).configured("[run]\nstart_timeout = '2s'\n").ends(0, "stopped").steps(0);

    // Errors of a configuration are reported before anything runs, also by `check`.
    an_unknown_event: triggers(&[("tame=3", "stop")]).ends(1, "configuration-error")
        .logs(&["BH-TRG-006", "no event `tame`"]);
    an_unknown_event_fails_the_check: triggers(&[("tame=3", "stop")]).checked().ends(1, "")
        .logs(&["BH-TRG-006", "no event `tame`"]);
    an_unknown_action: triggers(&[("start", "explode")]).ends(1, "configuration-error")
        .logs(&["BH-TRG-007", "explode"]);
    an_unknown_action_fails_the_check: triggers(&[("start", "explode")]).checked().ends(1, "")
        .logs(&["BH-TRG-007", "explode"]);
    an_unknown_optional_trigger: models(&[])
        .configured("[[trigger]]\nevent = 'tame=3'\naction = 'fail'\noptional = true\n").steps(100)
        .logs(&["BH-TRG-021", "tame"]);
    an_unknown_optional_trigger_passes_the_check: models(&[])
        .configured("[[trigger]]\nevent = 'tame=3'\naction = 'fail'\noptional = true\n").checked();
    valid_triggers_pass_the_check: triggers(&[("time=3", "stop")]).checked();
    a_bridge_for_an_unknown_vehicle: bridges(&["car2=rogue_bridge:"]).ends(1, "configuration-error")
        .logs(&["BH-BRG-023", "car1"]);
    a_bridge_for_an_unknown_vehicle_fails_the_check: models(&[])
        .configured("[run]\nworld = 'world.sdf'\n[[bridge]]\nattach = 'car2'\nname = 'rogue_bridge'\nconnection = ''\n").checked().ends(1, "")
        .logs(&["BH-BRG-023", "car1"]);
    an_unknown_bridge: bridges(&["car1=absent:"]).ends(1, "configuration-error").logs(&["BH-BRG-020"]);
    an_unknown_bridge_fails_the_check: models(&[])
        .configured("[[bridge]]\nattach = 'car1'\nname = 'absent'\nconnection = ''\n").checked().ends(1, "")
        .logs(&["BH-BRG-020"]);
    a_bridge_that_cannot_be_created: bridges(&["car1=rogue_bridge:"]).given(&[("ROGUE", "create=fails")])
        .ends(1, "configuration-error").logs(&["fixture fails in create"]);
    an_unknown_key: models(&[]).configured("[run]\ncolour = 1\n").ends(1, "configuration-error")
        .logs(&["BH-CFG-004", "colour"]);
    an_unknown_key_fails_the_check: models(&[]).configured("[run]\ncolour = 1\n").checked().ends(1, "")
        .logs(&["BH-CFG-004", "colour"]);
}
