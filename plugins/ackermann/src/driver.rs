//! Keeps the last command of either command topic and turns it into the motion of the car.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::{Limiter, Limits, NumberTopic, Speed, check_targets, expired_text};
use bridgehead_plugin_api::host::{HostHandle, Qos, Subscription};
use bridgehead_plugin_api::messages::geometry_msgs::Twist;
use bridgehead_plugin_api::messages::lgsvl_msgs::VehicleControlData;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::state::{StateReader, StateWriter};
use serde::{Deserialize, Serialize};

use crate::geometry::Geometry;
use crate::settings::{Mode, Settings};

/// Acceleration of full throttle and deceleration of full brake if no limits are given, m/s².
const FULL: f64 = 3.0;

/// The motion of the car in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Demand {
    /// Speed of the middle of the rear axle, m/s.
    pub(crate) speed: f64,
    /// Steering angle of the middle of the front axle, rad to the left.
    pub(crate) steer: f64,
    /// 0 to 1.
    pub(crate) throttle: f64,
    /// 0 to 1.
    pub(crate) brake: f64,
    /// Whether the gear is reverse or the requested speed is negative.
    pub(crate) is_reverse: bool,
}

/// A received command.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Command {
    /// A target speed.
    Twist(Speed),
    /// A steering angle, at the requested speed.
    Steer(f64),
    /// Pedals, wheel and gear.
    Pedals { throttle: f64, brake: f64, steer: f64, gear: Gear },
}

/// Gears, as far as they affect the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Gear {
    Forward,
    Backward,
    /// Neutral and parking: the throttle does nothing.
    None,
}

/// Receives commands and keeps the last one until it expires.
pub(crate) struct Driver {
    twists: Option<Subscription<Twist>>,
    angles: Option<NumberTopic>,
    controls: Subscription<VehicleControlData>,
    latest: Option<(Command, i64)>,
    timeout_ns: Option<i64>,
    limits: Limits,
    limiter: Limiter,
    has_warned: bool,
    has_expired: bool,
}

impl Driver {
    pub(crate) fn new(host: HostHandle, settings: &Settings) -> Result<Self> {
        let bus = host.bus()?;
        let (twists, angles) = match settings.mode {
            Mode::Drive => (Some(bus.subscribe(&twist_topic(host)?, Qos::default())?), None),
            Mode::SteeringOnly => {
                (None, Some(NumberTopic::subscribe(host, "steer_angle", |message| &message.position)?))
            }
        };
        Ok(Driver {
            twists,
            angles,
            controls: bus.subscribe(&settings.control_topic, Qos::default())?,
            latest: None,
            timeout_ns: settings.command_timeout,
            limits: settings.linear_limits,
            limiter: Limiter::new(settings.linear_limits, settings.angular_limits),
            has_warned: false,
            has_expired: false,
        })
    }

    /// Stops the car and discards the last command.
    pub(crate) fn clear(&mut self) {
        self.latest = None;
        self.limiter.stop();
    }

    pub(crate) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&self.latest)?;
        self.limiter.save(state)
    }

    pub(crate) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.latest = state.take()?;
        self.limiter.load(state)
    }

    /// Returns the motion of the car in this step.
    pub(crate) fn advance(&mut self, step: &Step, geometry: &Geometry) -> Demand {
        self.take(step);
        self.log_expiry(step.time_ns);
        match self.command(step.time_ns) {
            Command::Twist(speed) => self.follow(speed, step, geometry),
            Command::Steer(angle) => Demand { steer: geometry.limit(angle), ..Demand::default() },
            Command::Pedals { throttle, brake, steer, gear } => {
                self.pedal([throttle, brake], gear, geometry.limit(steer), step)
            }
        }
    }

    /// Logs the first command of motion that is no longer valid.
    fn log_expiry(&mut self, now_ns: i64) {
        let moves = |command: &Command| *command != Command::Twist(Speed::ZERO);
        let has_expired =
            self.latest.is_some_and(|(command, since)| moves(&command) && self.is_old(since, now_ns));
        if let Some(timeout) = self.timeout_ns.filter(|_| has_expired && !self.has_expired) {
            self.has_expired = true;
            log::info!("{}", expired_text(timeout));
        }
    }

    fn is_old(&self, since_ns: i64, now_ns: i64) -> bool {
        self.timeout_ns.is_some_and(|timeout| now_ns - since_ns > timeout)
    }

    /// Returns the last command while it is valid, and afterwards one of the same kind that stops the car.
    fn command(&self, now_ns: i64) -> Command {
        match self.latest {
            Some((command, since)) if !self.is_old(since, now_ns) => command,
            Some((Command::Pedals { gear, .. }, _)) => {
                Command::Pedals { throttle: 0.0, brake: 1.0, steer: 0.0, gear }
            }
            Some((Command::Twist(_) | Command::Steer(_), _)) | None => Command::Twist(Speed::ZERO),
        }
    }

    /// Takes the commands received since the last step; the newest one applies.
    fn take(&mut self, step: &Step) {
        let twist = self.twists.as_mut().and_then(|twists| twists.take_latest());
        let angle = self.angles.as_mut().and_then(NumberTopic::take_latest);
        let control = self.controls.take_latest();
        let commands = [
            twist.map(|twist| Command::Twist(Speed::from_twist(&twist.message))),
            angle.map(Command::Steer),
            control.map(|control| Command::from_control(&control.message)),
        ];
        for command in commands.into_iter().flatten() {
            match command.check() {
                Ok(()) => self.latest = Some((command, step.time_ns)),
                Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                    log::warn!("ignored a command: {error}; further ones are ignored without a warning");
                }
                Err(_) => {}
            }
        }
    }

    /// Approaches a speed within the limits.
    fn follow(&mut self, target: Speed, step: &Step, geometry: &Geometry) -> Demand {
        let speed = self.limiter.advance(target, step.width());
        let steer = geometry.steer_for(speed.linear, speed.angular);
        Demand { speed: speed.linear, steer, is_reverse: target.linear < 0.0, ..Demand::default() }
    }

    /// Accelerates and decelerates by pedals. The brake stops the car and never reverses it.
    fn pedal(&mut self, pedals: [f64; 2], gear: Gear, steer: f64, step: &Step) -> Demand {
        let [throttle, brake] = pedals.map(|pedal| pedal.clamp(0.0, 1.0));
        let of = |limit: f64| if limit.is_finite() { limit.abs() } else { FULL };
        let way = match gear {
            Gear::Forward => 1.0,
            Gear::Backward => -1.0,
            Gear::None => 0.0,
        };
        let now = self.limiter.speed().linear;
        let driven = now + way * throttle * of(self.limits.max_acceleration) * step.width();
        let slowed = brake * of(self.limits.min_acceleration) * step.width();
        let speed = driven.signum() * (driven.abs() - slowed).max(0.0);
        let speed = self.limiter.hold(Speed { linear: speed, angular: 0.0 }).linear;
        Demand { speed, steer, throttle, brake, is_reverse: gear == Gear::Backward }
    }
}

fn twist_topic(host: HostHandle) -> Result<String> {
    let params = host.params()?;
    let topic = ["topic", "sub_topic"].into_iter().find_map(|path| params.text(path));
    Ok(topic.unwrap_or_else(|| "cmd_vel".to_owned()))
}

impl Command {
    fn from_control(control: &VehicleControlData) -> Self {
        let gear = match control.target_gear {
            VehicleControlData::GEAR_REVERSE => Gear::Backward,
            VehicleControlData::GEAR_NEUTRAL | VehicleControlData::GEAR_PARKING => Gear::None,
            _ => Gear::Forward,
        };
        Command::Pedals {
            throttle: f64::from(control.acceleration_pct),
            brake: f64::from(control.braking_pct),
            steer: f64::from(control.target_wheel_angle),
            gear,
        }
    }

    fn check(&self) -> Result {
        match self {
            Command::Twist(speed) => speed.check(),
            Command::Steer(angle) => check_targets("steering angle", &[*angle]),
            Command::Pedals { throttle, brake, steer, .. } => {
                check_targets("position of the pedals and the steering wheel", &[*throttle, *brake, *steer])
            }
        }
    }
}
