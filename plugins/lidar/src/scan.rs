//! One ring of a scan as a LaserScan: the only ring of a planar lidar, or the most level one.

use std::ops::Range;

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::sensor_msgs::LaserScan;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::schedule::Schedule;

use crate::fan::level_ring;
use crate::returns::Returns;
use crate::settings::Settings;

/// The message, reused for every scan.
pub(crate) struct Scan {
    /// Rays of the ring.
    ring: Range<usize>,
    has_intensity: bool,
    message: LaserScan,
}

impl Scan {
    pub(crate) fn new(settings: &Settings, frame_id: &str) -> Self {
        let rays = settings.horizontal.count as usize;
        let first = level_ring(&settings.vertical) * rays;
        Scan {
            ring: first..first + rays,
            has_intensity: settings.has_intensity,
            message: message_for(settings, frame_id),
        }
    }

    /// Returns the message of a scan. All rays of a scan are measured at once, at the end of the step.
    pub(crate) fn fill(&mut self, step: &Step, schedule: Schedule, returns: &Returns) -> &LaserScan {
        let echoes = returns.echoes().get(self.ring.clone()).unwrap_or_default();
        let message = &mut self.message;
        message.header.get_or_insert_default().stamp = Some(Time::from_nanos(step.time_ns));
        message.scan_time = single(nanos_to_seconds(schedule.interval_ns(step)));
        message.ranges.clear();
        message.ranges.extend(echoes.iter().map(|echo| single(echo.range)));
        message.intensities.clear();
        if self.has_intensity {
            message.intensities.extend(echoes.iter().map(|echo| single(echo.intensity)));
        }
        message
    }
}

/// Returns a message with everything that does not change between scans.
fn message_for(settings: &Settings, frame_id: &str) -> LaserScan {
    let horizontal = settings.horizontal;
    LaserScan {
        header: Some(Header { frame_id: frame_id.to_owned(), stamp: None }),
        angle_min: single(horizontal.min),
        angle_max: single(horizontal.max),
        angle_increment: single(horizontal.increment()),
        range_min: single(settings.range.min),
        range_max: single(settings.range.max),
        ..Default::default()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "sensor_msgs/LaserScan holds 32-bit floats")]
fn single(value: f64) -> f32 {
    value as f32
}

#[expect(clippy::cast_precision_loss, reason = "sensor periods are far below 2^53 ns")]
fn nanos_to_seconds(nanos: i64) -> f64 {
    nanos as f64 * 1e-9
}
