//! Worlds: surroundings, physics profiles, and everything in them.

use super::actor::actor;
use super::children::check_children;
use super::context::Context;
use super::entity::named_poses;
use super::environment::environment;
use super::include::{Included, include};
use super::joint::joint;
use super::light::lights;
use super::merge::merge_into_world;
use super::model::{frame, model};
use super::names::{Names, name};
use super::plugin::plugins;
use super::report::Report;
use super::scene::scene;
use super::value::{flag_attribute, number, positive, vector3};
use crate::document::Element;
use crate::element::{Physics, World};
use glam::DVec3;

/// A `<world>`, with everything in it.
pub(super) fn world(element: Element<'_>, context: &mut Context<'_>) -> World {
    check_children(element, &mut context.report);
    let report = &mut context.report;
    let mut world = World {
        name: name(element, report),
        environment: environment(element, report),
        plugins: plugins(element, report),
        lights: lights(element, report),
        scene: scene(element, report),
        poses: named_poses(element, report),
        origin: element.origin(),
        ..World::default()
    };
    profiles(element, &mut world, report);
    world_children(element, &mut world, context);
    world
}

fn world_children(element: Element<'_>, world: &mut World, context: &mut Context<'_>) {
    let mut names = Names::default();
    for child in element.children() {
        if context.report.is_stopped() {
            return;
        }
        match child.name() {
            "model" => {
                let model = model(child, context);
                names.keep(&mut world.models, model, child, &mut context.report);
            }
            "include" => include_in_world(child, &mut names, world, context),
            "frame" => {
                let frame = frame(child, &mut context.report);
                names.keep(&mut world.frames, frame, child, &mut context.report);
            }
            "joint" => {
                let joint = joint(child, &mut context.report);
                names.keep(&mut world.joints, joint, child, &mut context.report);
            }
            "actor" => {
                let actor = actor(child, context.lookup, &mut context.report);
                names.keep(&mut world.actors, actor, child, &mut context.report);
            }
            // The others are read by name or have been reported.
            _ => {}
        }
    }
}

fn include_in_world(child: Element<'_>, names: &mut Names, world: &mut World, context: &mut Context<'_>) {
    match include(child, context) {
        Some(Included::Model(model)) if flag_attribute(child, "merge", &mut context.report) => {
            merge_into_world(world, *model, names, child, &mut context.report);
        }
        Some(Included::Model(model)) => names.keep(&mut world.models, *model, child, &mut context.report),
        Some(Included::Light(light)) => world.lights.push(*light),
        Some(Included::Actor(actor)) => names.keep(&mut world.actors, *actor, child, &mut context.report),
        None => {}
    }
}

/// Reads the profiles, and the settings of the selected one that apply to the whole world.
fn profiles(element: Element<'_>, world: &mut World, report: &mut Report) {
    let gravity = vector3(element, "gravity", report);
    let magnetic_field = vector3(element, "magnetic_field", report);
    for profile in element.children_named("physics") {
        let read = physics(profile, gravity, magnetic_field, report);
        world.profiles.push(read);
    }
    let alone = || {
        let default = Physics::default();
        Physics {
            gravity: gravity.unwrap_or(default.gravity),
            magnetic_field: magnetic_field.unwrap_or(default.magnetic_field),
            ..default
        }
    };
    world.physics = choose_profile(&world.profiles).cloned().unwrap_or_else(alone);
    world.gravity = world.physics.gravity;
    world.magnetic_field = world.physics.magnetic_field;
}

/// Reads a profile. The vectors belong to the world; up to SDF 1.5 they were part of the profile.
fn physics(
    element: Element<'_>,
    gravity: Option<DVec3>,
    magnetic_field: Option<DVec3>,
    report: &mut Report,
) -> Physics {
    check_children(element, report);
    let default = Physics::default();
    let mut surrounding = |of_world: Option<DVec3>, name| of_world.or_else(|| vector3(element, name, report));
    let gravity = surrounding(gravity, "gravity").unwrap_or(default.gravity);
    let magnetic_field = surrounding(magnetic_field, "magnetic_field").unwrap_or(default.magnetic_field);
    Physics {
        gravity,
        magnetic_field,
        name: element.attribute("name").unwrap_or_default().to_owned(),
        is_default: flag_attribute(element, "default", report),
        engine: element.attribute("type").unwrap_or_default().to_owned(),
        max_step_size: positive(element, "max_step_size", report).unwrap_or(default.max_step_size),
        real_time_factor: number(element, "real_time_factor", report).unwrap_or(default.real_time_factor),
        origin: element.origin(),
    }
}

/// The profile marked as default, otherwise the first.
fn choose_profile(profiles: &[Physics]) -> Option<&Physics> {
    profiles.iter().find(|profile| profile.is_default).or_else(|| profiles.first())
}
