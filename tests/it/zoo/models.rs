//! Plugins that implement sensors and controllers, and fail in a call or between calls.

use super::row::{Exit, Made, Row};
use super::zoo;

/// End of a process that accesses invalid memory.
const SIGSEGV: Exit = Exit::Signal(libc::SIGSEGV, "SIGSEGV");

/// End of a process that aborts.
const SIGABRT: Exit = Exit::Signal(libc::SIGABRT, "SIGABRT");

/// A panic in a call after which the run continues without the plugin.
macro_rules! panics {
    ($call:literal, $code:literal) => {
        Row::run(concat!("panics in `", $call, "`"), Made::Model(concat!($call, "=panics"))).logs(&[
            $code,
            "car2/zoo",
            concat!("fixture panics in ", $call),
        ])
    };
}

/// A call on the simulation thread that never returns, which ends the run.
macro_rules! blocks {
    ($call:literal) => {
        Row::run(concat!("blocks in `", $call, "`"), Made::Model(concat!($call, "=blocks")))
            .configured("[run]\ncall_timeout = \"500ms\"\n")
            .logs(&["BH-PLG-113", concat!("`", $call, "` of `car2/zoo`")])
            .ends(16)
            .note("The simulation thread is in the call and cannot be recovered.")
    };
}

zoo! {
    panic_in_register: Row::run("panics in `register`", Made::Model(""))
        .given(&[("ROGUE", "register=panics")])
        .logs(&["BH-PLG-096", "rogue_model", "PANIC"]);
    panic_in_awake: panics!("awake", "BH-PLG-097");
    panic_in_start: panics!("start", "BH-PLG-097");
    panic_in_all_started: panics!("all_started", "BH-PLG-095");
    panic_in_sample: panics!("sample", "BH-PLG-095");
    panic_in_control: panics!("control", "BH-PLG-095");
    panic_in_stop: panics!("stop", "BH-PLG-095");
    panic_in_destroy: Row::run("panics while it is destroyed", Made::Model("drop=panics"))
        .logs(&["car2/zoo", "fixture panics in drop"]);
    panic_in_reset: panics!("reset", "BH-PLG-095").ends(16).note("A run whose first reset failed has no defined state.");
    panic_in_converters: Row::run("panics in `converters`", Made::Model(""))
        .given(&[("ROGUE", "converters=panics")])
        .logs(&["BH-BRG-002", "libzoo.so"]);
    panic_in_its_thread: Row::run("panics in a thread of the host", Made::Nuisance("thread_panics"))
        .logs(&["car2/zoo", "fixture panics in its thread"])
        .note("The thread ends, and the plugin continues.");
    failure_in_start: Row::run("fails in `start`", Made::Model("start=fails"))
        .logs(&["BH-PLG-097", "car2/zoo", "fixture fails in start"]);
    failure_in_a_strict_start: Row::run("fails in `start`", Made::Model("start=fails"))
        .with(&["--strict"])
        .logs(&["car2/zoo", "fixture fails in start"])
        .ends(4);
    failure_in_sample: Row::run("fails in `sample`", Made::Model("sample=fails"))
        .logs(&["BH-PLG-095", "car2/zoo", "fixture fails in sample"]);
    failure_that_aborts: Row::run("fails in `sample`", Made::Model("sample=fails"))
        .configured("[run]\non_failure = \"abort\"\n")
        .logs(&["BH-PLG-095", "car2/zoo", "fixture fails in sample"])
        .ends(16);
    an_unknown_failure: Row::run("returns an undefined failure code", Made::C(&["SAMPLE=return -31415"], &[]))
        .logs(&["BH-PLG-095", "car2/zoo", "`sample` failed"]);
    an_unknown_success: Row::run("returns an undefined success code", Made::C(&["SAMPLE=return 31415", "RESET=return 4711"], &[]))
        .note("Counts as a success, because a later revision may define it.");
    a_pending_sample: Row::run("returns PENDING from a call that cannot be pending", Made::C(&["SAMPLE=return BH_STATUS_PENDING"], &[]))
        .note("Counts as a success.");
    exit_in_awake: Row::run("exits in `awake`", Made::Model("awake=exits"))
        .logs(&["BH-PLG-109", "`awake` of plugin `car2/zoo`"])
        .cut(16);
    exit_in_sample: Row::run("exits in `sample`", Made::Model("sample=exits"))
        .logs(&["BH-PLG-109", "`sample` of plugin `car2/zoo`"])
        .cut(16);
    a_successful_exit: Row::run("exits with 0 in `sample`", Made::Model("sample=succeeds"))
        .logs(&["BH-PLG-109", "`sample` of plugin `car2/zoo`"])
        .cut(16)
        .note("The run does not count as a success.");
    exit_in_stop: Row::run("exits in `stop`", Made::Model("stop=exits"))
        .logs(&["BH-PLG-109", "`stop` of plugin `car2/zoo`"])
        .cut(16);
    abort_in_sample: Row::run("aborts in `sample`", Made::Model("sample=aborts"))
        .logs(&["BH-PLG-108", "`sample` of plugin `car2/zoo`", "SIGABRT"])
        .crashed(SIGABRT);
    crash_in_awake: Row::run("accesses invalid memory in `awake`", Made::Model("awake=crashes"))
        .logs(&["BH-PLG-108", "`awake` of plugin `car2/zoo`", "SIGSEGV"])
        .crashed(SIGSEGV);
    crash_in_sample: Row::run("accesses invalid memory in `sample`", Made::Model("sample=crashes"))
        .logs(&["BH-PLG-108", "`sample` of plugin `car2/zoo`", "SIGSEGV"])
        .crashed(SIGSEGV);
    overflow_in_sample: Row::run("overflows its stack in `sample`", Made::Model("sample=overflows"))
        .logs(&["BH-PLG-108", "`sample` of plugin `car2/zoo`", "SIGSEGV"])
        .crashed(SIGABRT);
    blocks_in_awake: Row::run("blocks in `awake`", Made::Model("awake=blocks"))
        .configured("[run]\nstart_timeout = \"500ms\"\n")
        .logs(&["BH-PLG-098", "car2/zoo", "500ms"])
        .note("The instance is not called again; it is kept with everything that it may still use.");
    blocks_in_start: Row::run("blocks in `start`", Made::Model("start=blocks"))
        .configured("[run]\nstart_timeout = \"500ms\"\n")
        .logs(&["BH-PLG-098", "car2/zoo", "500ms"])
        .note("The instance is not called again; it is kept with everything that it may still use.");
    blocks_in_reset: blocks!("reset");
    blocks_in_sample: blocks!("sample");
    blocks_in_control: blocks!("control");
    blocks_in_stop: blocks!("stop");
    dawdles_in_sample: Row::run("takes 30 ms in each `sample`", Made::Model("sample=dawdles"))
        .configured("[run]\ncall_budget = \"10ms\"\n")
        .logs(&["BH-PLG-111", "car2/zoo", "its budget is 10ms"])
        .note("After the third overrun in a row it is disabled with `BH-PLG-095` and `BH-PLG-112`.");
    dawdles_and_aborts: Row::run("takes 30 ms in each `control`", Made::Model("control=dawdles"))
        .configured("[run]\ncall_budget = \"10ms\"\noverruns = 1\non_failure = \"abort\"\n")
        .logs(&["BH-PLG-112", "car2/zoo", "`control` took longer than its budget of 10ms"])
        .ends(16);
    competes_in_sample: Row::run("takes three seconds in one `sample`, while its threads use all processors", Made::Model("sample=competes"))
        .configured("[run]\ncall_budget = \"2s\"\noverruns = 1\non_failure = \"abort\"\n")
        .note("The time in which threads wait for a processor does not count, so that a busy machine does not end a run.");
    a_thread_that_stays: Row::run("has a thread of the host that never ends", Made::Nuisance("keeps_thread"))
        .logs(&["BH-PLG-091", "car2/zoo:deaf"])
        .note("The end of the run waits two seconds for it; the instance is not destroyed, because the thread may still use it.");
    a_thread_of_its_own: Row::run("leaves its own thread running", Made::Nuisance("detaches_thread"))
        .note("The host does not know the thread. Its code stays mapped, because libraries are never unloaded; the data of the instance is freed.");
    a_flood_of_log_lines: Row::run("logs ten lines in every step", Made::Nuisance("floods_log"))
        .logs(&["car2/zoo", "step 500, line 9"])
        .note("Every line is written.");
    a_flood_of_topics: Row::run("advertises five hundred topics", Made::Nuisance("floods_topics"));
    a_flood_of_messages: Row::run("publishes as fast as possible, from its own thread", Made::Nuisance("floods_bus"))
        .note("Memory stays bounded: messages that the simulation or a bridge cannot accept are counted as dropped.");
    registered_twice: Row::run("registers a type and advertises a topic twice", Made::Nuisance("repeats"))
        .note("The second registration returns the first one.");
    one_topic_two_types: Row::run("advertises a topic as two types", Made::Nuisance("contradicts"))
        .logs(&["car2/zoo", "suffixed"])
        .note("The second one gets another name.");
    a_type_in_two_versions: Row::run("registers another type under an existing name", Made::Fixture("other_type"))
        .logs(&["BH-MSG-050", "example.v1.Pressure", "own_type", "other_type"]);
    a_file_that_is_overwritten: Row::run("has its file overwritten while it is loaded", Made::Nuisance("overwrites"))
        .given(&[("NUISANCE_FILE", "plugins/libzoo.so")])
        .note("The host runs a private copy.");
    a_file_that_is_emptied: Row::run("has its file truncated to zero bytes while it is loaded", Made::Nuisance("empties"))
        .given(&[("NUISANCE_FILE", "plugins/libzoo.so")])
        .note("The host runs a private copy.");
    a_file_that_is_deleted: Row::run("has its file deleted while it is loaded", Made::Nuisance("deletes"))
        .given(&[("NUISANCE_FILE", "plugins/libzoo.so")])
        .note("The host runs a private copy.");
}
