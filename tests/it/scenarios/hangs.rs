//! Calls and connections that never finish: the log names the plugin, and the run ends as the watchdog is configured.

use super::row::{bridges, models};
use super::scenarios;

/// Limits the calls of plugins to half a second.
const LIMITED: &str = "[run]\ncall_timeout = '500ms'\n";

scenarios! {
    a_late_connection_is_logged: bridges(&["car1=unreliable:late=700"])
        .configured("[watchdog]\nconnect = '200ms'\n").ends(0, "stopped").steps(100)
        .logs(&["BH-SIM-240", "Connect", "the connection of `car1/unreliable`"]);
    a_connection_that_never_succeeds_aborts: models(&[])
        .configured("[watchdog]\nmode = 'abort'\nconnect = '200ms'\n[[bridge]]\nattach = 'car1'\nname = 'unreliable'\nconnection = 'never'\nconnect_timeout = '60s'\n")
        .ends(4, "no-start").logs(&["BH-SIM-240", "the connection of `car1/unreliable`", "the run is aborted"])
        .reports(&["Connect"]);
    a_connection_that_never_succeeds_kills: models(&[])
        .configured("[watchdog]\nmode = 'kill'\nconnect = '200ms'\n[[bridge]]\nattach = 'car1'\nname = 'unreliable'\nconnection = 'never'\nconnect_timeout = '60s'\n")
        .killed(libc::SIGABRT).logs(&["BH-SIM-240", "the process is killed"]);
    a_bridge_that_hangs_in_disconnect: bridges(&["car1=unreliable:hangs"])
        .configured("[watchdog]\nmode = 'abort'\ndisconnect = '200ms'\n").ends(16, "aborted")
        .reports(&["BH-SIM-241", "Disconnect", "the end of `car1/unreliable`"]);
    a_plugin_that_hangs_in_stop: models(&["stop=blocks"])
        .configured("[watchdog]\nmode = 'abort'\nstop = '200ms'\n").ends(16, "aborted")
        .reports(&["BH-SIM-241", "the state Stop", "`stop` of `car1/a`"]);
    a_plugin_that_hangs_in_stop_kills: models(&["stop=blocks"])
        .configured("[watchdog]\nmode = 'kill'\nstop = '200ms'\n").killed(libc::SIGABRT)
        .logs(&["BH-SIM-240", "`stop` of `car1/a`", "the process is killed"]);
    a_plugin_that_hangs_in_a_step_kills: models(&["control=blocks"])
        .configured("[watchdog]\nmode = 'kill'\ntimeout = '3s'\n").killed(libc::SIGABRT)
        .logs(&["BH-SIM-240", "StepController", "`control` of `car1/a`"]);
    a_plugin_that_hangs_in_all_started: models(&["all_started=blocks"]).configured(LIMITED).ends(16, "aborted")
        .logs(&["BH-PLG-113", "`all_started` of `car1/a`"]);
    a_plugin_that_hangs_in_reset: models(&["reset=blocks"]).configured(LIMITED).ends(16, "aborted")
        .logs(&["BH-PLG-113", "`reset` of `car1/a`"]);
    a_plugin_that_hangs_in_sample: models(&["sample=blocks"]).configured(LIMITED).ends(16, "aborted")
        .logs(&["BH-PLG-113", "`sample` of `car1/a`"]);
    a_plugin_that_hangs_in_control: models(&["control=blocks"]).configured(LIMITED).ends(16, "aborted")
        .logs(&["BH-PLG-113", "`control` of `car1/a`"]);
    a_plugin_that_hangs_in_pause: models(&["pause=blocks"]).when(&[("start", "pause")]).configured(LIMITED)
        .ends(16, "aborted").logs(&["BH-PLG-113", "`pause` of `car1/a`"]);
    a_plugin_that_hangs_in_resume: models(&["resume=blocks"]).when(&[("start", "pause"), ("pause", "resume")])
        .configured(LIMITED).ends(16, "aborted").logs(&["BH-PLG-113", "`resume` of `car1/a`"]);
    a_plugin_that_is_too_slow_is_disabled: models(&["control=dawdles"])
        .configured("[run]\ncall_budget = '10ms'\noverruns = 2\n").ends(0, "stopped").steps(100)
        .reports(&["BH-PLG-112"]);
    a_plugin_that_is_too_slow_aborts: models(&["control=dawdles"])
        .configured("[run]\ncall_budget = '10ms'\noverruns = 2\non_failure = 'abort'\n").ends(16, "aborted").steps(2)
        .reports(&["BH-PLG-112"]);
}
