//! A bridge to the bridge of CyberRT, the program that connects the LGSVL simulator to Apollo.
//!
//! Connection string: `HOST` or `HOST:PORT` of that program, the default port is 9090, and `;steering_limit=RADIANS`. The
//! bridge is its client, as LGSVL was: it announces each topic with the descriptors of its type, sends messages, and
//! receives those of the topics that the run subscribes to. The wire format is in the README.
//!
//! The transmit loop alone writes to the connection, the receive loop alone reads from it. If either finds it unusable, the
//! status tells the host, which connects again after a pause.

use std::io::BufReader;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridgehead_plugin_api::prelude::*;

mod cloud;
mod descriptors;
mod frame;
mod incoming;
mod link;
mod outgoing;
mod schemas;
mod topics;
mod turn;

use frame::Frame;
use link::{Address, Link, POLL};
use topics::{Announced, Incoming, Outgoing, Topics};

/// Bytes that are read from the connection at once.
const READ_AHEAD: usize = 64 << 10;

/// One per vehicle, or one for the world. The host calls it from several threads at once.
struct CyberRt {
    host: HostHandle,
    /// The connection, with the steering limit for its commands.
    link: Mutex<Option<(Arc<Link>, f64)>>,
    topics: Topics,
}

/// Locks a mutex, also after a panic: its value is valid after each statement.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CyberRt {
    fn link(&self) -> Result<(Arc<Link>, f64)> {
        lock(&self.link).clone().ok_or_else(|| Error::new("not connected"))
    }

    /// Ends a connection that cannot be used any more. The host reports the reason.
    fn lose(&self, link: &Link, reason: &str) {
        if !link.is_lost() {
            self.host.explain(reason);
            link.lose();
        }
    }

    /// Sends the announcements of new topics, and then a message.
    fn send(&self, link: &Link, announced: &mut Announced, message: &[u8]) -> Result {
        let mut frames = Vec::new();
        self.topics.announce(announced, &mut frames)?;
        link.send(&frames)?;
        link.send(message).map_err(Error::from)
    }

    /// Delivers messages until the connection ends; returns why.
    fn take_all(&self, link: &Link, steering_limit: f64, rx: &Rx<'_>) -> String {
        let mut input = BufReader::with_capacity(READ_AHEAD, link.input(rx));
        loop {
            match frame::read(&mut input, |channel| !self.topics.receivers(channel).is_empty()) {
                Ok(Frame::Publish { channel, message }) => {
                    let receivers = self.topics.receivers(&channel);
                    receivers.iter().for_each(|topic| topic.deliver(&message, steering_limit));
                }
                Ok(Frame::Skipped) => {}
                Ok(Frame::End) => return "the peer closed the connection".to_owned(),
                Err(error) => return error.to_string(),
            }
        }
    }
}

impl Bridge for CyberRt {
    type Connection = Address;
    type Publisher = Arc<Outgoing>;
    type Subscriber = Arc<Incoming>;
    const LOOPS: Loops = Loops::BOTH;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(CyberRt { host, link: Mutex::default(), topics: Topics::default() })
    }

    fn connect(&self, address: Address) -> Result {
        let link = Link::open(&address.peer)?;
        *lock(&self.link) = Some((Arc::new(link), address.steering_limit));
        Ok(())
    }

    fn disconnect(&self) -> Result {
        if let Some((link, _)) = lock(&self.link).take() {
            link.close();
        }
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        match &*lock(&self.link) {
            None => BridgeStatus::Disconnected,
            Some((link, _)) if link.is_lost() => BridgeStatus::UnexpectedlyDisconnected,
            Some(_) => BridgeStatus::Connected,
        }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Arc<Outgoing>> {
        Ok(self.topics.add_outgoing(Outgoing::of(channel)?))
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Arc<Incoming>> {
        Ok(self.topics.add_incoming(Incoming::of(channel, sink)?))
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let (link, _) = self.link()?;
        let (mut announced, mut message) = (Announced::default(), Vec::new());
        while !link.is_lost() {
            // Topics may be opened while no message comes.
            if let Err(error) = self.send(&link, &mut announced, &[]) {
                self.lose(&link, &format!("sending to the peer failed: {error}"));
                break;
            }
            let item = match tx.next(Some(POLL)) {
                Wait::Ready(item) => item,
                Wait::TimedOut => continue,
                Wait::Interrupted => break,
            };
            message.clear();
            if let Err(error) = item.publisher().encode(item.bytes(), item.sequence(), &mut message) {
                let reason = format!("`{}` is not sent: {error}", item.publisher().name);
                item.reject_because(&reason);
            } else if let Err(error) = self.send(&link, &mut announced, &message) {
                item.reject();
                self.lose(&link, &format!("sending to the peer failed: {error}"));
            }
        }
        Ok(())
    }

    fn receive(&self, rx: &Rx<'_>) -> Result {
        let (link, steering_limit) = self.link()?;
        let reason = self.take_all(&link, steering_limit, rx);
        if !rx.is_interrupted() {
            self.lose(&link, &reason);
        }
        Ok(())
    }

    fn interrupt(&self) {
        if let Ok((link, _)) = self.link() {
            link.end();
        }
    }
}

bridgehead_plugin_api::export_plugin! {
    bridge CyberRt { id: "org.example.bridge.cyberrt", name: "cyberrt", vendor: "Example" }
}

#[cfg(test)]
mod tests;
