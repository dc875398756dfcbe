//! The faults of bridges and model plugins, with the plugin in a worker process: the run continues, whatever it does.

use super::row::{Made, Row};
use super::zoo;

/// Runs the plugin in workers.
const ISOLATED: &[&str] = &["--isolate", "rogue_bridge"];
/// The same, with a time limit of calls that is short for a test, and long for a busy machine.
const IMPATIENT: &str = "[run]\nisolate = \"rogue_bridge\"\ncall_timeout = \"3s\"\n";
/// The same, with little memory and few files.
const CONFINED: &str = "[run]\nisolate = \"rogue_bridge\"\nisolate_memory = \"256M\"\nisolate_files = 64\n";

/// A fault that ends the worker.
macro_rules! ended {
    ($what:literal, $call:literal, $fault:literal, $($text:literal),+) => {
        Row::run(concat!($what, " in `", $call, "`"), Made::Bridge(concat!($call, "=", $fault)))
            .with(ISOLATED)
            .logs(&["BH-PLG-140", "car2/rogue_bridge", $($text),+])
    };
}

/// Bytes that the plugin writes into the sockets of its worker.
macro_rules! garbage {
    ($call:literal, $text:literal) => {
        Row::run(
            concat!("writes into the sockets of its worker in `", $call, "`"),
            Made::Bridge(concat!($call, "=scribbles")),
        )
        .with(ISOLATED)
        .logs(&["BH-PLG-142", "car2/rogue_bridge", $text])
    };
}

/// A call that does not return.
macro_rules! stuck {
    ($call:literal, $name:literal) => {
        Row::run(concat!("blocks in `", $call, "`"), Made::Bridge(concat!($call, "=blocks")))
            .configured(IMPATIENT)
            .logs(&["BH-PLG-141", "car2/rogue_bridge", $name])
    };
}

/// A fault before the bridge receives its connection string.
macro_rules! early {
    ($what:literal, $call:literal, $fault:literal, $($text:literal),+) => {
        Row::run(concat!($what, " in `", $call, "`"), Made::Bridge(""))
            .with(ISOLATED)
            .given(&[("ROGUE", concat!($call, "=", $fault))])
            .logs(&[$($text),+])
    };
}

/// Runs the model plugin in workers.
const ISOLATED_MODEL: &[&str] = &["--isolate", "rogue_model"];
const CONFINED_MODEL: &str =
    "[run]\nisolate = \"rogue_model\"\nisolate_memory = \"256M\"\nisolate_files = 64\n";

/// A fault of a model plugin that ends the worker, after which it is disabled.
macro_rules! ended_model {
    ($what:literal, $call:literal, $fault:literal, $($text:literal),+) => {
        Row::run(concat!($what, " in `", $call, "`"), Made::Model(concat!($call, "=", $fault)))
            .with(ISOLATED_MODEL)
            .logs(&["car2/zoo", $($text),+])
    };
}

/// The same, if it uses too much.
macro_rules! confined_model {
    ($what:literal, $fault:literal, $($text:literal),+) => {
        Row::run(concat!($what, " in `sample`"), Made::Model(concat!("sample=", $fault)))
            .configured(CONFINED_MODEL)
            .logs(&["car2/zoo", $($text),+])
    };
}

/// A fault of a model plugin before it has parameters.
macro_rules! early_model {
    ($call:literal, $($text:literal),+) => {
        Row::run(concat!("accesses invalid memory in `", $call, "`"), Made::Model(""))
            .with(ISOLATED_MODEL)
            .given(&[("ROGUE", concat!($call, "=crashes"))])
            .logs(&[$($text),+])
    };
}

/// A call of a model plugin that does not return.
macro_rules! stuck_model {
    ($call:literal) => {
        Row::run(concat!("blocks in `", $call, "`"), Made::Model(concat!($call, "=blocks")))
            .configured("[run]\nisolate = \"rogue_model\"\ncall_timeout = \"3s\"\n")
            .logs(&["BH-PLG-095", "car2/zoo", concat!("`", $call, "`"), "stuck"])
            .note("The simulation waits until the call has taken `call_timeout`.")
    };
}

zoo! {
    works: Row::run("works", Made::Bridge("")).with(ISOLATED);
    crash_in_register: early!("accesses invalid memory", "register", "crashes", "BH-PLG-140", "`register`", "SIGSEGV").refused(1)
        .note("A configured bridge that does not exist is a configuration error.");
    crash_in_validate: early!("accesses invalid memory", "validate", "crashes", "BH-BRG-021", "`validate`", "SIGSEGV").refused(1);
    crash_in_create: early!("accesses invalid memory", "create", "crashes", "`create`", "SIGSEGV").refused(1);
    crash_in_publisher: early!("accesses invalid memory", "publisher", "crashes", "BH-PLG-140", "car2/rogue_bridge", "SIGSEGV");
    crash_in_connect: ended!("accesses invalid memory", "connect", "crashes", "`connect`", "SIGSEGV");
    crash_in_transmit: ended!("accesses invalid memory", "transmit", "crashes", "`tx_run`", "SIGSEGV");
    crash_in_receive: ended!("accesses invalid memory", "receive", "crashes", "SIGSEGV");
    crash_in_disconnect: ended!("accesses invalid memory", "disconnect", "crashes", "`disconnect`", "SIGSEGV");
    crash_in_interrupt: ended!("accesses invalid memory", "interrupt", "crashes", "`interrupt`", "SIGSEGV");
    crash_in_drop: ended!("accesses invalid memory", "drop", "crashes", "`destroy`", "SIGSEGV");
    overflow_in_connect: ended!("overflows its stack", "connect", "overflows", "`connect`", "SIG");
    abort_in_transmit: ended!("aborts", "transmit", "aborts", "`tx_run`", "SIGABRT");
    abort_in_connect: ended!("aborts", "connect", "aborts", "`connect`", "SIGABRT");
    exit_in_transmit: ended!("exits", "transmit", "exits", "`tx_run`", "exit(3)");
    exit_in_connect: ended!("exits", "connect", "exits", "`connect`", "exit(3)");
    success_in_connect: ended!("exits as if it had succeeded", "connect", "succeeds", "`connect`", "exit(0)");
    death_in_create: early!("is killed", "create", "dies", "`create`", "SIGKILL").refused(1);
    death_in_connect: ended!("is killed", "connect", "dies", "`connect`", "SIGKILL");
    death_in_notice: ended!("is killed", "notice", "dies", "`notice`", "SIGKILL");
    death_in_disconnect: ended!("is killed", "disconnect", "dies", "`disconnect`", "SIGKILL");
    garbage_in_connect: garbage!("connect", "`connect`");
    garbage_in_transmit: garbage!("transmit", "protocol");
    garbage_in_disconnect: garbage!("disconnect", "protocol");
    hogs_in_transmit: Row::run("overwrites the shared memory in `transmit`", Made::Bridge("transmit=hogs")).with(ISOLATED)
        .note("Large messages are then sent through a socket.");
    panic_in_connect: Row::run("panics in `connect`", Made::Bridge("connect=panics")).with(ISOLATED)
        .logs(&["BH-BRG-030", "car2/rogue_bridge", "fixture panics in connect"]);
    panic_in_transmit: Row::run("panics in `transmit`", Made::Bridge("transmit=panics")).with(ISOLATED)
        .logs(&["BH-BRG-017", "car2/rogue_bridge", "transmit loop has ended"]);
    failure_in_disconnect: Row::run("fails in `disconnect`", Made::Bridge("disconnect=fails")).with(ISOLATED)
        .logs(&["BH-BRG-014", "car2/rogue_bridge", "fixture fails in disconnect"]);
    rejects: Row::run("rejects every message", Made::Bridge("transmit=rejects")).with(ISOLATED)
        .logs(&["BH-BRG-019", "/car2/pressure", "the peer knows no such topic [EX-ROG-002]"]);
    delivers_garbage: Row::run("delivers garbage", Made::Bridge("receive=delivers_garbage")).with(ISOLATED)
        .logs(&["BH-MSG-020", "car2/rogue_bridge", "/car2/pressure_in"]);
    blocks_in_connect: stuck!("connect", "`connect`");
    blocks_in_status: stuck!("status", "`connect`")
        .note("The status is read after `connect`, too.");
    blocks_in_notice: stuck!("notice", "`notice`");
    blocks_in_interrupt: stuck!("interrupt", "`interrupt`");
    blocks_in_disconnect: stuck!("disconnect", "`disconnect`");
    blocks_in_transmit: Row::run("blocks in `transmit`", Made::Bridge("transmit=blocks")).with(ISOLATED)
        .logs(&["BH-PLG-141", "car2/rogue_bridge", "`tx_run`"])
        .note("The end of the run waits some seconds for it.");
    forks_in_transmit: Row::run("forks in `transmit`, and returns in both processes", Made::Bridge("transmit=forks")).with(ISOLATED);
    leak_in_transmit: Row::run("uses all memory in `transmit`", Made::Bridge("transmit=leaks"))
        .configured(CONFINED)
        .logs(&["BH-PLG-140", "car2/rogue_bridge", "SIGABRT"]);
    hoards_in_connect: Row::run("opens files until there are no descriptors left, in `connect`", Made::Bridge("connect=hoards"))
        .configured(CONFINED);
    a_model_works: Row::run("is a model plugin that works", Made::Model("")).with(ISOLATED_MODEL);
    model_crash_in_register: early_model!("register", "BH-PLG-096").incomplete();
    model_crash_in_awake: ended_model!("accesses invalid memory", "awake", "crashes", "BH-PLG-097", "SIGSEGV");
    model_crash_in_start: ended_model!("accesses invalid memory", "start", "crashes", "BH-PLG-097", "SIGSEGV");
    model_crash_in_all_started: ended_model!("accesses invalid memory", "all_started", "crashes", "BH-PLG-095", "SIGSEGV");
    model_crash_in_reset: ended_model!("accesses invalid memory", "reset", "crashes", "BH-PLG-095", "SIGSEGV").ends(16)
        .note("A run whose first reset failed has no defined state.");
    model_crash_in_sample: ended_model!("accesses invalid memory", "sample", "crashes", "BH-PLG-095", "SIGSEGV");
    model_crash_in_control: ended_model!("accesses invalid memory", "control", "crashes", "BH-PLG-095", "SIGSEGV");
    model_crash_in_stop: ended_model!("accesses invalid memory", "stop", "crashes", "BH-PLG-095", "SIGSEGV");
    model_crash_in_drop: ended_model!("accesses invalid memory", "drop", "crashes", "BH-PLG-140", "`destroy`");
    model_overflow_in_sample: ended_model!("overflows its stack", "sample", "overflows", "BH-PLG-095", "SIG");
    model_abort_in_sample: ended_model!("aborts", "sample", "aborts", "BH-PLG-095", "SIGABRT");
    model_exit_in_sample: ended_model!("exits", "sample", "exits", "BH-PLG-095", "exit(3)");
    model_success_in_sample: ended_model!("exits as if it had succeeded", "sample", "succeeds", "BH-PLG-095", "exit(0)");
    model_death_in_start: ended_model!("is killed", "start", "dies", "BH-PLG-097", "SIGKILL");
    model_death_in_reset: ended_model!("is killed", "reset", "dies", "BH-PLG-095", "SIGKILL").ends(16)
        .note("A run whose first reset failed has no defined state.");
    model_death_in_sample: ended_model!("is killed", "sample", "dies", "BH-PLG-095", "SIGKILL");
    model_death_in_stop: ended_model!("is killed", "stop", "dies", "BH-PLG-095", "SIGKILL");
    model_garbage_in_start: ended_model!("writes into the sockets of its worker", "start", "scribbles", "BH-PLG-097", "protocol");
    model_garbage_in_sample: ended_model!("writes into the sockets of its worker", "sample", "scribbles", "BH-PLG-095", "protocol");
    model_hogs_in_sample: Row::run("overwrites the shared memory in `sample`", Made::Model("sample=hogs")).with(ISOLATED_MODEL);
    model_fork_in_sample: Row::run("forks in each `sample`, and returns in both processes", Made::Model("sample=forks"))
        .with(ISOLATED_MODEL);
    model_leak_in_sample: confined_model!("uses all memory", "leaks", "BH-PLG-095", "SIGABRT");
    model_hoards_in_sample: Row::run("opens files until there are no descriptors left, in `sample`", Made::Model("sample=hoards"))
        .configured(CONFINED_MODEL);
    model_panic_in_sample: Row::run("panics in `sample`", Made::Model("sample=panics")).with(ISOLATED_MODEL)
        .logs(&["BH-PLG-095", "car2/zoo", "fixture panics in sample"]);
    model_failure_that_aborts: Row::run("fails in `sample`", Made::Model("sample=crashes"))
        .configured("[run]\nisolate = \"rogue_model\"\non_failure = \"abort\"\n")
        .logs(&["BH-PLG-095", "car2/zoo", "SIGSEGV"])
        .ends(16);
    model_blocks_in_awake: Row::run("blocks in `awake`", Made::Model("awake=blocks"))
        .configured("[run]\nisolate = \"rogue_model\"\nstart_timeout = \"500ms\"\n")
        .logs(&["BH-PLG-098", "car2/zoo", "500ms"]);
    model_blocks_in_sample: stuck_model!("sample");
    model_blocks_in_control: stuck_model!("control");
    model_blocks_in_stop: stuck_model!("stop");
    competes_in_sample: Row::run("takes three seconds in one `sample`, while its threads use all processors", Made::Model("sample=competes"))
        .configured("[run]\nisolate = \"rogue_model\"\ncall_budget = \"2s\"\noverruns = 1\non_failure = \"abort\"\n")
        .note("The time in which threads of the worker wait for a processor does not count.");
}
