//! Calls of services by clients.

use std::sync::Arc;

use bridgehead_websocket::{Frame, Link};

use super::Session;
use super::callbacks::Failure;
use super::client::CallPlace;
use super::later::Later;
use super::service::Service;
use crate::codec::{ENCODINGS, Encoding};
use crate::codes;
use crate::lock::lock;
use crate::protocol::frame::{self, Call};
use crate::protocol::{event, quoted};

impl Session {
    /// Calls a service for a client, which gets the response or a failure.
    pub(super) fn call_of_client(&self, link: &Link, call: &Call<'_>) {
        if let Err(failure) = self.start_call(link, call) {
            link.reply(Frame::text(event::call_failure(call.service, call.call, &failure.text())));
        }
    }

    fn start_call(&self, link: &Link, call: &Call<'_>) -> Result<(), Failure> {
        let encoding = Encoding::parse(call.encoding).ok_or_else(|| {
            let known = ENCODINGS.map(|encoding| encoding.name()).join(", ");
            let found = quoted(call.encoding);
            Failure::new(
                codes::CALL,
                format!("the encoding of a call must be one of {known}, found `{found}`"),
            )
        })?;
        let service = self.service(call.service)?;
        let (later, place) = self.place(link)?;
        let (client, called) = (link.clone(), Arc::clone(&service));
        let (service_id, call_id) = (call.service, call.call);
        let reply = move |outcome| {
            client.reply(match called.encode(encoding, outcome) {
                Ok(data) => Frame::binary(response(service_id, call_id, encoding, &data)),
                Err(reason) => {
                    let text = failed(&called.name, &reason).text();
                    Frame::text(event::call_failure(service_id, call_id, &text))
                }
            });
            drop(place);
        };
        let begun = service.call(encoding, call.data, move |outcome| later.add(move |_| reply(outcome)));
        begun.map_err(|reason| failed(&service.name, &reason))
    }

    fn service(&self, id: u32) -> Result<Arc<Service>, Failure> {
        let found = lock(&self.state).services.get(&id).cloned();
        let reason = || format!("there is no service {id}; it may have been withdrawn");
        found.ok_or_else(|| Failure::new(codes::ID, reason()))
    }

    /// Returns a place for a call of a client, and the queue for its response.
    pub(super) fn place(&self, link: &Link) -> Result<(Arc<Later>, CallPlace), Failure> {
        let state = lock(&self.state);
        let client = state.clients.get(&link.id());
        let place =
            client.and_then(|client| Some((Arc::clone(&client.later), CallPlace::of(&client.calls)?)));
        place.ok_or_else(|| {
            let reason = "too many calls of this client are in progress; wait for responses";
            Failure::new(codes::LIMIT, reason)
        })
    }
}

fn response(service: u32, call: u32, encoding: Encoding, data: &[u8]) -> bridgehead_websocket::Bytes {
    frame::response(&Call { service, call, encoding: encoding.name(), data: &[] }, data)
}

fn failed(service: &str, reason: &str) -> Failure {
    Failure::new(codes::CALL, format!("the call of {service} failed: {reason}"))
}
