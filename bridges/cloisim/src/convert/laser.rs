//! Lidar scans, and point clouds if a client requests them.
//!
//! Clients copy one intensity per ray without a length check, so both lists always have equal lengths.

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::LaserScan;

use super::{ConversionError, Converter, Outputs, cloud, data, header, header_now};
use crate::device::{Key, Slot};
use crate::msgs;

pub(super) struct Laser {
    is_cloud: bool,
    /// Scan parameters known from the element.
    sweep: msgs::LaserScan,
}

impl Laser {
    pub(super) fn new(is_cloud: bool, sweep: msgs::LaserScan) -> Self {
        Laser { is_cloud, sweep }
    }
}

impl Converter for Laser {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        if self.is_cloud {
            return Ok(data(&cloud::convert(message, &self.sweep)?));
        }
        Ok(data(&convert(&LaserScan::decode(message)?)?))
    }

    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let mut sweep = msgs::LaserScan { header: header_now(now), ..self.sweep.clone() };
        if self.is_cloud {
            (sweep.count, sweep.ranges, sweep.intensities) = (0, Vec::new(), Vec::new());
        }
        sweep.encode_to_vec()
    }
}

fn convert(scan: &LaserScan) -> Result<msgs::LaserScan, ConversionError> {
    let (min, max) = (scan.range_min, scan.range_max);
    let measured = |range: f32| if (min..=max).contains(&range) { f64::from(range) } else { f64::NAN };
    let count =
        u32::try_from(scan.ranges.len()).map_err(|_| ConversionError("it has too many rays".to_owned()))?;
    let mut intensities: Vec<f64> = scan.intensities.iter().map(|strength| f64::from(*strength)).collect();
    intensities.resize(scan.ranges.len(), 0.0);
    Ok(msgs::LaserScan {
        header: header(scan.header.as_ref()),
        frame: scan.header.as_ref().map(|header| header.frame_id.clone()).unwrap_or_default(),
        angle_min: scan.angle_min.into(),
        angle_max: scan.angle_max.into(),
        angle_step: scan.angle_increment.into(),
        range_min: min.into(),
        range_max: max.into(),
        count,
        vertical_count: 1,
        ranges: scan.ranges.iter().map(|range| measured(*range)).collect(),
        intensities,
        ..msgs::LaserScan::default()
    })
}
