//! A thread that sends replies. Answers of the run come from any thread, such as that of the simulation, which must not wait
//! for an encoder or a peer; and the threads of Zenoh have other messages to take.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::serving::during;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;

/// Encodes and sends one reply.
type Reply = Box<dyn FnOnce() + Send>;

/// Sends replies, in the order in which they are pushed.
pub(crate) struct Replies {
    queue: Mutex<Option<Sender<Reply>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Replies {
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub(crate) fn start() -> Result<Arc<Self>> {
        let (sender, waiting) = channel();
        let thread = Builder::new().name("zenoh-reply".to_owned()).spawn(move || send(&waiting));
        let thread = thread.map_err(|error| {
            Error::with_status(status::IO, format!("the thread of replies cannot be started: {error}"))
        })?;
        Ok(Arc::new(Replies { queue: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)) }))
    }

    pub(crate) fn push(&self, reply: impl FnOnce() + Send + 'static) {
        if let Some(queue) = &*lock(&self.queue) {
            // The thread lives as long as the queue.
            drop(queue.send(Box::new(reply)));
        }
    }
}

impl Drop for Replies {
    /// Sends the queued replies.
    fn drop(&mut self) {
        drop(lock(&self.queue).take());
        let thread = lock(&self.thread).take();
        // The last holder may be a reply, on the thread itself, which then ends by itself.
        let thread = thread.filter(|thread| thread.thread().id() != std::thread::current().id());
        if thread.is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread of replies has panicked");
        }
    }
}

fn send(waiting: &Receiver<Reply>) {
    for reply in waiting {
        during("a reply", None, reply);
    }
}
