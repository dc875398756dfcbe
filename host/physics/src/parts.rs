//! Splits the joints of SDF into joints with one axis.
//!
//! A joint with two axes becomes two hinges in series with a companion body between them; gears and followers become
//! couplings of the positions of others. A pure function of the specification.

use bridgehead_pose::Pose;

use super::assemble::Held;
use super::error::PhysicsError;
use super::gear;
use super::spec::{AxisSpec, Inertial, JointKind, JointSpec, LinkSpec, MimicSpec, ModelSpec};

/// The joints of a model, each with at most one axis.
pub(super) struct Parts {
    pub(super) joints: Vec<JointSpec>,
    /// What each joint of the specification was split into.
    pub(super) of: Vec<SplitJoint>,
    /// Bodies between the axes of a joint; their indices follow those of the links.
    pub(super) companions: Vec<Companion>,
    pub(super) couplings: Vec<Coupling>,
}

/// The result of splitting a joint; indices into [`Parts::joints`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitJoint {
    One(usize),
    /// The hinge of the first axis and that of the second.
    Two([usize; 2]),
    /// None: a gearbox is a coupling.
    Gears,
}

/// The body between two axes.
pub(super) struct Companion {
    pub(super) link: LinkSpec,
    /// The hinges above and below it.
    pub(super) hinges: [usize; 2],
    /// The links on both sides; `None` for the world.
    pub(super) between: [Option<usize>; 2],
}

/// Why two positions are coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coupled {
    /// Both move each other.
    Gears {
        /// The joint of the specification.
        joint: usize,
    },
    /// The follower may begin elsewhere and approach its offset.
    Mimic,
}

/// The position of one joint is a multiple of that of another, plus an offset; indices into [`Parts::joints`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Coupling {
    pub(super) leader: usize,
    pub(super) follower: usize,
    pub(super) multiplier: f64,
    pub(super) offset: f64,
    pub(super) why: Coupled,
}

/// Splits the joints of a checked model.
///
/// # Errors
/// Returns an error if a gearbox has no two hinges to couple, or they are coupled already.
pub(super) fn of(spec: &ModelSpec) -> Result<Parts, PhysicsError> {
    let mut parts =
        Parts { joints: Vec::new(), of: Vec::new(), companions: Vec::new(), couplings: Vec::new() };
    for joint in &spec.joints {
        parts.add(joint, spec);
    }
    parts.couple_mimics();
    for (index, joint) in spec.joints.iter().enumerate() {
        if let JointKind::Gearbox { ratio, reference } = joint.kind {
            let coupling = parts.mesh(spec, index, &gear::Gears { joint, ratio, reference })?;
            parts.couplings.push(coupling);
        }
    }
    Ok(parts)
}

impl Parts {
    fn add(&mut self, joint: &JointSpec, spec: &ModelSpec) {
        let index = self.joints.len();
        let split = match (joint.kind, &joint.second) {
            (JointKind::Gearbox { .. }, _) => SplitJoint::Gears,
            (kind, Some(second)) if kind.is_in_series() => self.add_series(joint, second, spec),
            _ => {
                self.joints.push(joint.clone());
                SplitJoint::One(index)
            }
        };
        self.of.push(split);
    }

    /// Adds two hinges, that of the parent first.
    fn add_series(&mut self, joint: &JointSpec, second: &AxisSpec, spec: &ModelSpec) -> SplitJoint {
        let (upper, lower) = (self.joints.len(), self.joints.len() + 1);
        let between = spec.links.len() + self.companions.len();
        let hinge = JointSpec { kind: JointKind::Revolute, second: None, ..joint.clone() };
        let mut ends = [hinge.clone(), hinge.about(second)];
        if joint.is_reversed {
            ends.reverse();
        }
        let [above, below] = ends;
        self.joints.push(JointSpec { child: between, ..above });
        self.joints.push(JointSpec { parent: Some(between), ..below });
        self.companions.push(Companion {
            link: companion_link(joint),
            hinges: [upper, lower],
            between: [joint.parent, Some(joint.child)],
        });
        SplitJoint::Two(if joint.is_reversed { [lower, upper] } else { [upper, lower] })
    }

    fn couple_mimics(&mut self) {
        for follower in 0..self.joints.len() {
            let Some(MimicSpec { leader, second_axis, multiplier, offset }) = self.joints[follower].mimic
            else {
                continue;
            };
            let leader = match self.of[leader] {
                SplitJoint::One(index) => index,
                SplitJoint::Two(axes) => axes[usize::from(second_axis)],
                // Refused by the check, because it has no position.
                SplitJoint::Gears => continue,
            };
            self.couplings.push(Coupling { leader, follower, multiplier, offset, why: Coupled::Mimic });
        }
    }

    /// The coupling of the gearbox with this index.
    fn mesh(
        &self,
        spec: &ModelSpec,
        index: usize,
        gears: &gear::Gears<'_>,
    ) -> Result<Coupling, PhysicsError> {
        let [leader, follower] = gears.hinges(spec, &self.joints)?;
        let multiplier = -gears.ratio * leader.sign * follower.sign;
        let (leader, follower) = (leader.index, follower.index);
        let joins = |coupling: &&Coupling| {
            let pair = [coupling.leader, coupling.follower];
            pair.contains(&leader) && pair.contains(&follower)
        };
        if let Some(other) = self.couplings.iter().find(joins) {
            let by = match other.why {
                Coupled::Gears { joint } => format!("the gearbox {}", spec.joints[joint].name),
                Coupled::Mimic => "`<mimic>`".to_owned(),
            };
            let [one, two] = [leader, follower].map(|hinge| self.joints[hinge].name.as_str());
            return Err(gears.bad(spec, format!("{one} and {two} are coupled already, by {by}")));
        }
        Ok(Coupling { leader, follower, multiplier, offset: 0.0, why: Coupled::Gears { joint: index } })
    }

    /// Returns true if a joint must be part of a tree: companions have no mass, a thread is one of its coordinates, and
    /// gears couple two of them.
    pub(super) fn needs_tree(&self, joint: usize) -> bool {
        let is_thread = matches!(self.joints[joint].kind, JointKind::Screw { .. });
        let is_hinge = self.companions.iter().any(|companion| companion.hinges.contains(&joint));
        let is_gear = self.couplings.iter().any(|coupling| {
            matches!(coupling.why, Coupled::Gears { .. })
                && [coupling.leader, coupling.follower].contains(&joint)
        });
        is_thread || is_hinge || is_gear
    }

    /// Gives mass to the companions of which a hinge is a constraint.
    pub(super) fn weigh_companions(&mut self, spec: &ModelSpec, held: &[Held]) {
        for companion in &mut self.companions {
            if companion.hinges.iter().any(|&hinge| held.get(hinge) == Some(&Held::ByConstraint)) {
                companion.add_companion_mass(spec);
            }
        }
    }

    /// Returns true if a joint leads or follows another one.
    pub(super) fn is_coupled(&self, joint: usize) -> bool {
        self.couplings.iter().any(|coupling| [coupling.leader, coupling.follower].contains(&joint))
    }
}

/// A link without mass, shapes or gravity, where the axes meet, with the orientation of the world.
fn companion_link(joint: &JointSpec) -> LinkSpec {
    let name = format!("{} (between its axes)", joint.name);
    let pose = Pose::from_position(joint.pose.position);
    let inertial = Inertial { mass: 0.0, moments: bridgehead_pose::DVec3::ZERO, ..Inertial::default() };
    LinkSpec { inertial, ..LinkSpec::new(&name, pose) }
}

/// The mass of a companion as a share of its lighter neighbour, if it needs one.
const LIGHT: f64 = 0.05;

impl Companion {
    /// Gives the companion mass, which it needs in a loop: one of its hinges is a constraint then, to which a body without
    /// mass cannot respond.
    fn add_companion_mass(&mut self, spec: &ModelSpec) {
        let moving = |link: &&LinkSpec| !link.kinematic;
        let neighbours =
            self.between.iter().flatten().filter_map(|&link| spec.links.get(link)).filter(moving);
        let inertials = neighbours.map(|link| &link.inertial);
        let lightest = inertials.min_by(|a, b| a.mass.total_cmp(&b.mass));
        let model = lightest.copied().unwrap_or_default();
        self.link.inertial.mass = LIGHT * model.mass;
        self.link.inertial.moments = bridgehead_pose::DVec3::splat(LIGHT * model.moments.element_sum() / 3.0);
    }
}
