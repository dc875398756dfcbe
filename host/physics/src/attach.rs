//! Attaches the joints of a model that is being added, once its bodies exist.

use bridgehead_sdf::pose::Pose;
use rapier3d_f64::dynamics::{MultibodyJointHandle, RigidBodyHandle};

use super::body::from_rapier;
use super::filter;
use super::id::{JointId, LinkId, ModelId};
use super::joint::{self, Attachment, Ends, Frames, Joint};
use super::motor::JointCommand;
use super::parts::{Parts, SplitJoint};
use super::spec::{JointKind, JointSpec, ModelSpec};
use super::topology::JointModel;
use super::world::Physics;

/// The joints that were added, and the anchors they need.
#[derive(Default)]
pub(super) struct Attached {
    /// One per joint of the specification, then the others, in the order of the parts.
    pub(super) all: Vec<JointId>,
    /// One per joint of the specification: the first axis.
    pub(super) joints: Vec<JointId>,
    /// The second axis, if the joint has one.
    pub(super) second_axes: Vec<Option<JointId>>,
    /// Fixed bodies that represent the world.
    pub(super) anchors: Vec<RigidBodyHandle>,
}

/// The model that joints are attached to.
pub(super) struct Attaching<'a> {
    pub(super) spec: &'a ModelSpec,
    pub(super) parts: &'a Parts,
    pub(super) decided: &'a [JointModel],
    pub(super) model: ModelId,
    /// The links, then the companions.
    pub(super) links: &'a [LinkId],
}

impl Physics {
    pub(super) fn attach_joints(&mut self, to: &Attaching<'_>) -> Attached {
        let mut attached = Attached::default();
        let mut ids = Vec::with_capacity(to.parts.joints.len());
        for (joint, modelled) in to.parts.joints.iter().zip(to.decided) {
            ids.push(self.attach_part(to, joint, *modelled, &mut attached.anchors));
        }
        for (joint, split) in to.spec.joints.iter().zip(&to.parts.of) {
            if *split == SplitJoint::Gears || matches!(split, SplitJoint::Two(_)) {
                self.disable_contacts(to, joint);
            }
            let (first, second) = match *split {
                SplitJoint::One(index) => (ids[index], None),
                SplitJoint::Two([first, second]) => (ids[first], Some(ids[second])),
                SplitJoint::Gears => (self.add_gears(to, joint), None),
            };
            attached.joints.push(first);
            attached.second_axes.push(second);
        }
        attached.all =
            attached.joints.iter().copied().chain(attached.second_axes.iter().copied().flatten()).collect();
        self.init_joint_dynamics(&attached.all);
        for coupling in &to.parts.couplings {
            self.couple(coupling, ids[coupling.leader], ids[coupling.follower]);
        }
        attached
    }

    /// Disables contacts between two links that share a joint. The engine does this itself, unless the joint
    /// is several joints for it.
    fn disable_contacts(&mut self, to: &Attaching<'_>, joint: &JointSpec) {
        let Some(parent) = joint.parent else { return };
        let pair = [parent, joint.child].map(|link| self.body_handle(to.links[link]));
        let pair = filter::in_order(pair);
        if let Err(place) = filter::place_of(pair, &self.apart) {
            self.apart.insert(place, pair);
        }
    }

    fn attach_part(
        &mut self,
        to: &Attaching<'_>,
        spec: &JointSpec,
        modelled: JointModel,
        anchors: &mut Vec<RigidBodyHandle>,
    ) -> JointId {
        let is_turned = modelled == JointModel::Turned;
        let turned = spec.turned().filter(|_| is_turned);
        let spec = turned.as_ref().unwrap_or(spec);
        let child = self.body_handle(to.links[spec.child]);
        let parent = match spec.parent {
            Some(parent) => self.body_handle(to.links[parent]),
            None => self.anchor_of(to.parts, anchors),
        };
        let ends = Ends { parent, child };
        let frames = Frames::new(spec, &self.body_pose(parent), &self.body_pose(child));
        let attachment = self.attach(spec, modelled, &ends, &frames);
        let id = self.add_to_table(to.model, spec, attachment, ends, frames);
        if let Some(joint) = self.joints.get_mut(id) {
            joint.is_turned = is_turned;
        }
        id
    }

    /// Returns the anchor of a joint to the world. All joints share one if any are coupled: only joints on
    /// one body form one multibody.
    fn anchor_of(&mut self, parts: &Parts, anchors: &mut Vec<RigidBodyHandle>) -> RigidBodyHandle {
        let shared = anchors.first().copied().filter(|_| !parts.couplings.is_empty());
        shared.unwrap_or_else(|| {
            let anchor = self.add_anchor(&Pose::IDENTITY);
            anchors.push(anchor);
            anchor
        })
    }

    /// Adds a gearbox. It has an id like every joint but no joint in the engine: it is a coupling of two
    /// others.
    fn add_gears(&mut self, to: &Attaching<'_>, spec: &JointSpec) -> JointId {
        let child = self.body_handle(to.links[spec.child]);
        let parent = spec.parent.map_or(child, |parent| self.body_handle(to.links[parent]));
        let frames = Frames::new(spec, &self.body_pose(parent), &self.body_pose(child));
        self.add_to_table(to.model, spec, Attachment::Coupling, Ends { parent, child }, frames)
    }

    /// Adds a joint to the table, at position zero and without a command. Its parent counts as one of the
    /// same model.
    pub(super) fn add_to_table(
        &mut self,
        model: ModelId,
        spec: &JointSpec,
        attachment: Attachment,
        ends: Ends,
        frames: Frames,
    ) -> JointId {
        let (spec, command) = (spec.clone(), JointCommand::Passive);
        let parent_model = spec.parent.map(|_| model);
        let (follows, is_turned) = (None, false);
        let joint = Joint {
            model,
            parent_model,
            spec,
            attachment,
            ends,
            frames,
            position: 0.0,
            command,
            follows,
            is_turned,
        };
        self.joints.push(joint)
    }

    fn attach(&mut self, spec: &JointSpec, modelled: JointModel, ends: &Ends, frames: &Frames) -> Attachment {
        // The check has refused kinds without a joint in the engine.
        let Some(locked) = joint::locked_axes(spec.kind) else { return Attachment::Coupling };
        let describe = |turns| joint::describe(spec, locked, frames, turns);
        if modelled.is_multibody()
            && let Some(handle) = self.rapier.insert_multibody_joint(ends.parent, ends.child, describe(true))
        {
            return Attachment::Multibody(handle);
        }
        let handle = self.rapier.insert_impulse_joint(ends.parent, ends.child, describe(false));
        Attachment::Impulse(handle)
    }

    /// Sets the friction, damping and spring of joints, once all joints of a model exist.
    fn init_joint_dynamics(&mut self, joints: &[JointId]) {
        for &id in joints {
            let Some(joint) = self.joint(id) else { continue };
            if let Attachment::Multibody(handle) = joint.attachment {
                let spec = joint.spec.clone();
                self.init_multibody_dynamics(handle, &spec);
            }
            self.set_command(id, JointCommand::Passive);
        }
    }

    fn init_multibody_dynamics(&mut self, handle: MultibodyJointHandle, spec: &JointSpec) {
        let Some((multibody, link)) = self.rapier.multibody_joints.get_mut(handle) else { return };
        // Also removes the degrees of freedom of a root that turns out to be fixed, which shifts those of the links.
        multibody.forward_kinematics(&self.rapier.bodies, true);
        // rapier also damps the rotation of a free root.
        let of_root = multibody.root().joint().ndofs();
        multibody.damping_mut().rows_mut(0, of_root).fill(0.0);
        let Some(first) = multibody.link(link).map(|link| link.assembly_id()) else { return };
        let freedoms = multibody.link(link).map_or(0, |link| link.joint().ndofs());
        for freedom in 0..freedoms {
            // The dynamics of a screw are those of its angle.
            let counts =
                !matches!(spec.kind, JointKind::Screw { .. }) || freedom == joint::freedom_of(spec.kind);
            // Writing the damping of SDF, usually zero, also clears the 0.1 N m s/rad that rapier puts there.
            multibody.damping_mut()[first + freedom] = if counts { spec.damping } else { 0.0 };
            multibody.frictions_mut()[first + freedom] = if counts { spec.friction } else { 0.0 };
        }
        let axis = joint::axis_of(spec.kind);
        if let (Some(axis), Some(link)) = (axis, multibody.link_mut(link)) {
            link.joint.set_spring(axis as usize, spec.spring_stiffness, spec.spring_reference);
        }
        if let JointKind::Screw { pitch } = spec.kind {
            multibody.add_dof_coupling(joint::thread(link, pitch));
        }
    }

    fn body_handle(&self, link: LinkId) -> RigidBodyHandle {
        self.link(link).map_or_else(RigidBodyHandle::invalid, |link| link.body)
    }

    pub(super) fn body_pose(&self, body: RigidBodyHandle) -> Pose {
        self.rapier.bodies.get(body).map_or(Pose::IDENTITY, |body| from_rapier(body.position()))
    }
}
