//! Links: bodies with everything they carry, and frames for the links that are no bodies.

use super::Writer;
use crate::diagnostic::{Code, Severity};
use crate::document::{Document, Element};
use crate::edit::{self, Edit};
use crate::number::{number, numbers};
use crate::scope::Scope;
use crate::source::Source;
use crate::urdf::robot::{Inertial, Link, LinkExtension, Material, Settings, Shape, Visual};
use quick_xml::escape::escape;

/// Elements of a link that have a pose, so that they can be moved to another body.
const MOVABLE: &[&str] = &["sensor", "light"];

impl Writer<'_, '_> {
    pub(super) fn links(&mut self) {
        let members = self.bodies.members();
        for (index, members) in members.iter().enumerate() {
            if self.tree.is_world(index) {
                self.world(index);
            } else if self.bodies.is_folded(index) {
                self.folded(index);
            } else {
                self.body(index, members);
            }
        }
    }

    /// The world is not a body: a URDF's content of it is not simulated.
    fn world(&mut self, index: usize) {
        let link = &self.robot.links[index];
        let is_empty =
            link.visuals.is_empty() && link.collisions.is_empty() && link.extension.rest.is_empty();
        if !is_empty || link.inertial.is_some() {
            let found = "link `world` with a body; left out".to_owned();
            let expected = "an empty link".to_owned();
            self.find(Severity::Warning, Code::UrdfNotConverted, link.at, found, expected);
        }
    }

    /// A link that is a frame of another one.
    fn folded(&mut self, index: usize) {
        let body = self.names.links[self.bodies.of(index)].clone();
        let name = self.names.links[index].clone();
        let above = self.tree.joint_above[index].map(|joint| self.names.joints[joint].clone());
        self.out.open("frame", &[("name", &name), ("attached_to", &body)]);
        let stands_in = above.as_deref().unwrap_or("__model__");
        self.out.leaf_with("pose", &[("relative_to", stands_in)], "");
        self.out.close("frame");
        let link = &self.robot.links[index];
        let found = format!("link `{}` without mass", link.name);
        self.find(
            Severity::Note,
            Code::UrdfFolded,
            link.at,
            found,
            format!("a mass; it is now a frame of `{body}`"),
        );
        if let Some(at) = link.extension.at {
            self.lost(at, &name, &body);
        }
        for element in link.extension.rest.iter().filter(|element| !MOVABLE.contains(&element.name())) {
            self.lost(*element, &name, &body);
        }
    }

    fn lost(&mut self, at: Element<'_>, link: &str, body: &str) {
        let found = format!("`<{}>` for `{link}`, which is a frame of `{body}`", at.name());
        self.find(Severity::Warning, Code::UrdfExtensionLost, at, found, "a link with mass".to_owned());
    }

    fn body(&mut self, index: usize, members: &[usize]) {
        let name = self.names.links[index].clone();
        self.out.open("link", &[("name", &name)]);
        if let Some(joint) = self.tree.joint_above[index] {
            let joint = self.names.joints[joint].clone();
            self.out.leaf_with("pose", &[("relative_to", &joint)], "");
        }
        if let Some(inertial) = self.bodies.inertial(index) {
            self.inertial(&inertial);
        }
        self.invented(index);
        self.link_settings(&self.robot.links[index].extension);
        let (mut visuals, mut collisions) = (Scope::default(), Scope::default());
        for member in members.iter().copied() {
            let link = &self.robot.links[member];
            let frame = (member != index).then(|| self.names.links[member].clone());
            self.unused(link);
            self.shapes(link, &self.names.links[member], frame.as_deref(), &mut visuals, &mut collisions);
            self.rest(link, frame.as_deref());
        }
        self.out.close("link");
    }

    /// Settings that a link has no shape for, or that a copied element speaks for already.
    fn unused(&mut self, link: &Link<'_>) {
        let extension = &link.extension;
        let has_surface = extension.into_collisions.iter().any(|element| element.name() == "surface");
        let settings = !extension.friction.is_empty() || !extension.contact.is_empty();
        let of_collisions =
            settings || !extension.collision.is_empty() || !extension.into_collisions.is_empty();
        let of_visuals = extension.material.is_some() || !extension.into_visuals.is_empty();
        if link.collisions.is_empty() && of_collisions {
            self.pointless(link, "settings of collisions", "a link with a collision");
        } else if has_surface && settings {
            self.pointless(
                link,
                "settings beside a whole `<surface>`",
                "one of the two; `<surface>` is used",
            );
        }
        if link.visuals.is_empty() && of_visuals {
            self.pointless(link, "settings of visuals", "a link with a visual");
        }
    }

    fn pointless(&mut self, link: &Link<'_>, what: &str, expected: &str) {
        let found = format!("{what} for `{}`", link.name);
        self.find(Severity::Note, Code::UrdfExtensionLost, link.at, found, expected.to_owned());
    }

    fn invented(&mut self, index: usize) {
        if !self.bodies.is_invented(index) {
            return;
        }
        let link = &self.robot.links[index];
        let mass = number(Inertial::small().mass);
        // A link that is fixed to the world does not move, whatever its mass is.
        let above = self.tree.joint_above[index];
        let stands_still = above.is_some_and(|joint| {
            let (parent, _) = self.tree.ends[joint];
            self.tree.is_world(parent) && self.robot.joints[joint].kind.sdf() == Some("fixed")
        });
        let is_static = self.robot.extension.model.iter().any(|setting| setting == ("static", "true"));
        let severity = if stands_still || is_static { Severity::Note } else { Severity::Warning };
        let found = format!("link `{}` without mass, fixed to no body", link.name);
        self.find(severity, Code::UrdfMassInvented, link.at, found, format!("a mass; {mass} kg is used"));
    }

    fn inertial(&mut self, inertial: &Inertial) {
        self.out.open("inertial", &[]);
        self.pose(None, &inertial.origin);
        self.out.leaf("mass", &number(inertial.mass));
        self.out.open("inertia", &[]);
        for (name, moment) in ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].iter().zip(inertial.moments) {
            self.out.leaf(name, &number(moment));
        }
        self.out.close("inertia");
        self.out.close("inertial");
    }

    fn link_settings(&mut self, extension: &LinkExtension<'_>) {
        self.settings(&extension.link);
        if let Some(decay) = extension.decay {
            self.out.open("velocity_decay", &[]);
            self.out.leaf("linear", &number(decay));
            self.out.leaf("angular", &number(decay));
            self.out.close("velocity_decay");
        }
    }

    pub(super) fn settings(&mut self, settings: &Settings) {
        for (name, value) in settings.iter() {
            self.out.leaf(name, value);
        }
    }

    fn shapes(
        &mut self,
        link: &Link<'_>,
        link_name: &str,
        frame: Option<&str>,
        visuals: &mut Scope,
        collisions: &mut Scope,
    ) {
        for visual in &link.visuals {
            self.visual(
                visual,
                &name_of(&visual.shape, link_name, "visual", visuals),
                frame,
                &link.extension,
            );
        }
        for shape in &link.collisions {
            self.collision(
                shape,
                &name_of(shape, link_name, "collision", collisions),
                frame,
                &link.extension,
            );
        }
    }

    fn visual(
        &mut self,
        visual: &Visual<'_>,
        name: &str,
        frame: Option<&str>,
        extension: &LinkExtension<'_>,
    ) {
        self.out.open("visual", &[("name", name)]);
        self.pose(frame, &visual.shape.origin);
        self.geometry(&visual.shape.geometry);
        // A Gazebo material takes precedence over that of the URDF.
        if !extension.into_visuals.iter().any(|element| element.name() == "material") {
            self.material(visual.material, extension.material.as_deref());
        }
        self.copies(&extension.into_visuals);
        self.out.close("visual");
    }

    fn material(&mut self, material: Material<'_>, script: Option<&str>) {
        if material.is_empty() && script.is_none() {
            return;
        }
        self.out.open("material", &[]);
        if let Some(color) = material.color {
            self.out.leaf("ambient", &numbers(&color));
            self.out.leaf("diffuse", &numbers(&color));
        }
        if let Some(script) = script {
            self.out.open("script", &[]);
            self.out.leaf("uri", "file://media/materials/scripts/gazebo.material");
            self.out.leaf("name", script);
            self.out.close("script");
        }
        if let Some(texture) = material.texture {
            self.texture(texture);
        }
        self.out.close("material");
    }

    /// SDF has textures in physically based materials only.
    fn texture(&mut self, texture: &str) {
        self.out.open("pbr", &[]);
        self.out.open("metal", &[]);
        self.out.leaf("albedo_map", texture);
        self.out.close("metal");
        self.out.close("pbr");
    }

    fn collision(
        &mut self,
        shape: &Shape<'_>,
        name: &str,
        frame: Option<&str>,
        extension: &LinkExtension<'_>,
    ) {
        self.out.open("collision", &[("name", name)]);
        self.pose(frame, &shape.origin);
        self.geometry(&shape.geometry);
        self.settings(&extension.collision);
        // A whole surface takes precedence over single settings.
        if !extension.into_collisions.iter().any(|element| element.name() == "surface") {
            self.surface(extension);
        }
        self.copies(&extension.into_collisions);
        self.out.close("collision");
    }

    fn surface(&mut self, extension: &LinkExtension<'_>) {
        if extension.friction.is_empty() && extension.contact.is_empty() {
            return;
        }
        self.out.open("surface", &[]);
        for (part, settings) in [("friction", &extension.friction), ("contact", &extension.contact)] {
            if !settings.is_empty() {
                self.out.open(part, &[]);
                self.out.open("ode", &[]);
                self.settings(settings);
                self.out.close("ode");
                self.out.close(part);
            }
        }
        self.out.close("surface");
    }

    pub(super) fn copies(&mut self, elements: &[Element<'_>]) {
        for element in elements {
            self.out.raw(element.xml());
        }
    }

    /// Sensors, lights and the like; those of a frame are relative to it.
    fn rest(&mut self, link: &Link<'_>, frame: Option<&str>) {
        for element in &link.extension.rest {
            match frame {
                None => self.out.raw(element.xml()),
                Some(frame) if MOVABLE.contains(&element.name()) => self.out.raw(&moved(*element, frame)),
                // Reported with the frame.
                Some(_) => {}
            }
        }
    }
}

/// As libsdformat names them: after the link, with a number from the second on; or as the URDF does.
fn name_of(shape: &Shape<'_>, link: &str, kind: &str, scope: &mut Scope) -> String {
    let name = if shape.name.is_empty() { format!("{link}_{kind}") } else { shape.name.to_owned() };
    scope.take(&name, kind)
}

/// The text of an element with its pose relative to a frame, unless it has `relative_to` already.
fn moved(element: Element<'_>, frame: &str) -> String {
    let xml = element.xml();
    // A part of a parsed document can be parsed by itself.
    let Ok(document) = Document::parse(Source::from_text(element.name(), xml)) else { return xml.to_owned() };
    let root = document.root();
    let edit = match root.child("pose") {
        Some(pose) if pose.attribute("relative_to").is_some() => return xml.to_owned(),
        Some(pose) => {
            Edit::SetAttribute { element: pose.id(), name: "relative_to".to_owned(), value: frame.to_owned() }
        }
        None => Edit::Insert { parent: root.id(), xml: format!("<pose relative_to=\"{}\"/>", escape(frame)) },
    };
    edit::apply(&document, &[edit]).unwrap_or_else(|_| xml.to_owned())
}
