//! Drives a vehicle with wheels on two sides from Twist commands, and publishes its wheel odometry.
//!
//! [`HeldCommand`] keeps the last command, [`Limiter`] limits its speed and acceleration, and the wheel joints are
//! driven accordingly. [`Odometry`] integrates the wheel motion, with the heading of a [`Compass`] if there is an
//! imu. [`Settings`] are the parameters. Everything except `awake` runs on the simulation thread: odometry after
//! physics, commands before the next step.

mod compass;
mod odometry;
mod settings;
#[cfg(test)]
mod tests;
mod wheels;

use bridgehead_plugin_api::drive::{HeldCommand, Limiter, OdometryReport, Speed};
use bridgehead_plugin_api::host::{HostHandle, Level, Log, Qos, Subscription};
use bridgehead_plugin_api::messages::geometry_msgs::Twist;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result, export_plugin};

use crate::compass::Compass;
use crate::odometry::Odometry;
use crate::settings::Settings;
use crate::wheels::Wheels;

export_plugin! {
    model DiffDrive { id: "org.bridgehead.controller.diff_drive", name: "diff_drive", vendor: "Bridgehead" }
}

/// The drive of one vehicle.
struct DiffDrive {
    log: Log,
    wheels: Wheels,
    commands: Subscription<Twist>,
    command: HeldCommand,
    limiter: Limiter,
    odometry: Odometry,
    compass: Option<Compass>,
    report: OdometryReport,
}

impl ModelPlugin for DiffDrive {
    const PHASES: Phases = Phases::BOTH;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let settings = Settings::read(host)?;
        Ok(DiffDrive {
            log: host.log()?,
            commands: host.bus()?.subscribe(&settings.topic, Qos::default())?,
            command: HeldCommand::new(settings.command_timeout),
            limiter: Limiter::new(settings.linear_limits, settings.angular_limits),
            odometry: Odometry::new(settings.wheel_separation),
            compass: settings.imu_topic.as_deref().map(|topic| Compass::new(host, topic)).transpose()?,
            report: OdometryReport::new(host)?,
            wheels: Wheels::new(host, &settings)?,
        })
    }

    /// Stops the vehicle and discards its command; the odometry starts at the origin at the restored pose.
    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        if scope.covers_time() || scope.covers_state() {
            self.command.clear();
            self.limiter.stop();
        }
        if scope.covers_state() {
            // Before the first step there may be no states yet; then the first sample is the origin.
            self.odometry.restart(self.wheels.travelled().ok());
            self.compass.iter_mut().for_each(Compass::restart);
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        self.command.save(state)?;
        self.limiter.save(state)?;
        self.odometry.save(state)?;
        self.compass.iter().try_for_each(|compass| compass.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.command.load(state)?;
        self.limiter.load(state)?;
        self.odometry.load(state)?;
        self.compass.iter_mut().try_for_each(|compass| compass.load(state))
    }

    /// Integrates the wheel motion in every step, so that arcs are exact at any publishing rate.
    fn sample(&mut self, step: &Step) -> Result<Flow> {
        self.odometry.advance(self.wheels.travelled()?, step.width());
        if let Some(compass) = &self.compass {
            self.odometry.planar.speed.angular = compass.rate();
        }
        self.report.publish(step, &self.odometry.planar)?;
        Ok(Flow::Continue)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(received) = self.commands.take_latest() {
            self.accept(Speed::from_twist(&received.message), step);
        }
        // The imu's sample of this step has arrived by now.
        let known = self.compass.as_mut().and_then(|compass| compass.heading(self.odometry.planar.heading));
        if let Some(heading) = known {
            self.odometry.correct(heading);
        }
        if let Some(text) = self.command.expiry(step.time_ns) {
            self.log.write(Level::Info, "diff_drive", &text, file!(), line!());
        }
        let target = self.command.at(step.time_ns);
        let speed = self.limiter.advance(target, step.width());
        self.wheels.drive(speed)?;
        Ok(Flow::Continue)
    }
}

impl DiffDrive {
    /// Keeps a command. Commands with invalid numbers are ignored; the first one is logged.
    fn accept(&mut self, speed: Speed, step: &Step) {
        match speed.check() {
            Ok(()) => self.command.set(speed, step.time_ns),
            Err(error) if self.command.refuse() => {
                let text = format!(
                    "ignored a command of {:e} m/s and {:e} rad/s: {error}; further ones like it are ignored without a \
                     warning",
                    speed.linear, speed.angular
                );
                self.log.write(Level::Warn, "diff_drive", &text, file!(), line!());
            }
            Err(_) => {}
        }
    }
}
