//! Runs scenes in this project's physics, without plugins.

use std::path::Path;

use bridgehead_host::world::{Built, World, WorldCommand, build};
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{self as sdf, SearchPath};
use serde_json::Value;

use crate::Outcome;
use crate::drives::Drive;
use crate::motion::{Motion, State};

/// Length of a step, seconds.
pub(crate) const STEP: f64 = 0.001;
/// Steps between two samples.
const EVERY: u32 = 10;

/// A loaded scene with its commands given.
pub(crate) struct Scene {
    pub(crate) world: World,
    seconds: f64,
    /// Joints whose commands change.
    drives: Vec<(u32, Drive)>,
}

impl Scene {
    /// Loads a scene; `about` is its entry of the index that the peers write.
    pub(crate) fn load(path: &Path, about: &Value) -> Outcome<Self> {
        let loaded = sdf::load(path, &SearchPath::default(), &sdf::Budget::default())?;
        let built = build(&loaded.world, STEP, 1)?;
        if let Some(problem) = built.problems.first() {
            return Err(problem.clone().into());
        }
        let seconds = about["seconds"].as_f64().ok_or("no seconds")?;
        let (velocities, mut drives) = (velocities(&built, about)?, drives(&built, about)?);
        let mut world = built.world;
        for command in velocities {
            world.queue(command)?;
        }
        for (joint, drive) in &drives {
            world.queue(WorldCommand::Joint(*joint, drive.at(0.0)))?;
        }
        drives.retain(|(_, drive)| drive.changes());
        Ok(Scene { world, seconds, drives })
    }

    /// Runs the scene to its end.
    pub(crate) fn motion(mut self, about: &Value) -> Outcome<Motion> {
        let mut motion = Motion::default();
        let names: Vec<String> = list(&about["bodies"]).map(|body| scoped(body, "name")).collect();
        let steps = count(self.seconds, STEP);
        // Velocities are set at the beginning of the first step.
        for step in 0..=steps {
            let time = f64::from(step) * STEP;
            if step % EVERY == 0 || step == steps {
                motion.times.push(time);
                self.sample(&names, &mut motion)?;
            }
            if step < steps {
                self.drive(time)?;
                self.world.step()?;
            }
        }
        Ok(motion)
    }

    /// Commands the joints whose commands change.
    fn drive(&mut self, time: f64) -> Outcome {
        for (joint, drive) in &self.drives {
            self.world.queue(WorldCommand::Joint(*joint, drive.at(time)))?;
        }
        Ok(())
    }

    /// Appends the states of all bodies.
    fn sample(&self, names: &[String], motion: &mut Motion) -> Outcome {
        for name in names {
            let link = self.world.find_link(name).ok_or_else(|| format!("no link {name}"))?;
            let state = self.world.link_state(link).ok_or("no state")?;
            let state = State { pose: state.pose, velocity: state.linear, spin: state.angular };
            motion.bodies.entry(name.clone()).or_default().push(state);
        }
        Ok(())
    }
}

/// Number of steps in a time.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
pub(crate) fn count(seconds: f64, step: f64) -> u32 {
    (seconds / step).round() as u32
}

pub(crate) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn scoped(entry: &Value, key: &str) -> String {
    format!("{}::{}", entry["model"].as_str().unwrap_or_default(), entry[key].as_str().unwrap_or_default())
}

fn vector(value: &Value) -> Outcome<DVec3> {
    Ok(DVec3::from_array(serde_json::from_value(value.clone())?))
}

/// Commands that set the velocities of the bodies.
fn velocities(built: &Built, about: &Value) -> Outcome<Vec<WorldCommand>> {
    let mut commands = Vec::new();
    for body in list(&about["bodies"]) {
        let (linear, angular) = (vector(&body["velocity"])?, vector(&body["spin"])?);
        if linear != DVec3::ZERO || angular != DVec3::ZERO {
            let link = built.world.find_link(&scoped(body, "name")).ok_or("no link")?;
            commands.push(WorldCommand::Velocity { link, linear, angular });
        }
    }
    Ok(commands)
}

/// The joints that are driven.
fn drives(built: &Built, about: &Value) -> Outcome<Vec<(u32, Drive)>> {
    let mut drives = Vec::new();
    for joint in list(&about["joints"]) {
        let Some(drive) = Drive::read(joint) else { continue };
        let model =
            joint["model"].as_str().and_then(|model| built.attachments.get(model)).ok_or("no model")?;
        let facts = model.joints.iter().find(|facts| Some(facts.name.as_str()) == joint["name"].as_str());
        drives.push((facts.ok_or_else(|| format!("no joint {}", joint["name"]))?.joint, drive));
    }
    Ok(drives)
}
