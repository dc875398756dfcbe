//! `bridgehead.threads/1`: threads of an instance.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::hosting::{Job, ThreadsHost};

use super::context::Context;
use crate::thread::spawn as spawn_named;

impl ThreadsHost for Context {
    fn spawn(&self, name: &str, job: Job) -> Result<(), Status> {
        // Locked over the look at the flag: a thread that starts while the others are told to end is joined with them.
        let mut running = self.threads.running.lock().unwrap_or_else(PoisonError::into_inner);
        if self.threads.should_stop.load(Ordering::Relaxed) {
            return Err(status::WRONG_STATE);
        }
        let thread = spawn_named(format!("{}:{name}", self.label), move || job.run()).map_err(|error| {
            self.explain(error.to_string());
            status::IO
        })?;
        running.push(thread);
        Ok(())
    }

    fn should_stop(&self) -> bool {
        self.threads.should_stop.load(Ordering::Relaxed)
    }
}
