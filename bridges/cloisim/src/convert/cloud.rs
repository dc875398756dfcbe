//! Point clouds that are not a regular scan, in CLOiSim's form: x, y and z of each point in sequence.

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::{PointCloud2, PointField};

use super::{ConversionError, header};
use crate::msgs;

/// Converts a point cloud to a scan message.
pub(super) fn convert(message: &[u8], sweep: &msgs::LaserScan) -> Result<msgs::LaserScan, ConversionError> {
    let cloud = PointCloud2::decode(message)?;
    let place = |name: &str| {
        let field = cloud.fields.iter().find(|field| field.name == name);
        let field = field.filter(|field| field.datatype == PointField::FLOAT32 && !cloud.is_bigendian);
        field.map(|field| field.offset as usize)
    };
    let (Some(x), Some(y), Some(z)) = (place("x"), place("y"), place("z")) else {
        return Err(ConversionError(
            "its points have no x, y and z as 32-bit little-endian floats".to_owned(),
        ));
    };
    let intensity = place("intensity");
    let (step, count) = (cloud.point_step as usize, (cloud.width * cloud.height) as usize);
    let (mut ranges, mut intensities) = (Vec::with_capacity(count * 3), Vec::with_capacity(count));
    for point in cloud.data.chunks_exact(step.max(1)).take(count) {
        ranges.extend([x, y, z].map(|at| number(point, at)));
        intensities.push(intensity.map_or(0.0, |at| number(point, at)));
    }
    Ok(msgs::LaserScan {
        header: header(cloud.header.as_ref()),
        frame: cloud.header.map(|header| header.frame_id).unwrap_or_default(),
        count: u32::try_from(intensities.len()).unwrap_or(u32::MAX),
        vertical_count: 1,
        ranges,
        intensities,
        ..sweep.clone()
    })
}

fn number(point: &[u8], at: usize) -> f64 {
    let bytes = point.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(f64::NAN, |bytes| f64::from(f32::from_le_bytes(bytes)))
}
