//! Controllers that drive a vehicle.

use super::asked::Asked;
use crate::diagnostic::Code;
use crate::number::number;
use crate::urdf::read::Reader;
use crate::urdf::robot::{Controller, ControllerKind, Robot, Vehicle};

/// Limits of a drive: the parameter, its name in ROS 2 Humble, and that of the plugin.
const DRIVE_LIMITS: [(&str, &str, &str); 8] = [
    ("linear.x.max_velocity", "linear.x.max_velocity", "max_linear_velocity"),
    ("linear.x.min_velocity", "linear.x.min_velocity", "min_linear_velocity"),
    ("linear.x.max_acceleration", "linear.x.max_acceleration", "max_linear_acceleration"),
    ("linear.x.max_deceleration", "linear.x.min_acceleration", "min_linear_acceleration"),
    ("angular.z.max_velocity", "angular.z.max_velocity", "max_angular_velocity"),
    ("angular.z.min_velocity", "angular.z.min_velocity", "min_angular_velocity"),
    ("angular.z.max_acceleration", "angular.z.max_acceleration", "max_angular_acceleration"),
    ("angular.z.max_deceleration", "angular.z.min_acceleration", "min_angular_acceleration"),
];

/// How fast steered wheels go where they should, 1/s; controllers of ROS ask for the position at once.
const STEERING: f64 = 20.0;
/// Largest angle of steering for joints without limits, rad.
const MOST_STEERING: f64 = 1.4;

impl<'d> Reader<'d> {
    pub(super) fn diff_drive(&mut self, asked: &Asked<'_>) -> Option<Controller> {
        let left = self.joints_of(asked, "left_wheel_names")?;
        let right = self.joints_of(asked, "right_wheel_names")?;
        let mut settings = Vec::new();
        for (parameter, name, multipliers) in [
            ("wheel_separation", "wheel_separation", &["wheel_separation_multiplier"][..]),
            ("wheel_radius", "wheel_radius", &["wheel_radius_multiplier", "left_wheel_radius_multiplier"]),
        ] {
            let Some(value) = asked.number(parameter).filter(|value| *value > 0.0) else {
                self.incomplete(asked, parameter, "a number above 0");
                return None;
            };
            let factor = multipliers.iter().find_map(|name| asked.number(name)).unwrap_or(1.0);
            settings.push((name, number(value * factor)));
        }
        for (parameter, before, name) in DRIVE_LIMITS {
            let value = asked.number(parameter).or_else(|| asked.number(before));
            let value = value.filter(|value| asked.has_limit(parameter) && *value != 0.0);
            settings.extend(value.map(|value| (name, number(value))));
        }
        for (parameter, name) in
            [("cmd_vel_timeout", "command_timeout"), ("publish_rate", "odom_publish_frequency")]
        {
            settings.extend(asked.number(parameter).map(|value| (name, number(value))));
        }
        settings.extend(asked.flag("enable_odom_tf").map(|flag| ("publish_tf", flag)));
        let joints = of_sides("left_joint", left).chain(of_sides("right_joint", right)).collect();
        let vehicle = Vehicle { plugin: "diff_drive", joints, command: "cmd_vel", odometry: "odom" };
        Some(asked.controller(ControllerKind::Drive(vehicle), settings))
    }

    /// A car with steered front wheels. Its lists have one joint on each side, in any order: the left one is the one whose
    /// origin is farther to the left.
    pub(super) fn ackermann(&mut self, asked: &Asked<'_>, robot: &Robot<'d>) -> Option<Controller> {
        if asked.flag("front_steering").as_deref() == Some("false") {
            self.incomplete(asked, "front_steering", "`true`: the front wheels are steered");
            return None;
        }
        let mut joints = Vec::new();
        for (parameters, elements) in [
            (["traction_joints_names", "rear_wheels_names"], ["left_joint", "right_joint"]),
            (
                ["steering_joints_names", "front_wheels_names"],
                ["left_steering_joint", "right_steering_joint"],
            ),
        ] {
            let parameter = asked.first_list(parameters);
            let sides = self.sides(asked, parameter, robot)?;
            joints.extend(elements.into_iter().zip(sides));
        }
        let mut settings = Vec::new();
        for (parameters, name) in [
            (["wheelbase", "wheelbase"], "wheel_base"),
            (["traction_track_width", "rear_wheel_track"], "wheel_separation"),
            (["steering_track_width", "front_wheel_track"], "kingpin_width"),
            (["traction_wheels_radius", "rear_wheels_radius"], "wheel_radius"),
        ] {
            let value = parameters.iter().find_map(|parameter| asked.number(parameter));
            let Some(value) = value.filter(|value| *value > 0.0) else {
                self.incomplete(asked, parameters[1], "a number above 0");
                return None;
            };
            settings.push((name, number(value)));
        }
        settings.extend(asked.number("reference_timeout").map(|value| ("command_timeout", number(value))));
        settings.extend(asked.flag("enable_odom_tf").map(|flag| ("publish_tf", flag)));
        settings.push(("steer_p_gain", number(STEERING)));
        settings.push(("steering_limit", number(steering_limit(&joints, robot))));
        let vehicle = Vehicle { plugin: "ackermann", joints, command: "reference", odometry: "odometry" };
        Some(asked.controller(ControllerKind::Drive(vehicle), settings))
    }

    /// Two joints of a list on the same link: the left one, then the right one.
    fn sides(&mut self, asked: &Asked<'_>, parameter: &str, robot: &Robot<'d>) -> Option<[usize; 2]> {
        let joints = self.joints_of(asked, parameter)?;
        let of = |joint: usize| (&robot.joints[joint].parent, robot.joints[joint].origin.xyz[1]);
        if let [first, second] = joints[..]
            && of(first).0 == of(second).0
        {
            return Some(if of(first).1 > of(second).1 { [first, second] } else { [second, first] });
        }
        let found = format!("the controller `{}` with {} joints in `{parameter}`", asked.name, joints.len());
        let expected = "one joint on each side, both on the same link";
        self.warning(Code::UrdfControllerLeftOut, asked.at, found, expected);
        None
    }
}

fn of_sides(element: &'static str, joints: Vec<usize>) -> impl Iterator<Item = (&'static str, usize)> {
    joints.into_iter().map(move |joint| (element, joint))
}

/// Returns how far a car steers: as far as the joints that it steers with allow, rad.
fn steering_limit(joints: &[(&str, usize)], robot: &Robot<'_>) -> f64 {
    let steered = joints.iter().filter(|(element, _)| element.contains("steering"));
    let limits = steered.flat_map(|(_, joint)| {
        let limit = &robot.joints[*joint].limit;
        [limit.lower, limit.upper].into_iter().flatten().map(f64::abs)
    });
    limits.filter(|limit| *limit > 0.0).fold(MOST_STEERING, f64::min)
}
