//! Satellite navigation: the position of a point of a link on Earth, and its velocity east, north and up.
//!
//! [`Earth`] converts positions of the world to latitude, longitude and altitude; this file connects it to the host
//! and adds noise. In a world without a position on Earth there is no fix, and the message says so. Runs on the
//! simulation thread.

mod earth;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, Params, Publisher, Qos};
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, TwistStamped, Vector3};
use bridgehead_plugin_api::messages::sensor_msgs::{NavSatFix, NavSatStatus};
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::{Random, RandomKey};
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::{Result, export_plugin};

use crate::earth::{Earth, Ellipsoid};

export_plugin! {
    model NavSat { id: "org.bridgehead.sensor.navsat", name: "navsat", vendor: "Bridgehead" }
}

/// Horizontal and vertical noise.
struct SplitNoise {
    east: Noise,
    north: Noise,
    up: Noise,
}

impl SplitNoise {
    /// Reads the noise of a quantity: east and north have the same one, with a bias each.
    fn read(params: Params, what: &str, key: RandomKey) -> Result<Self> {
        let read =
            |direction: &str, key: RandomKey| Noise::read(params, &format!("{what}/{direction}/noise"), key);
        Ok(SplitNoise {
            east: read("horizontal", key.child("east"))?,
            north: read("horizontal", key.child("north"))?,
            up: read("vertical", key)?,
        })
    }

    /// Returns east, north and up with noise.
    fn apply(&self, [east, north, up]: [f64; 3], time_ns: i64, random: &mut Random) -> [f64; 3] {
        let east = self.east.apply(east, time_ns, random);
        let north = self.north.apply(north, time_ns, random);
        [east, north, self.up.apply(up, time_ns, random)]
    }
}

/// Reads the ellipsoid, which the host adds to the parameters in a world on another body than Earth.
fn ellipsoid(params: Params) -> Result<Ellipsoid> {
    let [equatorial, polar] = Ellipsoid::WGS84;
    let axis = |name: &str, default: f64| -> Result<f64> {
        let axis = params.get_or(name, default)?;
        if axis > 0.0 && axis.is_finite() {
            Ok(axis)
        } else {
            Err(params.refuse(name, &axis.to_string(), "metres, above 0"))
        }
    };
    Ok(Ellipsoid::new([
        axis("bridgehead:surface/equatorial", equatorial)?,
        axis("bridgehead:surface/polar", polar)?,
    ]))
}

/// One receiver.
struct NavSat {
    sensor: LinkSensor<NavSatFix>,
    velocity: Publisher<TwistStamped>,
    /// `None` if the world has no position on Earth.
    earth: Option<Earth>,
    /// Noise of the position, metres.
    position_noise: SplitNoise,
    /// Noise of the velocity, m/s.
    velocity_noise: SplitNoise,
}

impl Sensor for NavSat {
    type Message = NavSatFix;

    fn awake(host: HostHandle) -> Result<Self> {
        let sensor = LinkSensor::attach(host, "fix")?;
        let params = host.params()?;
        let ellipsoid = ellipsoid(params)?;
        let earth = host.environment()?.read()?.origin.map(|origin| Earth::at(origin, ellipsoid));
        if earth.is_none() {
            log::warn!(
                "the world has no <spherical_coordinates>: its position on Earth is unknown, so there is no fix"
            );
        }
        // The name of the element until SDF 1.9.
        let element = if params.count("navsat") == 0 && params.count("gps") > 0 { "gps" } else { "navsat" };
        let noise = |what: &str| SplitNoise::read(params, &format!("{element}/{what}"), sensor.key());
        Ok(NavSat {
            velocity: host.bus()?.advertise(&format!("{}/velocity", sensor.topic()), Qos::sensor_data())?,
            position_noise: noise("position_sensing")?,
            velocity_noise: noise("velocity_sensing")?,
            earth,
            sensor,
        })
    }

    fn output(&self) -> &SensorOutput<NavSatFix> {
        &self.sensor
    }

    fn is_heard(&self) -> bool {
        self.sensor.is_heard() || self.velocity.has_listeners()
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let mut random = self.sensor.random(sample);
        let state = self.sensor.state()?;
        let fix = match &self.earth {
            Some(earth) => self.fix(earth, state.pose.position, step, &mut random),
            None => no_fix(self.sensor.header(step)),
        };
        self.sensor.publish(step, &fix)?;
        if let Some(earth) = &self.earth {
            let [east, north, up] =
                self.velocity_noise.apply(earth.to_enu(state.linear), step.time_ns, &mut random);
            let twist = Twist {
                linear: Some(Vector3::new(east, north, up)),
                angular: Some(Vector3::new(0.0, 0.0, 0.0)),
            };
            let message = TwistStamped { header: Some(self.sensor.header(step)), twist: Some(twist) };
            self.velocity.publish(step.time_ns, &message)?;
        }
        Ok(())
    }
}

impl NavSat {
    fn fix(&self, earth: &Earth, place: [f64; 3], step: &Step, random: &mut Random) -> NavSatFix {
        let geodetic = earth.geodetic(self.position_noise.apply(earth.to_enu(place), step.time_ns, random));
        let (across, along) = (self.position_noise.east.variance(), self.position_noise.up.variance());
        NavSatFix {
            header: Some(self.sensor.header(step)),
            status: Some(NavSatStatus {
                status: NavSatStatus::STATUS_FIX,
                service: NavSatStatus::SERVICE_GPS,
            }),
            latitude: geodetic.latitude.to_degrees(),
            longitude: geodetic.longitude.to_degrees(),
            altitude: geodetic.altitude,
            position_covariance: vec![across, 0.0, 0.0, 0.0, across, 0.0, 0.0, 0.0, along],
            position_covariance_type: NavSatFix::COVARIANCE_TYPE_DIAGONAL_KNOWN,
        }
    }
}

/// Returns the message of a receiver without a fix.
fn no_fix(header: bridgehead_plugin_api::messages::std_msgs::Header) -> NavSatFix {
    NavSatFix {
        header: Some(header),
        status: Some(NavSatStatus {
            status: NavSatStatus::STATUS_NO_FIX,
            service: NavSatStatus::SERVICE_GPS,
        }),
        latitude: f64::NAN,
        longitude: f64::NAN,
        altitude: f64::NAN,
        position_covariance: vec![0.0; 9],
        position_covariance_type: NavSatFix::COVARIANCE_TYPE_UNKNOWN,
    }
}
