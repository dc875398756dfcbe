//! Calls of services by clients.

use std::sync::Arc;

use bridgehead_websocket::{Frame, Link};

use super::Session;
use super::callbacks::Failure;
use super::client::CallPlace;
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
        let (service, place) = self.place_of_call(link, call.service)?;
        let (client, name) = (link.clone(), service.name.clone());
        let (service_id, call_id) = (call.service, call.call);
        let called = service.call(encoding, call.data, move |outcome| {
            client.reply(match outcome {
                Ok(data) => Frame::binary(response(service_id, call_id, encoding, &data)),
                Err(reason) => {
                    Frame::text(event::call_failure(service_id, call_id, &failed(&name, &reason).text()))
                }
            });
            drop(place);
        });
        called.map_err(|reason| failed(&service.name, &reason))
    }

    /// Returns a service and a place for the call.
    fn place_of_call(&self, link: &Link, service: u32) -> Result<(Arc<Service>, CallPlace), Failure> {
        let state = lock(&self.state);
        let Some(found) = state.services.get(&service) else {
            let reason = format!("there is no service {service}; it may have been withdrawn");
            return Err(Failure::new(codes::ID, reason));
        };
        let place = state.clients.get(&link.id()).and_then(|client| CallPlace::of(&client.calls));
        let place = place.ok_or_else(|| {
            let reason = "too many calls of this client are in progress; wait for responses".to_owned();
            Failure::new(codes::LIMIT, reason)
        })?;
        Ok((Arc::clone(found), place))
    }
}

fn response(service: u32, call: u32, encoding: Encoding, data: &[u8]) -> bridgehead_websocket::Bytes {
    frame::response(&Call { service, call, encoding: encoding.name(), data: &[] }, data)
}

fn failed(service: &str, reason: &str) -> Failure {
    Failure::new(codes::CALL, format!("the call of {service} failed: {reason}"))
}
