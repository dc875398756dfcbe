//! A scan as a PointCloud2 in the sensor frame: one row per ring, one column per horizontal angle.
//!
//! A ray without a measurement is a point of NaN, so that rows and columns keep their meaning.

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::sensor_msgs::{PointCloud2, PointField};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::Step;
use bytes::{BufMut as _, BytesMut};

use crate::fan::Fan;
use crate::returns::{Echo, Returns};
use crate::settings::Settings;

/// Bytes per point: x, y, z and intensity as `f32`, ring as `u16`, and two bytes of padding to a multiple of four.
const POINT_STEP: u32 = 20;

/// The message, reused for every scan.
pub(crate) struct Cloud {
    message: PointCloud2,
}

impl Cloud {
    pub(crate) fn new(settings: &Settings, frame_id: &str) -> Self {
        let (width, height) = (settings.horizontal.count, settings.vertical.count);
        let message = PointCloud2 {
            header: Some(Header { frame_id: frame_id.to_owned(), stamp: None }),
            height,
            width,
            fields: fields(),
            is_bigendian: false,
            point_step: POINT_STEP,
            row_step: POINT_STEP * width,
            data: BytesMut::with_capacity((POINT_STEP * width * height) as usize).freeze(),
            is_dense: true,
        };
        Cloud { message }
    }

    /// Returns the message of a scan.
    pub(crate) fn fill(&mut self, step: &Step, fan: &Fan, returns: &Returns) -> &PointCloud2 {
        let message = &mut self.message;
        let len = message.row_step as usize * message.height as usize;
        // The buffer of the last scan is not shared: publishing copies it.
        let mut data = std::mem::take(&mut message.data).try_into_mut().unwrap_or_default();
        data.clear();
        data.reserve(len);
        for (ray, (echo, direction)) in returns.echoes().iter().zip(fan.directions()).enumerate() {
            let ring = ray / message.width as usize;
            put_point(&mut data, echo, *direction, u16::try_from(ring).unwrap_or(u16::MAX));
        }
        message.header.get_or_insert_default().stamp = Some(Time::from_nanos(step.time_ns));
        message.is_dense = returns.echoes().iter().all(|echo| echo.range.is_finite());
        message.data = data.freeze();
        message
    }
}

fn fields() -> Vec<PointField> {
    let mut fields = PointField::xyz_f32();
    fields.push(PointField::single("intensity", 12, PointField::FLOAT32));
    fields.push(PointField::single("ring", 16, PointField::UINT16));
    fields
}

#[expect(clippy::cast_possible_truncation, reason = "the fields are 32-bit floats")]
fn put_point(data: &mut BytesMut, echo: &Echo, direction: [f64; 3], ring: u16) {
    let range = if echo.range.is_finite() { echo.range } else { f64::NAN };
    for axis in direction {
        data.put_f32_le((axis * range) as f32);
    }
    data.put_f32_le(echo.intensity as f32);
    data.put_u16_le(ring);
    data.put_u16_le(0);
}
