//! An HTTP client that repeats interrupted reads, so that a program that was suspended and continued still waits for its
//! response; and [`Connection`], which does the same for other protocols.

mod connection;

use std::io::ErrorKind;

pub use connection::{Connection, receive_from};
use ureq::Error;
use ureq::config::Config;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, NextTimeout, TcpConnector, Transport,
};

/// Creates an agent whose connections repeat interrupted reads.
#[must_use]
pub fn agent(config: Config) -> ureq::Agent {
    let connector = ().chain(TcpConnector::default()).chain(Continuing);
    ureq::Agent::with_parts(config, connector, DefaultResolver::default())
}

/// Wraps each connection in a [`Continued`].
#[derive(Debug)]
struct Continuing;

impl<In: Transport> Connector<In> for Continuing {
    type Out = Continued<In>;

    fn connect(&self, _: &ConnectionDetails<'_>, inner: Option<In>) -> Result<Option<Self::Out>, Error> {
        Ok(inner.map(Continued))
    }
}

/// A connection that repeats interrupted reads. If a program is continued, Linux interrupts its reads that have a time limit,
/// even if the program handles no signal (signal(7)), and the library reports an error.
#[derive(Debug)]
struct Continued<In>(In);

impl<In: Transport> Transport for Continued<In> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.0.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.0.transmit_output(amount, timeout)
    }

    /// Each signal begins the time limit anew.
    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        loop {
            match self.0.await_input(timeout) {
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                outcome => return outcome,
            }
        }
    }

    fn is_open(&mut self) -> bool {
        self.0.is_open()
    }

    fn is_tls(&self) -> bool {
        self.0.is_tls()
    }
}
