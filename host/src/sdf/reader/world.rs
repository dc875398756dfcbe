//! Worlds: surroundings, physics profile, and everything that stands in them.

use super::Reader;
use super::include::Included;
use super::names::Names;
use crate::sdf::Element;
use crate::sdf::element::{DEFAULT_GRAVITY, DEFAULT_MAGNETIC_FIELD, Physics, World};

impl Reader<'_> {
    /// A `<world>`, with everything in it.
    pub(super) fn world(&mut self, element: Element<'_>) -> World {
        self.check_children(element);
        let profile = profile_element(element);
        let mut world = World {
            name: self.name(element),
            gravity: self.surrounding(element, profile, "gravity").unwrap_or(DEFAULT_GRAVITY),
            magnetic_field: self
                .surrounding(element, profile, "magnetic_field")
                .unwrap_or(DEFAULT_MAGNETIC_FIELD),
            environment: self.environment(element),
            plugins: self.plugins(element),
            lights: self.lights(element),
            origin: element.origin(),
            ..World::default()
        };
        for profile in element.children_named("physics") {
            let read = self.physics(profile);
            world.profiles.push(read);
        }
        world.physics = choose_profile(&world.profiles).cloned().unwrap_or_default();
        self.world_children(element, &mut world);
        world
    }

    fn world_children(&mut self, element: Element<'_>, world: &mut World) {
        let mut names = Names::default();
        for child in element.children() {
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

    /// A vector of the world; up to SDF 1.5 it stood in `<physics>`.
    fn surrounding(
        &mut self,
        world: Element<'_>,
        profile: Option<Element<'_>>,
        name: &str,
    ) -> Option<glam::DVec3> {
        let in_world = self.vector3(world, name);
        in_world.or_else(|| profile.and_then(|profile| self.vector3(profile, name)))
    }

    fn physics(&mut self, element: Element<'_>) -> Physics {
        self.check_children(element);
        let default = Physics::default();
        Physics {
            name: element.attribute("name").unwrap_or_default().to_owned(),
            is_default: self.flag_attribute(element, "default"),
            engine: element.attribute("type").unwrap_or_default().to_owned(),
            max_step_size: self.positive(element, "max_step_size").unwrap_or(default.max_step_size),
            real_time_factor: self.number(element, "real_time_factor").unwrap_or(default.real_time_factor),
            origin: element.origin(),
        }
    }
}

/// The profile marked as default, else the first.
fn choose_profile(profiles: &[Physics]) -> Option<&Physics> {
    profiles.iter().find(|profile| profile.is_default).or_else(|| profiles.first())
}

/// The element of that profile.
fn profile_element(world: Element<'_>) -> Option<Element<'_>> {
    let is_default = |profile: &Element<'_>| matches!(profile.attribute("default"), Some("true" | "1"));
    let marked = world.children_named("physics").find(is_default);
    marked.or_else(|| world.child("physics"))
}
