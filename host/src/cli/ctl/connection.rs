//! The connection to a host. Its reads go on after a signal: a program that was suspended and continued still waits.

use std::io::ErrorKind;

use ureq::Error;
use ureq::config::Config;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, NextTimeout, TcpConnector, Transport,
};

/// Creates an agent whose connections go on after a signal.
pub(super) fn agent(config: Config) -> ureq::Agent {
    let connector = ().chain(TcpConnector::default()).chain(Continuing);
    ureq::Agent::with_parts(config, connector, DefaultResolver::default())
}

/// Makes connections go on.
#[derive(Debug)]
struct Continuing;

impl<In: Transport> Connector<In> for Continuing {
    type Out = Continued<In>;

    fn connect(&self, _: &ConnectionDetails<'_>, inner: Option<In>) -> Result<Option<Self::Out>, Error> {
        Ok(inner.map(Continued))
    }
}

/// A connection that goes on. The kernel ends a read with a time limit if the program is continued, also without a handler
/// (signal(7)); the library takes that for a failure.
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
