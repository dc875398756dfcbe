//! The worlds of the benchmarks: differential-drive robots on a plane, as SDF.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Outcome;

/// Distance between the wheels, metres. This and the radius are negative powers of two, so that wheel speeds are exact.
pub(crate) const SEPARATION: f64 = 0.5;
/// Radius of the wheels, metres.
pub(crate) const RADIUS: f64 = 0.125;

/// Robots on a square field.
pub(crate) struct Scene {
    /// How many.
    pub(crate) robots: u32,
    /// `<sensor>` elements in the chassis of each.
    pub(crate) sensors: String,
}

/// Sensors of an ordinary robot: a flat lidar and an imu.
pub(crate) const USUAL_SENSORS: &str = r#"
<sensor name="imu" type="imu"><update_rate>100</update_rate></sensor>
<sensor name="lidar" type="gpu_lidar"><pose>0 0 0.2 0 0 0</pose><topic>scan</topic><update_rate>10</update_rate><lidar>
<scan><horizontal><samples>360</samples><min_angle>-3.14159265</min_angle><max_angle>3.12413936</max_angle></horizontal></scan>
<range><min>0.1</min><max>12</max></range></lidar></sensor>"#;

impl Scene {
    /// Writes the world into a folder.
    pub(crate) fn write(&self, folder: &Path) -> Outcome<PathBuf> {
        let path = folder.join(format!("{}_robots.sdf", self.robots));
        fs::write(&path, self.sdf())?;
        Ok(path)
    }

    fn sdf(&self) -> String {
        let mut text = String::from(
            r#"<sdf version="1.9"><world name="bench"><physics name="default" type="ignored"><max_step_size>0.001</max_step_size></physics>
<model name="ground"><static>true</static><link name="surface"><collision name="plane">
<geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>"#,
        );
        let side = (1..).find(|side| side * side >= self.robots).unwrap_or(1);
        for index in 0..self.robots {
            self.add_robot(&mut text, index, [index % side * 4, index / side * 4]);
        }
        text.push_str("</world></sdf>");
        text
    }

    fn add_robot(&self, text: &mut String, index: u32, [x, y]: [u32; 2]) {
        let (sensors, half) = (&self.sensors, SEPARATION / 2.0);
        let mut add = |part: std::fmt::Arguments<'_>| text.write_fmt(part).unwrap_or_default();
        add(format_args!(
            r#"
<model name="car{index}"><pose>{x} {y} 0 0 0 0</pose>
<link name="chassis"><pose>0 0 0.145 0 0 0</pose>
<inertial><mass>5</mass><inertia><ixx>0.0417</ixx><iyy>0.1083</iyy><izz>0.1417</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
<collision name="body"><geometry><box><size>0.5 0.3 0.1</size></box></geometry></collision>
"#
        ));
        for (name, at) in [("front", 0.2), ("rear", -0.2)] {
            add(format_args!(
                r#"<collision name="{name}_caster"><pose>{at} 0 -0.094 0 0 0</pose><geometry><sphere><radius>0.05</radius></sphere></geometry>
<surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface></collision>
"#
            ));
        }
        add(format_args!("{sensors}</link>\n"));
        for (name, at) in [("left", half), ("right", -half)] {
            add(format_args!(
                r#"<link name="{name}_wheel"><pose degrees="true">0 {at} {RADIUS} -90 0 0</pose>
<inertial><mass>0.5</mass><inertia><ixx>0.00197</ixx><iyy>0.00197</iyy><izz>0.0039</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
<collision name="tread"><geometry><cylinder><radius>{RADIUS}</radius><length>0.02</length></cylinder></geometry></collision></link>
<joint name="{name}_axle" type="revolute"><parent>chassis</parent><child>{name}_wheel</child><axis><xyz>0 0 1</xyz></axis></joint>
"#
            ));
        }
        add(format_args!(
            r#"<plugin filename="diff_drive" name="drive"><left_joint>left_axle</left_joint><right_joint>right_axle</right_joint>
<wheel_separation>{SEPARATION}</wheel_separation><wheel_radius>{RADIUS}</wheel_radius><command_timeout>0</command_timeout></plugin>
</model>"#
        ));
    }
}
