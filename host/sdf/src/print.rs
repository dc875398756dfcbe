//! A resolved world as SDF: included models in place of `<include>`, merged elements in place, and every pose as numbers
//! in the frame of its holder. Elements that have no frames are copied. Plain functions, usable from any thread.
//!
//! The text is SDF 1.12 whatever the version of the files was, except for what is copied.

mod model;
mod text;

use crate::address::{SearchPath, locate};
use crate::document::{Element, Origin};
use crate::element::{Physics, Sensor};
use crate::files::Files;
use crate::load::Loaded;
use crate::reader::{Root, is_appearance};
use crate::resolved::{Actor, Body, Placed, World};
use bridgehead_pose::Pose;
use glam::DVec3;
use text::Text;

/// Names of elements whose text is an address.
const ADDRESSES: &[&str] =
    &["uri", "diffuse", "normal", "filename", "albedo_map", "normal_map", "roughness_map"];

/// Returns a loaded file as SDF. Addresses are resolved where the files are here, so that the text may be put elsewhere.
#[must_use]
pub fn print(loaded: &Loaded, search: &SearchPath, files: &dyn Files) -> String {
    print_with(loaded, search, files, true)
}

/// Returns a loaded file as [`print()`] does, without sensors and plugins, so that nothing in it acts. Plugins that only
/// describe what cameras see, such as labels, stay.
#[must_use]
pub fn print_passive(loaded: &Loaded, search: &SearchPath, files: &dyn Files) -> String {
    print_with(loaded, search, files, false)
}

fn print_with(loaded: &Loaded, search: &SearchPath, files: &dyn Files, acts: bool) -> String {
    let mut printer = Printer { text: Text::default(), search, files, acts };
    printer.text.line("<?xml version=\"1.0\"?>");
    printer.text.open("sdf", &[("version", "1.12"), ("xmlns:bridgehead", "urn:bridgehead:sdf")]);
    match &loaded.root {
        Root::World(_) => printer.world(&loaded.world),
        Root::Model(_) => {
            loaded.world.models.iter().for_each(|model| printer.model(model));
        }
        Root::Actor(_) => loaded.world.actors.iter().for_each(|actor| printer.actor(actor)),
        Root::Light(_) => printer.placed_all(&loaded.world.lights, |light| (&light.origin, &light.name)),
    }
    printer.text.close("sdf");
    printer.text.into_string()
}

struct Printer<'a> {
    text: Text,
    search: &'a SearchPath,
    files: &'a dyn Files,
    /// True if sensors and plugins are printed.
    acts: bool,
}

impl Printer<'_> {
    fn world(&mut self, world: &World) {
        const PRINTED: &[&str] = &[
            "physics",
            "gravity",
            "magnetic_field",
            "frame",
            "model",
            "include",
            "joint",
            "light",
            "plugin",
            "actor",
        ];
        self.text.open("world", &[("name", &world.name)]);
        world.profiles.iter().for_each(|physics| self.physics(physics));
        self.vector("gravity", world.gravity);
        self.vector("magnetic_field", world.magnetic_field);
        self.rest(&world.origin, PRINTED);
        world.plugins.iter().for_each(|plugin| self.plugin(&plugin.origin));
        self.placed_all(&world.lights, |light| (&light.origin, &light.name));
        for frame in &world.frames {
            let carrier = frame.link.and_then(|(model, link)| {
                let model = world.models.get(model)?;
                Some(format!("{}::{}", model.name, model.links.get(link)?.name))
            });
            let attached_to = carrier.as_deref().map(|link| ("attached_to", link));
            let name = ("name", frame.element.name.as_str());
            self.text.open("frame", &std::iter::once(name).chain(attached_to).collect::<Vec<_>>());
            self.pose(&frame.pose, Some("world"));
            self.text.close("frame");
        }
        world.models.iter().for_each(|model| self.model(model));
        world.actors.iter().for_each(|actor| self.actor(actor));
        for joint in &world.joints {
            let side = |model: Option<usize>, body: Body| match (
                model.and_then(|model| world.models.get(model)),
                body,
            ) {
                (Some(model), Body::Link(link)) => {
                    let link = model.links.get(link).map_or("?", |link| link.name.as_str());
                    format!("{}::{link}", model.name)
                }
                (None, _) | (_, Body::World) => "world".to_owned(),
            };
            let sides =
                [side(joint.parent_model, joint.joint.parent), side(joint.child_model, joint.joint.child)];
            self.joint(&joint.joint, &joint.joint.name, &sides);
        }
        self.text.close("world");
    }

    fn physics(&mut self, physics: &Physics) {
        let default = if physics.is_default { "true" } else { "false" };
        let engine = if physics.engine.is_empty() { "ode" } else { &physics.engine };
        self.text.open("physics", &[("name", &physics.name), ("default", default), ("type", engine)]);
        self.number("max_step_size", physics.max_step_size);
        self.number("real_time_factor", physics.real_time_factor);
        self.rest(&physics.origin, &["max_step_size", "real_time_factor", "gravity", "magnetic_field"]);
        self.text.close("physics");
    }

    /// An actor has its pose in the world, and is otherwise copied.
    fn actor(&mut self, actor: &Actor) {
        self.placed(&actor.model.pose, &actor.element.origin, &[("name", &actor.element.name)]);
    }

    /// Prints elements that are copied except for their poses.
    fn placed_all<T>(&mut self, elements: &[Placed<T>], of: impl Fn(&T) -> (&Origin, &str)) {
        for element in elements {
            let (origin, name) = of(&element.element);
            self.placed(&element.pose, origin, &[("name", name)]);
        }
    }

    /// Prints an element with this pose and these attributes in place of its own.
    fn placed(&mut self, pose: &Pose, origin: &Origin, attributes: &[(&str, &str)]) {
        let Some(element) = origin.element() else { return };
        let others = element.attributes().filter(|(name, _)| !attributes.iter().any(|(own, _)| own == name));
        let all: Vec<(&str, &str)> = attributes.iter().copied().chain(others).collect();
        self.text.open(element.name(), &all);
        self.pose(pose, None);
        self.rest(origin, &["pose"]);
        self.text.close(element.name());
    }

    fn pose(&mut self, pose: &Pose, relative_to: Option<&str>) {
        if *pose == Pose::IDENTITY && relative_to.is_none() {
            return;
        }
        let [x, y, z] = pose.position.to_array().map(rounded);
        // Angles would lose digits near a pitch of 90°.
        let [qx, qy, qz, qw] = pose.rotation.to_array().map(rounded);
        let text = format!("{x} {y} {z} {qx} {qy} {qz} {qw}");
        let frame = relative_to.map(|frame| ("relative_to", frame));
        let attributes: Vec<(&str, &str)> =
            frame.into_iter().chain([("rotation_format", "quat_xyzw")]).collect();
        self.text.leaf("pose", &attributes, &text);
    }

    fn vector(&mut self, name: &str, vector: DVec3) {
        let [x, y, z] = vector.to_array().map(rounded);
        self.text.leaf(name, &[], &format!("{x} {y} {z}"));
    }

    fn number(&mut self, name: &str, number: f64) {
        self.text.leaf(name, &[], &number.to_string());
    }

    /// Copies the children of an element that are not printed otherwise.
    fn rest(&mut self, origin: &Origin, printed: &[&str]) {
        let Some(element) = origin.element() else { return };
        for child in element.children().filter(|child| !printed.contains(&child.name())) {
            if self.acts || child.name() != "plugin" || is_appearance(child) {
                self.copy(child);
            }
        }
    }

    fn plugin(&mut self, origin: &Origin) {
        if let Some(element) = origin.element().filter(|element| self.acts || is_appearance(*element)) {
            self.copy(element);
        }
    }

    fn sensors(&mut self, sensors: &[Placed<Sensor>]) {
        if self.acts {
            self.placed_all(sensors, |sensor| (&sensor.origin, &sensor.name));
        }
    }

    /// Copies an element with its content. Recursion is bounded by the depth limit of the parser.
    fn copy(&mut self, element: Element<'_>) {
        let attributes: Vec<(&str, &str)> = element.attributes().collect();
        if element.children().next().is_none() {
            let text = element.text();
            let found = ADDRESSES.contains(&element.name()).then(|| self.address(element, text)).flatten();
            self.text.leaf(element.name(), &attributes, found.as_deref().unwrap_or(text));
            return;
        }
        self.text.open(element.name(), &attributes);
        if !element.text().is_empty() {
            self.text.content(element.text());
        }
        element.children().for_each(|child| self.copy(child));
        self.text.close(element.name());
    }

    /// Returns the path of a relative address whose file is here.
    fn address(&self, element: Element<'_>, text: &str) -> Option<String> {
        if text.is_empty() || text.contains("://") || text.starts_with('/') {
            return None;
        }
        let folder = element.document().source().folder();
        let path = locate(text, folder, self.search, self.files).ok()?;
        std::path::absolute(path).ok()?.to_str().map(str::to_owned)
    }
}

/// Rounds to a picometre, below which are the errors of the computation, without a negative zero.
fn rounded(value: f64) -> f64 {
    if value.abs() < 1e3 { (value * 1e12).round() / 1e12 + 0.0 } else { value }
}

#[cfg(test)]
mod tests;
