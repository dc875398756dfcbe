//! From point clouds of ROS, whose points are bytes with described fields, to those of Apollo.

use bridgehead_plugin_api::messages::sensor_msgs::{PointCloud2, PointField};
use bridgehead_plugin_api::prelude::*;

use crate::outgoing::{header, nanoseconds, seconds};
use crate::schemas::apollo::drivers::{PointCloud, PointXyzit};

pub(crate) const FULL_NAME: &str = PointCloud2::FULL_NAME;

/// Datatypes of `sensor_msgs/msg/PointField`.
const UINT8: u32 = 2;
const FLOAT32: u32 = 7;

/// Greatest intensity of Apollo.
const MAX_INTENSITY: f32 = 255.0;

pub(crate) fn convert(of: &PointCloud2, number: u64) -> Result<PointCloud> {
    let (header, stamp, frame) = header(of.header.as_ref(), number);
    let layout = Layout::of(of)?;
    let timestamp = Some(nanoseconds(&stamp));
    let mut points = Vec::new();
    for row in of.data.chunks(layout.row).take(index(of.height)) {
        for bytes in row.chunks_exact(layout.point).take(index(of.width)) {
            let [x, y, z] = layout.position.map(|at| Some(float(bytes, at)));
            points.push(PointXyzit { x, y, z, intensity: Some(layout.intensity(bytes)), timestamp });
        }
    }
    Ok(PointCloud {
        header: Some(header),
        frame_id: Some(frame),
        is_dense: Some(of.is_dense),
        point: points,
        measurement_time: Some(seconds(&stamp)),
        width: Some(of.width),
        height: Some(of.height),
    })
}

/// Where the numbers of a point are.
struct Layout {
    row: usize,
    point: usize,
    position: [usize; 3],
    intensity: Option<(usize, u32)>,
}

impl Layout {
    fn of(cloud: &PointCloud2) -> Result<Self> {
        if cloud.is_bigendian {
            return Err(Error::unsupported("a cloud in big endian"));
        }
        let field = |name: &str| cloud.fields.iter().find(|field: &&PointField| field.name == name);
        let coordinate = |name: &str| match field(name) {
            Some(field) if field.datatype == FLOAT32 => Ok(index(field.offset)),
            _ => Err(Error::unsupported(format!("a cloud without `{name}` as float32"))),
        };
        let (row, point) = (index(cloud.row_step), index(cloud.point_step));
        if row == 0 || point == 0 {
            return Err(Error::invalid("a cloud whose rows or points have no bytes"));
        }
        let intensity = field("intensity").map(|field| (index(field.offset), field.datatype));
        let position = [coordinate("x")?, coordinate("y")?, coordinate("z")?];
        Ok(Layout { row, point, position, intensity })
    }

    /// Sensors of the host have 0 to 1 in single precision, and Apollo has 0 to 255.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
    fn intensity(&self, bytes: &[u8]) -> u32 {
        match self.intensity {
            Some((at, FLOAT32)) => {
                (float(bytes, at) * MAX_INTENSITY).round().clamp(0.0, MAX_INTENSITY) as u32
            }
            Some((at, UINT8)) => bytes.get(at).copied().unwrap_or(0).into(),
            _ => 0,
        }
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Reads a number; NaN, as for a missing point, if the point is too short.
fn float(bytes: &[u8], at: usize) -> f32 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map_or(f32::NAN, |bytes| f32::from_le_bytes(*bytes))
}
