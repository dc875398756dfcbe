//! How long tests take: each test adds a line to the file that `BRIDGEHEAD_TIMES` names, from which `tests/run.sh`
//! computes a total for each module.
//!
//! A test is measured from the first time that it asks for a path of this repository or of its build, which is at the
//! beginning of tests that start a program, to the end of its thread. Tests that ask for none take no time that matters.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Instant;
use std::{env, thread};

use bridgehead_host::clock;

thread_local! {
    /// Measures the test of this thread.
    static TIMER: Option<Timer> = Timer::start();
}

/// Measures the test of this thread from the first call on.
pub(super) fn measure() {
    // Code that runs at the end of the thread may ask for paths too.
    let _ = TIMER.try_with(|_| ());
}

struct Timer {
    module: String,
    began: Instant,
}

impl Timer {
    /// A measurement if this is the thread of a test, which the test program names after the test, and times are wanted.
    fn start() -> Option<Self> {
        env::var_os("BRIDGEHEAD_TIMES")?;
        let thread = thread::current();
        let (module, _) = thread.name()?.split_once("::")?;
        Some(Timer { module: module.to_owned(), began: clock::now() })
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        let Some(path) = env::var_os("BRIDGEHEAD_TIMES") else { return };
        // Wall time: for people who read it.
        let line = format!("end-to-end tests {}\t{:.3}\n", self.module, self.began.elapsed().as_secs_f64());
        // One write, because tests run at the same time. A report that is incomplete must not fail a test.
        let file = OpenOptions::new().create(true).append(true).open(path);
        drop(file.and_then(|mut file| file.write_all(line.as_bytes())));
    }
}
