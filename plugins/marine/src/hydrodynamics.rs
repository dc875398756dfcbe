//! What water that surrounds a link exerts on it, besides buoyancy: damping, added mass, and the Coriolis forces of the
//! added mass.
//!
//! The equations are those of Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control (2011), 6.3 to 6.5, in the
//! axes of the link about its centre of mass, with the velocity ν relative to the current:
//! τ = -M_A dν/dt - C_A(ν) ν - D(ν) ν. The parameters are hydrodynamic derivatives such as X_u, which are negative if they
//! resist.
//!
//! A force of -M_A dν/dt from the acceleration of the last step would diverge if the added mass is greater than the mass.
//! Therefore the acceleration is computed: with M dν/dt = τ_else + τ_added, what else acts is M a - τ_added of the last
//! step, and (M + M_A) a = τ_else gives the acceleration that is used for the next one.

mod coefficients;

use bridgehead_plugin_api::host::{Command, Dynamics, HostHandle, LinkId, Params, Qos, Subscription, World};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{add, cross, length, sub};
use bridgehead_plugin_api::{Flow, Result};
use serde::{Deserialize, Serialize};

use crate::matrix::{Matrix, Six, halves, joined, solve, sum, times};
use coefficients::Coefficients;

/// The fastest current that a message may request, m/s.
const FASTEST_CURRENT: f64 = 1e3;

/// The mass of the link and its added mass.
#[derive(Serialize, Deserialize)]
struct Masses {
    own: Matrix,
    with_added: Matrix,
    /// Centre of mass in the link frame.
    center: [f64; 3],
}

/// The water around one link.
pub(crate) struct Hydrodynamics {
    params: Params,
    world: World,
    dynamics: Dynamics,
    command: Command,
    link: LinkId,
    coefficients: Coefficients,
    /// Read in the first step, when the world can be asked.
    masses: Option<Masses>,
    currents: Subscription<Vector3>,
    default_current: [f64; 3],
    /// World frame, m/s.
    current: [f64; 3],
    /// Velocity in the last step, link frame.
    before: Option<Six>,
    /// Acceleration that the added mass was last computed for, link frame.
    acceleration: Six,
    has_warned: bool,
}

impl ModelPlugin for Hydrodynamics {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let link = params.link(host.model()?, "link_name")?;
        let topic = match params.text("namespace") {
            Some(space) => format!("/model/{space}/ocean_current"),
            None => "/ocean_current".to_owned(),
        };
        let default_current = params.get_or("default_current", [0.0; 3])?;
        // Gazebo reads it too and does not need it: the derivatives contain the density.
        params.positive_or("water_density", 998.0)?;
        Ok(Hydrodynamics {
            params,
            world: host.world()?,
            dynamics: host.dynamics()?,
            command: host.command()?,
            link: link.id,
            coefficients: Coefficients::read(params)?,
            masses: None,
            currents: host.bus()?.subscribe(&topic, Qos::default())?,
            default_current,
            current: default_current,
            before: None,
            acceleration: [0.0; 6],
            has_warned: false,
        })
    }

    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        self.current = self.default_current;
        if scope.covers_state() {
            self.before = None;
            self.acceleration = [0.0; 6];
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.current, self.before, self.acceleration, &self.masses))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.current, self.before, self.acceleration, self.masses) = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.take_current();
        if self.masses.is_none() {
            self.masses = Some(self.read_masses()?);
        }
        let Some(masses) = &self.masses else { return Ok(Flow::Continue) };
        let state = self.world.link_state(self.link)?;
        let relative = sub(state.velocity_at(masses.center), self.current);
        let velocity = joined(state.pose.rotate_inverse(relative), state.pose.rotate_inverse(state.angular));
        self.acceleration =
            masses.accelerated(&self.coefficients, &velocity, self.before, self.acceleration, step);
        self.before = Some(velocity);
        let added = times(&self.coefficients.added_mass, &self.acceleration).map(|value| -value);
        let (force, torque) = halves(&added);
        let (other_force, other_torque) = self.coefficients.wrench(&velocity);
        let (force, torque) = (add(force, other_force), add(torque, other_torque));
        self.command.link_wrench(self.link, state.pose.rotate(force), state.pose.rotate(torque))?;
        Ok(Flow::Continue)
    }
}

impl Hydrodynamics {
    /// Takes the newest current, if it is a velocity.
    fn take_current(&mut self) {
        let Some(received) = self.currents.take_latest() else { return };
        let Vector3 { x, y, z } = received.message;
        let current = [x, y, z];
        if length(current) <= FASTEST_CURRENT {
            self.current = current;
        } else if !std::mem::replace(&mut self.has_warned, true) {
            log::warn!(
                "ignored a current of {current:?} m/s; expected at most {FASTEST_CURRENT} m/s. Further ones like it are \
                 ignored without a warning"
            );
        }
    }

    fn read_masses(&self) -> Result<Masses> {
        let name = self.params.text("link_name").unwrap_or_default();
        let body = self.dynamics.body(self.link)?.filter(|body| body.moves).ok_or_else(|| {
            self.params.refuse("link_name", &name, "a link that forces move: this one is static or scripted")
        })?;
        let mut own: Matrix = [[0.0; 6]; 6];
        for (axis, row) in body.tensor().iter().enumerate() {
            own[axis][axis] = body.mass;
            own[axis + 3][3..].copy_from_slice(row);
        }
        let with_added = sum(&own, &self.coefficients.added_mass);
        for (axis, path) in coefficients::DIAGONAL.iter().enumerate() {
            if with_added[axis][axis] <= 0.0 {
                let found = self.params.text(path).unwrap_or_default();
                let most = own[axis][axis];
                let expected = format!("less than {most}: mass and added mass together must be above 0");
                return Err(self.params.refuse(path, &found, expected));
            }
        }
        Ok(Masses { own, with_added, center: body.center })
    }
}

impl Masses {
    /// The acceleration of the link and its added mass under what else acts on it.
    fn accelerated(
        &self,
        coefficients: &Coefficients,
        velocity: &Six,
        before: Option<Six>,
        used: Six,
        step: &Step,
    ) -> Six {
        let Some(before) = before.filter(|_| coefficients.has_added_mass()) else { return [0.0; 6] };
        let measured: Six = std::array::from_fn(|axis| (velocity[axis] - before[axis]) / step.width());
        let (own, added) = (times(&self.own, &measured), times(&coefficients.added_mass, &used));
        let force: Six = std::array::from_fn(|axis| own[axis] + added[axis]);
        solve(&self.with_added, &force).unwrap_or([0.0; 6])
    }
}

/// The Coriolis forces of the added mass: -C_A(ν) ν (Fossen 2011, 6.43), for its momentum `linear`, `angular`.
fn coriolis(linear: [f64; 3], angular: [f64; 3], velocity: &Six) -> ([f64; 3], [f64; 3]) {
    let (speed, rate) = halves(velocity);
    (cross(linear, rate), add(cross(linear, speed), cross(angular, rate)))
}

#[cfg(test)]
mod tests;
