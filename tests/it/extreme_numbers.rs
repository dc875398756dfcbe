//! Tests of physical numbers at and beyond the limits: each works, or is reported with its place, or ends the run with
//! the name of the body that diverged; and no message contains a number that is not finite.

use std::fmt::Write as _;
use std::fs;

use crate::support::{Finished, Setup};

/// Values for each element; the comment of a table says which of them are valid.
const VALUES: [&str; 12] =
    ["0", "-1", "1e-300", "1e-12", "0.001", "1000", "1e12", "1e300", "1e999", "nan", "inf", "heavy"];

/// What is written in the world; the rest has usual values.
#[derive(Clone)]
struct Numbers {
    gravity: String,
    height: String,
    base: Body,
    tip: Body,
    size: String,
    friction: String,
    limit: String,
    dynamics: String,
}

#[derive(Clone)]
struct Body {
    mass: String,
    moments: [String; 3],
}

impl Body {
    fn new(mass: &str, moments: [&str; 3]) -> Self {
        Body { mass: mass.to_owned(), moments: moments.map(str::to_owned) }
    }

    fn sdf(&self) -> String {
        let [x, y, z] = &self.moments;
        format!(
            "<inertial><mass>{}</mass><inertia><ixx>{x}</ixx><iyy>{y}</iyy><izz>{z}</izz></inertia></inertial>",
            self.mass
        )
    }
}

impl Numbers {
    fn usual() -> Self {
        let body = Body::new("1", ["0.1"; 3]);
        Numbers {
            gravity: "0 0 -9.8".into(),
            height: "1".into(),
            base: body.clone(),
            tip: body,
            size: "0.5".into(),
            friction: "<mu>1</mu>".into(),
            limit: "<lower>-1</lower><upper>1</upper>".into(),
            dynamics: "<damping>0.1</damping>".into(),
        }
    }

    /// An arm of two links that falls onto the ground, with an imu and joint states.
    fn sdf(&self) -> String {
        let Numbers { gravity, height, base, tip, size, friction, limit, dynamics } = self;
        let (base, tip) = (base.sdf(), tip.sdf());
        format!(
            "<sdf version=\"1.9\"><world name=\"w\">\n<gravity>{gravity}</gravity>\n\
             <model name=\"ground\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><plane/>\
             </geometry></collision></link></model>\n\
             <model name=\"arm\"><pose>0 0 {height} 0 0 0</pose>\n\
             <link name=\"base\">\n{base}\n<collision name=\"c\"><geometry><box><size>0.5 0.5 {size}</size></box>\
             </geometry>\n<surface><friction><ode>{friction}</ode></friction></surface></collision>\n\
             <sensor name=\"imu\" type=\"imu\"><update_rate>100</update_rate></sensor></link>\n\
             <link name=\"tip\"><pose>0.6 0 0 0 0 0</pose>\n{tip}\n<collision name=\"c\"><geometry><sphere>\
             <radius>0.1</radius></sphere></geometry></collision></link>\n\
             <joint name=\"j\" type=\"revolute\"><parent>base</parent><child>tip</child><pose>-0.6 0 0 0 0 0</pose>\
             <axis><xyz>0 1 0</xyz>\n<limit>{limit}</limit>\n<dynamics>{dynamics}</dynamics>\n</axis></joint>\n\
             <plugin name=\"gz::sim::systems::JointStatePublisher\" filename=\"x\"/>\n</model></world></sdf>\n"
        )
    }

    fn run(&self) -> Finished {
        let setup = Setup::new().plugins(&["imu", "joint_state", "entities", "logging"]).world(&self.sdf());
        setup.bridge("*=logging:out/run.jsonl").args(["--duration", "0.7s"]).finish()
    }
}

/// What became of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The run ended regularly without a word about it.
    Works,
    /// The run ended regularly; a finding has this code, and the line of the number.
    Reported(&'static str),
    /// The run ended early and named the body.
    Diverged,
}

use Outcome::{Diverged, Reported, Works};

/// Runs a world and checks that it has one of the permitted outcomes.
fn outcome(numbers: &Numbers) -> Result<Outcome, String> {
    let finished = numbers.run();
    let text = finished.to_string();
    let codes =
        ["BH-SDF-010", "BH-SDF-050", "BH-SDF-051", "BH-PHY-013", "BH-PHY-014", "BH-PHY-030", "BH-PHY-031"];
    let found = codes.into_iter().chain(["BH-PHY-032"]).find(|code| text.contains(code));
    let log = fs::read_to_string(finished.path("out/run.jsonl")).unwrap_or_default();
    for word in ["NaN", "Infinity", "null"] {
        if log.contains(word) {
            return Err(format!("a message contains `{word}`\n{text}"));
        }
    }
    match (finished.code(), found) {
        (Some(0), None) if log.contains("/arm/imu") => Ok(Works),
        // A model that is left out makes the world incomplete, which is a failure.
        (Some(0 | 9), Some(code)) if text.contains("world.sdf:") => Ok(Reported(code)),
        (Some(16), _) if text.contains("BH-PHY-020") && text.contains("link arm::") => Ok(Diverged),
        (code, _) => Err(format!("an end with code {code:?}\n{text}")),
    }
}

/// Checks the outcome of each value of an element, in the order of [`VALUES`].
#[track_caller]
fn assert_outcomes(element: &str, set: impl Fn(&mut Numbers, &str), expected: [Outcome; 12]) {
    let mut wrong = String::new();
    for (value, expected) in VALUES.into_iter().zip(expected) {
        let mut numbers = Numbers::usual();
        set(&mut numbers, value);
        let found = outcome(&numbers);
        if found.as_ref() != Ok(&expected) {
            let _ = writeln!(wrong, "{element} = {value}: {found:?} instead of {expected:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A text that is no number of the permitted kind.
const INVALID: Outcome = Reported("BH-SDF-010");

#[test]
fn every_mass_works_or_is_reported() {
    let (impossible, unlikely) = (Reported("BH-SDF-050"), Reported("BH-PHY-030"));
    let expected = [
        impossible, impossible, unlikely, unlikely, Works, Works, unlikely, unlikely, INVALID, INVALID,
        INVALID, INVALID,
    ];
    assert_outcomes("mass of the base", |numbers, value| numbers.base.mass = value.into(), expected);
    assert_outcomes("mass of the tip", |numbers, value| numbers.tip.mass = value.into(), expected);
}

#[test]
fn every_inertia_works_or_is_reported() {
    let (impossible, unlikely) = (Reported("BH-SDF-050"), Reported("BH-PHY-030"));
    let expected = [
        impossible,
        impossible,
        Reported("BH-PHY-013"),
        unlikely,
        Works,
        Works,
        unlikely,
        unlikely,
        INVALID,
        INVALID,
        INVALID,
        INVALID,
    ];
    let moments = |value: &str| [value, value, value].map(str::to_owned);
    assert_outcomes("inertia of the base", |numbers, value| numbers.base.moments = moments(value), expected);
    assert_outcomes("inertia of the tip", |numbers, value| numbers.tip.moments = moments(value), expected);
}

#[test]
fn masses_with_a_ratio_of_a_trillion_are_reported() {
    let heavy = Body::new("1e6", ["1e5"; 3]);
    let light = Body::new("1e-6", ["1e-7"; 3]);
    let pairs = [(heavy.clone(), light.clone()), (light, heavy)];
    for (base, tip) in pairs {
        let numbers = Numbers { base, tip, ..Numbers::usual() };
        assert_eq!(outcome(&numbers), Ok(Reported("BH-PHY-031")));
    }
}

#[test]
fn an_inertia_that_breaks_the_triangle_inequality_is_reported() {
    let numbers = Numbers { tip: Body::new("1", ["1", "1", "3"]), ..Numbers::usual() };
    assert_eq!(outcome(&numbers), Ok(Reported("BH-SDF-050")));
}

#[test]
fn every_limit_works_or_is_reported() {
    let all_but_texts =
        [Works, Works, Works, Works, Works, Works, Works, Works, Works, INVALID, Works, INVALID];
    for element in ["velocity", "effort"] {
        let set = |numbers: &mut Numbers, value: &str| {
            numbers.limit = format!("<lower>-1</lower><upper>1</upper>\n<{element}>{value}</{element}>");
        };
        assert_outcomes(element, set, all_but_texts);
    }
    for element in ["lower", "upper"] {
        let set = |numbers: &mut Numbers, value: &str| {
            numbers.limit = format!("<{element}>{value}</{element}>");
        };
        assert_outcomes(element, set, all_but_texts);
    }
}

#[test]
fn contradictory_limits_are_reported_and_equal_ones_hold() {
    let limited = |limit: &str| Numbers { limit: limit.into(), ..Numbers::usual() };
    assert_eq!(outcome(&limited("<lower>1</lower><upper>-1</upper>")), Ok(INVALID));
    assert_eq!(outcome(&limited("<lower>0.5</lower><upper>0.5</upper>")), Ok(Works));
}

#[test]
fn every_coefficient_of_a_joint_works_or_is_reported() {
    let not_negative =
        [Works, INVALID, Works, Works, Works, Works, Works, Works, INVALID, INVALID, INVALID, INVALID];
    for element in ["damping", "friction", "spring_stiffness"] {
        let set = |numbers: &mut Numbers, value: &str| {
            numbers.dynamics = format!("<{element}>{value}</{element}>");
        };
        assert_outcomes(element, set, not_negative);
    }
    for element in ["stiffness", "dissipation"] {
        let set = |numbers: &mut Numbers, value: &str| {
            let _ = write!(numbers.limit, "<{element}>{value}</{element}>");
        };
        assert_outcomes(element, set, not_negative);
    }
    let any = [Works, Works, Works, Works, Works, Works, Works, Works, INVALID, INVALID, INVALID, INVALID];
    let set = |numbers: &mut Numbers, value: &str| {
        numbers.dynamics = format!("<spring_reference>{value}</spring_reference>");
    };
    assert_outcomes("spring_reference", set, any);
}

#[test]
fn every_place_and_size_works_or_is_reported() {
    let sunken = Reported("BH-PHY-032");
    let heights =
        [Works, sunken, Works, Works, Works, Works, INVALID, INVALID, INVALID, INVALID, INVALID, INVALID];
    assert_outcomes("height", |numbers, value| numbers.height = value.into(), heights);
    let small = Reported("BH-PHY-014");
    let sizes =
        [INVALID, INVALID, small, small, Works, Works, INVALID, INVALID, INVALID, INVALID, INVALID, INVALID];
    assert_outcomes("size", |numbers, value| numbers.size = value.into(), sizes);
}

#[test]
fn every_gravity_and_friction_works_or_is_reported() {
    let gravities =
        [Works, Works, Works, Works, Works, Works, INVALID, INVALID, INVALID, INVALID, INVALID, INVALID];
    assert_outcomes("gravity", |numbers, value| numbers.gravity = format!("0 0 {value}"), gravities);
    let frictions =
        [Works, INVALID, Works, Works, Works, Works, Works, Works, INVALID, INVALID, INVALID, INVALID];
    for element in ["mu", "mu2", "slip1", "slip2"] {
        let set = |numbers: &mut Numbers, value: &str| {
            numbers.friction = format!("<{element}>{value}</{element}>");
        };
        assert_outcomes(element, set, frictions);
    }
}

#[test]
fn a_world_that_diverges_ends_with_the_name_of_the_body() {
    let spring = "<spring_stiffness>1e300</spring_stiffness><spring_reference>1e300</spring_reference>";
    let numbers = Numbers { dynamics: spring.into(), ..Numbers::usual() };
    assert_eq!(outcome(&numbers), Ok(Diverged));
}
