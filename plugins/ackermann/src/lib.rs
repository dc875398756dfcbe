//! Drives a car with steered wheels from Twist commands or LGSVL's vehicle control, and publishes its odometry and
//! vehicle state.
//!
//! [`Driver`] keeps the last command and computes a [`Demand`], [`Geometry`] computes the speed and the angle of each
//! wheel, [`Odometry`] integrates the motion, [`Chassis`] publishes the vehicle state. Odometry runs after physics,
//! commands before the next step, both on the simulation thread.

mod chassis;
mod driver;
mod geometry;
mod odometry;
mod settings;
#[cfg(test)]
mod tests;
mod wheels;

use bridgehead_plugin_api::drive::OdometryReport;
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result, export_plugin};

use crate::chassis::Chassis;
use crate::driver::{Demand, Driver};
use crate::geometry::Geometry;
use crate::odometry::Odometry;
use crate::settings::Settings;
use crate::wheels::Wheels;

export_plugin! {
    model Ackermann { id: "org.bridgehead.controller.ackermann", name: "ackermann", vendor: "Bridgehead" }
}

/// The drive of one car.
struct Ackermann {
    geometry: Geometry,
    wheels: Wheels,
    driver: Driver,
    odometry: Odometry,
    report: OdometryReport,
    chassis: Chassis,
    /// The motion of the last step.
    demand: Demand,
}

impl ModelPlugin for Ackermann {
    const PHASES: Phases = Phases::BOTH;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let settings = Settings::read(host)?;
        Ok(Ackermann {
            driver: Driver::new(host, &settings)?,
            odometry: Odometry::new(settings.geometry),
            report: OdometryReport::new(host)?,
            chassis: Chassis::new(host)?,
            geometry: settings.geometry,
            wheels: Wheels::new(host, settings)?,
            demand: Demand::default(),
        })
    }

    /// Stops the car and discards its command; the odometry starts at the origin at the restored pose.
    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        if scope.covers_time() || scope.covers_state() {
            self.driver.clear();
            self.demand = Demand::default();
        }
        if scope.covers_state() {
            // Before the first step there may be no states yet; then the first sample is the origin.
            self.odometry.restart(self.wheels.read().ok());
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.demand)?;
        self.driver.save(state)?;
        self.odometry.save(state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.demand = state.take()?;
        self.driver.load(state)?;
        self.odometry.load(state)
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        self.odometry.advance(self.wheels.read()?, step.width());
        self.report.publish(step, &self.odometry.planar)?;
        let steer = self.odometry.steer / self.geometry.steering_limit;
        self.chassis.publish(step, &self.demand, self.odometry.planar.speed.linear, steer)?;
        Ok(Flow::Continue)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.demand = self.driver.advance(step, &self.geometry);
        let turn = self.geometry.wheels(self.demand.speed, self.demand.steer);
        self.wheels.drive(&turn)?;
        Ok(Flow::Continue)
    }
}
