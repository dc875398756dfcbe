//! Lets an actor walk to goals that it gets at run time, or at random, like CLOiSim's actor plugin.
//!
//! [`Walk`] is the motion in the plane; this file connects it with the links of the actor. Runs on the simulation thread.

mod walk;

use bridgehead_plugin_api::host::{
    Entities, HostHandle, Kinematics, LinkId, Params, Pose, Qos, Subscription,
};
use bridgehead_plugin_api::messages::geometry_msgs::PoseStamped;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result, export_plugin};
use serde::{Deserialize, Serialize};

use crate::walk::{Gait, Walk};

export_plugin! {
    model Actor { id: "org.bridgehead.controller.actor", name: "actor", vendor: "Bridgehead" }
}

/// How far an actor walks at random, metres, as in CLOiSim.
const RANDOM_WAY: f64 = 5.0;
/// The farthest goal, metres.
const FARTHEST: f64 = 1e6;

/// What it remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    /// The motion since the first goal; the script of the actor counts before.
    walk: Option<Walk>,
    /// Height of the actor while it walks, metres.
    height: f64,
    /// Number of random goals so far.
    goals: u64,
}

/// One actor.
struct Actor {
    entities: Entities,
    kinematics: Kinematics,
    name: String,
    /// Links with their poses in the actor.
    links: Vec<(LinkId, Pose)>,
    gait: Gait,
    /// True if it walks at random while it has no goal.
    is_restless: bool,
    random: RandomKey,
    goals: Subscription<PoseStamped>,
    state: State,
    has_warned: bool,
}

impl ModelPlugin for Actor {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let attachment = model.attachment()?;
        let links: Vec<(LinkId, Pose)> = model.links().iter().map(|link| (link.id, link.pose)).collect();
        if links.is_empty() {
            return Err(Error::invalid("actor moves an actor; put its <plugin> into an <actor>"));
        }
        // Names of animations, which are not drawn.
        ["motion", "activity_zone"].into_iter().for_each(|path| params.take_whole(path));
        let topic = params.text("topic").unwrap_or_else(|| "goal".to_owned());
        Ok(Actor {
            entities: host.entities()?,
            kinematics: host.kinematics()?,
            links,
            gait: gait(params)?,
            is_restless: is_restless(params)?,
            random: RandomKey::new(attachment.seed, &attachment.path),
            goals: host.bus()?.subscribe(&topic, Qos::default())?,
            name: attachment.vehicle,
            state: State::default(),
            has_warned: false,
        })
    }

    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        if scope.covers_state() {
            self.state = State::default();
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.state = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(received) = self.goals.take_latest() {
            self.take(&received.message);
        }
        if self.is_restless && self.state.walk.is_none_or(|walk| walk.has_arrived()) {
            self.stroll();
        }
        let Some(walk) = &mut self.state.walk else { return Ok(Flow::Continue) };
        walk.advance(self.gait, step.width());
        let pose = walk.pose(self.state.height);
        for (link, place) in &self.links {
            self.kinematics.move_link(*link, pose.compose(*place))?;
        }
        Ok(Flow::Continue)
    }
}

impl Actor {
    /// Takes a goal. Goals with invalid numbers are ignored; the first one is logged.
    fn take(&mut self, goal: &PoseStamped) {
        let position = goal.pose.and_then(|pose| pose.position).unwrap_or_default();
        if [position.x, position.y].iter().all(|number| number.abs() <= FARTHEST) {
            self.set_goal([position.x, position.y]);
        } else if !std::mem::replace(&mut self.has_warned, true) {
            log::warn!(
                "ignored the goal ({}, {}): expected numbers up to {FARTHEST:e} m; further ones are ignored without a warning",
                position.x,
                position.y
            );
        }
    }

    fn set_goal(&mut self, goal: [f64; 2]) {
        if self.state.walk.is_none() {
            let Some(entity) = self.entities.find(&self.name) else { return };
            self.state.walk = Some(Walk::from(entity.pose));
            self.state.height = entity.pose.position[2];
        }
        if let Some(walk) = &mut self.state.walk {
            walk.set_goal(goal);
        }
    }

    /// Sets a goal in a random direction.
    fn stroll(&mut self) {
        let Some(entity) = self.entities.find(&self.name) else { return };
        let direction = std::f64::consts::TAU * self.random.sample(self.state.goals).uniform();
        self.state.goals += 1;
        let ([x, y, _], (sin, cos)) = (entity.pose.position, libm::sincos(direction));
        self.set_goal([x + RANDOM_WAY * cos, y + RANDOM_WAY * sin]);
    }
}

fn gait(params: Params) -> Result<Gait> {
    let number = |name: &str, default| params.positive_or(&format!("default/steering/{name}"), default);
    Ok(Gait {
        speed: number("speed", 1.0)?,
        turn: number("angular_speed", 2.09)?,
        acceleration: number("acceleration", 8.0)?,
    })
}

fn is_restless(params: Params) -> Result<bool> {
    const PATH: &str = "default/motion";
    match params.text(PATH).as_deref() {
        None | Some("" | "manual") => Ok(false),
        Some("random") => Ok(true),
        Some(other) => Err(params.refuse(PATH, other, "`random` or `manual`")),
    }
}

#[cfg(test)]
mod tests;
