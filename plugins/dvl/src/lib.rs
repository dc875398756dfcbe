//! Doppler velocity log: the velocity over ground, from beams that point down.
//!
//! [`Beam`] is one beam, `solve` finds the velocity from those that reach the ground. All beams are cast in one call. Runs
//! on the simulation thread.

mod beam;
mod solve;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, LinkId, LinkState, Params, Pose, RayBatch, RayHit};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{DvlBeam, DvlVelocityTracking};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::vector::{add, cross, dot, scale, sub};
use bridgehead_plugin_api::{Result, export_plugin};

use crate::beam::Beam;
use crate::solve::solve;

export_plugin! {
    model Dvl { id: "org.bridgehead.sensor.dvl", name: "dvl", vendor: "Bridgehead" }
}

/// The element with the parameters.
const ROOT: &str = "gz:dvl";

/// One log.
struct Dvl {
    sensor: LinkSensor<DvlVelocityTracking>,
    beams: Vec<Beam>,
    /// Unit vectors, frame of the sensor.
    directions: Vec<[f64; 3]>,
    /// Shortest and longest measurable range, metres.
    range: [f64; 2],
    /// Frame of the measurements in the frame of the sensor; only its rotation matters.
    reference: Pose,
    tracks_bottom: bool,
    noise: Noise,
    /// Reused for every sample.
    hits: Vec<RayHit>,
}

impl Sensor for Dvl {
    type Message = DvlVelocityTracking;

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let sensor = LinkSensor::attach(host, "dvl/velocity")?;
        let beams = beam::read(params, &format!("{ROOT}/arrangement"))?;
        let range = [
            params.not_negative_or(&format!("{ROOT}/minimum_range"), 0.1)?,
            params.positive_or(&format!("{ROOT}/maximum_range"), 100.0)?,
        ];
        if range[0] >= range[1] {
            let expected = format!("less than <maximum_range>, {}", range[1]);
            return Err(params.refuse(&format!("{ROOT}/minimum_range"), &range[0].to_string(), expected));
        }
        // The kind of transducer and the cells of its image do not matter to rays.
        ["type", "resolution"].into_iter().for_each(|name| drop(params.text(&format!("{ROOT}/{name}"))));
        let bottom = format!("{ROOT}/tracking/bottom_mode");
        let _: bool = params.get_or(&format!("{bottom}/visualize"), false)?;
        let nothing = RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 };
        Ok(Dvl {
            directions: beams.iter().map(|beam| beam.direction).collect(),
            hits: vec![nothing; beams.len()],
            beams,
            range,
            reference: params.pose(&format!("{ROOT}/reference_frame"))?,
            tracks_bottom: tracks_bottom(params, &format!("{bottom}/when"))?,
            noise: Noise::read(params, &format!("{bottom}/noise"), sensor.key())?,
            sensor,
        })
    }

    fn output(&self) -> &SensorOutput<DvlVelocityTracking> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let state = self.sensor.state()?;
        let batch = RayBatch {
            frame: state.pose,
            directions: &self.directions,
            range_min: self.range[0],
            range_max: self.range[1],
            ignore: Some(self.sensor.link()),
        };
        self.sensor.world().cast_rays(&batch, &mut self.hits)?;
        let speeds: Vec<Option<f64>> = (0..self.beams.len()).map(|index| self.speed(index, &state)).collect();
        let locked = self.directions.iter().zip(&speeds).filter_map(|(beam, speed)| Some((*beam, (*speed)?)));
        let velocity = solve(locked).filter(|_| self.tracks_bottom);
        let mut random = self.sensor.random(sample);
        let velocity = velocity.map(|velocity| {
            let turned = self.reference.rotate_inverse(velocity);
            turned.map(|part| self.noise.apply(part, step.time_ns, &mut random))
        });
        let message = self.message(step, velocity, &speeds);
        self.sensor.publish(step, &message)
    }
}

impl Dvl {
    /// Returns the speed of the sensor along a beam relative to what the beam reaches.
    fn speed(&self, index: usize, state: &LinkState) -> Option<f64> {
        let (direction, hit) = (self.directions.get(index)?, self.hits.get(index)?);
        if !hit.distance.is_finite() {
            return None;
        }
        let along = state.pose.rotate(*direction);
        let point = add(state.pose.position, scale(along, hit.distance));
        Some(dot(along, sub(state.linear, self.velocity_of_ground(hit, point))))
    }

    /// Returns the velocity of the surface at a point. Static ground rests.
    fn velocity_of_ground(&self, hit: &RayHit, point: [f64; 3]) -> [f64; 3] {
        // Entities of hits are links, counted from 1.
        let link = hit.entity.checked_sub(1).and_then(|link| u32::try_from(link).ok());
        let state = link.and_then(|link| self.sensor.world().link_state(LinkId(link)).ok());
        state.map_or([0.0; 3], |state| {
            add(state.linear, cross(state.angular, sub(point, state.pose.position)))
        })
    }

    fn message(
        &self,
        step: &Step,
        velocity: Option<[f64; 3]>,
        speeds: &[Option<f64>],
    ) -> DvlVelocityTracking {
        let beams = self.beams.iter().zip(&self.hits).zip(speeds).map(|((beam, hit), speed)| DvlBeam {
            id: beam.id,
            is_locked: speed.is_some(),
            direction: Some(vector(self.reference.rotate_inverse(beam.direction))),
            range: speed.map_or(0.0, |_| hit.distance),
            velocity: speed.unwrap_or_default(),
        });
        let beams: Vec<DvlBeam> = beams.collect();
        let locked = beams.iter().filter(|beam| beam.is_locked);
        let (sum, count) = locked.fold((0.0, 0_u32), |(sum, count), beam| (sum + beam.range, count + 1));
        DvlVelocityTracking {
            header: Some(self.sensor.header(step)),
            is_locked: velocity.is_some(),
            velocity: Some(vector(velocity.unwrap_or_default())),
            variance: self.noise.variance(),
            range: if count > 0 { sum / f64::from(count) } else { 0.0 },
            beams,
        }
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vector3 {
    Vector3 { x, y, z }
}

fn tracks_bottom(params: Params, path: &str) -> Result<bool> {
    match params.text(path).as_deref() {
        None | Some("best" | "always") => Ok(true),
        Some("never") => Ok(false),
        Some(other) => Err(params.refuse(path, other, "`best`, `always` or `never`")),
    }
}
