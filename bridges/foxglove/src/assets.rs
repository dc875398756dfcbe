//! Assets: the mesh files that markers name, read by a thread of their own, and the models of the scene.
//!
//! - [`markers`] knows the meshes; [`address`] says which address a viewer uses for one; [`file`] finds and reads the file.
//!
//! A client whose previous assets are not sent yet waits for them, while those of other clients are read.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use bridgehead_plugin_api::serving::during;
use bridgehead_websocket::{Bytes, Frame, Link};

use crate::codes;
use crate::lock::lock;
use crate::protocol::frame;

pub(crate) mod address;
pub(crate) mod file;
pub(crate) mod markers;
#[cfg(test)]
mod tests;

/// Requests that wait, of all clients.
const MAX_REQUESTS: usize = 1024;
/// Bytes that may wait for a client before its next asset is read.
const MAX_WAITING: usize = 16 << 20;
/// Interval at which clients with too many waiting bytes are looked at again.
const MOMENT: Duration = Duration::from_millis(20);

/// The content of an asset.
pub(crate) enum Content {
    /// The file of a mesh, by its address in a marker.
    File(String),
    /// A model of the scene.
    Bytes(Bytes),
}

/// A request for an asset.
struct Request {
    link: Link,
    id: u32,
    content: Content,
    #[expect(dead_code, reason = "counts as a call of the client until it is dropped")]
    place: Box<dyn Send>,
}

/// Reads assets with a thread that starts with the first request and ends when this is dropped.
pub(crate) struct Assets {
    folders: Vec<PathBuf>,
    reader: Mutex<Option<Reader>>,
}

/// A running thread.
struct Reader {
    requests: SyncSender<Request>,
    thread: JoinHandle<()>,
}

impl Assets {
    /// Addresses are looked up in these folders.
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        Assets { folders, reader: Mutex::default() }
    }

    /// Has an asset read and sent. Never blocks. `place` is dropped when that is done.
    pub(crate) fn fetch(&self, link: &Link, id: u32, content: Content, place: impl Send + 'static) {
        let place = Box::new(place);
        if let Err(reason) = self.request(Request { link: link.clone(), id, content, place }) {
            refuse(link, id, &format!("[{}] {reason}", codes::LIMIT));
        }
    }

    fn request(&self, request: Request) -> Result<(), String> {
        let mut reader = lock(&self.reader);
        let running = match &mut *reader {
            Some(running) => running,
            none => none.insert(Reader::start(self.folders.clone())?),
        };
        running.requests.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => {
                "too many assets are requested at once; request it again later".to_owned()
            }
            TrySendError::Disconnected(_) => "the thread of assets has ended".to_owned(),
        })
    }
}

impl Reader {
    fn start(folders: Vec<PathBuf>) -> Result<Self, String> {
        let (requests, received) = sync_channel(MAX_REQUESTS);
        let thread = std::thread::Builder::new()
            .name("foxglove-asset".to_owned())
            .spawn(move || run(&received, &folders))
            .map_err(|error| format!("the thread of assets cannot be started: {error}"))?;
        Ok(Reader { requests, thread })
    }
}

impl Drop for Assets {
    fn drop(&mut self) {
        let Some(Reader { requests, thread }) = lock(&self.reader).take() else { return };
        drop(requests);
        if thread.join().is_err() {
            log::error!("the thread of assets has panicked");
        }
    }
}

/// Sends the reason why a client does not get an asset.
pub(crate) fn refuse(link: &Link, id: u32, reason: &str) {
    link.reply(Frame::binary(frame::asset(id, Err(reason))));
}

/// Reads assets until the sender is dropped.
fn run(received: &Receiver<Request>, folders: &[PathBuf]) {
    let mut waiting = VecDeque::new();
    loop {
        let next = if waiting.is_empty() {
            received.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            received.recv_timeout(MOMENT)
        };
        match next {
            Ok(request) => waiting.push_back(request),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        waiting.extend(received.try_iter().take(MAX_REQUESTS.saturating_sub(waiting.len())));
        waiting.retain(|request| !during("an asset", None, || serve(request, folders)));
    }
}

/// Serves a request. Returns false if its client must wait.
fn serve(request: &Request, folders: &[PathBuf]) -> bool {
    if !request.link.is_open() {
        return true;
    }
    if request.link.waiting().bytes > MAX_WAITING {
        return false;
    }
    let content = match &request.content {
        Content::File(mesh) => file::read(mesh, folders).map(Bytes::from),
        Content::Bytes(bytes) => Ok(bytes.clone()),
    };
    match content {
        Ok(bytes) => request.link.reply(Frame::binary(frame::asset(request.id, Ok(&bytes)))),
        Err(reason) => refuse(&request.link, request.id, &format!("[{}] {reason}", codes::ASSET)),
    }
    true
}
