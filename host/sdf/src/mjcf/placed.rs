//! What becomes of each body: a link, or a part of the link of another body; with its mass and its pose at the start.
//!
//! A body without joints is fixed to its parent. If it has no mass, or is the first with mass on a parent without, it is a
//! part of the parent's link.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::mjcf::inertia::Inertia;
use crate::mjcf::names::{MAX_FINDINGS, Names};
use crate::mjcf::robot::{BodyMass, DriveKind, JointKind, JointRef, Robot, WORLD_BODY};
use crate::mjcf::rotation::from_wxyz;
use bridgehead_pose::{DVec3, Pose};
use std::collections::{BTreeMap, BTreeSet};

/// The share of the mass of a body that each link between its joints has.
const SHARE: f64 = 1e-3;

/// The mass of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LinkMass {
    /// In the frame of the link.
    Known(Inertia),
    /// That of its collisions, with meshes among them.
    Auto {
        /// kg, if the file gives it.
        total: Option<f64>,
    },
}

/// Links and poses of a robot.
pub(crate) struct Placed {
    pub(crate) names: Names,
    /// The body to whose link each body belongs: itself, or one above it.
    pub(crate) host: Vec<usize>,
    /// The pose of each body in the frame of that link.
    pub(crate) in_host: Vec<Pose>,
    /// The pose of each body in its parent at the start.
    pub(crate) pose: Vec<Pose>,
    /// Of the body's link, without those between joints; `None` for the world and for bodies without a link.
    pub(crate) masses: Vec<Option<LinkMass>>,
    /// Where joints begin, rad or m, if not at 0.
    pub(crate) home: BTreeMap<JointRef, f64>,
}

impl Placed {
    /// Decides for each body.
    pub(crate) fn new(robot: &Robot<'_>, findings: &mut Vec<Diagnostic>) -> Self {
        let count = robot.bodies.len();
        let mut placed = Self {
            names: Names::new(robot, findings),
            host: (0..count).collect(),
            in_host: vec![Pose::IDENTITY; count],
            pose: robot.bodies.iter().map(|body| body.pose).collect(),
            masses: vec![None; count],
            home: BTreeMap::new(),
        };
        placed.begin(robot, findings);
        for body in 1..count {
            placed.place(robot, body);
        }
        placed.invent(robot, findings);
        placed.scale(robot, findings);
        placed
    }

    /// Returns true if a body has a link of its own.
    pub(crate) fn is_link(&self, body: usize) -> bool {
        body != WORLD_BODY && self.host[body] == body
    }

    /// The bodies that belong to the link of each body, in order.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.host.len()];
        for (body, host) in self.host.iter().enumerate() {
            members[*host].push(body);
        }
        members
    }

    /// The link that a body is connected to, and its pose there.
    pub(crate) fn above(&self, robot: &Robot<'_>, body: usize) -> (usize, Pose) {
        let parent = robot.bodies[body].parent;
        (self.host[parent], self.in_host[parent].compose(&self.pose[body]))
    }

    /// The mass of the link of a body, and that of each link between its joints.
    pub(crate) fn shares(&self, robot: &Robot<'_>, body: usize) -> (LinkMass, Inertia) {
        let between = robot.bodies[body].joints.len().saturating_sub(1);
        match self.masses[body] {
            Some(LinkMass::Known(inertia)) => {
                // A body with very many joints keeps half of its mass.
                let share = SHARE.min(0.5 / between.max(1) as f64);
                let rest = 1.0 - share * between as f64;
                (LinkMass::Known(inertia.share(rest)), inertia.share(share))
            }
            Some(auto) => (auto, Inertia::small()),
            None => (LinkMass::Known(Inertia::small()), Inertia::small()),
        }
    }

    fn place(&mut self, robot: &Robot<'_>, body: usize) {
        let found = &robot.bodies[body];
        let own = match found.mass {
            BodyMass::Known(inertia) => Some(LinkMass::Known(inertia)).filter(|_| inertia.is_finite()),
            BodyMass::OfMeshes { total } => Some(LinkMass::Auto { total }),
            BodyMass::None => None,
        };
        let (above, pose) = self.above(robot, body);
        let is_fixed = found.joints.is_empty() && !found.is_free;
        let lends_mass = above != WORLD_BODY && self.masses[above].is_none();
        match own {
            None if is_fixed => self.fold(body, above, pose),
            Some(LinkMass::Known(inertia)) if is_fixed && lends_mass => {
                self.fold(body, above, pose);
                self.masses[above] = Some(LinkMass::Known(inertia.moved(&pose)));
            }
            own => self.masses[body] = own,
        }
    }

    fn fold(&mut self, body: usize, above: usize, pose: Pose) {
        self.host[body] = above;
        self.in_host[body] = pose;
    }

    /// Gives a small mass to links without one.
    fn invent(&mut self, robot: &Robot<'_>, findings: &mut Vec<Diagnostic>) {
        let members = self.members();
        for body in (1..robot.bodies.len()).filter(|body| self.host[*body] == *body) {
            let has_collision = || {
                members[body].iter().any(|part| robot.bodies[*part].geoms.iter().any(|geom| geom.collides()))
            };
            match self.masses[body] {
                Some(LinkMass::Known(_)) => continue,
                Some(LinkMass::Auto { .. }) if has_collision() => continue,
                _ => {}
            }
            let small = Inertia::small();
            self.masses[body] = Some(LinkMass::Known(small));
            if findings.len() > MAX_FINDINGS {
                continue;
            }
            let found = format!("body `{}` without mass", self.names.bodies[body]);
            let at = robot.bodies[body].at.location();
            let finding = Diagnostic::new(Severity::Warning, Code::MjcfMassInvented, Some(at), found);
            findings.push(finding.expected(format!("a mass; {} kg is used", small.mass)));
        }
    }

    /// Scales all masses to the total that the file asks for.
    fn scale(&mut self, robot: &Robot<'_>, findings: &mut Vec<Diagnostic>) {
        let Some(total) = robot.total_mass else { return };
        let known: Option<Vec<f64>> = self
            .masses
            .iter()
            .flatten()
            .map(|mass| if let LinkMass::Known(inertia) = mass { Some(inertia.mass) } else { None })
            .collect();
        let Some(sum) = known.map(|masses| masses.iter().sum::<f64>()) else {
            let finding = Diagnostic::note(
                Code::MjcfNotConverted,
                Some(robot.at.location()),
                "`settotalmass` with masses that depend on meshes; left out",
            );
            findings.push(finding);
            return;
        };
        for mass in self.masses.iter_mut().flatten() {
            if let LinkMass::Known(inertia) = mass {
                *inertia = inertia.share(total / sum);
            }
        }
    }

    /// The keyframe that the model begins with.
    fn begin(&mut self, robot: &Robot<'_>, findings: &mut Vec<Diagnostic>) {
        let Some(home) = &robot.home else { return };
        let mut rest = home.qpos.as_slice();
        let mut is_whole = true;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        for (index, body) in robot.bodies.iter().enumerate() {
            if body.is_free {
                match take(7) {
                    Some(&[x, y, z, qw, qx, qy, qz]) => {
                        let rotation = from_wxyz([qw, qx, qy, qz]).unwrap_or_default();
                        self.pose[index] = Pose::new(DVec3::new(x, y, z), rotation);
                    }
                    _ => is_whole = false,
                }
            }
            for (joint, found) in body.joints.iter().enumerate() {
                let position = if found.kind == JointKind::Ball { take(4) } else { take(1) };
                is_whole &= position.is_some();
                if let Some(&[position]) = position {
                    self.home.insert(JointRef { body: index, joint }, position - found.reference);
                }
            }
        }
        if !is_whole || !rest.is_empty() {
            let found = format!("{} positions", home.qpos.len());
            let at = Some(home.at.location());
            let finding = Diagnostic::new(Severity::Warning, Code::ValueInvalid, at, found);
            findings.push(finding.expected("7 for a free body, 4 for a ball joint, 1 for a hinge or slide"));
        }
        self.report_unreached(robot, findings);
    }

    /// Joints begin at 0; only a position actuator moves them elsewhere.
    fn report_unreached(&self, robot: &Robot<'_>, findings: &mut Vec<Diagnostic>) {
        let drives = robot.drives.iter().filter(|drive| drive.kind == DriveKind::Position);
        let driven: BTreeSet<JointRef> = drives.map(|drive| drive.joint).collect();
        let unreached =
            self.home.iter().filter(|(joint, value)| **value != 0.0 && !driven.contains(joint)).count();
        if let Some(home) = robot.home.as_ref().filter(|_| unreached > 0) {
            let found =
                format!("keyframe `home` with positions of {unreached} joints without a position actuator");
            let finding = Diagnostic::note(Code::MjcfNotConverted, Some(home.at.location()), found);
            findings.push(finding.expected("a position actuator; these joints begin at their reference"));
        }
    }
}
