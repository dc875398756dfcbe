//! Plugins that break a rule of the ABI in a call of a host function, or damage the process for everyone else.

use super::row::{Exit, Made, Row};
use super::zoo;

/// A fault that is refused, after which the run continues.
macro_rules! refused {
    ($plugin:literal, $fault:literal, $code:literal, $($text:literal),+) => {
        Row::run($plugin, Made::Breaker($fault, "sample")).logs(&[$code, "`sample` of plugin `car2/", $($text),+])
    };
}

zoo! {
    a_small_result: refused!("passes memory for a result that is too small", "small_result", "BH-PLG-135", "8 bytes", "`bus.loan`");
    a_null_result: refused!("passes no memory for a result", "null_result", "BH-PLG-135", "`bus.take`");
    a_misaligned_result: refused!("passes misaligned memory for a result", "misaligned_result", "BH-PLG-135", "`bus.take`");
    a_null_host: refused!("passes no host object", "null_host", "BH-PLG-135", "`host.explain`");
    a_wrong_handle: refused!("passes a publisher instead of a subscription", "wrong_handle", "BH-PLG-130", "`bus.take`");
    a_wrong_publisher: refused!("publishes with something else than a publisher", "wrong_publisher", "BH-PLG-130", "`bus.publish`");
    a_loan_committed_twice: refused!("commits a loan twice", "loan_twice", "BH-PLG-132", "`bus.commit`", "/car2/beat");
    a_loan_abandoned_twice: refused!("abandons a loan twice", "abandon_twice", "BH-PLG-132", "`bus.abandon`");
    a_loan_of_another_publisher: refused!("commits a loan of another publisher", "loan_of_another", "BH-PLG-132", "/car2/other");
    a_payload_released_twice: refused!("releases a payload that it has not retained", "release_twice", "BH-PLG-133", "more often");
    calls_after_destroy: Row::run("calls the host for an instance that was destroyed", Made::Breaker("after_destroy", "destroy"))
        .logs(&["BH-PLG-130", "`destroy` of plugin `car2/", "for `car2/"])
        .note("The objects of the last 64 destroyed instances are kept for this, of all with `--check-plugins`.");
    a_huge_loan: refused!("asks for a loan of 64 TiB", "huge_loan", "BH-PLG-134", "70368744177664 bytes");
    a_negative_loan: refused!("asks for a loan of -1 bytes", "negative_loan", "BH-PLG-134", "`bus.loan`");
    more_than_the_loan: refused!("commits more bytes than it has borrowed", "more_than_the_loan", "BH-PLG-134", "1048576 bytes");
    a_huge_payload: refused!("publishes a payload of -1 bytes", "huge_payload", "BH-PLG-134", "`bus.publish`");
    no_publisher: refused!("publishes without a publisher", "no_publisher", "BH-PLG-135", "publisher 0x0", "`bus.publish`");
    no_payload: refused!("publishes no payload", "no_payload", "BH-PLG-135", "payload 0x0", "`bus.publish`");
    a_payload_at_null: Row::run("publishes a payload at address 0", Made::Breaker("payload_at_null", "sample"))
        .logs(&["BH-PLG-134", "plugin `car2/", "8 bytes at address 0", "/car2/beat"])
        .note("The message is dropped before anybody reads it; the call succeeds.");
    checked_payload_at_null: Row::run("publishes a payload at address 0", Made::Breaker("payload_at_null", "sample"))
        .with(&["--check-plugins"])
        .logs(&["BH-PLG-134", "`sample` of plugin `car2/", "8 bytes at address 0", "`bus.publish`"]);
    an_endless_text: refused!("passes a text of -1 bytes", "endless_text", "BH-PLG-134", "`host.explain`");
    a_text_at_null: refused!("passes a text at address 0", "text_at_null", "BH-PLG-134", "address 0");
    many_rays: refused!("casts 2^60 rays", "many_rays", "BH-PLG-134", "`world.cast_rays`");
    garbage: Row::run("publishes garbage", Made::Breaker("garbage_payload", "sample"))
        .note("Whoever reads the message refuses it; a bridge that does not read it passes it on.");
    checked_garbage: Row::run("publishes garbage", Made::Breaker("garbage_payload", "sample"))
        .with(&["--check-plugins"])
        .logs(&["BH-PLG-136", "`sample` of plugin `car2/", "/car2/beat"]);
    advertises_on_its_thread: Row::run("advertises a topic on its own thread", Made::Breaker("thread_advertises", "sample"))
        .logs(&["BH-PLG-131", "a thread of plugin `car2/", "`bus.advertise`"]);
    takes_on_its_thread: Row::run("takes a message on its own thread", Made::Breaker("thread_takes", "sample"))
        .logs(&["BH-PLG-131", "a thread of plugin `car2/", "`bus.take`"]);
    advertises_in_sample: refused!("advertises a topic in `sample`", "advertises_here", "BH-PLG-131", "`bus.advertise`");
    rounds_down: refused!("changes the rounding of floating-point numbers", "rounds_down", "BH-PLG-120", "rounding")
        .note("The mode is restored, and the state is that of a run without the fault.");
    flushes_to_zero: refused!("flushes denormals to zero", "flushes_to_zero", "BH-PLG-120", "flushed to zero");
    enables_traps: refused!("enables traps for floating-point errors", "enables_traps", "BH-PLG-120", "traps");
    rounds_while_loaded: Row::run("changes the floating-point mode while it is loaded", Made::Breaker("flushes_to_zero", "constructor"))
        .logs(&["BH-PLG-120", "`constructor` of plugin", "libzoo.so"])
        .note("As a library does that is linked with `-ffast-math`.");
    blocks_signals: Row::run("blocks signals in `awake`", Made::Breaker("blocks_signals", "awake"))
        .logs(&["BH-PLG-121", "`awake` of plugin `car2/"]);
    blocks_signals_in_a_step: Row::run("blocks signals in `sample`", Made::Breaker("blocks_signals", "sample"))
        .logs(&["BH-PLG-121", "in one of the last steps", "--check-plugins"])
        .note("The mask is restored within 64 steps.");
    blocks_signals_checked: Row::run("blocks signals in `sample`", Made::Breaker("blocks_signals", "sample"))
        .with(&["--check-plugins"])
        .logs(&["BH-PLG-121", "`sample` of plugin `car2/"]);
    ignores_signals: Row::run("ignores SIGTERM and SIGINT", Made::Breaker("ignores_signals", "awake"))
        .logs(&["BH-PLG-123", "`awake` of plugin `car2/", "SIGTERM"])
        .note("The handlers are restored: the run can still be ended.");
    changes_folder: Row::run("changes the working directory in `awake`", Made::Breaker("changes_folder", "awake"))
        .logs(&["BH-PLG-122", "`awake` of plugin `car2/", "to `/`"]);
    changes_folder_in_a_step: Row::run("changes the working directory in `sample`", Made::Breaker("changes_folder", "sample"))
        .logs(&["BH-PLG-122", "in one of the last steps"]);
    starts_an_alarm: Row::run("starts the alarm timer", Made::Breaker("starts_alarm", "awake"))
        .logs(&["BH-PLG-124", "`awake` of plugin `car2/"]);
    raises_an_alarm: Row::run("raises SIGALRM", Made::Breaker("raises_alarm", "sample"))
        .logs(&["BH-SIM-903", "SIGALRM"])
        .crashed(Exit::Signal(libc::SIGALRM, "SIGALRM"));
    raises_a_user_signal: Row::run("raises SIGUSR1", Made::Breaker("raises_user_signal", "sample"))
        .logs(&["BH-SIM-903", "SIGUSR1"])
        .crashed(Exit::Signal(libc::SIGUSR1, "SIGUSR1"));
    forks: Row::run("forks, and the child returns to the host", Made::Breaker("forks", "sample"))
        .logs(&["BH-PLG-125", "`sample` of plugin `car2/", "that process ends"])
        .note("The child does not become a second host that writes the same files.");
    forks_while_it_starts: Row::run("forks in `awake`, and the child exits", Made::Breaker("forks_and_exits", "awake"))
        .logs(&["BH-PLG-125", "`awake` of plugin `car2/", "forked the process"]);
    runs_a_command: Row::run("runs a command with `system`", Made::Breaker("runs_a_command", "awake"));
    logs_much: Row::run("logs a line of 32 MiB", Made::Breaker("logs_much", "awake"))
        .logs(&["car2/", "mmmmmmmm"])
        .note("Lines are truncated after 16384 characters.");
    logs_control_characters: Row::run("logs line ends and control characters", Made::Breaker("logs_controls", "awake"))
        .logs(&["car2/", "first", "forged"])
        .note("Control characters are escaped, and further lines are indented, so that no part looks like another entry.");
    explains_much: Row::run("explains a failure with 10 MiB", Made::Breaker("explains_much", "sample"))
        .logs(&["BH-PLG-095", "car2/", "eeeeeeee"])
        .note("Explanations are truncated after 4096 characters.");
}
