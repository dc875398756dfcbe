//! Forces and surfaces in a worker: `bridgehead.dynamics/1` and `surfaces/1`.

use bridgehead_abi::dynamics::{Body, HostDynamics, HostSurfaces, SurfaceMotion, Volume};
use bridgehead_abi::{Host, Status, Str, status};

use super::super::wire::{Command, ModelRequest, Plain};
use super::world::{act, ask_named, read};
use crate::guard::host_call;

pub(super) static DYNAMICS: HostDynamics =
    HostDynamics { struct_size: HostDynamics::SIZE, reserved: 0, links, body, volume_below, force_at };

pub(super) static SURFACES: HostSurfaces =
    HostSurfaces { struct_size: HostSurfaces::SIZE, reserved: 0, slip, drive };

unsafe extern "C" fn links(_: *const Host, out: *mut u32) -> Status {
    // SAFETY: plugins pass memory for a result.
    host_call("dynamics.links", status::PANIC, || unsafe { read("dynamics.links", Plain::Links, out) })
}

unsafe extern "C" fn body(_: *const Host, link: u32, out: *mut Body) -> Status {
    host_call("dynamics.body", status::PANIC, || {
        let name = |body: &mut Body, [name, _]: [Str; 2]| body.name = name;
        // SAFETY: as above.
        unsafe { ask_named("dynamics.body", ModelRequest::Body { link }, out, name) }
    })
}

unsafe extern "C" fn volume_below(
    _: *const Host,
    link: u32,
    normal: *const [f64; 3],
    height: f64,
    out: *mut Volume,
) -> Status {
    host_call("dynamics.volume_below", status::PANIC, || {
        // SAFETY: plugins pass a vector valid for this call, and memory for a result.
        unsafe {
            let Some(normal) = normal.as_ref() else { return status::INVALID_ARG };
            read("dynamics.volume_below", Plain::Volume { link, normal: *normal, height }, out)
        }
    })
}

unsafe extern "C" fn force_at(
    _: *const Host,
    link: u32,
    force: *const [f64; 3],
    point: *const [f64; 3],
) -> Status {
    host_call("dynamics.force_at", status::PANIC, || {
        // SAFETY: plugins pass vectors valid for this call.
        match unsafe { (force.as_ref(), point.as_ref()) } {
            (Some(force), Some(point)) => act(Command::ForceAt { link, force: *force, point: *point }),
            _ => status::INVALID_ARG,
        }
    })
}

unsafe extern "C" fn slip(_: *const Host, collision: u32, first: f64, second: f64) -> Status {
    host_call("surfaces.slip", status::PANIC, || act(Command::Slip { collision, slips: [first, second] }))
}

unsafe extern "C" fn drive(_: *const Host, collision: u32, motion: *const SurfaceMotion) -> Status {
    host_call("surfaces.drive", status::PANIC, || {
        // SAFETY: plugins pass a motion valid for this call.
        let Some(motion) = (unsafe { motion.as_ref() }) else { return status::INVALID_ARG };
        let &SurfaceMotion { flags, axis, speed, center, .. } = motion;
        act(Command::Drive { collision, flags, axis, speed, center })
    })
}
