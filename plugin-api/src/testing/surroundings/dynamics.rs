//! `bridgehead.dynamics/1` and `bridgehead.surfaces/1` of a test: bodies and volumes that the test sets, and commands.

use bridgehead_abi as abi;
use bridgehead_abi::dynamics as raw;
use bridgehead_abi::{Host, Status, Str, status};

use super::super::calls::Class;
use super::super::command::{TestCommand, record};
use super::super::host::{Shared, TestHost, lock};
use super::SurroundingsState;
use super::tables::on_sim;
use crate::host::{Body, CollisionId, EntityId, LinkId, SurfaceMotion, Volume};

impl TestHost {
    /// Describes a link of any model: mass, inertia and what acts on it. Without this call, a link of the plugin's model
    /// has the mass of the builder and an inertia of 1 kg·m² about every axis. A link that the builder does not know rests
    /// at the origin.
    pub fn set_body(self, body: Body) {
        let name: &'static str = body.name.clone().leak();
        lock(&self.shared.world).know_link(body.link);
        lock(&self.shared.surroundings).bodies.insert(body.link.0, (body, name));
    }

    /// Answers which part of a link's collisions is below the plane of a normal and a height, which may be infinite.
    pub fn set_volume(self, link: LinkId, below: impl Fn([f64; 3], f64) -> Volume + Send + Sync + 'static) {
        lock(&self.shared.surroundings).volumes.insert(link.0, Box::new(below));
    }
}

impl Shared {
    /// Whether there is a link of that handle.
    pub(in crate::testing) fn has_link(&self, link: LinkId) -> bool {
        self.setup.links.iter().any(|known| known.id == link)
            || lock(&self.surroundings).bodies.contains_key(&link.0)
    }

    /// Whether there is a collision of that handle.
    pub(in crate::testing) fn has_collision(&self, collision: CollisionId) -> bool {
        lock(&self.surroundings).collision_mut(collision.0).is_some()
    }

    fn body(&self, state: &SurroundingsState, link: u32) -> Option<raw::Body> {
        if let Some((body, name)) = state.bodies.get(&link) {
            return Some(raw_body(body, name));
        }
        let known = self.setup.links.iter().find(|known| known.id.0 == link)?;
        let body = Body {
            link: known.id,
            name: String::new(),
            entity: EntityId(1),
            moves: true,
            is_in_wind: false,
            has_gravity: true,
            mass: known.mass,
            center: [0.0; 3],
            inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        };
        Some(raw_body(&body, format!("{}::{}", self.setup.vehicle, known.name).leak()))
    }
}

static DYNAMICS: raw::HostDynamics = raw::HostDynamics {
    struct_size: raw::HostDynamics::SIZE,
    reserved: 0,
    links,
    body,
    volume_below,
    force_at,
};

static SURFACES: raw::HostSurfaces =
    raw::HostSurfaces { struct_size: raw::HostSurfaces::SIZE, reserved: 0, slip, drive };

unsafe extern "C" fn links(host: *const Host, out: *mut u32) -> Status {
    // SAFETY: plugins pass back the pointer they were given; `out` is writable.
    unsafe {
        let own = Shared::of(host).setup.links.iter().map(|link| link.id.0);
        on_sim(host, "dynamics.links", |state| {
            out.write(own.chain(state.bodies.keys().copied()).max().map_or(0, |last| last + 1));
            Some(())
        })
    }
}

unsafe extern "C" fn body(host: *const Host, link: u32, out: *mut raw::Body) -> Status {
    // SAFETY: as above.
    unsafe {
        let shared = Shared::of(host);
        on_sim(host, "dynamics.body", |state| shared.body(state, link).map(|body| out.write(body)))
    }
}

fn raw_body(body: &Body, name: &'static str) -> raw::Body {
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    raw::Body {
        struct_size: raw::Body::SIZE,
        flags: bit(body.moves, raw::BODY_MOVES)
            | bit(body.is_in_wind, raw::BODY_IN_WIND)
            | bit(body.has_gravity, raw::BODY_HAS_GRAVITY),
        name: Str::new(name),
        entity: body.entity.0,
        mass: body.mass,
        center: body.center,
        inertia: body.inertia,
    }
}

unsafe extern "C" fn volume_below(
    host: *const Host,
    link: u32,
    normal: *const [f64; 3],
    height: f64,
    out: *mut raw::Volume,
) -> Status {
    // SAFETY: as above; the normal lives for the call.
    unsafe {
        let (shared, normal) = (Shared::of(host), *normal);
        let square: f64 = normal.iter().map(|part| part * part).sum();
        if height.is_nan() || (square - 1.0).abs() > 1e-4 || square.is_nan() {
            return shared
                .calls
                .require("dynamics.volume_below", Class::Sim)
                .err()
                .unwrap_or(status::INVALID_ARG);
        }
        on_sim(host, "dynamics.volume_below", |state| {
            shared.body(state, link)?;
            let below = state.volumes.get(&link).map_or(Volume::default(), |below| below(normal, height));
            let Volume { volume, center } = below;
            out.write(raw::Volume { struct_size: raw::Volume::SIZE, reserved: 0, volume, center });
            Some(())
        })
    }
}

unsafe extern "C" fn force_at(
    host: *const Host,
    link: u32,
    force: *const [f64; 3],
    point: *const [f64; 3],
) -> Status {
    // SAFETY: as above; both vectors live for the call.
    unsafe {
        let command = TestCommand::ForceAt { link: LinkId(link), force: *force, point: *point };
        record(host, "dynamics.force_at", command)
    }
}

unsafe extern "C" fn slip(host: *const Host, collision: u32, first: f64, second: f64) -> Status {
    let command = TestCommand::Slip { collision: CollisionId(collision), slips: [first, second] };
    // SAFETY: as above.
    unsafe { record(host, "surfaces.slip", command) }
}

unsafe extern "C" fn drive(host: *const Host, collision: u32, motion: *const raw::SurfaceMotion) -> Status {
    // SAFETY: as above; the motion lives for the call.
    unsafe {
        let raw = *motion;
        let has_center = raw.flags & raw::SURFACE_HAS_CENTER != 0;
        let motion =
            SurfaceMotion { axis: raw.axis, speed: raw.speed, center: has_center.then_some(raw.center) };
        let command = TestCommand::Drive { collision: CollisionId(collision), motion };
        record(host, "surfaces.drive", command)
    }
}

pub(super) fn table(id: &str) -> Option<*const std::ffi::c_void> {
    Some(match id {
        abi::extension::DYNAMICS => (&raw const DYNAMICS).cast(),
        abi::extension::SURFACES => (&raw const SURFACES).cast(),
        _ => return None,
    })
}
