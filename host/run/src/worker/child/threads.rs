//! `bridgehead.threads/1` in a worker: threads of this process.

use std::sync::Mutex;
use std::time::Duration;

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::hosting::{Job, ThreadsHost};

use super::super::wire::Request;
use super::remote::Remote;
use super::tables::ask_number;
use crate::bridge::unfinished_thread;
use crate::clock;
use crate::thread::{Named, lock, spawn};

/// The threads that the plugin has made.
static RUNNING: Mutex<Vec<Named<()>>> = Mutex::new(Vec::new());

/// Waits for the threads, all within `deadline`.
pub(super) fn join(deadline: Duration) {
    let end = clock::now() + deadline;
    for thread in std::mem::take(&mut *lock(&RUNNING)) {
        let name = thread.name().to_owned();
        if thread.join(end.saturating_duration_since(clock::now())).is_err() {
            log::error!("{}", unfinished_thread(&name));
        }
    }
}

impl ThreadsHost for Remote {
    fn spawn(&self, name: &str, job: Job) -> Result<(), Status> {
        if self.should_stop() {
            return Err(status::WRONG_STATE);
        }
        let thread = spawn(name, move || job.run()).map_err(|_| status::IO)?;
        lock(&RUNNING).push(thread);
        Ok(())
    }

    fn should_stop(&self) -> bool {
        ask_number(Request::ShouldStop, 1) != 0
    }
}
