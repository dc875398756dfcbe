//! Commands of clients, carried out with the services that the host offers to every bridge.
//!
//! Clients wait for 300 ms, so all waits of one command together stay below that.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{ResetRequest, ResetResponse};
use bridgehead_plugin_api::messages::simulation_interfaces::{
    EntityState, GetEntitiesRequest, GetEntitiesResponse, GetEntityStateRequest, GetEntityStateResponse,
    Result as Outcome, SetEntityStateRequest, SetEntityStateResponse,
};
use bridgehead_plugin_api::{Error, Payload, Result};

use super::CloisimService;
use crate::codes::UNSUPPORTED_INPUT;
use crate::discovery::command::{Control, ControlError, DeviceListing, EulerPose, RequestError, Target};
use crate::pose::Pose;
use crate::repeat_counter::times_so_far;
use crate::wall_clock;

/// Time limit for all calls of one command.
const TIMEOUT: Duration = Duration::from_millis(220);

/// Whether a reset requested by a client is running.
#[derive(Default)]
pub(super) struct Resets {
    is_running: Arc<AtomicBool>,
}

/// A service call whose response is pending.
struct Call<A>(Receiver<Result<A, ControlError>>);

impl<A: Message + Default> Call<A> {
    /// Returns the response, or `None` if it does not arrive before the deadline.
    fn wait(self, deadline: Instant) -> Option<Result<A, ControlError>> {
        match self.0.recv_timeout(deadline.saturating_duration_since(wall_clock::now())) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(ControlError::RunEnded)),
        }
    }
}

/// Checks the result field of a response.
fn check(outcome: Option<&Outcome>) -> Result<(), ControlError> {
    match outcome {
        Some(outcome) if outcome.result == Outcome::RESULT_OK => Ok(()),
        Some(outcome) if !outcome.error_message.is_empty() => {
            Err(ControlError::Refused(outcome.error_message.clone()))
        }
        Some(outcome) => Err(ControlError::Refused(format!("refused with result {}", outcome.result))),
        None => Err(ControlError::Missing("result")),
    }
}

fn read<A: Message + Default>(answer: Result<Payload>) -> Result<A, ControlError> {
    let answer = answer.map_err(ControlError::Host)?;
    A::decode(&*answer).map_err(|error| ControlError::Host(Error::invalid(error.to_string())))
}

impl CloisimService {
    fn call<A: Message + Default + Send + 'static>(
        &self,
        request: &impl Message,
        then: impl FnOnce() + Send + 'static,
    ) -> Result<Call<A>, ControlError> {
        let (sender, receiver) = channel();
        let reply = move |answer| {
            then();
            // The receiver may have stopped waiting.
            drop(sender.send(read::<A>(answer)));
        };
        self.members.call(request, reply).map_err(ControlError::Host)?;
        Ok(Call(receiver))
    }

    fn names(&self, deadline: Instant) -> Result<Vec<String>, ControlError> {
        let answer = self.call::<GetEntitiesResponse>(&GetEntitiesRequest::default(), || {})?.wait(deadline);
        let answer = answer.ok_or(ControlError::TimedOut)??;
        check(answer.result.as_ref()).map(|()| answer.entities)
    }

    fn state(&self, name: &str, deadline: Instant) -> Result<EntityState, ControlError> {
        let request = GetEntityStateRequest { entity: name.to_owned() };
        let answer = self.call::<GetEntityStateResponse>(&request, || {})?.wait(deadline);
        let answer = answer.ok_or(ControlError::TimedOut)??;
        check(answer.result.as_ref())?;
        answer.state.ok_or(ControlError::Missing("state"))
    }
}

/// The service request for a target.
fn movement(target: &Target) -> SetEntityStateRequest {
    let pose = target.pose.map(|pose| Pose::from_euler(pose.position, pose.rotation).to_ros());
    SetEntityStateRequest {
        entity: target.name.clone(),
        set_pose: pose.is_some(),
        set_twist: target.stops,
        state: Some(EntityState { pose, twist: Some(Default::default()), ..EntityState::default() }),
        ..SetEntityStateRequest::default()
    }
}

impl Control for CloisimService {
    fn devices(&self) -> Vec<DeviceListing> {
        let list = |device_server: &Arc<super::DeviceServer>| {
            let device = device_server.device();
            let ports =
                device_server.ports().iter().map(|(key, port)| (key.name(), *port, device.hash_key(*key)));
            DeviceListing {
                ports: ports.collect(),
                kind: device.kind.name(),
                model: device.model,
                parts: device.parts,
            }
        };
        self.device_servers().iter().map(list).collect()
    }

    /// A reset takes longer than a client waits, so it counts as started once the host has accepted it.
    fn reset(&self) -> Result<bool, ControlError> {
        let running = Arc::clone(&self.resets.is_running);
        if running.swap(true, Ordering::AcqRel) {
            return Ok(false);
        }
        let done = Arc::clone(&running);
        // The run continues as before: clients have no command to resume it.
        let request = ResetRequest {
            then: "keep".to_owned(),
            reason: "a client of CLOiSim".to_owned(),
            ..ResetRequest::default()
        };
        let call = self.call::<ResetResponse>(&request, move || done.store(false, Ordering::Release));
        let call = call.inspect_err(|_| running.store(false, Ordering::Release))?;
        match call.wait(wall_clock::now() + TIMEOUT) {
            None => Ok(true),
            Some(answer) => check(answer?.result.as_ref()).map(|()| true),
        }
    }

    fn teleport(&self, targets: &[Target]) -> Result<Vec<Result<(), ControlError>>, ControlError> {
        let deadline = wall_clock::now() + TIMEOUT;
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let names = self.names(deadline)?;
        let unknown: Vec<String> = targets
            .iter()
            .map(|target| target.name.clone())
            .filter(|name| !names.iter().any(|known| known == name))
            .collect();
        if !unknown.is_empty() {
            return Err(ControlError::UnknownModels(unknown));
        }
        // All calls start before the first wait, so that they take effect together.
        let calls: Vec<_> = targets
            .iter()
            .map(|target| self.call::<SetEntityStateResponse>(&movement(target), || {}))
            .collect();
        let outcome = |call: Result<Call<SetEntityStateResponse>, ControlError>| match call?.wait(deadline) {
            None => Err(ControlError::Pending),
            Some(answer) => check(answer?.result.as_ref()),
        };
        Ok(calls.into_iter().map(outcome).collect())
    }

    fn pose_of(&self, name: &str) -> Result<EulerPose, ControlError> {
        let state = self
            .state(name, wall_clock::now() + TIMEOUT)
            .map_err(|error| ControlError::Entity(name.to_owned(), Box::new(error)))?;
        let pose = Pose::from_ros(state.pose.as_ref());
        Ok(EulerPose { position: pose.position, rotation: pose.euler() })
    }

    fn misunderstood(&self, why: &RequestError) {
        if let Some(count) = self.misunderstood.record() {
            log::warn!(
                "[{UNSUPPORTED_INPUT}] a text on /control is not understood; its sender got an error: {why}{}",
                times_so_far(count)
            );
        }
    }
}
