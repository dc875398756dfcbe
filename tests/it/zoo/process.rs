//! Plugins that change the state of the process: each row of the host's table, in C, C++ and Rust.

use super::row::{Made, Row};
use super::zoo;

/// A plugin in C or C++ that does this in `awake`, and the same in the fixture `meddler`.
macro_rules! change {
    (c, $what:literal, $statement:literal, $code:literal, $text:literal) => {
        change!(
            row,
            $what,
            ", in C",
            Made::C(&[concat!("AWAKE=", $statement, "; return 0")], &["-lm"]),
            $code,
            $text
        )
    };
    (cpp, $what:literal, $statement:literal, $code:literal, $text:literal) => {
        change!(row, $what, ", in C++", Made::Cpp(&[concat!("AWAKE=", $statement)]), $code, $text)
    };
    (rust, $what:literal, $name:literal, $code:literal, $text:literal) => {
        change!(row, $what, ", in Rust", Made::Meddler($name), $code, $text)
    };
    (row, $what:literal, $language:literal, $made:expr, $code:literal, $text:literal) => {
        Row::run(concat!($what, $language), $made).logs(&[$code, "`awake` of plugin `car2/zoo`", $text])
    };
}

zoo! {
    rounding_in_c: change!(c, "changes the rounding of floating-point numbers", "fesetround(FE_UPWARD)", "BH-PLG-120", "rounding");
    rounding_in_cpp: change!(cpp, "changes the rounding of floating-point numbers", "fesetround(FE_UPWARD)", "BH-PLG-120", "rounding");
    rounding_in_rust: change!(rust, "changes the rounding of floating-point numbers", "rounding", "BH-PLG-120", "rounding");
    mask_in_c: change!(c, "blocks a signal", "sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1); pthread_sigmask(SIG_BLOCK, &set, NULL)", "BH-PLG-121", "it was restored");
    mask_in_cpp: change!(cpp, "blocks a signal", "sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1); pthread_sigmask(SIG_BLOCK, &set, NULL)", "BH-PLG-121", "it was restored");
    mask_in_rust: change!(rust, "blocks a signal", "mask", "BH-PLG-121", "it was restored");
    folder_in_c: change!(c, "changes the working directory", "if (chdir(\"/\") != 0) abort()", "BH-PLG-122", "to `/`; it was restored");
    folder_in_cpp: change!(cpp, "changes the working directory", "if (chdir(\"/\") != 0) abort()", "BH-PLG-122", "to `/`; it was restored");
    folder_in_rust: change!(rust, "changes the working directory", "folder", "BH-PLG-122", "to `/`; it was restored");
    handler_in_c: change!(c, "ignores SIGTERM", "signal(SIGTERM, SIG_IGN)", "BH-PLG-123", "the handler of SIGTERM, which ends a run; it was restored");
    handler_in_cpp: change!(cpp, "ignores SIGTERM", "signal(SIGTERM, SIG_IGN)", "BH-PLG-123", "the handler of SIGTERM, which ends a run; it was restored");
    handler_in_rust: change!(rust, "ignores SIGTERM", "handler", "BH-PLG-123", "the handler of SIGTERM, which ends a run; it was restored");
    crash_handler_in_c: change!(c, "replaces the handler of SIGSEGV", "signal(SIGSEGV, SIG_DFL)", "BH-PLG-123", "the handler of SIGSEGV, which belongs to the host; it was restored");
    crash_handler_in_cpp: change!(cpp, "replaces the handler of SIGSEGV", "signal(SIGSEGV, SIG_DFL)", "BH-PLG-123", "the handler of SIGSEGV, which belongs to the host; it was restored");
    crash_handler_in_rust: change!(rust, "replaces the handler of SIGSEGV", "crash_handler", "BH-PLG-123", "the handler of SIGSEGV, which belongs to the host; it was restored");
    timer_in_c: change!(c, "starts ITIMER_PROF", "struct itimerval timer = {{0, 0}, {1000, 0}}; setitimer(ITIMER_PROF, &timer, NULL)", "BH-PLG-124", "SIGPROF ends the process; it was stopped");
    timer_in_cpp: change!(cpp, "starts ITIMER_PROF", "struct itimerval timer = {{0, 0}, {1000, 0}}; setitimer(ITIMER_PROF, &timer, NULL)", "BH-PLG-124", "SIGPROF ends the process; it was stopped");
    timer_in_rust: change!(rust, "starts ITIMER_PROF", "timer", "BH-PLG-124", "SIGPROF ends the process; it was stopped");
    limit_in_c: change!(c, "lowers a resource limit", "struct rlimit limit; getrlimit(RLIMIT_NOFILE, &limit); limit.rlim_cur = 200; setrlimit(RLIMIT_NOFILE, &limit)", "BH-PLG-126", "to 200; it was restored");
    limit_in_cpp: change!(cpp, "lowers a resource limit", "struct rlimit limit; getrlimit(RLIMIT_NOFILE, &limit); limit.rlim_cur = 200; setrlimit(RLIMIT_NOFILE, &limit)", "BH-PLG-126", "to 200; it was restored");
    limit_in_rust: change!(rust, "lowers a resource limit", "limit", "BH-PLG-126", "to 200; it was restored");
    locale_in_c: change!(c, "changes the locale", "setlocale(LC_ALL, \"C.UTF-8\")", "BH-PLG-127", "from `C` to `C.UTF-8`; it was restored");
    locale_in_cpp: change!(cpp, "changes the locale", "setlocale(LC_ALL, \"C.UTF-8\")", "BH-PLG-127", "from `C` to `C.UTF-8`; it was restored");
    locale_in_rust: change!(rust, "changes the locale", "locale", "BH-PLG-127", "from `C` to `C.UTF-8`; it was restored");
    output_in_c: change!(c, "closes standard output", "close(1)", "BH-PLG-128", "closed or replaced standard output of the host; it was restored");
    output_in_cpp: change!(cpp, "closes standard output", "close(1)", "BH-PLG-128", "closed or replaced standard output of the host; it was restored");
    output_in_rust: change!(rust, "closes standard output", "output", "BH-PLG-128", "closed or replaced standard output of the host; it was restored");
    replaced_output_in_c: change!(c, "replaces standard error", "dup2(open(\"/dev/null\", O_WRONLY), 2)", "BH-PLG-128", "closed or replaced standard error of the host; it was restored");
    replaced_output_in_cpp: change!(cpp, "replaces standard error", "dup2(open(\"/dev/null\", O_WRONLY), 2)", "BH-PLG-128", "closed or replaced standard error of the host; it was restored");
    replaced_output_in_rust: change!(rust, "replaces standard error", "replaced_output", "BH-PLG-128", "closed or replaced standard error of the host; it was restored");
    environment_in_c: change!(c, "sets an environment variable", "setenv(\"ZOO\", \"1\", 1)", "BH-PLG-129", "the environment variable `ZOO`; it was restored");
    environment_in_cpp: change!(cpp, "sets an environment variable", "setenv(\"ZOO\", \"1\", 1)", "BH-PLG-129", "the environment variable `ZOO`; it was restored");
    environment_in_rust: change!(rust, "sets an environment variable", "environment", "BH-PLG-129", "the environment variable `ZOO`; it was restored");
    umask_in_c: change!(c, "changes the umask", "umask(0)", "BH-PLG-137", "to 000; it was restored");
    umask_in_cpp: change!(cpp, "changes the umask", "umask(0)", "BH-PLG-137", "to 000; it was restored");
    umask_in_rust: change!(rust, "changes the umask", "umask", "BH-PLG-137", "to 000; it was restored");
    processors_in_c: change!(c, "binds its thread to a processor", "cpu_set_t set; CPU_ZERO(&set); CPU_SET(0, &set); sched_setaffinity(0, sizeof set, &set)", "BH-PLG-138", "changed the processors of a thread of the host");
    processors_in_cpp: change!(cpp, "binds its thread to a processor", "cpu_set_t set; CPU_ZERO(&set); CPU_SET(0, &set); sched_setaffinity(0, sizeof set, &set)", "BH-PLG-138", "changed the processors of a thread of the host");
    processors_in_rust: change!(rust, "binds its thread to a processor", "processors", "BH-PLG-138", "changed the processors of a thread of the host");
    priority_in_c: change!(c, "changes the priority of its thread", "setpriority(PRIO_PROCESS, 0, 7)", "BH-PLG-138", "changed the priority of a thread of the host");
    priority_in_cpp: change!(cpp, "changes the priority of its thread", "setpriority(PRIO_PROCESS, 0, 7)", "BH-PLG-138", "changed the priority of a thread of the host");
    priority_in_rust: change!(rust, "changes the priority of its thread", "priority", "BH-PLG-138", "changed the priority of a thread of the host");
    signal_stack_in_c: change!(c, "removes the alternate signal stack", "stack_t off; off.ss_sp = NULL; off.ss_size = 0; off.ss_flags = SS_DISABLE; sigaltstack(&off, NULL)", "BH-PLG-139", "it was restored");
    signal_stack_in_cpp: change!(cpp, "removes the alternate signal stack", "stack_t off; off.ss_sp = NULL; off.ss_size = 0; off.ss_flags = SS_DISABLE; sigaltstack(&off, NULL)", "BH-PLG-139", "it was restored");
    signal_stack_in_rust: change!(rust, "removes the alternate signal stack", "signal_stack", "BH-PLG-139", "it was restored");
    a_change_in_sample: Row::run("changes the locale in `sample`", Made::C(&["SAMPLE=setlocale(LC_ALL, \"C.UTF-8\"); return 0"], &[]))
        .logs(&["BH-PLG-127", "a plugin, in one of the last steps"])
        .note("`--check-plugins` names it.");
    a_checked_change_in_sample: Row::run("changes the locale in `sample`", Made::C(&["SAMPLE=setlocale(LC_ALL, \"C.UTF-8\"); return 0"], &[]))
        .with(&["--check-plugins"])
        .logs(&["BH-PLG-127", "`sample` of plugin `car2/zoo`"]);
    closed_descriptors: Row::run(
        "closes all descriptors from 3 on",
        Made::C(&["AWAKE=for (int fd = 3; fd < 1024; fd++) close(fd); return 0"], &[]),
    )
        .logs(&["BH-PLG-128", "`awake` of plugin `car2/zoo`", "descriptor"])
        .cut(16)
        .note("The host cannot go on without them.");
    no_room_for_files: Row::run(
        "lowers the limit of file sizes to 0 for good",
        Made::C(&["AWAKE=struct rlimit limit = {0, 0}; setrlimit(RLIMIT_FSIZE, &limit); return 0"], &[]),
    )
        .logs(&["BH-PLG-126", "RLIMIT_FSIZE from unlimited to 0"])
        .untold();
    no_more_descriptors: Row::run(
        "lowers the limit of descriptors to 3 for good",
        Made::C(&["AWAKE=struct rlimit limit = {3, 3}; setrlimit(RLIMIT_NOFILE, &limit); return 0"], &[]),
    )
        .logs(&["BH-PLG-126", "RLIMIT_NOFILE"])
        .untold();
}
