//! Plugins that implement bridges, and fail in a call. A working bridge runs beside each of them.

use super::row::{Exit, Made, Row};
use super::zoo;

/// A panic or a failure that affects only the bridge itself.
macro_rules! contained {
    ($what:literal, $call:literal, $fault:literal, $($text:literal),+) => {
        Row::run(concat!($what, " in `", $call, "`"), Made::Bridge(concat!($call, "=", $fault))).logs(&[
            "car2/rogue_bridge",
            $($text),+
        ])
    };
}

/// A fault before the bridge receives its connection string.
macro_rules! early {
    ($what:literal, $call:literal, $fault:literal, $($text:literal),+) => {
        Row::run(concat!($what, " in `", $call, "`"), Made::Bridge(""))
            .given(&[("ROGUE", concat!($call, "=", $fault))])
            .logs(&["rogue_bridge", $($text),+])
    };
}

zoo! {
    panic_in_register: early!("panics", "register", "panics", "BH-BRG-001", "PANIC").refused(1)
        .note("A configured bridge that does not exist is a configuration error.");
    registered_twice: early!("registers a type twice", "register", "repeats", "BH-BRG-001", "EXISTS").refused(1);
    panic_in_validate: early!("panics", "validate", "panics", "BH-BRG-021", "fixture panics in validate").refused(1);
    panic_in_create: early!("panics", "create", "panics", "fixture panics in create").refused(1);
    panic_in_publisher: early!("panics", "publisher", "panics", "BH-BRG-011", "PANIC");
    panic_in_subscriber: early!("panics", "subscriber", "panics", "BH-BRG-011", "PANIC");
    failure_in_publisher: early!("fails", "publisher", "fails", "BH-BRG-011", "FATAL");
    panic_in_connect: contained!("panics", "connect", "panics", "BH-BRG-030", "fixture panics in connect");
    panic_in_status: contained!("panics", "status", "panics", "fixture panics in status");
    panic_in_transmit: contained!("panics", "transmit", "panics", "BH-BRG-017", "transmit loop has ended");
    panic_in_receive: contained!("panics", "receive", "panics", "BH-BRG-017", "receive loop has ended");
    panic_in_interrupt: contained!("panics", "interrupt", "panics", "fixture panics in interrupt");
    panic_in_notice: contained!("panics", "notice", "panics", "fixture panics in notice");
    panic_in_disconnect: contained!("panics", "disconnect", "panics", "BH-BRG-014", "fixture panics in disconnect");
    failure_in_connect: contained!("fails", "connect", "fails", "BH-BRG-030", "fixture fails in connect");
    failure_in_transmit: contained!("fails", "transmit", "fails", "BH-BRG-017", "fixture fails in transmit");
    failure_in_receive: contained!("fails", "receive", "fails", "BH-BRG-017", "fixture fails in receive");
    failure_in_disconnect: contained!("fails", "disconnect", "fails", "BH-BRG-014", "fixture fails in disconnect");
    exit_in_transmit: Row::run("exits in `transmit`", Made::Bridge("transmit=exits"))
        .logs(&["BH-PLG-109", "tx:car2/rogue_bridge"])
        .cut(16);
    crash_in_connect: Row::run("accesses invalid memory in `connect`", Made::Bridge("connect=crashes"))
        .logs(&["BH-PLG-108", "`connect` of plugin `car2/rogue_bridge`", "SIGSEGV"])
        .crashed(Exit::Signal(libc::SIGSEGV, "SIGSEGV"));
    crash_in_a_probe: Row::probe("accesses invalid memory in `create`", Made::Bridge(""))
        .given(&[("ROGUE", "create=crashes")])
        .logs(&["BH-PLG-080", "SIGSEGV"])
        .refused(2);
    crash_in_receive: Row::run("accesses invalid memory in `receive`", Made::Bridge("receive=crashes"))
        .logs(&["BH-PLG-108", "rx:car2/rogue_bridge", "SIGSEGV"])
        .crashed(Exit::Signal(libc::SIGSEGV, "SIGSEGV"));
    blocks_in_status: Row::run("blocks in `status`", Made::Bridge("status=blocks"))
        .configured("[run]\ncall_timeout = \"500ms\"\n")
        .logs(&["BH-PLG-113", "`status` of `car2/rogue_bridge`"])
        .ends(16)
        .note("The simulation thread makes this call and cannot be recovered.");
    blocks_in_connect: contained!("blocks", "connect", "blocks", "BH-BRG-030")
        .note("The end of the run waits some seconds for it.");
    blocks_in_publisher: early!("blocks", "publisher", "blocks", "BH-BRG-012");
    blocks_in_notice: contained!("blocks", "notice", "blocks", "BH-BRG-031");
    blocks_in_transmit: contained!("blocks", "transmit", "blocks", "BH-BRG-015", "tx:")
        .note("The end of the run waits some seconds for it; everything that the loop may still use is kept.");
    blocks_in_receive: contained!("blocks", "receive", "blocks", "BH-BRG-015", "rx:");
    blocks_in_disconnect: contained!("blocks", "disconnect", "blocks", "BH-BRG-016")
        .note("The end of the run waits twelve seconds for it.");
    two_of_one_factory: Row::run("is attached twice", Made::Bridge("")).with(&["--bridge", "car2=rogue_bridge:transmit=panics"])
        .logs(&["BH-BRG-017", "fixture panics in transmit"])
        .note("Each is a separate instance: a fault of one does not affect the other.");
    rejects: Row::run("rejects every message", Made::Bridge("transmit=rejects"))
        .logs(&["BH-BRG-019", "/car2/pressure", "the peer knows no such topic [EX-ROG-002]"])
        .note("They count as dropped; each reason is reported once.");
    delivers_garbage: Row::run("delivers garbage", Made::Bridge("receive=delivers_garbage"))
        .logs(&["BH-MSG-020", "car2/rogue_bridge", "/car2/pressure_in"]);
}
