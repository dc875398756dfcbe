//! A service of the run, and calls of it.

use bridgehead_plugin_api::bridge::{Channel, ServiceSink};
use bridgehead_plugin_api::{Payload, Result};

use crate::codec::{Codec, Definition, Encoding};

/// One service.
pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) vehicle: String,
    /// Its type, `std_srvs/srv/Trigger`.
    pub(crate) kind: String,
    request: Codec,
    response: Codec,
    sink: ServiceSink,
}

impl Service {
    pub(crate) fn new(channel: &Channel<'_>, sink: ServiceSink) -> Self {
        let (request, response) = (Codec::of(channel.data_type()), Codec::of(channel.response_type()));
        let name = request.type_name();
        let kind = name.strip_suffix("_Request").map(str::to_owned).unwrap_or(name);
        let (name, vehicle) = (channel.topic().to_owned(), channel.vehicle().to_owned());
        Service { name, vehicle, kind, request, response, sink }
    }

    /// Returns the protobuf name of its request.
    pub(crate) fn request_name(&self) -> &str {
        self.request.full_name()
    }

    /// Describes request and response for clients. Viewers call services in CDR or JSON only, so both are described in
    /// CDR if channels are protobuf.
    pub(crate) fn definitions(&self, of_channels: Encoding) -> [Definition; 2] {
        let encoding = match of_channels {
            Encoding::Json => Encoding::Json,
            Encoding::Cdr | Encoding::Protobuf => Encoding::Cdr,
        };
        [self.request.definition(encoding), self.response.definition(encoding)]
    }

    /// Calls it with a request of a client. `reply` runs once, on any thread, if this succeeds.
    ///
    /// # Errors
    /// Returns the reason if the request is malformed or the call is not accepted.
    pub(crate) fn call(
        &self,
        encoding: Encoding,
        request: &[u8],
        reply: impl FnOnce(Result<Payload>) + Send + 'static,
    ) -> Result<(), String> {
        let payload = self.request.decode(encoding, request)?;
        self.sink.call(&Payload::from_vec(payload), reply).map_err(|error| error.to_string())
    }

    /// Returns a response in an encoding.
    ///
    /// # Errors
    /// Returns the reason why there is no response.
    pub(crate) fn encode(&self, encoding: Encoding, outcome: Result<Payload>) -> Result<Vec<u8>, String> {
        let payload = outcome.map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        self.response.encode(encoding, &payload, &mut bytes).map(|()| bytes)
    }

    /// Calls it with a message of the host.
    ///
    /// # Errors
    /// Returns an error if the call is not accepted.
    pub(crate) fn ask(
        &self,
        request: Vec<u8>,
        reply: impl FnOnce(Result<Payload>) + Send + 'static,
    ) -> Result {
        self.sink.call(&Payload::from_vec(request), reply)
    }
}
