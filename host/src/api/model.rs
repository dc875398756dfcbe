//! `bridgehead.model/1`: what an instance is attached to.

use bridgehead_abi::host::{Attachment as RawAttachment, HostModel, JointInfo, LinkInfo, NO_LINK};
use bridgehead_abi::{Host, Status, status};
use bridgehead_sdf::pose::Pose;

use super::caller::{caller, check_out, checked};
use super::context::lend;
use crate::guard::host_call;

pub(super) static TABLE: HostModel =
    HostModel { struct_size: HostModel::SIZE, reserved: 0, attachment, link, joint };

/// A pose as the ABI passes it.
pub(super) fn raw_pose(pose: &Pose) -> bridgehead_abi::basic::Pose {
    bridgehead_abi::basic::Pose { position: pose.position.to_array(), orientation: pose.rotation.to_array() }
}

unsafe extern "C" fn attachment(host: *const Host, out: *mut RawAttachment) -> Status {
    host_call("model.attachment", status::PANIC, || {
        let context = caller!(host, "model.attachment");
        // SAFETY: `out` is memory for a result.
        checked!(unsafe { check_out(&context.label, out, "model.attachment") });
        let at = &context.attachment;
        let raw = RawAttachment {
            struct_size: RawAttachment::SIZE,
            parent_link: at.parent_link.unwrap_or(NO_LINK),
            vehicle: lend(&at.vehicle),
            model: lend(&at.model),
            element: lend(&at.element),
            path: lend(&at.path),
            frame_id: lend(&at.frame_id),
            topic: lend(&at.topic),
            xml: lend(&at.xml),
            pose: raw_pose(&at.pose),
            update_period_ns: at.update_period_ns,
            seed: context.shared.seed,
        };
        // SAFETY: `out` is writable; the texts live as long as the context.
        unsafe { out.write(raw) };
        status::OK
    })
}

unsafe extern "C" fn link(host: *const Host, index: u32, out: *mut LinkInfo) -> Status {
    host_call("model.link", status::PANIC, || {
        let context = caller!(host, "model.link");
        // SAFETY: as in `attachment`.
        checked!(unsafe { check_out(&context.label, out, "model.link") });
        let Some(link) = context.attachment.links.get(index as usize) else {
            return status::NOT_FOUND;
        };
        let raw = LinkInfo {
            struct_size: LinkInfo::SIZE,
            link: link.link,
            name: lend(&link.name),
            frame_id: lend(&link.frame_id),
            pose: raw_pose(&link.pose),
            mass: link.mass,
        };
        // SAFETY: as in `attachment`.
        unsafe { out.write(raw) };
        status::OK
    })
}

unsafe extern "C" fn joint(host: *const Host, index: u32, out: *mut JointInfo) -> Status {
    host_call("model.joint", status::PANIC, || {
        let context = caller!(host, "model.joint");
        // SAFETY: as in `attachment`.
        checked!(unsafe { check_out(&context.label, out, "model.joint") });
        let Some(joint) = context.attachment.joints.get(index as usize) else {
            return status::NOT_FOUND;
        };
        let raw = JointInfo {
            struct_size: JointInfo::SIZE,
            joint: joint.joint,
            kind: joint.kind,
            reserved: 0,
            name: lend(&joint.name),
            lower: joint.lower,
            upper: joint.upper,
            effort: joint.effort,
            velocity: joint.velocity,
        };
        // SAFETY: as in `attachment`.
        unsafe { out.write(raw) };
        status::OK
    })
}
