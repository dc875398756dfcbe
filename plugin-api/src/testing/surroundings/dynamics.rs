//! `bridgehead.dynamics/1` and `bridgehead.surfaces/1` of a test: bodies and volumes that the test sets, and commands.

use bridgehead_abi::dynamics as raw;
use bridgehead_abi::{Status, Str, status};

use super::super::command::TestCommand;
use super::super::host::{Shared, TestHost, lock};
use super::SurroundingsState;
use crate::host::{Body, CollisionId, EntityId, LinkId, SurfaceMotion, Volume};
use crate::hosting::{DynamicsHost, SurfacesHost};
use crate::rules;

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
        lock(&self.surroundings).collision(collision.0).is_some()
    }

    fn described(&self, state: &SurroundingsState, link: u32) -> Option<raw::Body> {
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

impl DynamicsHost for Shared {
    fn links(&self) -> Result<u32, Status> {
        let own = self.setup.links.iter().map(|link| link.id.0);
        let last = own.chain(lock(&self.surroundings).bodies.keys().copied()).max();
        Ok(last.map_or(0, |last| last + 1))
    }

    fn body(&self, link: u32) -> Result<raw::Body, Status> {
        self.described(&lock(&self.surroundings), link).ok_or(status::NOT_FOUND)
    }

    fn volume_below(&self, link: u32, normal: [f64; 3], height: f64) -> Result<raw::Volume, Status> {
        if let Err(text) = rules::check_plane(normal, height) {
            self.calls.explain(text);
            return Err(status::INVALID_ARG);
        }
        let state = lock(&self.surroundings);
        self.described(&state, link).ok_or(status::NOT_FOUND)?;
        let below = state.volumes.get(&link).map_or(Volume::default(), |below| below(normal, height));
        let Volume { volume, center } = below;
        Ok(raw::Volume { struct_size: raw::Volume::SIZE, reserved: 0, volume, center })
    }

    fn force_at(&self, link: u32, force: [f64; 3], point: [f64; 3]) -> Result<(), Status> {
        self.record_command(TestCommand::ForceAt { link: LinkId(link), force, point })
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

impl SurfacesHost for Shared {
    fn slip(&self, collision: u32, first: f64, second: f64) -> Result<(), Status> {
        self.record_command(TestCommand::Slip { collision: CollisionId(collision), slips: [first, second] })
    }

    fn drive(&self, collision: u32, raw: raw::SurfaceMotion) -> Result<(), Status> {
        let has_center = raw.flags & raw::SURFACE_HAS_CENTER != 0;
        let motion =
            SurfaceMotion { axis: raw.axis, speed: raw.speed, center: has_center.then_some(raw.center) };
        self.record_command(TestCommand::Drive { collision: CollisionId(collision), motion })
    }
}
