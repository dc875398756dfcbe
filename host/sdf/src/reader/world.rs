//! Worlds: surroundings, physics profiles, and everything in them.

use super::Reader;
use super::include::Included;
use super::names::Names;
use crate::document::Element;
use crate::element::{Physics, World};
use glam::DVec3;

impl Reader<'_> {
    /// A `<world>`, with everything in it.
    pub(super) fn world(&mut self, element: Element<'_>) -> World {
        self.check_children(element);
        let mut world = World {
            name: self.name(element),
            environment: self.environment(element),
            plugins: self.plugins(element),
            lights: self.lights(element),
            scene: self.scene(element),
            poses: self.named_poses(element),
            origin: element.origin(),
            ..World::default()
        };
        self.profiles(element, &mut world);
        self.world_children(element, &mut world);
        world
    }

    fn world_children(&mut self, element: Element<'_>, world: &mut World) {
        let mut names = Names::default();
        for child in element.children() {
            if self.is_stopped() {
                return;
            }
            match child.name() {
                "model" => {
                    let model = self.model(child);
                    self.keep(&mut names, &mut world.models, model, |model| &mut model.name, "model", child);
                }
                "include" => self.include_in_world(child, &mut names, world),
                "frame" => {
                    let frame = self.frame(child);
                    self.keep(&mut names, &mut world.frames, frame, |frame| &mut frame.name, "frame", child);
                }
                "joint" => {
                    let joint = self.joint(child);
                    self.keep(&mut names, &mut world.joints, joint, |joint| &mut joint.name, "joint", child);
                }
                "actor" => {
                    let actor = self.actor(child);
                    self.keep(&mut names, &mut world.actors, actor, |actor| &mut actor.name, "actor", child);
                }
                // The others are read by name or have been reported.
                _ => {}
            }
        }
    }

    fn include_in_world(&mut self, child: Element<'_>, names: &mut Names, world: &mut World) {
        match self.include(child) {
            Some(Included::Model(model)) if self.flag_attribute(child, "merge") => {
                self.merge_into_world(world, *model, names, child);
            }
            Some(Included::Model(model)) => {
                self.keep(names, &mut world.models, *model, |model| &mut model.name, "model", child);
            }
            Some(Included::Light(light)) => world.lights.push(*light),
            Some(Included::Actor(actor)) => {
                self.keep(names, &mut world.actors, *actor, |actor| &mut actor.name, "actor", child);
            }
            None => {}
        }
    }

    /// Reads the profiles, and the settings of the selected one that apply to the whole world.
    fn profiles(&mut self, element: Element<'_>, world: &mut World) {
        let gravity = self.vector3(element, "gravity");
        let magnetic_field = self.vector3(element, "magnetic_field");
        for profile in element.children_named("physics") {
            let read = self.physics(profile, gravity, magnetic_field);
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
        &mut self,
        element: Element<'_>,
        gravity: Option<DVec3>,
        magnetic_field: Option<DVec3>,
    ) -> Physics {
        self.check_children(element);
        let default = Physics::default();
        let mut surrounding =
            |of_world: Option<DVec3>, name| of_world.or_else(|| self.vector3(element, name));
        let gravity = surrounding(gravity, "gravity").unwrap_or(default.gravity);
        let magnetic_field = surrounding(magnetic_field, "magnetic_field").unwrap_or(default.magnetic_field);
        Physics {
            gravity,
            magnetic_field,
            name: element.attribute("name").unwrap_or_default().to_owned(),
            is_default: self.flag_attribute(element, "default"),
            engine: element.attribute("type").unwrap_or_default().to_owned(),
            max_step_size: self.positive(element, "max_step_size").unwrap_or(default.max_step_size),
            real_time_factor: self.number(element, "real_time_factor").unwrap_or(default.real_time_factor),
            origin: element.origin(),
        }
    }
}

/// The profile marked as default, otherwise the first.
fn choose_profile(profiles: &[Physics]) -> Option<&Physics> {
    profiles.iter().find(|profile| profile.is_default).or_else(|| profiles.first())
}
