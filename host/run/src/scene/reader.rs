//! The thread that reads the files of scenes and makes their messages.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use arc_swap::ArcSwap;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_scene::{Asset, Library, describe};

use super::parts::SceneParts;
use crate::thread;
use crate::thread::lock;
use crate::world::reading_budget;

/// Receives an encoded scene.
pub(super) struct Job(Box<dyn FnOnce(Payload) + Send>);

impl Job {
    pub(super) fn new(take: impl FnOnce(Payload) + Send + 'static) -> Self {
        Job(Box::new(take))
    }
}

/// Content by hash.
type Assets = HashMap<String, Asset>;

/// The thread; it begins with the first question and ends with this value.
#[derive(Default)]
pub(super) struct Reader {
    jobs: Mutex<Option<Sender<Job>>>,
    assets: Arc<ArcSwap<Assets>>,
}

impl Reader {
    /// Queues a job. Returns false if the thread cannot be started.
    pub(super) fn ask(&self, parts: &Arc<SceneParts>, job: Job) -> bool {
        let mut jobs = lock(&self.jobs);
        let sender = match &*jobs {
            Some(sender) => sender,
            None => match self.start(Arc::clone(parts)) {
                Ok(sender) => jobs.insert(sender),
                Err(error) => {
                    log::error!("the scene cannot be read: {error}");
                    return false;
                }
            },
        };
        sender.send(job).is_ok()
    }

    pub(super) fn asset(&self, hash: &str) -> Option<Asset> {
        self.assets.load().get(hash).cloned()
    }

    fn start(&self, parts: Arc<SceneParts>) -> io::Result<Sender<Job>> {
        let (sender, jobs) = channel();
        let assets = Arc::clone(&self.assets);
        drop(thread::spawn("scene", move || serve(&parts, &jobs, &assets))?);
        Ok(sender)
    }
}

/// Serves jobs until the sender is dropped.
fn serve(parts: &SceneParts, jobs: &Receiver<Job>, assets: &ArcSwap<Assets>) {
    let mut library = Library::default();
    let mut made: Option<(u64, Payload)> = None;
    for Job(take) in jobs {
        let revision = parts.revision.load(Ordering::Acquire);
        let payload = match &made {
            Some((of, payload)) if *of == revision => payload.clone(),
            _ => {
                let (revision, parts) = parts.get();
                let scene = describe(&parts, revision, &mut library, &reading_budget());
                // Published before anybody knows the hashes.
                assets.store(Arc::new(library.assets()));
                library.take_warnings().iter().for_each(|warning| log::warn!("{warning}"));
                let payload = Payload::from_vec(scene.encode_to_vec());
                made = Some((revision, payload.clone()));
                payload
            }
        };
        take(payload);
    }
}
