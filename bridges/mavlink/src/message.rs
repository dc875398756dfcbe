//! The messages of MAVLink that this bridge reads and sends, with their numbers and layouts.
//!
//! Fields are in the order of the wire; their meanings and units are those of `common.xml` of the MAVLink project. Fields
//! that came later ("extensions") are at the end. Frames and checksums are those of `mavlink-core`.

use std::convert::Infallible;

use mavlink_core::error::ParserError;
use mavlink_core::{Dialect, MAVLinkV2MessageRaw, MavHeader, MavlinkVersion};

/// A number, or a list of numbers, little-endian.
trait Field: Sized {
    fn put(&self, out: &mut Vec<u8>);
    /// Reads it. Bytes that are missing are 0: senders leave out zeros at the end.
    fn take(bytes: &mut impl Iterator<Item = u8>) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Field for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn take(bytes: &mut impl Iterator<Item = u8>) -> Self {
                Self::from_le_bytes(std::array::from_fn(|_| bytes.next().unwrap_or(0)))
            }
        }
    )* };
}

numbers!(u8 i8 u16 i16 u32 i32 u64 f32);

impl<F: Field, const N: usize> Field for [F; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|field| field.put(out));
    }
    fn take(bytes: &mut impl Iterator<Item = u8>) -> Self {
        std::array::from_fn(|_| F::take(bytes))
    }
}

macro_rules! messages {
    ($($(#[$about:meta])* $name:ident = $id:literal, $crc:literal { $($field:ident: $type:ty),* })*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Debug, Default, PartialEq)]
            pub(crate) struct $name { $(pub(crate) $field: $type),* }

            impl From<$name> for Message {
                fn from(message: $name) -> Self {
                    Message::$name(message)
                }
            }
        )*

        /// A message.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Message { $($name($name)),* }

        impl Message {
            pub(crate) fn id(&self) -> u32 {
                match self { $(Message::$name(_) => $id),* }
            }

            /// Returns what the checksum of a message is salted with; `None` for a message that is not known here.
            fn salt(id: u32) -> Option<u8> {
                match id { $($id => Some($crc),)* _ => None }
            }

            fn payload(&self) -> Vec<u8> {
                let mut out = Vec::new();
                match self { $(Message::$name(message) => { $(message.$field.put(&mut out);)* })* }
                out
            }

            /// Reads a payload of which zeros at the end may be missing.
            pub(crate) fn read(id: u32, payload: &[u8]) -> Option<Self> {
                let mut bytes = payload.iter().copied();
                match id {
                    $($id => Some($name { $($field: Field::take(&mut bytes)),* }.into()),)*
                    _ => None,
                }
            }
        }
    };
}

messages! {
    Heartbeat = 0, 50 {
        custom_mode: u32, kind: u8, autopilot: u8, base_mode: u8, system_status: u8, mavlink_version: u8
    }
    Attitude = 30, 39 {
        time_boot_ms: u32, roll: f32, pitch: f32, yaw: f32, roll_speed: f32, pitch_speed: f32, yaw_speed: f32
    }
    LocalPositionNed = 32, 185 {
        time_boot_ms: u32, position: [f32; 3], velocity: [f32; 3]
    }
    GlobalPositionInt = 33, 104 {
        time_boot_ms: u32, lat: i32, lon: i32, alt: i32, relative_alt: i32, velocity: [i16; 3], hdg: u16
    }
    CommandLong = 76, 152 {
        params: [f32; 7], command: u16, target_system: u8, target_component: u8, confirmation: u8
    }
    /// What the autopilot answers to a sample.
    HilActuatorControls = 93, 47 {
        time_usec: u64, flags: u64, controls: [f32; 16], mode: u8
    }
    HilSensor = 107, 108 {
        time_usec: u64, acceleration: [f32; 3], gyro: [f32; 3], magnetic: [f32; 3], abs_pressure: f32,
        diff_pressure: f32, pressure_alt: f32, temperature: f32, fields_updated: u32, id: u8
    }
    HilGps = 113, 124 {
        time_usec: u64, lat: i32, lon: i32, alt: i32, eph: u16, epv: u16, vel: u16, velocity: [i16; 3], cog: u16,
        fix_type: u8, satellites_visible: u8, id: u8, yaw: u16
    }
    HilStateQuaternion = 115, 4 {
        time_usec: u64, attitude: [f32; 4], rates: [f32; 3], lat: i32, lon: i32, alt: i32, velocity: [i16; 3],
        ind_airspeed: u16, true_airspeed: u16, acceleration: [i16; 3]
    }
    BatteryStatus = 147, 154 {
        current_consumed: i32, energy_consumed: i32, temperature: i16, voltages: [u16; 10], current: i16, id: u8,
        battery_function: u8, kind: u8, remaining: i8, time_remaining: i32, charge_state: u8, voltages_ext: [u16; 4],
        mode: u8, fault_bitmask: u32
    }
}

/// The messages above, for the reader of frames.
pub(crate) struct Messages;

impl Dialect for Messages {
    type Message = Message;
    type EncodeError = Infallible;

    fn message_id(&self, message: &Message) -> u32 {
        message.id()
    }

    fn extra_crc(&self, id: u32) -> Option<u8> {
        Message::salt(id)
    }

    fn decode(&self, _: MavlinkVersion, id: u32, payload: &[u8]) -> Result<Message, ParserError> {
        Message::read(id, payload).ok_or(ParserError::UnknownMessage { id })
    }

    fn encode(&self, _: MavlinkVersion, message: &Message, out: &mut [u8]) -> Result<usize, Infallible> {
        let payload = message.payload();
        let len = mavlink_core::utils::remove_trailing_zeroes(&payload).min(out.len());
        if let (Some(out), Some(payload)) = (out.get_mut(..len), payload.get(..len)) {
            out.copy_from_slice(payload);
        }
        Ok(len)
    }
}

/// Number and part of who sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sender {
    pub(crate) system: u8,
    pub(crate) component: u8,
}

/// Adds the frame of a message to bytes, in MAVLink 2.
pub(crate) fn frame(out: &mut Vec<u8>, sender: Sender, sequence: u8, message: &Message) {
    let header = MavHeader { system_id: u32::from(sender.system), component_id: sender.component, sequence };
    let mut raw = MAVLinkV2MessageRaw::new();
    // Every message above is shorter than the longest payload.
    if raw.serialize_message_with_dialect(header, &Messages, message).is_ok() {
        out.extend_from_slice(raw.raw_bytes());
    }
}

#[cfg(test)]
mod tests;
