//! A vehicle as URDF, for worlds written in SDF: its links with their inertia and shapes, and its joints.
//!
//! Frames are those of the published transforms. Shapes that URDF does not have are comments.

mod shapes;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    JointDescription, LinkDescription, WorldDescription,
};
use quick_xml::escape::escape;

use super::{mount, names};
use crate::pose::{Pose, from_vector};

/// Returns the URDF of a vehicle; empty if it has no links.
pub(super) fn describe(world: &WorldDescription, vehicle: &str) -> String {
    let links: Vec<&LinkDescription> = mount::links_of(world, vehicle).collect();
    let (Some(base), at) = mount::base(world, vehicle) else { return String::new() };
    let mut tree = Tree { vehicle, text: String::new(), has_parent: BTreeSet::new() };
    // Clients need this link, whatever the links of the vehicle are called.
    if names::own_frame(vehicle, &base.name) != mount::BASE {
        tree.link(mount::BASE, "");
        let origin = at.inverse() * Pose::from_ros(base.pose.as_ref());
        tree.join("base_joint", "fixed", [mount::BASE, &tree.frame(&base.name)], origin, "");
    }
    links.iter().for_each(|link| {
        let inside = format!("{}{}", inertial(link), shapes::of_link(link));
        tree.link(&tree.frame(&link.name), &inside);
    });
    tree.has_parent.insert(base.name.clone());
    tree.grow(world, base, &links);
    format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n{}</robot>\n", escape(vehicle), tree.text)
}

struct Tree<'a> {
    vehicle: &'a str,
    text: String,
    /// Scoped names of links that have a parent, and of the base.
    has_parent: BTreeSet<String>,
}

impl Tree<'_> {
    fn frame(&self, name: &str) -> String {
        names::own_frame(self.vehicle, name)
    }

    /// Adds a link; `inside` is the content of its element.
    fn link(&mut self, frame: &str, inside: &str) {
        let name = escape(frame);
        _ = match inside {
            "" => writeln!(self.text, "  <link name=\"{name}\"/>"),
            _ => writeln!(self.text, "  <link name=\"{name}\">{inside}</link>"),
        };
    }

    /// Adds a joint; `inside` is further content of its element.
    fn join(&mut self, name: &str, kind: &str, [parent, child]: [&str; 2], origin: Pose, inside: &str) {
        let [x, y, z] = origin.position;
        let [roll, pitch, yaw] = origin.euler();
        _ = writeln!(
            self.text,
            "  <joint name=\"{}\" type=\"{kind}\"><parent link=\"{}\"/><child link=\"{}\"/>\
             <origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/>{inside}</joint>",
            escape(name),
            escape(parent),
            escape(child),
        );
    }

    /// Works outwards from the base, so that the result is a tree even if joints form a loop.
    fn grow(&mut self, world: &WorldDescription, base: &LinkDescription, links: &[&LinkDescription]) {
        let find = |name: &str| links.iter().find(|link| link.name == name).copied();
        let mut joints: Vec<_> = world
            .joints
            .iter()
            .filter_map(|joint| Some((joint, find(&joint.parent)?, find(&joint.child)?)))
            .collect();
        while let Some(next) = joints.iter().position(|(_, parent, child)| {
            self.has_parent.contains(&parent.name) && !self.has_parent.contains(&child.name)
        }) {
            let (joint, parent, child) = joints.remove(next);
            self.hang(joint, parent, child);
            self.has_parent.insert(child.name.clone());
        }
        let is_loose = |link: &&&LinkDescription| !self.has_parent.contains(&link.name);
        let loose: Vec<&LinkDescription> = links.iter().filter(is_loose).copied().collect();
        for link in loose {
            let [on, frame] = [&base.name, &link.name].map(|name| self.frame(name));
            self.join(&format!("{frame}_joint"), "floating", [&on, &frame], relative(base, link), "");
        }
    }

    /// In URDF the frame of a link is that of its joint; if they differ here, an intermediate link is added.
    fn hang(&mut self, joint: &JointDescription, parent: &LinkDescription, child: &LinkDescription) {
        let name = self.frame(&joint.name);
        let [parent_frame, child_frame] = [parent, child].map(|link| self.frame(&link.name));
        let in_child = Pose::from_ros(joint.pose.as_ref());
        let (kind, inside) = motion(joint);
        let origin = relative(parent, child) * in_child;
        if kind == "fixed" || in_child == Pose::IDENTITY {
            let origin = if kind == "fixed" { relative(parent, child) } else { origin };
            self.join(&name, kind, [&parent_frame, &child_frame], origin, &inside);
            return;
        }
        let between = format!("{name}_frame");
        self.link(&between, "");
        self.join(&name, kind, [&parent_frame, &between], origin, &inside);
        self.join(&format!("{name}_mount"), "fixed", [&between, &child_frame], in_child.inverse(), "");
    }
}

/// Returns the mass and the moments of inertia of a link, whose frame has the same pose in URDF.
fn inertial(link: &LinkDescription) -> String {
    let center = Pose::from_ros(link.center_of_mass.as_ref());
    let ([x, y, z], [roll, pitch, yaw]) = (center.position, center.euler());
    let LinkDescription { mass, ixx, iyy, izz, ixy, ixz, iyz, .. } = link;
    format!(
        "<inertial><origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/><mass value=\"{mass}\"/>\
         <inertia ixx=\"{ixx}\" ixy=\"{ixy}\" ixz=\"{ixz}\" iyy=\"{iyy}\" iyz=\"{iyz}\" izz=\"{izz}\"/></inertial>"
    )
}

fn relative(parent: &LinkDescription, child: &LinkDescription) -> Pose {
    Pose::from_ros(parent.pose.as_ref()).inverse() * Pose::from_ros(child.pose.as_ref())
}

/// Returns the URDF type of a joint, with its axis and limits. A type that URDF does not have becomes `floating`.
fn motion(joint: &JointDescription) -> (&'static str, String) {
    let is_limited = joint.lower.is_finite() && joint.upper.is_finite();
    // URDF has no word for a missing limit.
    let [effort, velocity] = [joint.effort, joint.velocity].map(|limit| limit.min(f64::MAX));
    let kind = match joint.r#type.as_str() {
        "fixed" => return ("fixed", String::new()),
        "revolute" | "continuous" if is_limited => "revolute",
        "revolute" | "continuous" => "continuous",
        "prismatic" => "prismatic",
        _ => return ("floating", String::new()),
    };
    let axis = from_vector(joint.axis.as_ref());
    let mut inside = format!("<axis xyz=\"{} {} {}\"/>", axis.x, axis.y, axis.z);
    if kind == "continuous" {
        _ = write!(inside, "<limit effort=\"{effort:?}\" velocity=\"{velocity:?}\"/>");
    } else {
        let (lower, upper) = if is_limited { (joint.lower, joint.upper) } else { (f64::MIN, f64::MAX) };
        _ = write!(
            inside,
            "<limit lower=\"{lower:?}\" upper=\"{upper:?}\" effort=\"{effort:?}\" velocity=\"{velocity:?}\"/>"
        );
    }
    (kind, inside)
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ModelDescription;
    use bridgehead_plugin_api::messages::geometry_msgs::Vector3;

    use super::*;
    use crate::xml::Element;

    fn link(name: &str, x: f64) -> LinkDescription {
        let pose = Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY }.to_ros();
        LinkDescription {
            name: format!("cloi::{name}"),
            model: "cloi".into(),
            frame_id: format!("cloi/{name}"),
            pose: Some(pose),
            mass: 2.0,
            center_of_mass: Some(Pose { position: [0.1, 0.0, 0.0], ..Pose::IDENTITY }.to_ros()),
            ixx: 0.25,
            ixy: -0.5,
            ..Default::default()
        }
    }

    fn joint(name: &str, kind: &str, [parent, child]: [&str; 2], at: f64) -> JointDescription {
        JointDescription {
            name: format!("cloi::{name}"),
            model: "cloi".into(),
            r#type: kind.into(),
            parent: format!("cloi::{parent}"),
            child: format!("cloi::{child}"),
            pose: Some(Pose { position: [at, 0.0, 0.0], ..Pose::IDENTITY }.to_ros()),
            axis: Some(Vector3 { x: 0.0, y: 0.0, z: 1.0 }),
            lower: if kind == "revolute" { -1.5 } else { f64::NEG_INFINITY },
            upper: if kind == "revolute" { 2.0 } else { f64::INFINITY },
            effort: 30.0,
            velocity: f64::INFINITY,
        }
    }

    fn robot(links: &[(&str, f64)], joints: Vec<JointDescription>) -> Element {
        let model = ModelDescription { name: "cloi".into(), vehicle: "cloi".into(), ..Default::default() };
        let world = WorldDescription {
            models: vec![model],
            links: links.iter().map(|(name, x)| link(name, *x)).collect(),
            joints,
            ..Default::default()
        };
        Element::parse(&describe(&world, "cloi"))
    }

    /// Returns name, parent, child and origin of each joint.
    fn joints(robot: &Element) -> Vec<String> {
        let describe = |joint: &Element| {
            let attribute = |of: &str, name: &str| {
                joint.at(of).and_then(|part| part.attribute(name)).unwrap_or_default().to_owned()
            };
            let [name, kind] = ["name", "type"].map(|name| joint.attribute(name).unwrap_or_default());
            let [parent, child] = ["parent", "child"].map(|of| attribute(of, "link"));
            format!("{name} {kind} {parent}>{child} {}", attribute("origin", "xyz"))
        };
        robot.all("joint").into_iter().map(describe).collect()
    }

    #[test]
    fn links_are_children_of_the_base_at_their_poses() {
        let robot = robot(
            &[("base_link", 1.0), ("arm", 3.0), ("hand", 4.0)],
            vec![
                joint("elbow", "continuous", ["arm", "hand"], 0.0),
                joint("shoulder", "revolute", ["base_link", "arm"], 0.5),
            ],
        );
        assert_eq!(robot.attribute("name"), Some("cloi"));
        assert_eq!(robot.all("link").len(), 4, "an intermediate link between the shoulder and its link");
        let inertial = robot.all("link")[0].at("inertial").expect("the mass of the base");
        let value =
            |of: &str, name: &str| inertial.at(of).and_then(|part| part.attribute(name)).unwrap_or_default();
        assert_eq!([value("mass", "value"), value("origin", "xyz")], ["2", "0.1 0 0"]);
        assert_eq!([value("inertia", "ixx"), value("inertia", "ixy")], ["0.25", "-0.5"]);
        let expected = [
            "shoulder revolute base_link>shoulder_frame 2.5 0 0",
            "shoulder_mount fixed shoulder_frame>arm -0.5 -0 -0",
            "elbow continuous arm>hand 1 0 0",
        ];
        assert_eq!(joints(&robot), expected);
        let limit = robot.all("joint")[0].at("limit").expect("limits");
        assert_eq!((limit.attribute("lower"), limit.attribute("upper")), (Some("-1.5"), Some("2.0")));
        let largest = format!("{:?}", f64::MAX);
        assert_eq!((limit.attribute("effort"), limit.attribute("velocity")), (Some("30.0"), Some(&*largest)));
    }

    #[test]
    fn loops_and_unconnected_links_become_a_tree_below_the_base() {
        let robot = robot(
            &[("chassis", 1.0), ("a", 2.0), ("loose", 5.0)],
            vec![joint("one", "ball", ["chassis", "a"], 0.0), joint("again", "fixed", ["a", "chassis"], 0.0)],
        );
        let expected = [
            "base_joint fixed base_link>chassis 1 0 0",
            "one floating chassis>a 1 0 0",
            "loose_joint floating chassis>loose 4 0 0",
        ];
        assert_eq!(joints(&robot), expected);
        assert_eq!(describe(&WorldDescription::default(), "cloi"), "");
    }
}
