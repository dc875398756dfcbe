//! Bridges that misuse their connection, their loops, their messages or the lockstep: each fault in the process of the
//! host, and isolated. A working bridge runs beside each of them.

use super::row::{Exit, Made, Row};
use super::zoo;

/// End of a process that accesses invalid memory.
const SIGSEGV: Exit = Exit::Signal(libc::SIGSEGV, "SIGSEGV");

/// End of a process that aborts.
const SIGABRT: Exit = Exit::Signal(libc::SIGABRT, "SIGABRT");

/// Runs the bridge in a worker.
const ISOLATED: &[&str] = &["--isolate", "careless_bridge"];

/// Runs the bridge in a worker, whose status is read beside the steps, for half a second.
const ISOLATED_AND_PACED: &[&str] = &["--isolate", "careless_bridge", "--speed", "1"];

/// A fault in the process after which the run continues. Without texts, the bridge connects as if it had none.
macro_rules! here {
    ($what:literal, $fault:literal) => {
        Row::run($what, Made::CarelessBridge($fault))
            .logs(&["car2/careless_bridge", concat!("connected to ", $fault)])
    };
    ($what:literal, $fault:literal, $($text:literal),+) => {
        Row::run($what, Made::CarelessBridge($fault)).logs(&["car2/careless_bridge", $($text),+])
    };
}

/// The same with the bridge in a worker.
macro_rules! isolated {
    ($what:literal, $fault:literal $(, $text:literal)*) => {
        here!($what, $fault $(, $text)*).with(ISOLATED)
    };
}

/// A fault of the transmit loop that ends the process.
macro_rules! crash {
    ($what:literal, $fault:literal, $cause:literal, $signal:ident) => {
        here!($what, $fault, "BH-PLG-108", "tx:car2/careless_bridge", $cause).crashed($signal)
    };
}

/// A fault of the transmit loop that ends the worker.
macro_rules! ended {
    ($what:literal, $fault:literal, $cause:literal) => {
        isolated!($what, $fault, "BH-PLG-140", "`tx_run`", $cause)
    };
}

zoo! {
    works: here!("works", "", "connected to");
    isolated_works: isolated!("works", "", "connected to");

    // The connection.
    flips_status: here!("is connected and not connected in turn, at each call of `status`", "flips_status", "BH-BRG-030", "does not say why");
    isolated_flips_status: here!("is connected and not connected in turn, at each call of `status`", "flips_status", "BH-BRG-030", "does not say why").with(ISOLATED_AND_PACED);
    odd_status: here!("returns 99 from `status`", "odd_status", "BH-BRG-030", "no connection", "does not say why");
    isolated_odd_status: isolated!("returns 99 from `status`", "odd_status", "BH-BRG-030", "no connection", "does not say why");
    slow_status: here!("takes 5 ms in `status`", "slow_status", "BH-BRG-035", "`status` takes")
        .note("The simulation thread makes this call in every step.");
    isolated_slow_status: isolated!("takes 5 ms in `status`", "slow_status")
        .note("The simulation does not wait for a worker that reads the status.");
    never_connects: here!("is CONNECTING for ever", "never_connects", "BH-BRG-030", "not connected after");
    isolated_never_connects: isolated!("is CONNECTING for ever", "never_connects", "BH-BRG-030", "not connected after");

    // The loops.
    leaves_at_once: here!("returns from the transmit loop at once, and stays connected", "leaves_at_once", "BH-BRG-017", "transmit loop has ended");
    isolated_leaves_at_once: isolated!("returns from the transmit loop at once, and stays connected", "leaves_at_once", "BH-BRG-017", "transmit loop has ended");
    never_takes: here!("never takes a message in the transmit loop", "never_takes", "BH-BRG-036", "has taken none")
        .note("The end of the run waits five seconds for it.");
    isolated_never_takes: isolated!("never takes a message in the transmit loop", "never_takes", "BH-BRG-036", "has taken none");
    takes_elsewhere: here!("takes a message on a thread of its own", "takes_elsewhere", "BH-PLG-131", "`tx.next`");
    isolated_takes_elsewhere: isolated!("takes a message on a thread of its own", "takes_elsewhere", "the host refused it")
        .note("A worker refuses it with a status.");
    exits_thread: crash!("calls `pthread_exit` in the transmit loop", "exits_thread", "SIGABRT", SIGABRT);
    isolated_exits_thread: ended!("calls `pthread_exit` in the transmit loop", "exits_thread", "SIGABRT");
    uses_stack: crash!("uses 3 MB of its stack in the transmit loop", "uses_stack", "SIGSEGV", SIGABRT)
        .note("The threads of the loops have a stack of 2 MiB.");
    isolated_uses_stack: ended!("uses 3 MB of its stack in the transmit loop", "uses_stack", "SIG");

    // Messages that it gets.
    releases_borrowed: here!("releases the payload of each message, which is borrowed, three times", "releases_borrowed", "BH-PLG-133", "more often");
    isolated_releases_borrowed: isolated!("releases the payload of each message, which is borrowed, three times", "releases_borrowed", "BH-PLG-133", "more often");
    rejects_twice: here!("rejects each message twice", "rejects_twice", "BH-BRG-019", "/car2/pressure", "the peer is full [EX-CAR-001]")
        .note("Each message counts once.");
    isolated_rejects_twice: isolated!("rejects each message twice", "rejects_twice", "BH-BRG-019", "/car2/pressure", "the peer is full [EX-CAR-001]");
    writes_payload: crash!("writes into the payload of a message", "writes_payload", "SIGSEGV", SIGSEGV)
        .note("Other readers get the message as it was published.");
    isolated_writes_payload: ended!("writes into the payload of a message", "writes_payload", "SIGSEGV");
    keeps_message: here!("reads a message that it has given back", "keeps_message")
        .note("It may find another message there.");
    isolated_keeps_message: isolated!("reads a message that it has given back", "keeps_message");

    // Messages that it delivers.
    delivers_late: here!("delivers messages for steps that are over", "delivers_late")
        .note("They are for the next step.");
    isolated_delivers_late: isolated!("delivers messages for steps that are over", "delivers_late");
    delivers_far_ahead: here!("delivers a message for step 2^60", "delivers_far_ahead", "BH-PLG-146", "step 1152921504606846976");
    isolated_delivers_far_ahead: isolated!("delivers a message for step 2^60", "delivers_far_ahead", "BH-PLG-146", "step 1152921504606846976");
    stamps_long_ago: here!("delivers a message with the stamp -2^63 + 1", "stamps_long_ago", "BH-PLG-146", "with the stamp -9223372036854775807 ns");
    isolated_stamps_long_ago: isolated!("delivers a message with the stamp -2^63 + 1", "stamps_long_ago", "BH-PLG-146", "with the stamp -9223372036854775807 ns");
    delivers_nonsense: here!("delivers NaN, infinity and 1e300", "delivers_nonsense")
        .note("A message may contain them; whoever reads it decides.");
    isolated_delivers_nonsense: isolated!("delivers NaN, infinity and 1e300", "delivers_nonsense");
    delivers_when_gone: here!("delivers through a sink whose endpoint was destroyed", "delivers_when_gone", "BH-PLG-130", "`sink.deliver`");
    isolated_delivers_when_gone: isolated!("delivers through a sink whose endpoint was destroyed", "delivers_when_gone", "the host refused it")
        .note("A worker refuses it with a status.");
    floods: here!("delivers as fast as it can", "floods", "BH-BRG-034", "delivers more messages than the steps take");
    isolated_floods: isolated!("delivers as fast as it can", "floods", "BH-BRG-034", "delivers more messages than the steps take");
    plans_far_ahead: here!("delivers 150,000 messages for later steps", "plans_far_ahead", "BH-BRG-034", "delivers more messages than the steps take");
    isolated_plans_far_ahead: isolated!("delivers 150,000 messages for later steps", "plans_far_ahead", "BH-BRG-034", "delivers more messages than the steps take");

    // The lockstep.
    holds_for_ever: here!("holds the first step for ever, and loses its connection after three seconds", "holds_for_ever", "BH-BRG-030", "lost the connection")
        .note("The run waits as long as the bridge is connected.");
    isolated_holds_for_ever: isolated!("holds the first step for ever, and loses its connection after three seconds", "holds_for_ever", "BH-BRG-030", "lost the connection");
    releases_backwards: here!("releases a step, then an earlier one", "releases_backwards")
        .note("The later one counts.");
    isolated_releases_backwards: isolated!("releases a step, then an earlier one", "releases_backwards");
    holds_twice: here!("holds the steps twice, and releases them once", "holds_twice");
    isolated_holds_twice: isolated!("holds the steps twice, and releases them once", "holds_twice");
    releases_unheld: here!("releases a step that it does not hold", "releases_unheld", "the host refused it");
    isolated_releases_unheld: isolated!("releases a step that it does not hold", "releases_unheld", "the host refused it");

    // What it logs and reports.
    floods_log: here!("logs 5,000 lines in `connect`", "floods_log", "BH-PLG-147", "logs more than")
        .note("Further lines are dropped and counted.");
    isolated_floods_log: isolated!("logs 5,000 lines in `connect`", "floods_log", "BH-PLG-147", "logs more than");
    reports_addresses: here!("reports 5,000 addresses", "reports_addresses", "BH-PLG-148", "addresses");
    isolated_reports_addresses: isolated!("reports 5,000 addresses", "reports_addresses", "BH-PLG-148", "addresses");
}
