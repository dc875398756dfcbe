//! A port that sends, and notices when a client is too slow for it.
//!
//! The library loses what a client's queue has no room for and says nothing. Told to refuse it instead, it refuses it to
//! all clients; so a message that is refused is sent again with leave to lose it. From then on the library passes that
//! client over until half of its queue is read, so this happens once per client that falls behind, and how much is lost
//! to it nobody knows.

use std::ffi::c_int;

use zmq::{DONTWAIT, Error, Socket};

use crate::socket::Publish;
use crate::tally::{Tally, so_often};

/// A socket that sends to all who want it.
pub(super) struct Publisher {
    socket: Socket,
    port: u16,
    /// How often a client fell behind.
    behind: Tally,
}

impl Publisher {
    pub(super) fn new(mut socket: Socket, port: u16) -> zmq::Result<Self> {
        may_lose(&mut socket, false)?;
        Ok(Publisher { socket, port, behind: Tally::default() })
    }

    /// Sends to those who have room for it.
    fn send_on(&mut self, frame: &[u8]) -> zmq::Result<()> {
        if let Some(count) = self.behind.count() {
            let (port, so_often) = (self.port, so_often(count));
            log::warn!(
                "a client on port {port} does not read as fast as it is sent to: until it has caught up, messages are \
                 lost to it{so_often} [BH-CLO-014]"
            );
        }
        may_lose(&mut self.socket, true)?;
        let sent = self.socket.send(frame, DONTWAIT);
        may_lose(&mut self.socket, false)?;
        sent
    }
}

impl Publish for Publisher {
    fn send(&mut self, frame: &[u8]) -> Result<(), String> {
        let sent = match self.socket.send(frame, DONTWAIT) {
            Err(Error::EAGAIN) => self.send_on(frame),
            sent => sent,
        };
        sent.map_err(|error| error.to_string())
    }
}

/// Whether what a client has no room for is lost to it, or refused to all.
fn may_lose(socket: &mut Socket, may: bool) -> zmq::Result<()> {
    let refuses = c_int::from(!may);
    // SAFETY: the socket is alive and used by nobody else meanwhile; the option is one number, which is read before the
    // call returns.
    let outcome = unsafe {
        zmq_sys::zmq_setsockopt(
            socket.as_mut_ptr(),
            zmq_sys::ZMQ_XPUB_NODROP.cast_signed(),
            (&raw const refuses).cast(),
            size_of::<c_int>(),
        )
    };
    if outcome == 0 {
        return Ok(());
    }
    // SAFETY: reads a number of the calling thread.
    Err(Error::from_raw(unsafe { zmq_sys::zmq_errno() }))
}

#[cfg(test)]
mod tests {
    use zmq::Context;

    use super::*;
    use crate::socket::tests::free_port;

    fn listener(context: &Context, port: u16) -> Socket {
        let socket = context.socket(zmq::SUB).expect("a socket");
        socket.set_linger(0).expect("an option");
        socket.set_rcvhwm(1).expect("an option");
        socket.set_rcvtimeo(10_000).expect("an option");
        socket.set_subscribe(b"").expect("an option");
        socket.connect(&format!("tcp://127.0.0.1:{port}")).expect("a connection");
        socket
    }

    #[test]
    fn a_client_that_does_not_read_is_noticed_and_costs_the_others_nothing() {
        let (context, port) = (Context::new(), free_port());
        let socket = context.socket(zmq::PUB).expect("a socket");
        socket.set_linger(0).expect("an option");
        // What was read is accounted for a few milliseconds later.
        socket.set_sndhwm(20).expect("an option");
        socket.bind(&format!("tcp://127.0.0.1:{port}")).expect("a port");
        let mut publisher = Publisher::new(socket, port).expect("a publisher");
        let (idle, reader) = (listener(&context, port), listener(&context, port));
        for client in [&idle, &reader] {
            while client.poll(zmq::POLLIN, 10).expect("a wait") == 0 {
                publisher.send(b"hello").expect("sent");
            }
        }
        while reader.recv_bytes(DONTWAIT).is_ok() {}
        assert_eq!(publisher.behind.so_far(), 0);
        for number in 0..100_u8 {
            publisher.send(&vec![number; 1_000_000]).expect("sent");
            let got = loop {
                let got = reader.recv_bytes(0).expect("a message");
                if got.len() > 5 {
                    break got;
                }
            };
            assert_eq!(got.first(), Some(&number));
        }
        assert_eq!(publisher.behind.so_far(), 1, "it is noticed once");
        drop(idle);
    }
}
