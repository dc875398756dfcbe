//! Reads the status of the host, once at a time, for all who wait for it.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    GetStatusRequest, GetStatusResponse, HostStatus,
};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::simulation_interfaces::SimulationState;
use bridgehead_plugin_api::{Payload, Result};

use super::Session;
use super::service::Service;
use crate::lock::lock;

/// What the host has told; `None` if it could not be asked.
pub(super) type Told = Option<Payload>;

/// Called with what the host has told, on any thread. It only passes the work on.
type Then = Box<dyn FnOnce(Told) + Send>;

/// Who waits for the status.
#[derive(Default)]
pub(super) struct Readings {
    /// The next reading is for these.
    waiting: Vec<Then>,
    is_reading: bool,
}

impl Session {
    /// Has the status read. A reading that has begun before may be older than what the caller knows, so the caller waits
    /// for the next one then. Must not be called with a lock.
    pub(super) fn read_status(&self, then: impl FnOnce(Told) + Send + 'static) {
        let mut readings = lock(&self.readings);
        readings.waiting.push(Box::new(then));
        let is_reading = std::mem::replace(&mut readings.is_reading, true);
        drop(readings);
        if !is_reading {
            self.begin_reading();
        }
    }

    fn begin_reading(&self) {
        let waiting = {
            let mut readings = lock(&self.readings);
            readings.is_reading = !readings.waiting.is_empty();
            std::mem::take(&mut readings.waiting)
        };
        if waiting.is_empty() {
            return;
        }
        let (service, session) = (self.service_with(GetStatusRequest::FULL_NAME), self.weak.upgrade());
        let (Some(service), Some(session)) = (service, session) else {
            return self.finish_reading(waiting, None);
        };
        // The reply takes them, or what follows if there is no reply.
        let shared = Arc::new(Mutex::new(waiting));
        let kept = Arc::clone(&shared);
        let reply = move |outcome: Result<Payload>| {
            let waiting = std::mem::take(&mut *lock(&shared));
            session.finish_reading(waiting, outcome.ok().as_ref());
        };
        if service.ask(GetStatusRequest::default().encode_to_vec(), reply).is_err() {
            let waiting = std::mem::take(&mut *lock(&kept));
            self.finish_reading(waiting, None);
        }
    }

    fn finish_reading(&self, waiting: Vec<Then>, told: Option<&Payload>) {
        waiting.into_iter().for_each(|then| then(told.cloned()));
        self.begin_reading();
    }

    /// Returns the status that the host has told; without it, as far as the clock tells it.
    pub(super) fn status_of(&self, told: Told) -> HostStatus {
        let response = told.and_then(|payload| GetStatusResponse::decode(&*payload).ok());
        response.and_then(|response| response.status).unwrap_or_else(|| self.seen_status())
    }

    /// Returns the service whose request has this type.
    pub(super) fn service_with(&self, request: &str) -> Option<Arc<Service>> {
        let state = lock(&self.state);
        state.services.values().find(|service| service.request_name() == request).cloned()
    }

    fn seen_status(&self) -> HostStatus {
        let Some(reading) = self.host().and_then(|host| host.clock().ok()).map(|clock| clock.read()) else {
            return HostStatus::default();
        };
        let state =
            if reading.is_paused { SimulationState::STATE_PAUSED } else { SimulationState::STATE_PLAYING };
        HostStatus {
            simulation_state: Some(SimulationState { state }),
            step: reading.step,
            time_ns: reading.time_ns,
            step_width_ns: reading.step_width_ns,
            reset_epoch: reading.reset_epoch,
            real_time_factor: reading.real_time_factor,
            world: self.world().world.clone(),
            ..HostStatus::default()
        }
    }
}
