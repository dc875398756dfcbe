//! Services of an instance: calls with an answer.

use std::ffi::c_void;
use std::marker::PhantomData;

use bridgehead_abi as abi;
use bridgehead_abi::status;

use super::{Extension, extension_handle};
use crate::error::{Error, Result};
use crate::messages::Message;

extension_handle! {
    /// Makes services. `[main]`
    Services, abi::host::HostServices, abi::extension::SERVICES
}

impl Services {
    /// Announces a service. `enable` becomes `/vehicle/enable`.
    ///
    /// # Errors
    /// Returns an error if a type is refused, or the name is malformed or taken.
    pub fn advertise<Q: Message, A: Message>(self, name: &str) -> Result<Service<Q, A>> {
        self.host().register::<Q>()?;
        self.host().register::<A>()?;
        let mut service = std::ptr::null_mut();
        // SAFETY: texts are borrowed for the call; `service` is writable.
        let code = self.call(|table, host| unsafe {
            (table.advertise)(
                host,
                abi::Str::new(name),
                abi::Str::new(Q::FULL_NAME),
                abi::Str::new(A::FULL_NAME),
                &raw mut service,
            )
        })?;
        Error::check(code, format_args!("advertising service `{name}`"))?;
        Ok(Service { services: self.extension, service, types: PhantomData })
    }
}

/// A service that answers requests `Q` with responses `A`.
pub struct Service<Q, A> {
    services: Extension<abi::host::HostServices>,
    service: *mut c_void,
    types: PhantomData<fn(Q) -> A>,
}

// SAFETY: the host's functions check their threads; the pointer is only passed back.
unsafe impl<Q, A> Send for Service<Q, A> {}

/// One call of a service.
pub struct ServiceCall<Q> {
    id: u64,
    /// The request.
    pub request: Q,
}

impl<Q: Message, A: Message> Service<Q, A> {
    /// Takes the next waiting call; malformed requests are answered with a failure and passed over. `[sim]`
    pub fn take(&mut self) -> Option<ServiceCall<Q>> {
        loop {
            let mut raw = abi::host::ServiceRequest {
                struct_size: abi::host::ServiceRequest::SIZE,
                reserved: 0,
                id: 0,
                payload: std::ptr::null(),
            };
            let _entered = self.services.host().enter().ok()?;
            // SAFETY: `raw` is writable; its payload stays valid until the next take.
            let code =
                self.services.with(|table, _| unsafe { (table.take)(self.service, &raw mut raw) }).ok()?;
            if code < 0 || raw.payload.is_null() {
                return None;
            }
            // SAFETY: as above.
            let bytes =
                unsafe { abi::Bytes { ptr: (*raw.payload).data, len: (*raw.payload).len }.as_slice() };
            match Q::decode(bytes) {
                Ok(request) => return Some(ServiceCall { id: raw.id, request }),
                Err(error) => {
                    self.services.host().explain(&format!("the request is not a {}: {error}", Q::FULL_NAME));
                    self.answer(raw.id, status::SCHEMA, &[]);
                }
            }
        }
    }

    /// Answers a call. `[any]`
    pub fn reply(&self, call: &ServiceCall<Q>, response: Result<A>) {
        match response {
            Ok(message) => self.answer(call.id, status::OK, &message.encode_to_vec()),
            Err(error) => {
                self.services.host().explain(error.text());
                self.answer(call.id, error.status(), &[]);
            }
        }
    }

    fn answer(&self, id: u64, code: abi::Status, bytes: &[u8]) {
        let bytes = abi::Bytes::new(bytes);
        // SAFETY: the bytes are borrowed for the call.
        let _ = self.services.with(|table, _| unsafe { (table.reply)(self.service, id, code, bytes) });
    }
}
