//! Spawns in progress: models are prepared on a thread of their own, and inserted between two steps.
//!
//! One request is prepared at a time, so that entities appear in the order of their requests. The run goes on meanwhile,
//! and other calls are answered; only the first step after a pause waits for the spawns that were requested in it, so
//! that equal commands between equal steps give equal runs. A spawn whose world is gone is refused.

use std::collections::VecDeque;
use std::sync::Arc;

use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_sdf::Cancel;

use super::listeners::Listeners;
use super::ongoing::Ongoing;
use super::spawn_request::{Prepared, insert, placement_of, prepare, refusal, refused, resource_of};
use crate::sim::{Background, Simulation};
use crate::world::entities::SpawnError;
use crate::world::reading_budget;

/// Answers the call with one result for each requested entity.
type Finish = Box<dyn FnOnce(Vec<si::SpawnResult>)>;

/// A request for entities that are not in the world yet.
struct Order {
    entities: Vec<si::SpawnEntity>,
    /// The number of the world they are for.
    world: u64,
    /// Whether the next step waits for them.
    is_expected: bool,
    finish: Finish,
}

/// The spawns in progress, in the order of their requests.
#[derive(Default)]
pub(super) struct Spawns {
    waiting: VecDeque<Order>,
    /// The first one, which is being prepared.
    current: Option<(Order, Background<Vec<Prepared>>)>,
}

impl Spawns {
    /// Adds a request. If none of its entities can be spawned, whatever their models are, it is answered at once.
    pub(super) fn add(
        &mut self,
        simulation: &mut Simulation,
        entities: Vec<si::SpawnEntity>,
        finish: Finish,
    ) {
        let obvious: Vec<_> = entities.iter().map(|asked| obvious_error(simulation, asked)).collect();
        if obvious.iter().all(Option::is_some) {
            let results = obvious.into_iter().flatten().map(|error| refused(refusal(&error)));
            return finish(results.collect());
        }
        let (world, is_expected) = (simulation.worlds.number(), simulation.expect_spawn());
        self.waiting.push_back(Order { entities, world, is_expected, finish });
        self.follow(simulation);
    }

    /// Inserts what is prepared, and prepares the next request.
    fn follow(&mut self, simulation: &mut Simulation) {
        if let Some((order, task)) = self.current.take() {
            match task.take() {
                _ if order.is_outdated(simulation) => order.refuse(simulation, &SpawnError::WorldGone),
                None => self.current = Some((order, task)),
                Some(Ok(prepared)) => order.insert(simulation, prepared),
                Some(Err(panic)) => order.refuse(simulation, &SpawnError::NotPrepared(panic)),
            }
        }
        while self.current.is_none()
            && let Some(order) = self.waiting.pop_front()
        {
            self.begin(simulation, order);
        }
    }

    /// Begins to prepare the models of a request.
    fn begin(&mut self, simulation: &mut Simulation, order: Order) {
        if order.is_outdated(simulation) {
            return order.refuse(simulation, &SpawnError::WorldGone);
        }
        let Some(mut kit) = simulation.world().map(|world| world.spawn_kit()) else { return };
        let library = Arc::clone(simulation.worlds.library());
        let resources: Vec<_> =
            order.entities.iter().map(|asked| resource_of(asked.entity_resource.as_ref())).collect();
        let budget = |cancel: &Cancel| reading_budget().cancelled_by(cancel);
        let work = move |cancel: &Cancel| {
            let wanted = resources.iter().take_while(|_| !cancel.is_cancelled());
            wanted.map(|resource| prepare(&library, &mut kit, resource, &budget(cancel))).collect()
        };
        match Background::start("spawn", simulation.shared(), work) {
            Ok(task) => self.current = Some((order, task)),
            Err(error) => order.refuse(simulation, &SpawnError::NotPrepared(error.to_string())),
        }
    }
}

impl Ongoing for Spawns {
    fn is_idle(&self) -> bool {
        self.current.is_none() && self.waiting.is_empty()
    }

    fn go_on(&mut self, simulation: &mut Simulation, _: &mut Listeners) {
        self.follow(simulation);
    }

    fn may_change_view(&self) -> bool {
        true
    }
}

impl Order {
    /// Returns true if its world was unloaded or replaced.
    fn is_outdated(&self, simulation: &Simulation) -> bool {
        simulation.world().is_none() || simulation.worlds.number() != self.world
    }

    fn insert(self, simulation: &mut Simulation, prepared: Vec<Prepared>) {
        let pairs = self.entities.iter().zip(prepared);
        let results = pairs.map(|(asked, prepared)| insert(simulation, asked, prepared)).collect();
        self.end(simulation, results);
    }

    fn refuse(self, simulation: &mut Simulation, error: &SpawnError) {
        let results = self.entities.iter().map(|_| refused(refusal(error))).collect();
        self.end(simulation, results);
    }

    fn end(self, simulation: &mut Simulation, results: Vec<si::SpawnResult>) {
        if self.is_expected && !self.is_outdated(simulation) {
            simulation.end_expected_spawn();
        }
        (self.finish)(results);
    }
}

/// Returns the error of a request that is wrong whatever its model is.
fn obvious_error(simulation: &Simulation, asked: &si::SpawnEntity) -> Option<SpawnError> {
    let Some(world) = simulation.world() else { return Some(SpawnError::NoWorld) };
    match world.check_placement(&placement_of(simulation, asked)) {
        Err(error @ (SpawnError::NameInvalid(_) | SpawnError::NamespaceInvalid(_))) => Some(error),
        // Some errors of the resource come before those of the pose.
        Ok(()) | Err(_) => None,
    }
}
