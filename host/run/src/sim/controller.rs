//! The interface through which a controller reads and changes a run between two steps.

use std::cell::{Ref, RefMut};
use std::sync::Arc;
use std::time::Duration;

use bridgehead_lifecycle::{
    Machine, Refusal, Request, SimulationState, StartIn, State, Ticket, WorldRequest,
};
use bridgehead_plugin_api::host::Qos;

use super::libraries::Libraries;
use super::loaded::LoadedWorld;
use super::simulation::Simulation;
use super::topics::{InternalPublisher, PublishError};
use super::worlds::error::LoadError;
use crate::api::RequestInbox;
use crate::api::shared::Shared;
use crate::bridge::{AttachError, WORLD, targets};
use crate::bus::{BusError, Moment, RegisteredType};
use crate::config::{BridgeRequest, RequestOrigin, RunConfig};
use crate::world::World;

/// Controls a run from outside. Called on the simulation thread.
pub trait Controller {
    /// Returns true if there is something to do. Called in every turn of the loop, so it must be cheap.
    fn is_wanted(&self, simulation: &Simulation) -> bool;
    /// Reads and changes the run between two steps.
    fn serve(&mut self, simulation: &mut Simulation);
    /// Waits at most `time` for a request, and for what the controller itself waits for. Called while nothing runs.
    fn wait(&mut self, requests: &RequestInbox, time: Duration) {
        requests.wait(time);
    }
}

/// A controller that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoController;

impl Controller for NoController {
    fn is_wanted(&self, _: &Simulation) -> bool {
        false
    }

    fn serve(&mut self, _: &mut Simulation) {}
}

impl Simulation {
    /// Calls the controller, unless a step is in progress.
    pub(super) fn serve_controller(&mut self, controller: &mut dyn Controller) {
        if !is_between_steps(self.state(), self.report.is_some()) {
            return;
        }
        if controller.is_wanted(self) {
            controller.serve(self);
        }
        // After the requests, so that a client that asks after a change sees it.
        if self.shared.scene.poses.is_wanted() {
            self.shared.scene.serve_poses(self.world().as_deref(), self.now());
        }
    }

    /// Submits a request to the lifecycle. [`Self::take_answer`] returns the answer.
    pub fn request(&mut self, request: Request) -> Ticket {
        self.shared.requests.note(&request);
        self.requests.submit_answered(&mut self.lifecycle, request)
    }

    /// Withdraws a request that the lifecycle has not taken. Returns true if it was still queued.
    pub fn withdraw(&mut self, ticket: Ticket) -> bool {
        self.requests.withdraw(&mut self.lifecycle, ticket)
    }

    /// Takes the answer to a request, once; `None` while it waits.
    pub fn take_answer(&mut self, ticket: Ticket) -> Option<Result<(), Refusal>> {
        self.requests.take_answer(ticket)
    }

    /// Lets bridges offer services that were added or ended. While a world loads, they do so at the end of the load.
    pub fn announce_services(&mut self) {
        self.shared.bus.touch();
        if self.machine().simulation_state() != SimulationState::LoadingWorld {
            self.traffic.sync_endpoints();
        }
    }

    /// Returns the machine of the lifecycle.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        self.lifecycle.machine()
    }

    /// Returns the state of the lifecycle.
    #[must_use]
    pub fn state(&self) -> State {
        self.machine().state()
    }

    /// Returns step, simulated time and reset epoch.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.timeline.now()
    }

    /// Returns the services that all parts of the run share.
    #[must_use]
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Returns the configuration of the run.
    #[must_use]
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// Returns the simulated time after which the run stops.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.config.time_limit(self.timeline.width())
    }

    /// Returns the errors so far, in order.
    #[must_use]
    pub fn errors(&self) -> &[String] {
        self.record.errors()
    }

    /// Returns the loaded plugins.
    #[must_use]
    pub fn libraries(&self) -> &Libraries {
        &self.libraries
    }

    /// Prepares to reload the current world; its file is read again.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, or its file is missing; nothing has changed then.
    pub fn prepare_reload(&mut self, start_in: StartIn) -> Result<WorldRequest, LoadError> {
        let load = self.loaded.as_ref().map(|loaded| loaded.load.clone()).ok_or(LoadError::NoWorld)?;
        self.worlds.prepare(load, start_in)
    }

    /// Prepares the return to the world of the start, which a reset of everything includes. `None` if that world is
    /// loaded or loading, or if the host was started without one.
    pub fn prepare_return(&mut self, start_in: StartIn) -> Option<Result<WorldRequest, LoadError>> {
        let start = self.worlds.start()?.clone();
        let is_loading = self.machine().simulation_state() == SimulationState::LoadingWorld;
        let is_there = self.loaded.as_ref().is_some_and(|loaded| loaded.load == start);
        (!is_loading && !is_there).then(|| self.worlds.prepare(start, start_in))
    }

    /// Returns the loaded world with its plugins.
    #[must_use]
    pub fn loaded(&self) -> Option<&LoadedWorld> {
        self.loaded.as_ref()
    }

    /// Returns the loaded world with its plugins.
    pub fn loaded_mut(&mut self) -> Option<&mut LoadedWorld> {
        self.loaded.as_mut()
    }

    /// Returns the entities of the loaded world.
    #[must_use]
    pub fn world(&self) -> Option<Ref<'_, World>> {
        self.loaded.as_ref().map(|loaded| loaded.world.borrow())
    }

    /// Returns the entities of the loaded world, to change them.
    #[must_use]
    pub fn world_mut(&self) -> Option<RefMut<'_, World>> {
        self.loaded.as_ref().map(|loaded| loaded.world.borrow_mut())
    }

    /// Injects a message in JSON as if a peer had sent it: the next step latches it in. A missing topic is created if
    /// `creates` is true and its type is given.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, there is no such topic or type, or the text does not fit the type.
    pub fn publish_json(
        &mut self,
        topic: &str,
        type_name: &str,
        json: &str,
        creates: bool,
    ) -> Result<(), PublishError> {
        let type_name = Some(type_name).filter(|name| !name.is_empty());
        if self.loaded.is_some() && !creates && self.traffic.find_topic(topic).is_none() {
            return Err(PublishError::no_topic(topic, &self.shared.bus.all()));
        }
        self.inject(InternalPublisher::Control, topic, type_name, json)
    }

    /// Injects an encoded message of a topic as if a peer had sent it, like [`Self::publish_json`].
    pub fn publish_payload(&mut self, topic: u32, payload: Vec<u8>) {
        self.traffic.inject_payload(InternalPublisher::Control, topic, payload);
    }

    pub(super) fn inject(
        &mut self,
        publisher: InternalPublisher,
        topic: &str,
        type_name: Option<&str>,
        json: &str,
    ) -> Result<(), PublishError> {
        if self.loaded.is_none() {
            return Err(PublishError::NoWorld);
        }
        self.traffic.inject(publisher, topic, type_name, json)
    }

    /// Publishes a message of the host on a topic of the world, which is opened if it is missing. Without a world the
    /// message is dropped.
    ///
    /// # Errors
    /// Returns an error if the name is malformed.
    pub fn publish(
        &mut self,
        name: &str,
        data_type: &Arc<RegisteredType>,
        qos: Qos,
        payload: Vec<u8>,
    ) -> Result<(), BusError> {
        if self.loaded.is_none() {
            return Ok(());
        }
        self.traffic.publish(self.timeline.now(), name, data_type, qos, payload)
    }

    /// Attaches a bridge to the world (`world`) or a vehicle and connects it in the background. A bridge of that name
    /// that is attached already is disconnected first. Returns the label.
    ///
    /// # Errors
    /// Returns an error if there is no such bridge or vehicle, or the bridge refuses the connection string. Attached
    /// bridges stay attached then.
    pub fn connect_bridge(
        &mut self,
        vehicle: &str,
        bridge: &str,
        connection: &str,
    ) -> Result<String, AttachError> {
        let request = BridgeRequest::new(vehicle, bridge, connection, RequestOrigin::Control);
        let owner = if vehicle == WORLD {
            String::new()
        } else {
            let models = self.world();
            let models = models.iter().flat_map(|world| world.models().values());
            let names: Vec<_> =
                models.filter(|model| model.is_present).map(|model| model.name.clone()).collect();
            targets(&request, &names)?;
            vehicle.to_owned()
        };
        let checked = self.instances().check(&request);
        self.keep_library_problems();
        checked?;
        self.end_bridges(|known| known.vehicle == owner && known.request.name == bridge);
        self.attach(&request, &owner)?;
        self.traffic.bridges.connect(|known| known.vehicle == owner && known.is_new());
        self.expect_additions();
        let label = self.traffic.bridges.instances().last().map(|made| made.label.clone());
        Ok(label.unwrap_or_default())
    }

    /// Disconnects a bridge and removes it. Returns true if it was attached.
    pub fn disconnect_bridge(&mut self, label: &str) -> bool {
        let is_attached = self.traffic.bridges.instances().iter().any(|bridge| bridge.label == label);
        self.end_bridges(|bridge| bridge.label == label);
        is_attached
    }
}

/// Returns true if the world is in the state after a complete step. `is_done` means that the work of the lifecycle
/// state is done.
fn is_between_steps(state: State, is_done: bool) -> bool {
    match state {
        State::StepSimulator | State::StepController => false,
        // If the work of the step is done, but the step has not ended, a bridge holds the next one, perhaps for long.
        State::StepEnd => !is_done,
        State::StepBegin
        | State::NoWorld
        | State::Loading
        | State::Connect
        | State::Start
        | State::Pause
        | State::Resume
        | State::Success
        | State::Fail
        | State::Stop
        | State::Stopped
        | State::Reset
        | State::Abort
        | State::Disconnect
        | State::Quitting
        | State::Probe => true,
    }
}
