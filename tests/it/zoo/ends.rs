//! Plugins that end the process, or keep it from saying how it ends: the supervisor says it.

use super::row::{Exit, Made, Row};
use super::zoo;

/// End of a process that is killed.
const SIGKILL: Exit = Exit::Signal(libc::SIGKILL, "SIGKILL");

/// End of a process that accesses invalid memory.
const SIGSEGV: Exit = Exit::Signal(libc::SIGSEGV, "SIGSEGV");

/// What the supervisor says about a plugin in C whose `sample` ends the process.
const IN_SAMPLE: &[&str] = &["BH-SIM-904", "after step", "`sample` of plugin `car2/zoo`"];

zoo! {
    exit_without_handlers: Row::run("calls `_exit(0)` in `sample`", Made::C(&["SAMPLE=_exit(0)"], &[]))
        .logs(IN_SAMPLE)
        .cut(16)
        .note("The run does not count as a success.");
    exit_without_handlers_in_cpp: Row::run("calls `_exit(0)` in `sample`, in C++", Made::Cpp(&["SAMPLE=_exit(0)"]))
        .logs(IN_SAMPLE)
        .cut(16);
    exit_in_awake: Row::run("calls `_exit(3)` in `awake`", Made::C(&["AWAKE=_exit(3)"], &[]))
        .logs(&["BH-SIM-904", "exit code 3", "`awake` of plugin `car2/zoo`"])
        .cut(16);
    exit_while_loading: Row::run("calls `_exit(0)` while it is loaded", Made::C(&["CONSTRUCTOR=_exit(0)"], &[]))
        .logs(&["BH-SIM-904", "`constructor`", "libzoo.so"])
        .cut(16);
    system_call: Row::run("ends the process by the system call", Made::C(&["SAMPLE=syscall(SYS_exit_group, 0); return 0"], &[]))
        .logs(IN_SAMPLE)
        .cut(16);
    quick_exit: Row::run("calls `quick_exit(0)` in `sample`", Made::C(&["SAMPLE=quick_exit(0)"], &[]))
        .logs(IN_SAMPLE)
        .cut(16);
    kill: Row::run("kills the process with SIGKILL", Made::C(&["SAMPLE=kill(getpid(), SIGKILL); return 0"], &[]))
        .logs(&["BH-SIM-904", "SIGKILL", "`sample` of plugin `car2/zoo`"])
        .crashed(SIGKILL);
    crash_without_a_handler: Row::run(
        "resets the handler of SIGSEGV and accesses invalid memory",
        Made::C(&["SAMPLE=signal(SIGSEGV, SIG_DFL); *(volatile int *)8 = 1; return 0"], &[]),
    )
        .logs(&["BH-SIM-904", "SIGSEGV", "`sample` of plugin `car2/zoo`"])
        .crashed(SIGSEGV);
    closed_and_gone: Row::run(
        "closes all descriptors, then calls `_exit(0)`",
        Made::C(&["SAMPLE=for (int fd = 0; fd < 1024; fd++) close(fd); _exit(0)"], &[]),
    )
        .logs(IN_SAMPLE)
        .cut(16);
    limited_time: Row::run(
        "lowers the limit of processor time and works",
        Made::C(&["SAMPLE=struct rlimit limit = {1, 1}; setrlimit(RLIMIT_CPU, &limit); for (;;) {} return 0"], &[]),
    )
        .logs(&["BH-SIM-904", "SIGKILL", "`sample` of plugin `car2/zoo`"])
        .crashed(SIGKILL);
    exit_after_the_run: Row::run(
        "calls `_exit(0)` from a handler of `atexit`",
        Made::C(&["AWAKE=atexit(gone); return 0", "EXTRA=static void gone(void) { _exit(3); }"], &[]),
    )
        .logs(&["BH-SIM-905", "exit code 3"])
        .note("The exit code is that of the run.");
    lingers: Row::run(
        "never returns from a handler of `atexit`",
        Made::C(&["AWAKE=atexit(stay); return 0", "EXTRA=static void stay(void) { for (;;) pause(); }"], &[]),
    )
        .logs(&["BH-SIM-905", "SIGKILL"])
        .note("The process is killed after ten seconds; the exit code is that of the run.");
}
