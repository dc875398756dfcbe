//! Warnings about models that are simulated as written, and probably not as meant: masses and inertias that no solver
//! handles well, and models that begin below the ground. Simulation thread, or the thread that builds a world.

use bridgehead_physics::{ModelId, Sunken};
use bridgehead_sdf::Origin;
use bridgehead_sdf::element::Collision;
use bridgehead_sdf::resolved::{Body, Joint, Link, Model, Placed};

use super::origin::place_of;
use super::world::World;
use crate::convert::surface::names_no_link;

/// The greatest ratio of the masses of two links that a joint connects. Errors of the solver grow with the ratio;
/// robots with links of a milligram, which have no mass in reality, stay below it.
const MAX_RATIO: f64 = 1e9;

/// Smallest and greatest radius of gyration of a link, metres: from a grain of dust to a planet's moon.
const RADII: [f64; 2] = [1e-5, 1e5];

/// Returns a warning for each link whose inertia does not fit its mass, and for each joint between links of too
/// different masses.
pub(super) fn masses(model: &Model) -> Vec<String> {
    if model.is_static {
        return Vec::new();
    }
    let links = model.links.iter().filter_map(|link| inertia(model, link));
    links.chain(model.joints.iter().filter_map(|joint| mass_ratio(model, joint))).collect()
}

/// Returns a warning for each collision whose direction of friction is in the frame of a link that does not exist.
pub(super) fn directions(model: &Model) -> Vec<String> {
    let collisions =
        model.links.iter().flat_map(|link| link.collisions.iter().map(move |placed| (link, placed)));
    let lost =
        collisions.filter(|(link, placed)| names_no_link(model, link, &placed.element.surface.friction));
    let text = |(link, placed): (&Link, &Placed<Collision>)| {
        let friction = &placed.element.surface.friction;
        format!(
            "[BH-PHY-033] {}`<fdir1>` of collision `{}::{}::{}` is expressed in `{}`, which is not a link of the \
             model; the frame of the collision is used: name a link of model `{}`",
            place(&placed.element.origin),
            model.name,
            link.name,
            placed.element.name,
            friction.fdir1_link.as_deref().unwrap_or_default(),
            model.name
        )
    };
    lost.map(text).collect()
}

fn inertia(model: &Model, link: &Link) -> Option<String> {
    let inertial = &link.inertial;
    if inertial.auto || link.is_static || link.kinematic {
        return None;
    }
    let moment = inertial.diagonal.max_element();
    let radius = (moment / inertial.mass).sqrt();
    let [least, most] = RADII;
    (!(least..=most).contains(&radius)).then(|| {
        format!(
            "[BH-PHY-030] {}link `{}::{}` has a mass of {:?} kg and a moment of inertia of {moment:?} kg·m², like a body \
             with a radius of {radius:.1e} m; its motion may be inaccurate: correct `<mass>` or `<inertia>`",
            place(&link.origin),
            model.name,
            link.name,
            inertial.mass
        )
    })
}

fn mass_ratio(model: &Model, joint: &Joint) -> Option<String> {
    let link = |body: Body| match body {
        Body::Link(index) => model.links.get(index),
        Body::World => None,
    };
    let (parent, child) = (link(joint.parent)?, link(joint.child)?);
    let [one, other] = [parent, child].map(|link| link.inertial.mass);
    let ratio = (one / other).max(other / one);
    (ratio > MAX_RATIO).then(|| {
        format!(
            "[BH-PHY-031] {}joint `{}::{}` connects link `{}` of {one:?} kg with link `{}` of {other:?} kg, a ratio of \
             {ratio:.0e}; the joint may be inaccurate: use masses with a ratio below {MAX_RATIO:.0e}",
            place(&joint.origin),
            model.name,
            joint.name,
            parent.name,
            child.name
        )
    })
}

fn place(origin: &Origin) -> String {
    place_of(origin).map(|place| format!("{place}: ")).unwrap_or_default()
}

impl World {
    /// Returns a warning for each of the models that begins below a plane. `origin_of` gives the element of a model by
    /// its name.
    pub(super) fn sunken<'a>(
        &self,
        models: &[ModelId],
        origin_of: impl Fn(&str) -> Option<&'a Origin>,
    ) -> Vec<String> {
        let found = self.physics.sunken(models);
        found.iter().map(|sunken| self.sunken_text(sunken, &origin_of)).collect()
    }

    fn sunken_text<'a>(&self, sunken: &Sunken, origin_of: &impl Fn(&str) -> Option<&'a Origin>) -> String {
        let name = |collision| {
            let handle = self.collisions.handle(collision);
            handle.and_then(|handle| self.collisions.name(handle)).unwrap_or("?")
        };
        let (collision, plane, depth) = (name(sunken.collision), name(sunken.plane), sunken.depth);
        let model = collision.split("::").next().unwrap_or(collision);
        let speed = self.physics.settings().overlap_speed;
        format!(
            "[BH-PHY-032] {}model `{model}` begins below the plane `{plane}`: its collision `{collision}` reaches \
             {depth:.3} m deep and is pushed out at {speed} m/s, which takes {:.0} s; raise the pose of the model, or \
             set a higher `overlap_speed`",
            origin_of(model).map(place).unwrap_or_default(),
            depth / speed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::build;
    use bridgehead_sdf::parse_str;

    /// The problems of a world with a ground plane and a model of these links and joints.
    fn problems(pose: &str, parts: &str) -> Vec<String> {
        let ground = "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry>\
                      <plane/></geometry></collision></link></model>";
        let model = format!("<model name='m'><pose>{pose}</pose>{parts}</model>");
        let text = format!("<sdf version='1.9'><world name='w'>{ground}\n{model}</world></sdf>");
        let parsed = parse_str("w.sdf", &text).expect("a world");
        build(&parsed.world, 0.001, 1).expect("builds").problems
    }

    fn link(name: &str, mass: &str, moment: &str) -> String {
        format!(
            "<link name='{name}'><inertial><mass>{mass}</mass><inertia><ixx>{moment}</ixx><iyy>{moment}</iyy>\
             <izz>{moment}</izz></inertia></inertial></link>"
        )
    }

    /// A box of one metre.
    const BOX: &str = "<link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry>\
                       </collision></link>";

    fn assert_one(problems: &[String], texts: &[&str]) {
        assert_eq!(problems.len(), 1, "{problems:?}");
        for text in texts {
            assert!(problems[0].contains(text), "{} does not contain {text}", problems[0]);
        }
    }

    #[test]
    fn a_link_whose_inertia_does_not_fit_its_mass_is_a_warning() {
        assert_one(
            &problems("0 0 1 0 0 0", &link("l", "1e12", "0.1")),
            &["BH-PHY-030", "w.sdf:2", "`m::l`", "1000000000000.0 kg"],
        );
        assert_one(&problems("0 0 1 0 0 0", &link("l", "1", "1e11")), &["BH-PHY-030"]);
        for (mass, moment) in [("1", "1"), ("1e-6", "1e-12"), ("1e12", "1e12"), ("1e-9", "1")] {
            assert_eq!(
                problems("0 0 1 0 0 0", &link("l", mass, moment)),
                Vec::<String>::new(),
                "{mass} {moment}"
            );
        }
    }

    #[test]
    fn a_direction_of_friction_in_an_unknown_frame_is_a_warning() {
        let box_with = |frame: &str| {
            format!(
                "<link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry><surface>\
                 <friction><ode><mu2>0.5</mu2><fdir1 gz:expressed_in='{frame}'>1 0 0</fdir1></ode></friction></surface>\
                 </collision></link>"
            )
        };
        assert_one(
            &problems("0 0 1 0 0 0", &box_with("base")),
            &["BH-PHY-033", "w.sdf:2", "`m::l::c`", "`base`"],
        );
        assert_eq!(problems("0 0 1 0 0 0", &box_with("l")), Vec::<String>::new());
    }

    #[test]
    fn a_joint_between_very_different_masses_is_a_warning() {
        let joint = "<joint name='j' type='revolute'><parent>a</parent><child>b</child></joint>";
        let pair = |one: &str, other: &str| {
            problems("0 0 1 0 0 0", &format!("{}{}{joint}", link("a", one, one), link("b", other, other)))
        };
        assert_one(&pair("1e6", "1e-6"), &["BH-PHY-031", "w.sdf:2", "`m::j`", "`a`", "`b`", "1e12"]);
        assert_one(&pair("1e-6", "1e6"), &["BH-PHY-031"]);
        assert_eq!(pair("1e3", "1e-5"), Vec::<String>::new());
    }

    #[test]
    fn a_model_that_begins_below_the_ground_is_a_warning() {
        let texts = ["BH-PHY-032", "w.sdf:2", "`m`", "`ground::l::c`", "`m::l::c`", "5.500 m", "1100 s"];
        assert_one(&problems("0 0 -5 0 0 0", BOX), &texts);
        assert_one(&problems("0 0 -0.01 0 0 0", BOX), &["0.510 m"]);
        // Less than half of it is below.
        assert_eq!(problems("0 0 0.01 0 0 0", BOX), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_move_or_not_collide_may_be_below_the_ground() {
        let still = format!("<static>true</static>{BOX}");
        let fixed =
            format!("{BOX}<joint name='j' type='fixed'><parent>world</parent><child>l</child></joint>");
        let empty = "<link name='l'/>".to_owned();
        for parts in [still, fixed, empty] {
            assert_eq!(problems("0 0 -5 0 0 0", &parts), Vec::<String>::new(), "{parts}");
        }
    }
}
