//! The extensions of a host, each as a method of its handle.

use super::{
    Actions, Bridges, Bus, Clock, Command, Contacts, Description, Dynamics, Entities, Environment,
    HostHandle, Joints, Kinematics, Lifecycle, Lockstep, Log, Model, Params, Report, Scene, ServiceCalls,
    Services, Stepping, Surfaces, Threads, World, WorldEdit,
};
use crate::error::Result;
use crate::messages::bridgehead_simulation_interfaces::ActionDescription;

impl HostHandle {
    /// The log.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn log(self) -> Result<Log> {
        Log::new(self)
    }

    /// The bridges of the vehicle.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn bridges(self) -> Result<Bridges> {
        Bridges::new(self)
    }

    /// The simulated clock.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn clock(self) -> Result<Clock> {
        Clock::new(self)
    }

    /// The instance's parameters.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn params(self) -> Result<Params> {
        Params::new(self)
    }

    /// Topics.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn bus(self) -> Result<Bus> {
        Bus::new(self)
    }

    /// Services.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn services(self) -> Result<Services> {
        Services::new(self)
    }

    /// Calls of services.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn service_calls(self) -> Result<ServiceCalls> {
        ServiceCalls::new(self)
    }

    /// The model the instance is attached to.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn model(self) -> Result<Model> {
        Model::new(self)
    }

    /// The moving world.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn world(self) -> Result<World> {
        World::new(self)
    }

    /// Commands to the world.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn command(self) -> Result<Command> {
        Command::new(self)
    }

    /// Where the world stands and what fills it.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn environment(self) -> Result<Environment> {
        Environment::new(self)
    }

    /// Every model of the world.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn entities(self) -> Result<Entities> {
        Entities::new(self)
    }

    /// What touches the model.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn contacts(self) -> Result<Contacts> {
        Contacts::new(self)
    }

    /// Frames of joints and the forces in them.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn joints(self) -> Result<Joints> {
        Joints::new(self)
    }

    /// Changes of what the world consists of.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn world_edit(self) -> Result<WorldEdit> {
        WorldEdit::new(self)
    }

    /// Masses and volumes of links, and forces at points.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn dynamics(self) -> Result<Dynamics> {
        Dynamics::new(self)
    }

    /// Friction of collisions that changes during a run.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn surfaces(self) -> Result<Surfaces> {
        Surfaces::new(self)
    }

    /// Links whose motion a plugin prescribes.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: bridges do not get it.
    pub fn kinematics(self) -> Result<Kinematics> {
        Kinematics::new(self)
    }

    /// What the world consists of.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn description(self) -> Result<Description> {
        Description::new(self)
    }

    /// What the world looks like.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn scene(self) -> Result<Scene> {
        Scene::new(self)
    }

    /// Returns the action whose goals a service accepts; `None` for all other services, and if the host is older than
    /// this extension. `[any]`
    ///
    /// # Errors
    /// Returns the errors of [`Actions::read`].
    pub fn action_of_service(self, service: &str) -> Result<Option<ActionDescription>> {
        self.actions().map_or(Ok(None), |actions| actions.of_service(service))
    }

    /// The actions of the run.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn actions(self) -> Result<Actions> {
        Actions::new(self)
    }

    /// Facts that only the instance knows.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn report(self) -> Result<Report> {
        Report::new(self)
    }

    /// Reports and requests.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn lifecycle(self) -> Result<Lifecycle> {
        Lifecycle::new(self)
    }

    /// Exact feeding of commands.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: only bridges get it.
    pub fn lockstep(self) -> Result<Lockstep> {
        Lockstep::new(self)
    }

    /// Steps that wait for a live peer.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it: only bridges get it.
    pub fn stepping(self) -> Result<Stepping> {
        Stepping::new(self)
    }

    /// Threads that the host names and joins.
    ///
    /// # Errors
    /// Returns an error if the host does not offer it.
    pub fn threads(self) -> Result<Threads> {
        Threads::new(self)
    }
}
