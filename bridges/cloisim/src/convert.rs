//! Converts the host's messages to those of CLOiSim: one converter per device.
//!
//! A converter takes the messages of its device's topics in any order and returns payloads for the device's ports.
//! Data that is combined from several topics is latched ([`micom`],
//! [`cameras`]).

mod board;
mod cameras;
mod cloud;
pub(crate) mod command;
mod control;
mod joints;
mod laser;
mod micom;
mod modules;
mod picture;
mod sensors;
#[cfg(test)]
mod tests;
mod truth;
pub(crate) mod world;

use bridgehead_plugin_api::messages::builtin_interfaces;
use bridgehead_plugin_api::messages::prost::{DecodeError, Message};
use bridgehead_plugin_api::messages::std_msgs;

use crate::control::Served;
use crate::device::{ConverterConfig, Device, Key, Slot};
use crate::msgs::{Header, Param, Time};

/// Payloads for the ports of a device.
pub(crate) type Outputs = Vec<(Key, Vec<u8>)>;

/// The converter of one device.
pub(crate) trait Converter: Send {
    /// Converts a message of the host.
    ///
    /// # Errors
    /// Returns an error if it is not of its type, or has a form that clients do not support.
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError>;

    /// Returns the keep-alive payload of a port on which nothing was sent yet; `now` is the simulated time in
    /// nanoseconds. It says that nothing was measured and is never empty.
    fn idle(&self, key: Key, now: i64) -> Vec<u8>;

    /// Returns what a request on the Control port requires; `None` if the device has none.
    fn serve(&self, _request: &Param) -> Option<Served> {
        None
    }

    /// Drops latched data after a reset.
    fn clear(&mut self) {}

    /// Sets the origin of the odometry to the vehicle's next pose.
    fn reset_odometry(&mut self) {}

    /// Returns the host's name of a joint that clients know by another name.
    fn host_joint_name(&self, joint: &str) -> String {
        joint.to_owned()
    }
}

/// Why a message cannot be converted.
#[derive(Debug)]
pub(crate) struct ConversionError(pub(crate) String);

impl From<DecodeError> for ConversionError {
    fn from(error: DecodeError) -> Self {
        ConversionError(format!("it is not of its type: {error}"))
    }
}

/// Returns the converter of a device.
pub(crate) fn converter(device: &Device) -> Box<dyn Converter> {
    match &device.config {
        ConverterConfig::World => Box::new(world::WorldConverter),
        ConverterConfig::Laser { is_cloud, sweep } => {
            Box::new(laser::Laser::new(*is_cloud, (**sweep).clone()))
        }
        ConverterConfig::Imu { name } => Box::new(sensors::Imu { name: name.clone() }),
        ConverterConfig::Gps { frame } => Box::new(sensors::Gps { frame: frame.clone() }),
        ConverterConfig::Range { frame } => Box::new(sensors::Range::new(frame.clone())),
        ConverterConfig::Contact => Box::new(sensors::Contact),
        ConverterConfig::LogicalCamera => Box::new(sensors::LogicalCamera),
        ConverterConfig::Image(image) => Box::new(picture::Picture(*image)),
        ConverterConfig::Classes { image, wanted } => Box::new(cameras::Classes::new(*image, wanted.clone())),
        ConverterConfig::Images(images) => Box::new(cameras::Pictures::new(images.clone())),
        ConverterConfig::Modules(modules) => Box::new(modules::Modules::new(modules)),
        ConverterConfig::Micom(config) => Box::new(micom::Micom::new((**config).clone())),
        ConverterConfig::Joints { .. } => Box::new(joints::Joints::of(&device.config)),
        ConverterConfig::Elevators { system } => {
            Box::new(control::Elevators { system: system.clone(), state: None })
        }
        ConverterConfig::Actors { goals } => Box::new(control::Actors { goals: goals.clone() }),
        ConverterConfig::GroundTruth { targets } => Box::new(truth::Truth { targets: targets.clone() }),
    }
}

/// Returns a payload for the Data port of a sensor.
fn data(message: &impl Message) -> Outputs {
    vec![(Key::Data, message.encode_to_vec())]
}

/// Converts a time.
fn time(stamp: Option<&builtin_interfaces::Time>) -> Time {
    stamp.map_or_else(Time::default, |stamp| Time {
        sec: i64::from(stamp.sec),
        nsec: i32::try_from(stamp.nanosec).unwrap_or(0),
    })
}

/// Converts a header.
fn header(header: Option<&std_msgs::Header>) -> Option<Header> {
    Some(Header::at(time(header.and_then(|header| header.stamp.as_ref()))))
}

/// Returns a header for a message without a source message.
fn header_now(now: i64) -> Option<Header> {
    Some(Header::at(Time::from_nanos(now)))
}
