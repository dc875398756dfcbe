//! The plugins that stand for `<actuator>`: `joint_command` drives joints, `joint_state` reports all of them.

use super::Writer;
use crate::diagnostic::{Code, Severity};
use crate::mjcf::robot::{DriveKind, JointRef, Robot};
use crate::number::number;
use std::collections::BTreeMap;

/// What commands may drive each joint, without repetitions, and the greatest effort of its actuators.
pub(super) fn driven(robot: &Robot<'_>) -> BTreeMap<JointRef, (Vec<DriveKind>, f64)> {
    let mut driven: BTreeMap<JointRef, (Vec<DriveKind>, f64)> = BTreeMap::new();
    for drive in &robot.drives {
        let (kinds, effort) = driven.entry(drive.joint).or_default();
        if !kinds.contains(&drive.kind) {
            kinds.push(drive.kind);
            kinds.sort_unstable();
        }
        *effort = effort.max(drive.effort);
    }
    driven
}

impl Writer<'_, '_> {
    pub(super) fn controls(&mut self) {
        let Some(first) = self.robot.drives.first() else { return };
        self.out.open("plugin", &[("filename", "joint_command"), ("name", "actuators")]);
        for (joint, (kinds, _)) in self.driven.clone() {
            self.driven_joint(joint, &kinds);
        }
        self.out.close("plugin");
        self.out.open("plugin", &[("filename", "joint_state"), ("name", "joint_states")]);
        // Controllers are often faster than the default, and nobody who does not listen pays.
        self.out.leaf("update_rate", "0");
        self.out.close("plugin");
        let count = |kind: DriveKind| self.driven.values().filter(|(kinds, _)| kinds.contains(&kind)).count();
        let kinds = [DriveKind::Effort, DriveKind::Position, DriveKind::Velocity];
        let counts = kinds.into_iter().map(|kind| (kind.name(), count(kind))).filter(|(_, count)| *count > 0);
        let counts = counts.map(|(name, count)| format!("{count} by {name}")).collect::<Vec<_>>().join(", ");
        let found = format!("`<actuator>` with {} driven joints: {counts}", self.driven.len());
        let expected = "commands as `sensor_msgs/msg/JointState` on the topic `joint_command`: efforts in N·m or N, which \
                        is `ctrl` times `gear`, and positions and velocities, which motors reach without the gains \
                        of the file";
        self.find(Severity::Note, Code::MjcfControlled, first.at, found, expected);
    }

    /// A joint with a position actuator goes to the position of the keyframe, or to 0 as in MuJoCo.
    fn driven_joint(&mut self, joint: JointRef, kinds: &[DriveKind]) {
        let name = self.placed.names.joints[&joint].clone();
        self.out.open("joint", &[("name", &name)]);
        for kind in kinds {
            self.out.leaf("command_interface", kind.name());
        }
        if kinds.contains(&DriveKind::Position) {
            let found = self.robot.joint(joint);
            let begin = self.placed.home.get(&joint).copied().unwrap_or(-found.reference);
            let [lower, upper] = found.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let begin = begin.max(lower - found.reference).min(upper - found.reference);
            self.out.leaf("initial_position", &number(begin));
        } else if kinds.contains(&DriveKind::Velocity) {
            self.out.leaf("initial_velocity", "0");
        }
        self.out.close("joint");
    }
}
