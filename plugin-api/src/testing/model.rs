//! `bridgehead.model/1` of a test: what the setup says.

use bridgehead_abi as abi;
use bridgehead_abi::host::{Attachment, JointInfo, LinkInfo, NO_LINK};
use bridgehead_abi::{Host, Status, Str, status};

use super::host::{Shared, TestHost};
use crate::host::{Joint, JointKind, Link};

impl TestHost {
    /// The link of that name.
    ///
    /// # Panics
    /// Panics if the test gave none.
    #[must_use]
    #[track_caller]
    pub fn link(self, name: &str) -> Link {
        match self.shared.setup.links.iter().find(|link| link.name == name) {
            Some(link) => link.clone(),
            None => panic!("the test gave no link `{name}`: add `.link(\"{name}\")` to the builder"),
        }
    }

    /// The joint of that name.
    ///
    /// # Panics
    /// Panics if the test gave none.
    #[must_use]
    #[track_caller]
    pub fn joint(self, name: &str) -> Joint {
        match self.shared.setup.joints.iter().find(|joint| joint.name == name) {
            Some(joint) => joint.clone(),
            None => panic!("the test gave no joint `{name}`: add `.joint(\"{name}\", …)` to the builder"),
        }
    }
}

pub(super) static TABLE: abi::host::HostModel =
    abi::host::HostModel { struct_size: abi::host::HostModel::SIZE, reserved: 0, attachment, link, joint };

unsafe extern "C" fn attachment(host: *const Host, out: *mut Attachment) -> Status {
    // SAFETY: plugins pass back the pointer they were given.
    let setup = &unsafe { Shared::of(host) }.setup;
    let raw = Attachment {
        struct_size: Attachment::SIZE,
        parent_link: setup.parent_link.map_or(NO_LINK, |link| link.0),
        vehicle: Str::new(&setup.vehicle),
        model: Str::new(&setup.model),
        element: Str::new(&setup.element),
        path: Str::new(&setup.path),
        frame_id: Str::new(&setup.frame_id),
        topic: Str::new(&setup.topic),
        xml: Str::new(&setup.xml),
        pose: setup.pose.to_abi(),
        update_period_ns: i64::try_from(setup.update_period.as_nanos()).unwrap_or(i64::MAX),
        seed: setup.seed,
    };
    // SAFETY: `out` is writable.
    unsafe { out.write(raw) };
    status::OK
}

unsafe extern "C" fn link(host: *const Host, index: u32, out: *mut LinkInfo) -> Status {
    // SAFETY: plugins pass back the pointer they were given.
    let Some(link) = unsafe { Shared::of(host) }.setup.links.get(index as usize) else {
        return status::NOT_FOUND;
    };
    let raw = LinkInfo {
        struct_size: LinkInfo::SIZE,
        link: link.id.0,
        name: Str::new(&link.name),
        frame_id: Str::new(&link.frame_id),
        pose: link.pose.to_abi(),
        mass: link.mass,
    };
    // SAFETY: `out` is writable.
    unsafe { out.write(raw) };
    status::OK
}

unsafe extern "C" fn joint(host: *const Host, index: u32, out: *mut JointInfo) -> Status {
    // SAFETY: plugins pass back the pointer they were given.
    let Some(joint) = unsafe { Shared::of(host) }.setup.joints.get(index as usize) else {
        return status::NOT_FOUND;
    };
    let raw = JointInfo {
        struct_size: JointInfo::SIZE,
        joint: joint.id.0,
        kind: number_of(joint.kind),
        reserved: 0,
        name: Str::new(&joint.name),
        lower: joint.lower,
        upper: joint.upper,
        effort: joint.effort,
        velocity: joint.velocity,
    };
    // SAFETY: `out` is writable.
    unsafe { out.write(raw) };
    status::OK
}

fn number_of(kind: JointKind) -> u32 {
    match kind {
        JointKind::Fixed => abi::host::JOINT_FIXED,
        JointKind::Revolute => abi::host::JOINT_REVOLUTE,
        JointKind::Continuous => abi::host::JOINT_CONTINUOUS,
        JointKind::Prismatic => abi::host::JOINT_PRISMATIC,
        JointKind::Other => abi::host::JOINT_OTHER,
    }
}
