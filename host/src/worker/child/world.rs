//! The world in a worker: `bridgehead.world/1`, `command/1`, `environment/1` and `joints/1`; and how results are asked for.

use bridgehead_abi::basic::Pose;
use bridgehead_abi::host::{HostCommand, HostWorld, JointState, LinkState, RayBatch, RayHit};
use bridgehead_abi::surroundings::{Environment, HostEnvironment, HostJoints, JointFrame, JointWrench};
use bridgehead_abi::{Host, Status, Str, status};
use bridgehead_plugin_api::rules;

use super::super::wire::{self, Answer, Bytes, Command, ModelRequest, Plain, Request};
use super::bus::ask_model;
use super::host::kept;
use super::link;
use super::place::{self, Place};
use crate::guard::host_call;

pub(super) static WORLD: HostWorld =
    HostWorld { struct_size: HostWorld::SIZE, reserved: 0, link_state, joint_state, cast_rays, gravity };

pub(super) static COMMAND: HostCommand = HostCommand {
    struct_size: HostCommand::SIZE,
    reserved: 0,
    joint_velocity,
    joint_position,
    joint_effort,
    link_wrench,
    model_velocity,
    model_pose,
};

pub(super) static ENVIRONMENT: HostEnvironment =
    HostEnvironment { struct_size: HostEnvironment::SIZE, reserved: 0, read: environment };

pub(super) static JOINTS: HostJoints =
    HostJoints { struct_size: HostJoints::SIZE, reserved: 0, attached, frame, watch, wrench };

/// Copies the bytes of values of the ABI, which are those of this very program.
///
/// # Safety
/// `out` must be memory for `count` values without pointers.
pub(super) unsafe fn copy_plain<T>(bytes: &[u8], out: *mut T, count: usize) -> Status {
    if bytes.len() != count * size_of::<T>() {
        return status::INVALID_ARG;
    }
    // SAFETY: the caller vouches for the memory; every bit pattern is a value.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast::<u8>(), bytes.len()) };
    status::OK
}

/// Uses the bytes of an answer, which may be in the shared memory.
pub(super) fn with_bytes<T>(bytes: Bytes<'_>, read: impl FnOnce(&[u8]) -> T) -> T {
    match bytes {
        Bytes::Inline(bytes) => read(bytes),
        Bytes::Shared { slot, len } => {
            let (Some(start), Ok(len)) = (link().memory.lent(slot, len), usize::try_from(len)) else {
                return read(&[]);
            };
            // SAFETY: the host has written so many bytes into the slot, which is ours until it is given back.
            let outcome = read(unsafe { std::slice::from_raw_parts(start, len) });
            link().memory.give_back(slot);
            outcome
        }
    }
}

/// Asks for values without pointers.
///
/// # Safety
/// As for [`copy_plain`].
unsafe fn ask_plain<T: Place>(
    function: &'static str,
    request: Request<'_>,
    out: *mut T,
    count: usize,
) -> Status {
    // SAFETY: the caller vouches for it.
    if let Err(code) = unsafe { place::check(out, function) } {
        return code;
    }
    link().ask(request, |answer| match answer {
        // SAFETY: the caller vouches for it.
        Answer::Payload(bytes) => with_bytes(bytes, |bytes| unsafe { copy_plain(bytes, out, count) }),
        other => other.status(),
    })
}

/// # Safety
/// `out` must be memory for a value.
pub(super) unsafe fn read<T: Place>(function: &'static str, what: Plain, out: *mut T) -> Status {
    // SAFETY: the caller vouches for it.
    unsafe { ask_plain(function, Request::Model(ModelRequest::Read(what)), out, 1) }
}

/// Asks for a number.
///
/// # Safety
/// `out` must be memory for it.
pub(super) unsafe fn ask_id<N: Place + TryFrom<u64>>(
    function: &'static str,
    request: ModelRequest<'_>,
    out: *mut N,
) -> Status {
    // SAFETY: the caller vouches for it.
    if let Err(code) = unsafe { place::check(out, function) } {
        return code;
    }
    let number = link().ask(Request::Model(request), |answer| match answer {
        Answer::Number(number) => N::try_from(number).map_err(|_| status::INVALID_ARG),
        other => Err(other.status()),
    });
    match number {
        Ok(number) => {
            // SAFETY: the caller vouches for it.
            unsafe { out.write(number) };
            status::OK
        }
        Err(code) => code,
    }
}

/// Asks for a struct with texts.
///
/// # Safety
/// `out` must be memory for it.
pub(super) unsafe fn ask_named<T: Place>(
    function: &'static str,
    request: ModelRequest<'_>,
    out: *mut T,
    name: impl FnOnce(&mut T, [Str; 2]),
) -> Status {
    // SAFETY: the caller vouches for it.
    if let Err(code) = unsafe { place::check(out, function) } {
        return code;
    }
    link().ask(Request::Model(request), |answer| match answer {
        Answer::Named { plain, names } => {
            // SAFETY: the caller vouches for it; the texts of the struct are replaced.
            unsafe {
                let code = copy_plain(plain, out, 1);
                if code == status::OK {
                    name(&mut *out, names.map(kept));
                }
                code
            }
        }
        other => other.status(),
    })
}

pub(super) fn pose_of(pose: &Pose) -> wire::Pose {
    wire::Pose { position: pose.position, orientation: pose.orientation }
}

unsafe extern "C" fn link_state(_: *const Host, link: u32, out: *mut LinkState) -> Status {
    // SAFETY: plugins pass memory for a result.
    host_call("world.link_state", status::PANIC, || unsafe {
        read("world.link_state", Plain::LinkState { link }, out)
    })
}

unsafe extern "C" fn joint_state(_: *const Host, joint: u32, out: *mut JointState) -> Status {
    // SAFETY: as above.
    host_call("world.joint_state", status::PANIC, || unsafe {
        read("world.joint_state", Plain::JointState { joint }, out)
    })
}

unsafe extern "C" fn gravity(_: *const Host, out: *mut [f64; 3]) -> Status {
    // SAFETY: as above.
    host_call("world.gravity", status::PANIC, || unsafe { read("world.gravity", Plain::Gravity, out) })
}

unsafe extern "C" fn environment(_: *const Host, out: *mut Environment) -> Status {
    // SAFETY: as above.
    host_call("environment.read", status::PANIC, || unsafe {
        read("environment.read", Plain::Environment, out)
    })
}

unsafe extern "C" fn attached(_: *const Host, out: *mut u32) -> Status {
    // SAFETY: as above.
    host_call("joints.attached", status::PANIC, || unsafe {
        read("joints.attached", Plain::AttachedJoint, out)
    })
}

unsafe extern "C" fn frame(_: *const Host, joint: u32, out: *mut JointFrame) -> Status {
    // SAFETY: as above.
    host_call("joints.frame", status::PANIC, || unsafe {
        read("joints.frame", Plain::JointFrame { joint }, out)
    })
}

unsafe extern "C" fn wrench(_: *const Host, joint: u32, out: *mut JointWrench) -> Status {
    // SAFETY: as above.
    host_call("joints.wrench", status::PANIC, || unsafe {
        read("joints.wrench", Plain::JointWrench { joint }, out)
    })
}

unsafe extern "C" fn cast_rays(_: *const Host, batch: *const RayBatch, hits: *mut RayHit) -> Status {
    host_call("world.cast_rays", status::PANIC, || {
        // SAFETY: plugins pass a batch valid for this call.
        let Some(batch) = (unsafe { batch.as_ref() }) else { return status::INVALID_ARG };
        let Some(count) = u32::try_from(batch.count).ok().filter(|_| rules::is_castable(batch, hits)) else {
            return status::INVALID_ARG;
        };
        if count == 0 {
            return status::OK;
        }
        let has_origins = !batch.origins.is_null();
        let len = batch.count * size_of::<[f64; 3]>();
        // SAFETY: directions, and origins where given, hold `count` vectors each; their bytes are read only.
        let payload = unsafe {
            let directions = std::slice::from_raw_parts(batch.directions.cast::<u8>(), len);
            let origins = if has_origins { batch.origins.cast::<u8>() } else { directions.as_ptr() };
            [directions, std::slice::from_raw_parts(origins, if has_origins { len } else { 0 })].concat()
        };
        let (ignore_link, frame) = (batch.ignore_link, pose_of(&batch.frame));
        let range = [batch.range_min, batch.range_max];
        link().ask_with(
            &payload,
            |payload| {
                let rays = ModelRequest::CastRays { ignore_link, frame, range, count, has_origins, payload };
                Request::Model(rays)
            },
            |answer| match answer {
                Answer::Payload(bytes) => with_bytes(bytes, |bytes| {
                    // SAFETY: `hits` holds `count` entries.
                    unsafe { copy_plain(bytes, hits, batch.count) }
                }),
                other => other.status(),
            },
        )
    })
}

pub(super) fn act(command: Command) -> Status {
    ask_model(ModelRequest::Act(command))
}

unsafe extern "C" fn joint_velocity(_: *const Host, joint: u32, velocity: f64, max_effort: f64) -> Status {
    host_call("command.joint_velocity", status::PANIC, || {
        act(Command::JointVelocity { joint, velocity, max_effort })
    })
}

unsafe extern "C" fn joint_position(
    _: *const Host,
    joint: u32,
    position: f64,
    stiffness: f64,
    damping: f64,
    max_effort: f64,
) -> Status {
    host_call("command.joint_position", status::PANIC, || {
        act(Command::JointPosition { joint, position, stiffness, damping, max_effort })
    })
}

unsafe extern "C" fn joint_effort(_: *const Host, joint: u32, effort: f64) -> Status {
    host_call("command.joint_effort", status::PANIC, || act(Command::JointEffort { joint, effort }))
}

unsafe extern "C" fn link_wrench(
    _: *const Host,
    link: u32,
    force: *const [f64; 3],
    torque: *const [f64; 3],
) -> Status {
    host_call("command.link_wrench", status::PANIC, || {
        // SAFETY: plugins pass vectors valid for this call.
        match unsafe { (force.as_ref(), torque.as_ref()) } {
            (Some(force), Some(torque)) => act(Command::LinkWrench { link, force: *force, torque: *torque }),
            _ => status::INVALID_ARG,
        }
    })
}

unsafe extern "C" fn model_velocity(
    _: *const Host,
    link: u32,
    linear: *const [f64; 3],
    angular: *const [f64; 3],
) -> Status {
    host_call("command.model_velocity", status::PANIC, || {
        // SAFETY: as above.
        match unsafe { (linear.as_ref(), angular.as_ref()) } {
            (Some(linear), Some(angular)) => {
                act(Command::ModelVelocity { link, linear: *linear, angular: *angular })
            }
            _ => status::INVALID_ARG,
        }
    })
}

unsafe extern "C" fn model_pose(_: *const Host, pose: *const Pose) -> Status {
    host_call("command.model_pose", status::PANIC, || {
        // SAFETY: plugins pass a pose valid for this call.
        let pose = unsafe { pose.as_ref() };
        pose.map_or(status::INVALID_ARG, |pose| act(Command::ModelPose(pose_of(pose))))
    })
}

unsafe extern "C" fn watch(_: *const Host, joint: u32) -> Status {
    host_call("joints.watch", status::PANIC, || act(Command::WatchJoint { joint }))
}
