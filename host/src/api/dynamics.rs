//! `bridgehead.dynamics/1` and `bridgehead.surfaces/1`: masses, volumes, forces at points, and surfaces that slip or run.

use bridgehead_abi::dynamics::{
    BODY_HAS_GRAVITY, BODY_IN_WIND, BODY_MOVES, Body, HostDynamics, HostSurfaces, SURFACE_HAS_CENTER,
    SurfaceMotion, Volume,
};
use bridgehead_abi::{Host, Status, status};
use bridgehead_physics::SurfaceMotion as Motion;
use bridgehead_sdf::pose::DVec3;

use super::caller::{caller, check_out, check_pointer, checked};
use super::command::queue;
use super::context::lend;
use super::scope::answer;
use crate::guard::host_call;
use crate::world::{BodyFacts, Level, WorldCommand};

pub(super) static DYNAMICS: HostDynamics =
    HostDynamics { struct_size: HostDynamics::SIZE, reserved: 0, links, body, volume_below, force_at };

pub(super) static SURFACES: HostSurfaces =
    HostSurfaces { struct_size: HostSurfaces::SIZE, reserved: 0, slip, drive };

unsafe extern "C" fn links(host: *const Host, out: *mut u32) -> Status {
    host_call("dynamics.links", status::PANIC, || {
        let context = caller!(host, "dynamics.links");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "dynamics.links"));
        // SAFETY: `out` is writable.
        unsafe { answer(&context.label, "dynamics.links", out, |world| Some(world.link_handles())) }
    })
}

unsafe extern "C" fn body(host: *const Host, link: u32, out: *mut Body) -> Status {
    host_call("dynamics.body", status::PANIC, || {
        let context = caller!(host, "dynamics.body");
        // SAFETY: `out` is memory for a result.
        unsafe {
            checked!(check_out(&context.label, out, "dynamics.body"));
            answer(&context.label, "dynamics.body", out, |world| world.body(link).map(|body| raw_body(&body)))
        }
    })
}

fn raw_body(body: &BodyFacts<'_>) -> Body {
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    let [x, y, z] = [body.inertia.x_axis, body.inertia.y_axis, body.inertia.z_axis];
    Body {
        struct_size: Body::SIZE,
        flags: bit(body.moves, BODY_MOVES)
            | bit(body.is_in_wind, BODY_IN_WIND)
            | bit(body.has_gravity, BODY_HAS_GRAVITY),
        // The name lives in the world's table, which changes at a step boundary only.
        name: lend(body.name),
        entity: body.entity,
        mass: body.mass,
        center: body.center.to_array(),
        inertia: [x.x, y.y, z.z, x.y, x.z, y.z],
    }
}

unsafe extern "C" fn volume_below(
    host: *const Host,
    link: u32,
    normal: *const [f64; 3],
    height: f64,
    out: *mut Volume,
) -> Status {
    host_call("dynamics.volume_below", status::PANIC, || {
        let context = caller!(host, "dynamics.volume_below");
        checked!(check_pointer(&context.label, normal, "normal", "dynamics.volume_below"));
        // SAFETY: the normal is valid for the call, and `out` is memory for a result.
        unsafe {
            checked!(check_out(&context.label, out, "dynamics.volume_below"));
            let normal = DVec3::from_array(*normal);
            if height.is_nan() || !normal.is_normalized() {
                context.explain(format!(
                    "a plane with the normal {normal} at the height {height}; expected a unit vector and a number"
                ));
                return status::INVALID_ARG;
            }
            answer(&context.label, "dynamics.volume_below", out, |world| {
                let part = world.volume_below(link, &Level { normal, height })?;
                let center = part.center.to_array();
                Some(Volume { struct_size: Volume::SIZE, reserved: 0, volume: part.volume, center })
            })
        }
    })
}

unsafe extern "C" fn force_at(
    host: *const Host,
    link: u32,
    force: *const [f64; 3],
    point: *const [f64; 3],
) -> Status {
    host_call("dynamics.force_at", status::PANIC, || {
        let context = caller!(host, "dynamics.force_at");
        checked!(check_pointer(&context.label, force, "force", "dynamics.force_at"));
        checked!(check_pointer(&context.label, point, "point", "dynamics.force_at"));
        // SAFETY: plugins pass vectors valid for this call.
        let (force, point) = unsafe { (DVec3::from_array(*force), DVec3::from_array(*point)) };
        queue(context, WorldCommand::ForceAt { link, force, point }, "dynamics.force_at")
    })
}

unsafe extern "C" fn slip(host: *const Host, collision: u32, first: f64, second: f64) -> Status {
    host_call("surfaces.slip", status::PANIC, || {
        let context = caller!(host, "surfaces.slip");
        queue(context, WorldCommand::Slip { collision, slips: [first, second] }, "surfaces.slip")
    })
}

unsafe extern "C" fn drive(host: *const Host, collision: u32, motion: *const SurfaceMotion) -> Status {
    host_call("surfaces.drive", status::PANIC, || {
        let context = caller!(host, "surfaces.drive");
        checked!(check_pointer(&context.label, motion, "motion", "surfaces.drive"));
        // SAFETY: plugins pass a motion valid for this call.
        let raw = unsafe { &*motion };
        let has_center = raw.flags & SURFACE_HAS_CENTER != 0;
        let motion = Motion {
            axis: DVec3::from_array(raw.axis),
            speed: raw.speed,
            center: has_center.then(|| DVec3::from_array(raw.center)),
        };
        queue(context, WorldCommand::Drive { collision, motion }, "surfaces.drive")
    })
}
