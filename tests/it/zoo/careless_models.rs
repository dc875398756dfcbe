//! Model plugins that leave a call in an unusual way, change what they have published, use memory of the host, or ask
//! for too much: each fault in the process of the host, and isolated.

use super::row::{Exit, Made, Row};
use super::zoo;

/// End of a process that accesses invalid memory.
const SIGSEGV: Exit = Exit::Signal(libc::SIGSEGV, "SIGSEGV");

/// End of a process that aborts.
const SIGABRT: Exit = Exit::Signal(libc::SIGABRT, "SIGABRT");

/// End of a process whose timer has expired.
const SIGPROF: Exit = Exit::Signal(libc::SIGPROF, "SIGPROF");

/// Runs the plugin in a worker.
const ISOLATED: &[&str] = &["--isolate", "careless_model"];

/// The same for the fixture `breaker`.
const ISOLATED_BREAKER: &[&str] = &["--isolate", "breaker"];

/// Ends the run if a call does not return.
const IMPATIENT: &str = "[run]\ncall_timeout = \"500ms\"\n";

/// Ends the worker of the plugin if a call does not return, after a time that a busy machine does not need.
const IMPATIENT_AND_ISOLATED: &str = "[run]\nisolate = \"careless_model\"\ncall_timeout = \"3s\"\n";

/// A fault in the process after which the run continues. Without texts, the plugin itself says that it continues too.
macro_rules! here {
    ($what:literal, $fault:literal) => {
        here!($what, $fault, "car2/zoo", "step 100 is done")
    };
    ($what:literal, $fault:literal, $($text:literal),+) => {
        Row::run($what, Made::CarelessModel($fault)).logs(&[$($text),+])
    };
}

/// The same with the plugin in a worker.
macro_rules! isolated {
    ($what:literal, $fault:literal) => {
        here!($what, $fault).with(ISOLATED)
    };
    ($what:literal, $fault:literal, $($text:literal),+) => {
        here!($what, $fault, "car2/zoo", $($text),+).with(ISOLATED)
    };
}

/// The same in the process, with `--check-plugins`.
macro_rules! checked {
    ($what:literal, $fault:literal, $($text:literal),+) => {
        here!($what, $fault, $($text),+).with(&["--check-plugins"])
    };
}

/// A fault that ends the process by this signal.
macro_rules! crash {
    ($what:literal, $fault:literal, $signal:ident) => {
        Row::run($what, Made::CarelessModel($fault))
            .logs(&["BH-PLG-108", "`sample` of plugin `car2/zoo`", stringify!($signal)])
            .crashed($signal)
    };
}

/// A fault that overflows the stack: an access to invalid memory, and then an abort.
macro_rules! overflow {
    ($what:literal, $fault:literal) => {
        here!($what, $fault, "BH-PLG-108", "`sample` of plugin `car2/zoo`", "SIGSEGV").crashed(SIGABRT)
    };
}

/// A fault that ends the worker, after which the plugin is disabled.
macro_rules! ended {
    ($what:literal, $fault:literal, $cause:literal) => {
        isolated!($what, $fault, "BH-PLG-095", "`sample`", $cause)
    };
}

/// A broken rule that a worker refuses like the process.
macro_rules! refused {
    ($what:literal, $fault:literal, $code:literal, $($text:literal),+) => {
        Row::run($what, Made::Breaker($fault, "sample"))
            .with(ISOLATED_BREAKER)
            .logs(&[$code, "car2/", $($text),+])
    };
}

zoo! {
    // The end of the process.
    calls_in_a_destructor: here!("calls the host from the destructor of a `thread_local` variable, after the run", "calls_in_destructor", "BH-PLG-130", "for `car2/zoo` after that was destroyed")
        .note("The exit code is that of the run.");
    isolated_calls_in_a_destructor: isolated!("calls the host from the destructor of a `thread_local` variable, after the run", "calls_in_destructor", "BH-PLG-140", "connection to the host was closed")
        .note("The exit code is that of the run.");
    calls_at_exit: here!("calls the host from a handler of `atexit`", "calls_at_exit", "BH-PLG-130", "for `car2/zoo` after that was destroyed")
        .note("The exit code is that of the run.");
    isolated_calls_at_exit: isolated!("calls the host from a handler of `atexit`", "calls_at_exit", "BH-PLG-140", "connection to the host was closed")
        .note("The exit code is that of the run.");

    // The process and its threads.
    closes_itself: crash!("closes its own library", "closes_itself", SIGSEGV);
    isolated_closes_itself: ended!("closes its own library", "closes_itself", "SIGSEGV");
    exhausts_keys: here!("uses all keys of thread-local data", "exhausts_keys");
    isolated_exhausts_keys: isolated!("uses all keys of thread-local data", "exhausts_keys");
    own_symbols: here!("exports functions with the names `malloc` and `write`", "own_symbols")
        .note("Nobody else calls them: the symbols of a plugin are its own.");
    isolated_own_symbols: isolated!("exports functions with the names `malloc` and `write`", "own_symbols");
    reschedules: here!("changes processors, priority and name of its thread in `sample`", "reschedules")
        .note("`--check-plugins` names it.");
    checked_reschedules: checked!("changes processors, priority and name of its thread in `sample`", "reschedules", "BH-PLG-138", "`sample` of plugin `car2/zoo`");
    isolated_reschedules: isolated!("changes processors, priority and name of its thread in `sample`", "reschedules", "BH-PLG-138");
    cancels_now: crash!("cancels its thread at once", "cancels_now", SIGABRT);
    isolated_cancels_now: ended!("cancels its thread at once", "cancels_now", "SIGABRT");
    cancels_later: here!("cancels its thread, which ends in the next call that may be cancelled", "cancels_later", "BH-SIM-901", "SIGABRT")
        .crashed(SIGABRT)
        .note("That call is one of the host, so that the plugin is not known.");
    isolated_cancels_later: ended!("cancels its thread, which ends in the next call that may be cancelled", "cancels_later", "SIGABRT");
    sleeps: here!("takes 3 ms in each `sample`", "sleeps", "`sample` of car2/zoo", "for each call")
        .note("The summary says what takes most of the time.");
    isolated_sleeps: isolated!("takes 3 ms in each `sample`", "sleeps", "`sample` of car2/zoo", "for each call");
    forks_and_calls: here!("forks in `sample`; the child publishes, asks for the end of the run, and calls `_exit(0)`", "forks_and_calls", "BH-PLG-125", "`sample` of plugin `car2/zoo`", "forked the process");
    isolated_forks_and_calls: isolated!("forks in `sample`; the child publishes, asks for the end of the run, and calls `_exit(0)`", "forks_and_calls", "BH-PLG-125", "forked the process")
        .note("A child cannot use the connection of its worker.");
    removes_files: here!("removes files in the working directory, also that of the world", "removes_files")
        .note("The host does not guard files.");
    isolated_removes_files: isolated!("removes files in the working directory, also that of the world", "removes_files")
        .note("A worker has the rights of the host.");
    writes_output: here!("writes to standard output", "writes_output", "a line of the plugin itself");
    isolated_writes_output: Row::run("writes to standard output", Made::CarelessModel("writes_output"))
        .with(ISOLATED)
        .logs(&["a line of the plugin itself"]);

    // The stack.
    recurses: overflow!("calls itself without end", "recurses");
    isolated_recurses: ended!("calls itself without end", "recurses", "SIG");
    large_frame: overflow!("uses 100 MB of its stack", "large_frame");
    isolated_large_frame: ended!("uses 100 MB of its stack", "large_frame", "SIG");
    publishes_in_retain: overflow!("publishes a payload again in its `retain`", "publishes_in_retain");
    isolated_publishes_in_retain: isolated!("publishes a payload again in its `retain`", "publishes_in_retain")
        .note("A worker copies payloads and does not retain them.");
    jumps_out_of_retain: here!("leaves its `retain` with `longjmp`, over frames of the host", "jumps_out_of_retain");
    isolated_jumps_out_of_retain: isolated!("leaves its `retain` with `longjmp`, over frames of the host", "jumps_out_of_retain")
        .note("A worker copies payloads and does not retain them.");

    // Signals.
    handles_and_returns: here!("handles SIGSEGV, returns from the handler, and accesses invalid memory", "handles_and_returns", "BH-PLG-113", "`sample` of `car2/zoo`")
        .configured(IMPATIENT)
        .ends(16)
        .note("The access is repeated without end.");
    isolated_handles_and_returns: here!("handles SIGSEGV, returns from the handler, and accesses invalid memory", "handles_and_returns", "BH-PLG-095", "car2/zoo", "`sample`", "stuck")
        .configured(IMPATIENT_AND_ISOLATED);
    handles_and_jumps: here!("handles SIGSEGV, and leaves the handler with `siglongjmp`", "handles_and_jumps", "BH-PLG-123", "the handler of SIGSEGV", "a plugin, in one of the last steps")
        .note("`--check-plugins` names it.");
    isolated_handles_and_jumps: isolated!("handles SIGSEGV, and leaves the handler with `siglongjmp`", "handles_and_jumps", "BH-PLG-123", "the handler of SIGSEGV");
    starts_profiler: here!("starts ITIMER_PROF in `sample`, and works", "starts_profiler", "BH-SIM-903", "SIGPROF").crashed(SIGPROF);
    isolated_starts_profiler: ended!("starts ITIMER_PROF in `sample`, and works", "starts_profiler", "signal 27");

    // Payloads.
    publishes_in_release: here!("logs and publishes in the `release` of a payload", "publishes_in_release", "car2/zoo", "a payload was released");
    isolated_publishes_in_release: isolated!("logs and publishes in the `release` of a payload", "publishes_in_release")
        .note("A worker copies payloads and does not retain them.");
    publishes_in_late_release: here!("logs and publishes in the `release` of a large payload, after its last reader", "publishes_in_late_release", "car2/zoo", "a payload was released");
    isolated_publishes_in_late_release: isolated!("logs and publishes in the `release` of a large payload, after its last reader", "publishes_in_late_release")
        .note("A worker copies payloads and does not retain them.");
    changes_small_payload: here!("changes a small payload after `publish`", "changes_small_payload")
        .note("The host has copied it.");
    checked_changes_small_payload: checked!("changes a small payload after `publish`", "changes_small_payload", "car2/zoo", "step 100 is done");
    isolated_changes_small_payload: isolated!("changes a small payload after `publish`", "changes_small_payload");
    changes_large_payload: here!("changes a payload of 100 kB after `publish`", "changes_large_payload")
        .note("Readers may get the changed bytes; `--check-plugins` reports it.");
    checked_changes_large_payload: checked!("changes a payload of 100 kB after `publish`", "changes_large_payload", "BH-PLG-145", "plugin `car2/zoo`", "/car2/beat");
    isolated_changes_large_payload: isolated!("changes a payload of 100 kB after `publish`", "changes_large_payload")
        .note("The worker has copied it.");
    writes_received: crash!("writes into a message that it has received", "writes_received", SIGSEGV)
        .note("Other readers get the message as it was published.");
    isolated_writes_received: ended!("writes into a message that it has received", "writes_received", "SIGSEGV");

    // Memory of the host.
    frees_loan: crash!("calls `free` for a loan", "frees_loan", SIGABRT);
    isolated_frees_loan: ended!("calls `free` for a loan", "frees_loan", "SIGABRT");
    overruns_a_little: here!("writes 64 bytes behind a loan", "overruns_a_little", "BH-PLG-132", "`sample` of plugin `car2/zoo`", "wrote before or behind", "/car2/beat");
    isolated_overruns_a_little: isolated!("writes 64 bytes behind a loan", "overruns_a_little", "BH-PLG-132", "wrote before or behind");
    overruns_a_lot: crash!("writes 1 MB behind a loan", "overruns_a_lot", SIGSEGV);
    isolated_overruns_a_lot: ended!("writes 1 MB behind a loan", "overruns_a_lot", "SIGSEGV");
    underruns: here!("writes 16 bytes before a loan", "underruns", "BH-PLG-132", "`sample` of plugin `car2/zoo`", "wrote before or behind", "/car2/beat");
    isolated_underruns: isolated!("writes 16 bytes before a loan", "underruns", "BH-PLG-132", "wrote before or behind");
    patches_table: crash!("writes into the table of an extension of the host", "patches_table", SIGSEGV);
    isolated_patches_table: ended!("writes into the table of an extension of the host", "patches_table", "SIGSEGV");
    protects_code: crash!("makes code of the host inaccessible with `mprotect`, and calls a function in it", "protects_code", SIGSEGV);
    isolated_protects_code: ended!("makes code of the host inaccessible with `mprotect`, and calls a function in it", "protects_code", "SIGSEGV");

    // Logs and messages.
    logs_lines: here!("logs 200 lines in each step", "logs_lines", "BH-PLG-147", "plugin `car2/zoo`", "logs more than")
        .note("Further lines are dropped and counted.");
    isolated_logs_lines: isolated!("logs 200 lines in each step", "logs_lines", "BH-PLG-147", "logs more than");
    logs_for_ever: here!("logs lines without end in one `sample`", "logs_for_ever", "BH-PLG-113", "`sample` of `car2/zoo`")
        .configured(IMPATIENT)
        .ends(16)
        .note("Most of the lines are dropped.");
    isolated_logs_for_ever: here!("logs lines without end in one `sample`", "logs_for_ever", "BH-PLG-095", "car2/zoo", "`sample`", "stuck")
        .configured(IMPATIENT_AND_ISOLATED);
    logs_bad_text: here!("logs a text that is not UTF-8", "logs_bad_text", "car2/zoo", "not \u{fffd}");
    isolated_logs_bad_text: isolated!("logs a text that is not UTF-8", "logs_bad_text", "not \u{fffd}");
    stamps_backwards: here!("publishes stamps that run backwards", "stamps_backwards", "BH-PLG-146", "plugin `car2/zoo`", "/car2/beat", "with the stamp", "after one of")
        .note("The messages are delivered.");
    isolated_stamps_backwards: isolated!("publishes stamps that run backwards", "stamps_backwards", "BH-PLG-146", "/car2/beat", "with the stamp", "after one of");
    stamps_the_future: here!("publishes the last stamp that there is", "stamps_the_future", "BH-PLG-146", "plugin `car2/zoo`", "/car2/beat", "with the stamp 9223372036854775807 ns")
        .note("The messages are delivered.");
    isolated_stamps_the_future: isolated!("publishes the last stamp that there is", "stamps_the_future", "BH-PLG-146", "/car2/beat", "with the stamp 9223372036854775807 ns");
    publishes_nan: here!("publishes NaN", "publishes_nan")
        .note("A message may contain it; whoever reads it decides.");
    isolated_publishes_nan: isolated!("publishes NaN", "publishes_nan");

    // Requests.
    commands_nonsense: here!("commands NaN, infinity, 1e300 and a rotation of zeros", "commands_nonsense")
        .note("The commands are refused with a status.");
    isolated_commands_nonsense: isolated!("commands NaN, infinity, 1e300 and a rotation of zeros", "commands_nonsense");
    requests_reset: here!("asks for a reset in each step", "requests_reset", "BH-PLG-148", "plugin `car2/zoo`", "resets")
        .note("After 100 of them the run continues.");
    isolated_requests_reset: isolated!("asks for a reset in each step", "requests_reset", "BH-PLG-148", "resets");
    starts_for_ever: here!("returns PENDING from `start`, and never ends it", "starts_for_ever", "BH-PLG-098", "car2/zoo", "500ms")
        .configured("[run]\nstart_timeout = \"500ms\"\n");
    isolated_starts_for_ever: here!("returns PENDING from `start`, and never ends it", "starts_for_ever", "BH-PLG-098", "car2/zoo", "500ms")
        .configured("[run]\nisolate = \"careless_model\"\nstart_timeout = \"500ms\"\n");
    removes_itself: here!("removes its own model", "removes_itself");
    isolated_removes_itself: isolated!("removes its own model", "removes_itself");
    opens_topics: here!("advertises 20,000 topics", "opens_topics", "BH-PLG-148", "plugin `car2/zoo`", "topics and services");
    isolated_opens_topics: isolated!("advertises 20,000 topics", "opens_topics", "BH-PLG-148", "topics and services");

    // Rules of the boundary that workers check, too.
    isolated_small_result: refused!("passes memory for a result that is too small", "small_result", "BH-PLG-135", "8 bytes", "`bus.loan`");
    isolated_null_result: refused!("passes no memory for a result", "null_result", "BH-PLG-135", "`bus.take`");
    isolated_misaligned_result: refused!("passes misaligned memory for a result", "misaligned_result", "BH-PLG-135", "`bus.take`");
    isolated_loan_committed_twice: refused!("commits a loan twice", "loan_twice", "BH-PLG-132", "`bus.commit`");
    isolated_loan_abandoned_twice: refused!("abandons a loan twice", "abandon_twice", "BH-PLG-132", "`bus.abandon`");
    isolated_more_than_the_loan: refused!("commits more bytes than it has borrowed", "more_than_the_loan", "BH-PLG-134", "1048576 bytes");
    isolated_huge_loan: refused!("asks for a loan of 64 TiB", "huge_loan", "BH-PLG-134", "70368744177664 bytes");
    isolated_huge_payload: refused!("publishes a payload of -1 bytes", "huge_payload", "BH-PLG-134", "`bus.publish`");
    isolated_no_payload: refused!("publishes no payload", "no_payload", "BH-PLG-135", "payload 0x0", "`bus.publish`");
    isolated_payload_at_null: refused!("publishes a payload at address 0", "payload_at_null", "BH-PLG-134", "8 bytes at address 0", "`bus.publish`");
}
