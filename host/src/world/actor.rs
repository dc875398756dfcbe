//! Actors: models that a script leads, whatever stands in their way.
//!
//! Where an actor is follows from the time since the world began and from nothing else, so that a reset and a snapshot
//! keep no more of it than that time. Runs on the simulation thread.

mod script;

use super::World;

use bridgehead_physics::PhysicsError;
use bridgehead_sdf::element;
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::{Actor, Link, Model};
use script::{Script, is_same};

/// Name of the link that carries the frame of an actor without links of its own.
const FRAME: &str = "frame";

/// An actor of the world.
#[derive(Debug)]
pub(super) struct Led {
    /// Its model.
    model: usize,
    /// Handle of each of its links, and where it stands in the frame of the actor.
    links: Vec<(u32, Pose)>,
    script: Script,
}

/// What an actor is as a model: kinematic links, where its script begins. One without links has a body without
/// shapes, which nothing touches and nothing sees.
pub(crate) fn model_of(actor: &Actor) -> Model {
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
    /// Lets a script lead a model that was made with [`model_of`] the same actor. `handles` are those of its links.
    pub(super) fn lead(&mut self, model: usize, actor: &Actor, handles: &[u32]) -> Result<(), PhysicsError> {
        let Some(entity) = self.models.get_mut(model) else { return Ok(()) };
        entity.is_actor = true;
        let Some(physics) = entity.physics else { return Ok(()) };
        self.physics.make_kinematic(physics)?;
        let poses = actor.model.links.iter().map(|link| link.pose).chain([Pose::IDENTITY]);
        let links = handles.iter().copied().zip(poses).collect();
        self.actors.push(Led { model, links, script: Script::new(&actor.element, &actor.model.pose) });
        Ok(())
    }

    /// Sends every actor on its way through the coming step.
    pub(super) fn lead_actors(&mut self) -> Result<(), PhysicsError> {
        let actors = std::mem::take(&mut self.actors);
        let width = self.step_width_ns();
        let (now, then) = (self.steps.saturating_mul(width), (self.steps + 1).saturating_mul(width));
        let led = actors.iter().try_for_each(|actor| self.lead_actor(actor, now, then));
        self.actors = actors;
        led
    }

    fn lead_actor(&mut self, actor: &Led, now: u64, then: u64) -> Result<(), PhysicsError> {
        if !self.models.get(actor.model).is_some_and(|model| model.is_present) {
            return Ok(());
        }
        let stretch = actor.script.stretch(now, then);
        // Who is carried off by a bond, or jumps, arrives without the speed of the way.
        let is_there = self.model_pose(actor.model).is_some_and(|pose| is_same(&pose, &stretch.from));
        if stretch.jumps || !is_there {
            self.place_model(actor.model, stretch.to)?;
        }
        for (link, pose) in &actor.links {
            let Some(link) = self.links.get(*link) else { continue };
            self.physics.set_kinematic_target(link.physics, stretch.to * *pose)?;
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
