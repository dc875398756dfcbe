//! Actors: kinematic models that follow a script and ignore obstacles.
//!
//! The pose of an actor depends only on the time since the world began, so resets and snapshots need only that time.
//! Runs on the simulation thread.

pub(super) mod script;

use bridgehead_physics::PhysicsError;
use bridgehead_sdf::element;
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::{Actor, Link, Model};

pub(super) use script::ScriptedActor;

use super::world::World;
use script::{Script, is_same};

/// Name of the link that carries the frame of an actor without links.
const FRAME: &str = "frame";

/// Returns the model of an actor: kinematic links at the start pose of its script. An actor without links gets a body
/// without shapes, invisible to contacts and rays.
pub fn model_of(actor: &Actor) -> Model {
    let mut model = actor.model.clone();
    if model.links.is_empty() {
        model.links.push(frame_link(actor));
        model.canonical_link = Some(0);
    }
    model.links.iter_mut().for_each(|link| link.kinematic = true);
    model.place_at(Script::new(&actor.element, &actor.model.pose).pose(0));
    model
}

fn frame_link(actor: &Actor) -> Link {
    let written = element::Link::default();
    Link {
        name: FRAME.to_owned(),
        pose: Pose::IDENTITY,
        is_static: false,
        inertial: written.inertial,
        gravity: written.gravity,
        enable_wind: false,
        kinematic: true,
        self_collide: false,
        velocity_decay: written.velocity_decay,
        collisions: Vec::new(),
        visuals: Vec::new(),
        sensors: Vec::new(),
        lights: Vec::new(),
        batteries: Vec::new(),
        origin: actor.element.origin.clone(),
    }
}

impl World {
    /// Lets a model, created with [`model_of`], follow the script of its actor. `handles` are those of its links.
    pub(super) fn add_scripted_actor(
        &mut self,
        model: usize,
        actor: &Actor,
        handles: &[u32],
    ) -> Result<(), PhysicsError> {
        let Some(entity) = self.models.get_mut(model) else { return Ok(()) };
        entity.is_actor = true;
        let Some(physics) = entity.physics else { return Ok(()) };
        self.physics.make_kinematic(physics)?;
        let poses = actor.model.links.iter().map(|link| link.pose).chain([Pose::IDENTITY]);
        let links = handles.iter().copied().zip(poses).collect();
        self.actors.push(ScriptedActor {
            model,
            links,
            script: Script::new(&actor.element, &actor.model.pose),
        });
        Ok(())
    }

    /// Sets the targets of all actors for the coming step.
    pub(super) fn move_actors(&mut self) -> Result<(), PhysicsError> {
        let actors = std::mem::take(&mut self.actors);
        let width = self.step_width_ns();
        let (now, then) = (self.steps.saturating_mul(width), (self.steps + 1).saturating_mul(width));
        let moved = actors.iter().try_for_each(|actor| self.move_actor(actor, now, then));
        self.actors = actors;
        moved
    }

    fn move_actor(&mut self, actor: &ScriptedActor, now: u64, then: u64) -> Result<(), PhysicsError> {
        let is_present = self.models.get(actor.model).is_some_and(|model| model.is_present);
        if !is_present || self.led_models.contains(&actor.model) {
            return Ok(());
        }
        let segment = actor.script.segment(now, then);
        // An actor that jumps, or that a bond has moved, is placed without velocity.
        let is_there = self.model_pose(actor.model).is_some_and(|pose| is_same(&pose, &segment.from));
        if segment.jumps || !is_there {
            self.place_model(actor.model, segment.to)?;
        }
        for (link, pose) in &actor.links {
            let Some(link) = self.links.get(*link) else { continue };
            self.physics.set_kinematic_target(link.physics, segment.to * *pose)?;
        }
        Ok(())
    }

    fn step_width_ns(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a step is positive and short"
        )]
        let width = (self.step_width() * 1e9).round() as u64;
        width
    }
}

#[cfg(test)]
mod tests;
