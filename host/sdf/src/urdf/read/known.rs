//! The elements and attributes of URDF that are read; all others are reported once for each kind.

use super::Reader;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::source::Location;

/// What is read of one element.
struct Known {
    element: &'static str,
    attributes: &'static [&'static str],
    children: &'static [&'static str],
}

const KNOWN: &[Known] = &[
    Known {
        element: "robot",
        attributes: &["name", "version"],
        children: &["link", "joint", "material", "gazebo", "origin", "ros2_control"],
    },
    Known { element: "link", attributes: &["name"], children: &["inertial", "visual", "collision"] },
    Known { element: "inertial", attributes: &[], children: &["origin", "mass", "inertia"] },
    Known { element: "mass", attributes: &["value"], children: &[] },
    Known { element: "inertia", attributes: &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"], children: &[] },
    Known { element: "visual", attributes: &["name"], children: &["origin", "geometry", "material"] },
    Known { element: "collision", attributes: &["name"], children: &["origin", "geometry"] },
    Known { element: "origin", attributes: &["xyz", "rpy", "quat_xyzw"], children: &[] },
    Known {
        element: "geometry",
        attributes: &[],
        children: &["box", "cylinder", "capsule", "sphere", "mesh"],
    },
    Known { element: "box", attributes: &["size"], children: &[] },
    Known { element: "cylinder", attributes: &["radius", "length"], children: &[] },
    Known { element: "capsule", attributes: &["radius", "length"], children: &[] },
    Known { element: "sphere", attributes: &["radius"], children: &[] },
    Known { element: "mesh", attributes: &["filename", "scale"], children: &[] },
    Known { element: "material", attributes: &["name"], children: &["color", "texture"] },
    Known { element: "color", attributes: &["rgba"], children: &[] },
    Known { element: "texture", attributes: &["filename"], children: &[] },
    Known {
        element: "joint",
        attributes: &["name", "type"],
        children: &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"],
    },
    Known { element: "parent", attributes: &["link"], children: &[] },
    Known { element: "child", attributes: &["link"], children: &[] },
    Known { element: "axis", attributes: &["xyz"], children: &[] },
    Known { element: "limit", attributes: &["lower", "upper", "effort", "velocity"], children: &[] },
    Known { element: "dynamics", attributes: &["damping", "friction"], children: &[] },
    Known { element: "mimic", attributes: &["joint", "multiplier", "offset"], children: &[] },
];

/// Elements and attributes that URDF and its users have and SDF does not, each with what to do instead.
const WITHOUT_COUNTERPART: &[(&str, &str)] = &[
    ("transmission", "drive the joints through a plugin, in `<gazebo><plugin …>`"),
    ("safety_controller", "soft limits belong into your controller"),
    ("calibration", "no action needed: simulated joints are calibrated"),
    ("sensor", "put an SDF `<sensor>` into `<gazebo reference=\"link\">`"),
    ("contact", "put `<mu1>`, `<mu2>`, `<kp>` and `<kd>` into `<gazebo reference=\"link\">`"),
    ("verbose", ""),
    ("acceleration", "acceleration limits belong into your controller"),
    ("deceleration", "deceleration limits belong into your controller"),
    ("jerk", "jerk limits belong into your controller"),
];

/// A kind of element or attribute that was left out.
pub(super) struct LeftOut {
    /// `<joint>` and the like, then its child or attribute.
    parent: String,
    what: String,
    name: String,
    first: Location,
    count: usize,
}

impl LeftOut {
    pub(super) fn into_finding(self) -> Diagnostic {
        let counterpart = WITHOUT_COUNTERPART.iter().find(|(name, _)| *name == self.name);
        // A prefix marks an extension, which is not a mistake.
        let severity =
            if counterpart.is_some() || self.name.contains(':') { Severity::Note } else { Severity::Warning };
        let code = if counterpart.is_some() { Code::UrdfNotConverted } else { Code::UrdfUnknown };
        let times = if self.count > 1 { format!(", {} times", self.count) } else { String::new() };
        let found = format!("{} in `<{}>`{times}; left out", self.what, self.parent);
        let finding = Diagnostic::new(severity, code, Some(self.first), found);
        match counterpart {
            Some((_, hint)) => finding.hint(*hint),
            None => finding,
        }
    }
}

impl<'d> Reader<'d> {
    /// Reports children and attributes that are not read.
    pub(super) fn check_known(&mut self, element: Element<'d>) {
        let Some(known) = KNOWN.iter().find(|known| known.element == element.name()) else { return };
        for (name, _) in element.attributes() {
            let is_read = known.attributes.contains(&name) || name == "xmlns" || name.starts_with("xmlns:");
            if !is_read {
                self.leave_out(element, element, name, format!("attribute `{name}`"));
            }
        }
        for child in element.children().filter(|child| !known.children.contains(&child.name())) {
            self.leave_out(element, child, child.name(), format!("`<{}>`", child.name()));
        }
    }

    fn leave_out(&mut self, parent: Element<'d>, at: Element<'d>, name: &str, what: String) {
        let mut known = self.left_out.iter_mut();
        if let Some(known) = known.find(|known| known.parent == parent.name() && known.what == what) {
            known.count += 1;
            return;
        }
        self.left_out.push(LeftOut {
            parent: parent.name().to_owned(),
            what,
            name: name.to_owned(),
            first: at.location(),
            count: 1,
        });
    }
}
