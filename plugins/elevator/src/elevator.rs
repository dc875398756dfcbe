//! An elevator with joints for its cabin and the doors of its floors, like Gazebo's elevator plugin and with its
//! parameters.
//!
//! Targets of joints are published for joint position controllers, as in Gazebo; joints without one get a motor.

mod drive;
mod shaft;

use bridgehead_plugin_api::host::{Description, HostHandle, Joint, Publisher, Qos, Subscription};
use bridgehead_plugin_api::messages::sensor_msgs::LaserScan;
use bridgehead_plugin_api::messages::std_msgs::Int32;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::Schedule;
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

use crate::lift::{Lift, Order};
use drive::Drive;
use shaft::Shaft;

/// A range this near to the longest one is none, metres, as in Gazebo.
const NEAR_THE_END: f32 = 0.005;

/// One elevator.
pub(crate) struct Elevator {
    description: Description,
    shaft: Shaft,
    lift: Lift,
    /// Seconds that the doors stay open.
    hold: f64,
    cabin: Drive,
    doors: Vec<Drive>,
    /// Whether controllers of the joints were looked for.
    has_looked: bool,
    /// Lidars in the doors, one for each floor, and whether something is in the way there.
    lidars: Vec<Subscription<LaserScan>>,
    blocked: Vec<bool>,
    commands: Subscription<Int32>,
    state: Publisher<Int32>,
    schedule: Schedule,
    has_warned: bool,
}

impl ModelPlugin for Elevator {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 3 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let shaft = Shaft::read(params, host.model()?)?;
        // This elevator acts in every step, at least as often as the original.
        let rate = params.not_negative_or("update_rate", 10.0)?;
        let state_rate = params.not_negative_or("state_publish_rate", 5.0)?;
        let rate = if rate > 0.0 { state_rate.min(rate) } else { state_rate };
        let text = |path: &str, default: &str| params.text(path).unwrap_or_else(|| default.to_owned());
        let joints = text("joint_topic", "joint");
        let drive = |joint, speed| Drive::new(host, &joints, joint, speed);
        Ok(Elevator {
            description: host.description()?,
            cabin: drive(&shaft.cabin, params.positive_or("cabin_speed", 1.0)?)?,
            doors: shaft
                .doors
                .iter()
                .map(|door| drive(door, params.positive_or("door_speed", 0.5)?))
                .collect::<Result<_>>()?,
            lift: Lift::at(0),
            hold: params.not_negative_or("open_door_wait_duration", 5.0)?,
            lidars: lidars(host, &shaft)?,
            blocked: vec![false; shaft.floors()],
            shaft,
            has_looked: false,
            commands: bus.subscribe(&text("cmd_topic", "cmd"), Qos::default())?,
            state: bus.advertise(&text("state_topic", "state"), Qos::default())?,
            schedule: Schedule::with_rate(rate)?,
            has_warned: false,
        })
    }

    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        if scope.covers_state() {
            self.lift = Lift::at(0);
        }
        self.blocked.fill(false);
        std::iter::once(&mut self.cabin).chain(&mut self.doors).for_each(Drive::forget);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(&self.lift, &self.blocked, self.has_looked))?;
        std::iter::once(&self.cabin).chain(&self.doors).try_for_each(|drive| drive.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.lift, self.blocked, self.has_looked) = state.take()?;
        std::iter::once(&mut self.cabin).chain(&mut self.doors).try_for_each(|drive| drive.load(state))
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if !std::mem::replace(&mut self.has_looked, true) {
            self.look_for_controllers()?;
        }
        while let Some(received) = self.commands.take() {
            self.take(received.message.data)?;
        }
        for (blocked, lidar) in self.blocked.iter_mut().zip(&mut self.lidars) {
            if let Some(received) = lidar.take_latest() {
                *blocked = is_blocked(&received.message);
            }
        }
        let heights = self.cabin.state()?;
        if self.blocked.get(self.lift.floor()) == Some(&true) {
            self.lift.hold_open(self.hold);
        }
        let floor = self.lift.floor();
        let door = self.doors.get(floor).map(Drive::state).transpose()?;
        let order = self.lift.advance(self.shaft.sense(floor, heights, door), self.hold, step.width());
        self.carry_out(order, step)?;
        if self.schedule.due(step).is_some() {
            let nearest = i32::try_from(self.shaft.nearest(heights.position)).unwrap_or(0);
            self.state.publish(step.time_ns, &Int32 { data: nearest })?;
        }
        Ok(Flow::Continue)
    }
}

impl Elevator {
    /// Leaves joints to the controllers that listen to their targets.
    fn look_for_controllers(&mut self) -> Result {
        let world = self.description.read()?;
        let topics = || world.elements.iter().flat_map(|element| &element.topics);
        let is_taken = |topic: &str| topics().any(|one| !one.is_published && one.topic == topic);
        for drive in std::iter::once(&mut self.cabin).chain(&mut self.doors) {
            drive.is_controlled = is_taken(&drive.topic);
        }
        Ok(())
    }

    fn take(&mut self, floor: i32) -> Result {
        let present = self.shaft.nearest(self.cabin.state()?.position);
        match usize::try_from(floor).ok().filter(|floor| *floor < self.shaft.floors()) {
            Some(floor) => self.lift.request_on_the_way(floor, present, self.hold),
            None if !std::mem::replace(&mut self.has_warned, true) => {
                let highest = self.shaft.floors() - 1;
                log::warn!(
                    "ignored a request for floor {floor}; the floors are 0 to {highest}; further ones are ignored without a warning"
                );
            }
            None => {}
        }
        Ok(())
    }

    /// Drives the joints: the doors of other floors stay closed.
    fn carry_out(&mut self, order: Order, step: &Step) -> Result {
        let floor = self.lift.floor();
        let open = matches!(order, Order::Open).then_some(floor);
        self.cabin.drive(self.shaft.height(floor), step)?;
        for (index, door) in self.doors.iter_mut().enumerate() {
            let target = self.shaft.door_target(index, open == Some(index));
            door.drive(target, step)?;
        }
        Ok(())
    }
}

/// Subscribes to the lidars that Gazebo's elevator has in its doors.
fn lidars(host: HostHandle, shaft: &Shaft) -> Result<Vec<Subscription<LaserScan>>> {
    let vehicle = host.model()?.attachment()?.vehicle;
    let topic = |door: &Joint| format!("/model/{vehicle}/{}/lidar", door.name);
    shaft.doors.iter().map(|door| host.bus()?.subscribe(&topic(door), Qos::default())).collect()
}

/// Returns true if the first ray of a lidar ends before its range does.
fn is_blocked(scan: &LaserScan) -> bool {
    scan.ranges.first().is_some_and(|range| *range < scan.range_max - NEAR_THE_END)
}

#[cfg(test)]
mod tests;
