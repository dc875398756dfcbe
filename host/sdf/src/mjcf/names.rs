//! The names that bodies and joints have in SDF, where links, joints and frames share one set of names.

use crate::diagnostic::{Code, Diagnostic};
use crate::document::Element;
use crate::mjcf::robot::{JointRef, Robot};
use crate::scope::{self, Scope};
use std::collections::BTreeMap;

/// Findings that are kept: more end the reading, and their places would take up memory.
pub(crate) const MAX_FINDINGS: usize = 10_000;

/// The name of a model without one.
const NAMELESS: &str = "mujoco";

/// All names of a model.
pub(crate) struct Names {
    pub(crate) model: String,
    /// Of the link or frame of each body; that of the world is for the link of its geoms.
    pub(crate) bodies: Vec<String>,
    pub(crate) joints: BTreeMap<JointRef, String>,
    /// Of the link between a joint and the next one of its body.
    pub(crate) between: BTreeMap<JointRef, String>,
    /// Of the joint that fixes a body without joints.
    pub(crate) fixed: Vec<String>,
    /// Of the joints that close loops.
    pub(crate) closures: Vec<String>,
}

impl Names {
    /// Chooses a name for everything, with a finding if it differs from that of the MJCF.
    pub(crate) fn new(robot: &Robot<'_>, findings: &mut Vec<Diagnostic>) -> Self {
        let written = robot.bodies.iter().skip(1).map(|body| body.name);
        let written = written.chain(robot.joints().map(|joint| robot.joint(joint).name));
        let written = written.filter(|name| !name.is_empty()).map(str::to_owned);
        let mut scope = Scope::wanting(written);
        let mut take = |name: &str, instead: &str, kind: &str, at: Element<'_>| {
            let given = scope.take(if name.is_empty() { instead } else { name }, kind);
            if !name.is_empty() && given != name && findings.len() <= MAX_FINDINGS {
                let found = format!("{kind} `{name}`");
                let finding = Diagnostic::note(Code::UrdfNameChanged, Some(at.location()), found);
                findings.push(finding.expected(format!("a name that SDF allows there; it is now `{given}`")));
            }
            given
        };
        // Commands and states name joints, so these keep their names.
        let mut joints = BTreeMap::new();
        for joint in robot.joints() {
            let (found, body) = (robot.joint(joint), robot.bodies[joint.body].name);
            let of = if body.is_empty() { format!("body_{}", joint.body) } else { body.to_owned() };
            joints.insert(joint, take(found.name, &format!("{of}_joint"), "joint", found.at));
        }
        let mut bodies = Vec::new();
        for (index, body) in robot.bodies.iter().enumerate() {
            let name = if index == 0 { "" } else { body.name };
            let instead = if index == 0 { "worldbody".to_owned() } else { format!("body_{index}") };
            bodies.push(take(name, &instead, "link", body.at));
        }
        let mut between = BTreeMap::new();
        for joint in robot.joints().filter(|joint| joint.joint + 1 < robot.bodies[joint.body].joints.len()) {
            let instead = format!("{}_{}", bodies[joint.body], joints[&joint]);
            between.insert(joint, take("", &instead, "link", robot.joint(joint).at));
        }
        let mut fixed = Vec::new();
        for (body, name) in robot.bodies.iter().zip(&bodies) {
            fixed.push(take("", &format!("{name}_fixed"), "joint", body.at));
        }
        let closures = robot.closures.iter().map(|closure| take(&closure.name, "loop", "joint", robot.at));
        let closures = closures.collect();
        let model = if robot.name.is_empty() { NAMELESS } else { &robot.name };
        Self { model: scope::allowed(model, "model"), bodies, joints, between, fixed, closures }
    }
}
