//! What clients may ask of the simulation, over the services that the host offers every bridge.
//!
//! Clients wait for 300 ms, so nothing here waits longer than that in all.

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
use bridgehead_plugin_api::{Payload, Result};

use super::CloisimService;
use crate::codes::UNSUPPORTED_INPUT;
use crate::discovery::command::{Control, DeviceListing, EulerPose, Target};
use crate::pose::Pose;
use crate::repeat_counter::times_so_far;
use crate::wall;

/// How long everything that one text asks for may take.
const TIMEOUT: Duration = Duration::from_millis(220);

/// Whether a reset that a client asked for is running.
#[derive(Default)]
pub(super) struct Resets {
    is_running: Arc<AtomicBool>,
}

/// A call whose answer is on its way.
struct Call<A>(Receiver<Result<A, String>>);

impl<A: Message + Default> Call<A> {
    /// The answer, if it comes before the deadline.
    fn wait(self, deadline: Instant) -> Option<Result<A, String>> {
        match self.0.recv_timeout(deadline.saturating_duration_since(wall::now())) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err("the run has ended".to_owned())),
        }
    }
}

/// What a service says of its own success.
fn check(outcome: Option<&Outcome>) -> Result<(), String> {
    match outcome {
        Some(outcome) if outcome.result == Outcome::RESULT_OK => Ok(()),
        Some(outcome) if !outcome.error_message.is_empty() => Err(outcome.error_message.clone()),
        Some(outcome) => Err(format!("refused with {}", outcome.result)),
        None => Err("no result".to_owned()),
    }
}

fn read<A: Message + Default>(answer: Result<Payload>) -> Result<A, String> {
    let answer = answer.map_err(|error| error.to_string())?;
    A::decode(&*answer).map_err(|error| error.to_string())
}

impl CloisimService {
    fn call<A: Message + Default + Send + 'static>(
        &self,
        request: &impl Message,
        then: impl FnOnce() + Send + 'static,
    ) -> Result<Call<A>, String> {
        let (sender, receiver) = channel();
        let reply = move |answer| {
            then();
            // Nobody may wait any more.
            drop(sender.send(read::<A>(answer)));
        };
        self.members.call(request, reply).map_err(|error| error.to_string())?;
        Ok(Call(receiver))
    }

    fn names(&self, deadline: Instant) -> Result<Vec<String>, String> {
        let answer = self.call::<GetEntitiesResponse>(&GetEntitiesRequest::default(), || {})?.wait(deadline);
        let answer = answer.ok_or("the simulation does not answer in time")??;
        check(answer.result.as_ref()).map(|()| answer.entities)
    }

    fn state(&self, name: &str, deadline: Instant) -> Result<EntityState, String> {
        let request = GetEntityStateRequest { entity: name.to_owned() };
        let answer = self.call::<GetEntityStateResponse>(&request, || {})?.wait(deadline);
        let answer = answer.ok_or("the simulation does not answer in time")??;
        check(answer.result.as_ref())?;
        answer.state.ok_or_else(|| "no state".to_owned())
    }
}

/// What a target asks for, as the service has it.
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

    /// A reset takes longer than a client waits: it counts as begun once it was accepted.
    fn reset(&self) -> Result<bool, String> {
        let running = Arc::clone(&self.resets.is_running);
        if running.swap(true, Ordering::AcqRel) {
            return Ok(false);
        }
        let done = Arc::clone(&running);
        // What runs goes on running: clients know no other way to let it.
        let request = ResetRequest {
            then: "keep".to_owned(),
            reason: "a client of CLOiSim".to_owned(),
            ..ResetRequest::default()
        };
        let call = self.call::<ResetResponse>(&request, move || done.store(false, Ordering::Release));
        let call = call.inspect_err(|_| running.store(false, Ordering::Release))?;
        match call.wait(wall::now() + TIMEOUT) {
            None => Ok(true),
            Some(answer) => check(answer?.result.as_ref()).map(|()| true),
        }
    }

    fn teleport(&self, targets: &[Target]) -> Result<Vec<Result<(), String>>, String> {
        let deadline = wall::now() + TIMEOUT;
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let names = self.names(deadline)?;
        let unknown: Vec<&str> = targets
            .iter()
            .map(|target| target.name.as_str())
            .filter(|name| !names.iter().any(|known| known == name))
            .collect();
        if !unknown.is_empty() {
            return Err(format!("no such model: {}; nothing was moved", unknown.join(", ")));
        }
        // All are under way before the first is waited for: they take effect together.
        let calls: Vec<_> = targets
            .iter()
            .map(|target| self.call::<SetEntityStateResponse>(&movement(target), || {}))
            .collect();
        let outcome = |call: Result<Call<SetEntityStateResponse>, String>| match call?.wait(deadline) {
            None => Err("accepted, but not carried out yet".to_owned()),
            Some(answer) => check(answer?.result.as_ref()),
        };
        Ok(calls.into_iter().map(outcome).collect())
    }

    fn pose_of(&self, name: &str) -> Result<EulerPose, String> {
        let state = self.state(name, wall::now() + TIMEOUT).map_err(|why| format!("'{name}': {why}"))?;
        let pose = Pose::from_ros(state.pose.as_ref());
        Ok(EulerPose { position: pose.position, rotation: pose.euler() })
    }

    fn misunderstood(&self, why: &str) {
        if let Some(count) = self.misunderstood.record() {
            log::warn!(
                "a text on /control is not understood, which its sender was told: {why}{} [{UNSUPPORTED_INPUT}]",
                times_so_far(count)
            );
        }
    }
}
