//! What was read from a file, as JSON, for debugging and for comparison with other SDF readers.
//!
//! Poses are `x y z qw qx qy qz` in the world with qw not below 0, metres; inertia is `ixx iyy izz ixy ixz
//! iyz`; nested models have scoped names (`arm::hand`); an infinite number is a text, because JSON has none.
//! Plain values.

mod appearance;
mod model;
mod shape;
mod value;

use serde_json::{Map, Value, json};

use super::diagnostic::{Diagnostic, Severity};
use super::element::Physics;
use super::load::{LoadError, Loaded};
use super::reader::Root;
use super::resolved::World;
use bridgehead_pose::Pose;
use value::{number, pose, vector};

/// Returns everything that was read from a file.
///
/// `ok` is the verdict by the standard: no finding is an error. `load_errors` contains the errors,
/// `diagnostics` every finding.
#[must_use]
pub fn reading(file: &str, outcome: &Result<Loaded, LoadError>) -> Value {
    let mut object = verdict(file, outcome);
    object.insert("worlds".to_owned(), json!([]));
    if let Ok(loaded) = outcome {
        match &loaded.root {
            Root::World(_) => {
                object.insert("worlds".to_owned(), json!([world(&loaded.world)]));
            }
            Root::Model(_) => {
                let model = loaded.world.models.first().map(model::model);
                object.insert("model".to_owned(), model.unwrap_or_default());
            }
            Root::Light(_) => {
                let light =
                    loaded.world.lights.first().map(|light| appearance::light(light, &Pose::IDENTITY));
                object.insert("light".to_owned(), light.unwrap_or_default());
            }
            Root::Actor(actor) => {
                object.insert("actor".to_owned(), json!(actor.name));
            }
        }
    }
    Value::Object(object)
}

/// Returns the verdict on a file with all findings, without the content.
#[must_use]
pub fn verdict(file: &str, outcome: &Result<Loaded, LoadError>) -> Map<String, Value> {
    let findings = findings(outcome);
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let errors: Vec<_> =
        errors.map(|error| json!({ "code": error.code.number(), "message": error.found })).collect();
    let mut object = Map::new();
    object.insert("file".to_owned(), json!(file));
    object.insert("ok".to_owned(), json!(errors.is_empty()));
    object.insert("load_errors".to_owned(), json!(errors));
    object.insert("diagnostics".to_owned(), findings.into_iter().map(finding).collect());
    if let Ok(loaded) = outcome {
        object.insert("version".to_owned(), json!(loaded.document.root().attribute("version")));
    }
    object
}

/// Returns every finding about a file, the fatal one last.
#[must_use]
pub fn findings(outcome: &Result<Loaded, LoadError>) -> Vec<&Diagnostic> {
    match outcome {
        Ok(loaded) => loaded.diagnostics.iter().collect(),
        Err(error) => error.diagnostics.iter().chain([&*error.cause]).collect(),
    }
}

fn finding(finding: &Diagnostic) -> Value {
    let Diagnostic { severity, code, location, found, expected, hint, loses_part: _ } = finding;
    let mut object = json!({
        "severity": severity.to_string(),
        "code": code.to_string(),
        "found": found,
        "expected": expected,
        "hint": hint,
    });
    if let Some(location) = location {
        object["file"] = json!(location.file.as_ref());
        object["line"] = json!(location.line);
        object["column"] = json!(location.column);
        object["path"] = json!(location.path);
    }
    object
}

fn world(world: &World) -> Value {
    let origin = world.environment.origin;
    let mut object = json!({
        "name": world.name,
        "scene": appearance::scene(&world.scene),
        "gravity": vector(world.gravity),
        "magnetic_field": vector(world.magnetic_field),
        "physics": profiles(world),
        "models": world.models.iter().map(model::model).collect::<Vec<_>>(),
        "joints": world.joints.iter().map(|joint| model::world_joint(world, joint)).collect::<Vec<_>>(),
        "frames": world.frames.iter().map(|frame| json!({
            "name": frame.element.name,
            "pose_world": pose(&frame.pose),
            "attached_to": model::carrier_name(world, frame),
        })).collect::<Vec<_>>(),
        "actors": world.actors.iter().map(|actor| json!({
            "name": actor.element.name,
            "pose_raw": pose(&actor.element.pose.pose),
            "pose_world": pose(&actor.model.pose),
            "trajectories": actor.element.trajectories.len(),
            "animations": actor.element.animations.len(),
        })).collect::<Vec<_>>(),
        "lights": world.lights.iter().map(|light| appearance::light(light, &Pose::IDENTITY)).collect::<Vec<_>>(),
    });
    if let Some(origin) = origin {
        object["spherical"] = json!([
            number(origin.latitude.to_degrees()),
            number(origin.longitude.to_degrees()),
            number(origin.elevation),
            number(origin.heading.to_degrees()),
        ]);
    }
    object
}

/// All profiles; the default one if the file has none.
fn profiles(world: &World) -> Value {
    if world.profiles.is_empty() {
        let (name, engine) = ("default_physics".to_owned(), "ode".to_owned());
        let default = Physics { name, engine, ..world.physics.clone() };
        return json!([physics(&default)]);
    }
    world.profiles.iter().map(physics).collect()
}

fn physics(physics: &Physics) -> Value {
    json!({
        "name": physics.name,
        "default": physics.is_default,
        "engine": physics.engine,
        "max_step_size": number(physics.max_step_size),
        "real_time_factor": number(physics.real_time_factor),
    })
}

#[cfg(test)]
mod tests;
