//! The snapshot for readers: the state of the world after the last complete step. Immutable, shared by all its readers.

use std::sync::Arc;

use bridgehead_lifecycle::{SimulationState, State};
use bridgehead_plugin_api::messages::{geometry_msgs, simulation_interfaces as si, std_msgs};
use bridgehead_scene::message::{pose, vector};
use bridgehead_sdf::pose::{DVec3, Pose};

use super::features::Features;
use super::message::{info_message, pose_bounds, stamp};
use crate::description::Description;
use crate::sim::Simulation;
use crate::world::World;
use crate::world::entities::{EntityCursor, Motion, NamedPose};

/// The run at one moment.
#[derive(Clone, Debug)]
pub struct View {
    /// State of the lifecycle.
    pub state: State,
    /// The same state in terms of `simulation_interfaces`.
    pub simulation_state: SimulationState,
    /// Steps since the last reset of time.
    pub step: u64,
    /// Simulated time, nanoseconds.
    pub time_ns: i64,
    /// Resets so far.
    pub reset_epoch: u32,
    /// Whether a world is loaded. While a world loads, it has no entities for readers, although its bridges may be
    /// connecting already.
    pub has_world: bool,
    /// Names and information of the entities; shared by all views until one is added, removed or described again.
    pub entity_facts: Arc<EntityFacts>,
    /// Their poses and motions, in the order of the entity facts.
    pub entities: Vec<EntityView>,
    /// Features of this host.
    pub features: Arc<Features>,
    /// Name of the world frame in messages.
    pub frame: Arc<str>,
    /// The description of the world; always the newest.
    pub description: Arc<Description>,
}

/// Facts that change only when entities are added, removed or described again.
#[derive(Clone, Debug, Default)]
pub struct EntityFacts {
    /// Identifies the facts: the world has another mark as soon as these facts are outdated.
    mark: Arc<()>,
    /// Names, in the order in which the entities were added.
    pub names: Vec<String>,
    /// Information about each.
    pub infos: Vec<si::EntityInfo>,
    /// Named poses of the world.
    pub poses: Vec<Named>,
    /// Handles for fast reads of each entity.
    cursors: Vec<EntityCursor>,
}

/// A named pose with its bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The pose in the world.
    pub pose: si::NamedPose,
    /// The bounds around it.
    pub bounds: si::Bounds,
}

/// Pose and motion of an entity.
#[derive(Clone, Copy, Debug)]
pub struct EntityView {
    /// Pose of the model frame in the world.
    pub pose: Pose,
    /// Velocity of its origin, world frame, m/s.
    pub linear: DVec3,
    /// Angular velocity, world frame, rad/s.
    pub angular: DVec3,
    /// Acceleration of its origin, world frame, m/s².
    pub linear_acceleration: DVec3,
    /// Angular acceleration, world frame, rad/s².
    pub angular_acceleration: DVec3,
}

impl View {
    /// Returns the view of the run at this moment. It reuses the entity facts of the previous view, and its memory if no
    /// reader holds it any more. The simulation waits for this, so it only copies numbers; readers make the messages.
    pub(super) fn of(simulation: &Simulation, features: &Arc<Features>, last: Option<Arc<View>>) -> Self {
        let (machine, now) = (simulation.machine(), simulation.now());
        let is_loading = machine.simulation_state() == SimulationState::LoadingWorld;
        let world = simulation.world().filter(|_| !is_loading);
        let frame = last.as_ref().map_or_else(
            || simulation.config().control.frame.as_str().into(),
            |last| Arc::clone(&last.frame),
        );
        let (known, mut entities) = match last.map(Arc::try_unwrap) {
            Some(Ok(View { entity_facts, entities, .. })) => (Some(entity_facts), entities),
            Some(Err(read)) => {
                (Some(Arc::clone(&read.entity_facts)), Vec::with_capacity(read.entities.len()))
            }
            None => (None, Vec::new()),
        };
        entities.clear();
        let entity_facts = match &world {
            Some(world) => {
                let known = known.filter(|known| Arc::ptr_eq(&known.mark, world.entity_revision()));
                let entity_facts = known.unwrap_or_else(|| Arc::new(EntityFacts::of(world)));
                let motions = entity_facts.cursors.iter().map(|cursor| world.motion(cursor));
                entities.extend(motions.map(EntityView::of));
                entity_facts
            }
            None => Arc::default(),
        };
        View {
            state: machine.state(),
            simulation_state: machine.simulation_state(),
            step: now.step,
            time_ns: now.time_ns,
            reset_epoch: now.reset_epoch,
            has_world: world.is_some(),
            entity_facts,
            entities,
            features: Arc::clone(features),
            frame,
            description: Arc::clone(&simulation.shared().description),
        }
    }

    /// Returns the index of an entity in the entity facts.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.entity_facts.names.iter().position(|known| known == name)
    }

    /// Returns the state of an entity as a message, in the world frame and at the time of the view.
    #[must_use]
    pub fn entity_state(&self, index: usize) -> Option<si::EntityState> {
        Some(entity_state(self.header(), self.entities.get(index)?))
    }

    /// Returns the header of messages in the world frame at the time of the view.
    #[must_use]
    pub fn header(&self) -> std_msgs::Header {
        std_msgs::Header { stamp: Some(stamp(self.time_ns)), frame_id: self.frame.as_ref().to_owned() }
    }
}

/// Returns the pose and motion of an entity as a message with this header.
pub(super) fn entity_state(header: std_msgs::Header, entity: &EntityView) -> si::EntityState {
    si::EntityState {
        header: Some(header),
        pose: Some(pose(&entity.pose)),
        twist: Some(geometry_msgs::Twist {
            linear: Some(vector(entity.linear)),
            angular: Some(vector(entity.angular)),
        }),
        acceleration: Some(geometry_msgs::Accel {
            linear: Some(vector(entity.linear_acceleration)),
            angular: Some(vector(entity.angular_acceleration)),
        }),
    }
}

impl EntityFacts {
    /// Creates the entity facts of the current entities.
    fn of(world: &World) -> Self {
        EntityFacts {
            mark: Arc::clone(world.entity_revision()),
            names: world.entities().map(|entity| entity.model.name.clone()).collect(),
            infos: world.entities().map(|entity| info_message(&entity.model.info)).collect(),
            poses: world.named_poses().iter().map(named).collect(),
            cursors: world.entity_cursors().collect(),
        }
    }
}

impl EntityView {
    fn of(motion: Motion) -> Self {
        EntityView {
            pose: motion.pose,
            linear: motion.linear,
            angular: motion.angular,
            linear_acceleration: motion.acceleration.linear,
            angular_acceleration: motion.acceleration.angular,
        }
    }
}

fn named(named: &NamedPose) -> Named {
    Named {
        pose: si::NamedPose {
            name: named.name.clone(),
            description: named.description.clone(),
            tags: named.tags.clone(),
            pose: Some(pose(&named.pose)),
        },
        bounds: pose_bounds(named.bounds),
    }
}
