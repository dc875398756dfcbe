//! The port that an autopilot connects to. One is connected at a time; nothing waits longer than it is told to.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::link::Link;
use crate::message::{Message, Sender};

/// What a look at the port and the connection has found.
#[derive(Debug, PartialEq)]
pub(crate) enum News {
    Message(Message),
    /// An autopilot has connected.
    Connected(SocketAddr),
    /// Another one was refused.
    Refused(SocketAddr),
    /// The autopilot is gone, and why.
    Gone(SocketAddr, String),
    Nothing,
}

/// The port, and who is connected.
pub(crate) struct Server {
    listener: TcpListener,
    link: Option<Link>,
    sender: Sender,
}

impl Server {
    /// Listens at an address.
    ///
    /// # Errors
    /// Returns an error if the port is taken or the address is none of this machine.
    pub(crate) fn listen(address: SocketAddr, sender: Sender) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Server { listener, link: None, sender })
    }

    /// Returns the address at which it listens.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.link.is_some()
    }

    /// Returns true if the autopilot does not read what was sent.
    pub(crate) fn is_full(&self) -> bool {
        self.link.as_ref().is_some_and(Link::is_full)
    }

    /// Bytes of this connection that were no messages.
    pub(crate) fn strange(&self) -> u64 {
        self.link.as_ref().map_or(0, Link::strange)
    }

    /// Sends messages to who is connected. A connection that fails is noticed by the next look.
    pub(crate) fn send(&mut self, messages: &[Message]) {
        if let Some(link) = &mut self.link {
            drop(link.send(self.sender, messages));
        }
    }

    /// Returns the next message that was received, or waits for something to happen.
    pub(crate) fn look(&mut self, timeout: Duration) -> News {
        if let Some(message) = self.link.as_mut().and_then(Link::next) {
            return News::Message(message);
        }
        self.wait(timeout);
        if let Some(news) = self.accept() {
            return news;
        }
        let Some(link) = &mut self.link else { return News::Nothing };
        if let Err(error) = link.flush().and_then(|()| link.receive()) {
            let address = link.address();
            self.link = None;
            return News::Gone(address, reason(&error));
        }
        link.next().map_or(News::Nothing, News::Message)
    }

    /// Waits until somebody connects, or the connection has news.
    fn wait(&self, timeout: Duration) {
        let mut places = vec![PollFd::new(&self.listener, PollFlags::IN)];
        if let Some(link) = &self.link {
            let to_send = if link.is_waiting() { PollFlags::OUT } else { PollFlags::empty() };
            places.push(PollFd::new(link.stream(), PollFlags::IN | to_send));
        }
        let timeout = Timespec {
            tv_sec: timeout.as_secs().try_into().unwrap_or(1),
            tv_nsec: timeout.subsec_nanos().into(),
        };
        // A wait that fails is a shorter one.
        let _ = poll(&mut places, Some(&timeout));
    }

    fn accept(&mut self) -> Option<News> {
        let (stream, address) = self.listener.accept().ok()?;
        if self.link.is_some() {
            return Some(News::Refused(address));
        }
        self.link = Some(Link::new(stream, address).ok()?);
        Some(News::Connected(address))
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "it has ended the connection".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
