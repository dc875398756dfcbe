//! The clock of the world. It is read from the host instead of a topic, so it exists in every world, paused or not.

use bridgehead_plugin_api::host::ClockReading;
use bridgehead_plugin_api::messages::prost::Message as _;
use std::time::Duration;

use super::{ConversionError, Converter, Outputs};
use crate::device::{Key, Slot};
use crate::msgs::{Header, Time, WorldStatistics};

/// The world's device has no input topics.
pub(super) struct WorldConverter;

impl Converter for WorldConverter {
    fn convert(&mut self, _: Slot, _: &[u8]) -> Result<Outputs, ConversionError> {
        Ok(Outputs::new())
    }

    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let now = Time::from_nanos(now);
        WorldStatistics { header: Some(Header::at(now)), sim_time: Some(now), ..WorldStatistics::default() }
            .encode_to_vec()
    }
}

/// Returns the clock message; `real` is the wall-clock duration of the run.
pub(crate) fn clock(reading: &ClockReading, real: Duration) -> Vec<u8> {
    let now = Time::from_nanos(reading.time_ns);
    let width = if reading.is_paused { 0 } else { reading.step_width_ns };
    WorldStatistics {
        header: Some(Header::at(now)),
        sim_time: Some(now),
        pause_time: Some(Time::default()),
        real_time: Some(Time::from_nanos(i64::try_from(real.as_nanos()).unwrap_or(i64::MAX))),
        paused: reading.is_paused,
        iterations: reading.step,
        real_time_factor: reading.real_time_factor,
        step_size: Some(Time::from_nanos(width)),
        ..WorldStatistics::default()
    }
    .encode_to_vec()
}
