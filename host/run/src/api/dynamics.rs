//! `bridgehead.dynamics/1` and `bridgehead.surfaces/1`: masses, volumes, forces at points, and surfaces that slip or run.

use bridgehead_abi::dynamics::{
    BODY_HAS_GRAVITY, BODY_IN_WIND, BODY_MOVES, Body, SURFACE_HAS_CENTER, SurfaceMotion, Volume,
};
use bridgehead_abi::{Status, Str, status};
use bridgehead_physics::SurfaceMotion as Motion;
use bridgehead_plugin_api::hosting::{DynamicsHost, SurfacesHost, Vector};
use bridgehead_plugin_api::rules;
use bridgehead_sdf::pose::DVec3;

use super::context::Context;
use super::scope::{look, within};
use crate::world::{BodyFacts, Level, WorldCommand};

impl DynamicsHost for Context {
    fn links(&self) -> Result<u32, Status> {
        within(|world| world.link_handles())
    }

    fn body(&self, link: u32) -> Result<Body, Status> {
        look(|world| world.body(link).map(|body| raw_body(&body)))
    }

    fn volume_below(&self, link: u32, normal: Vector, height: f64) -> Result<Volume, Status> {
        if let Err(text) = rules::check_plane(normal, height) {
            self.explain(text);
            return Err(status::INVALID_ARG);
        }
        look(|world| {
            let part = world.volume_below(link, &Level { normal: DVec3::from_array(normal), height })?;
            let center = part.center.to_array();
            Some(Volume { struct_size: Volume::SIZE, reserved: 0, volume: part.volume, center })
        })
    }

    fn force_at(&self, link: u32, force: Vector, point: Vector) -> Result<(), Status> {
        let [force, point] = [force, point].map(DVec3::from_array);
        self.queue(WorldCommand::ForceAt { link, force, point })
    }
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
        name: Str::new(body.name),
        entity: body.entity,
        mass: body.mass,
        center: body.center.to_array(),
        inertia: [x.x, y.y, z.z, x.y, x.z, y.z],
    }
}

impl SurfacesHost for Context {
    fn slip(&self, collision: u32, first: f64, second: f64) -> Result<(), Status> {
        self.queue(WorldCommand::Slip { collision, slips: [first, second] })
    }

    fn drive(&self, collision: u32, raw: SurfaceMotion) -> Result<(), Status> {
        let has_center = raw.flags & SURFACE_HAS_CENTER != 0;
        let motion = Motion {
            axis: DVec3::from_array(raw.axis),
            speed: raw.speed,
            center: has_center.then(|| DVec3::from_array(raw.center)),
        };
        self.queue(WorldCommand::Drive { collision, motion })
    }
}
