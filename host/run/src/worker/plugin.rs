//! A library in a worker, and its plugins.

use std::sync::{Arc, Mutex};

use bridgehead_abi::{Status, status};

use super::dispatcher::Dispatcher;
use super::launch::Image;
use super::process::Process;
use super::wire::{Call, Lane, Returned};
use crate::plugin::Refusal;
use crate::thread::lock;

/// What all plugins of a library in a worker share.
pub(super) struct IsolatedLibrary {
    pub(super) image: Image,
    /// Name for reports: the first plugin of the library.
    pub(super) name: String,
    pub(super) dispatcher: Arc<Dispatcher>,
    /// The worker that registers and validates; each instance has a worker of its own.
    pub(super) worker: Mutex<Option<Arc<Process>>>,
}

/// A plugin in a worker.
#[derive(Clone)]
pub(super) struct IsolatedPlugin {
    pub(super) library: Arc<IsolatedLibrary>,
    /// Place in its library.
    pub(super) place: u32,
}

impl IsolatedPlugin {
    /// Starts a worker, and makes an instance in it. Explains a failure.
    pub(super) fn start(
        &self,
        label: &str,
        dispatcher: &Arc<Dispatcher>,
    ) -> Result<(Arc<Process>, Returned), Status> {
        let (process, _) =
            Process::start(&self.library.image, label, Arc::clone(dispatcher)).map_err(|refusal| {
                dispatcher.reporter().explain(&refusal.to_string());
                status::FATAL
            })?;
        let returned = process.call(Lane::Main, Call::Create { plugin: self.place })?;
        if returned.status < status::OK {
            process.close();
            return Err(returned.status);
        }
        Ok((process, returned))
    }
}

impl IsolatedLibrary {
    /// The worker that registers and validates; a new one if it has ended.
    pub(super) fn worker(&self) -> Result<Arc<Process>, Refusal> {
        let mut worker = lock(&self.worker);
        if let Some(running) = worker.as_ref().filter(|worker| !worker.has_ended()) {
            return Ok(Arc::clone(running));
        }
        let (started, _) = Process::start(&self.image, &self.name, Arc::clone(&self.dispatcher))?;
        Ok(Arc::clone(worker.insert(started)))
    }
}

/// Destroys the instance of a worker, and ends the worker.
pub(crate) fn end(process: &Process) {
    if !process.has_ended() {
        // A failure has been reported.
        _ = process.call(Lane::Main, Call::Destroy);
    }
    process.close();
}
