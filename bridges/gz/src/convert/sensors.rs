//! What sensors measure.

use bridgehead_plugin_api::messages::{ros_gz_interfaces, sensor_msgs};

use super::geometry::{covariance_from_gz, covariance_to_gz};
use crate::msgs as gz;
use crate::msgs::PixelFormatType as Pixels;

/// Numbers of a covariance of three values.
const COVARIANCE: usize = 9;

impl From<sensor_msgs::Imu> for gz::Imu {
    fn from(message: sensor_msgs::Imu) -> Self {
        let covariance = |values: &[f64]| Some(covariance_to_gz(values, COVARIANCE));
        gz::Imu {
            entity_name: frame_of(message.header.as_ref()),
            header: message.header.map(Into::into),
            orientation: message.orientation.map(Into::into),
            orientation_covariance: covariance(&message.orientation_covariance),
            angular_velocity: message.angular_velocity.map(Into::into),
            angular_velocity_covariance: covariance(&message.angular_velocity_covariance),
            linear_acceleration: message.linear_acceleration.map(Into::into),
            linear_acceleration_covariance: covariance(&message.linear_acceleration_covariance),
        }
    }
}

impl From<gz::Imu> for sensor_msgs::Imu {
    fn from(message: gz::Imu) -> Self {
        sensor_msgs::Imu {
            header: message.header.map(Into::into),
            orientation: message.orientation.map(Into::into),
            orientation_covariance: covariance_from_gz(message.orientation_covariance, COVARIANCE),
            angular_velocity: message.angular_velocity.map(Into::into),
            angular_velocity_covariance: covariance_from_gz(message.angular_velocity_covariance, COVARIANCE),
            linear_acceleration: message.linear_acceleration.map(Into::into),
            linear_acceleration_covariance: covariance_from_gz(
                message.linear_acceleration_covariance,
                COVARIANCE,
            ),
        }
    }
}

impl From<sensor_msgs::Imu> for gz::ImuOld {
    fn from(message: sensor_msgs::Imu) -> Self {
        let gz::Imu { header, entity_name, orientation, angular_velocity, linear_acceleration, .. } =
            message.into();
        gz::ImuOld { header, entity_name, orientation, angular_velocity, linear_acceleration }
    }
}

impl From<gz::ImuOld> for sensor_msgs::Imu {
    fn from(message: gz::ImuOld) -> Self {
        let gz::ImuOld { header, entity_name, orientation, angular_velocity, linear_acceleration } = message;
        let newer = gz::Imu {
            header,
            entity_name,
            orientation,
            angular_velocity,
            linear_acceleration,
            ..gz::Imu::default()
        };
        newer.into()
    }
}

fn frame_of(header: Option<&bridgehead_plugin_api::messages::std_msgs::Header>) -> String {
    header.map(|header| header.frame_id.clone()).unwrap_or_default()
}

impl From<sensor_msgs::LaserScan> for gz::LaserScan {
    fn from(message: sensor_msgs::LaserScan) -> Self {
        let ranges: Vec<f64> = message.ranges.iter().copied().map(f64::from).collect();
        let mut intensities: Vec<f64> = message.intensities.iter().copied().map(f64::from).collect();
        // Readers take as many intensities as ranges without asking.
        intensities.resize(ranges.len(), 0.0);
        gz::LaserScan {
            frame: frame_of(message.header.as_ref()),
            header: message.header.map(Into::into),
            world_pose: None,
            angle_min: message.angle_min.into(),
            angle_max: message.angle_max.into(),
            angle_step: message.angle_increment.into(),
            range_min: message.range_min.into(),
            range_max: message.range_max.into(),
            count: u32::try_from(ranges.len()).unwrap_or(u32::MAX),
            vertical_angle_min: 0.0,
            vertical_angle_max: 0.0,
            vertical_angle_step: 0.0,
            vertical_count: 1,
            ranges,
            intensities,
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the scans of ROS are of single precision")]
impl From<gz::LaserScan> for sensor_msgs::LaserScan {
    /// Of several rows, the middle one, of two middle rows the upper one.
    fn from(message: gz::LaserScan) -> Self {
        let count = usize::try_from(message.count).unwrap_or(usize::MAX);
        let rows = usize::try_from(message.vertical_count).unwrap_or(usize::MAX).max(1);
        let middle = |values: &[f64]| -> Vec<f32> {
            let row =
                values.chunks(count.max(1)).nth(rows / 2).or_else(|| values.chunks(count.max(1)).next());
            row.unwrap_or_default().iter().map(|value| *value as f32).collect()
        };
        sensor_msgs::LaserScan {
            angle_min: message.angle_min as f32,
            angle_max: message.angle_max as f32,
            angle_increment: message.angle_step as f32,
            time_increment: 0.0,
            scan_time: 0.0,
            range_min: message.range_min as f32,
            range_max: message.range_max as f32,
            ranges: middle(&message.ranges),
            intensities: middle(&message.intensities),
            header: message.header.map(Into::into),
        }
    }
}

impl From<sensor_msgs::PointCloud2> for gz::PointCloudPacked {
    fn from(message: sensor_msgs::PointCloud2) -> Self {
        let field = |field: sensor_msgs::PointField| gz::point_cloud_packed::Field {
            name: field.name,
            offset: field.offset,
            // ROS counts the same types from 1.
            datatype: i32::try_from(field.datatype).unwrap_or_default().saturating_sub(1),
            count: field.count,
        };
        gz::PointCloudPacked {
            header: message.header.map(Into::into),
            field: message.fields.into_iter().map(field).collect(),
            height: message.height,
            width: message.width,
            is_bigendian: message.is_bigendian,
            point_step: message.point_step,
            row_step: message.row_step,
            data: message.data,
            is_dense: message.is_dense,
        }
    }
}

impl From<gz::PointCloudPacked> for sensor_msgs::PointCloud2 {
    fn from(message: gz::PointCloudPacked) -> Self {
        let field = |field: gz::point_cloud_packed::Field| sensor_msgs::PointField {
            name: field.name,
            offset: field.offset,
            datatype: u32::try_from(field.datatype.saturating_add(1)).unwrap_or_default(),
            count: field.count,
        };
        sensor_msgs::PointCloud2 {
            header: message.header.map(Into::into),
            height: message.height,
            width: message.width,
            fields: message.field.into_iter().map(field).collect(),
            is_bigendian: message.is_bigendian,
            point_step: message.point_step,
            row_step: message.row_step,
            data: message.data,
            is_dense: message.is_dense,
        }
    }
}

/// The formats of pixels, with the encodings of ROS.
const PIXELS: [(&str, Pixels); 12] = [
    ("mono8", Pixels::LInt8),
    ("mono16", Pixels::LInt16),
    ("16UC1", Pixels::LInt16),
    ("rgb8", Pixels::RgbInt8),
    ("rgba8", Pixels::RgbaInt8),
    ("bgra8", Pixels::BgraInt8),
    ("bgr8", Pixels::BgrInt8),
    ("32FC1", Pixels::RFloat32),
    ("bayer_rggb8", Pixels::BayerRggb8),
    ("bayer_bggr8", Pixels::BayerBggr8),
    ("bayer_gbrg8", Pixels::BayerGbrg8),
    ("bayer_grbg8", Pixels::BayerGrbg8),
];

impl From<sensor_msgs::Image> for gz::Image {
    fn from(message: sensor_msgs::Image) -> Self {
        let row = PIXELS.iter().find(|(encoding, _)| *encoding == message.encoding);
        gz::Image {
            header: message.header.map(Into::into),
            width: message.width,
            height: message.height,
            step: message.step,
            data: message.data,
            pixel_format_type: row.map_or(Pixels::UnknownPixelFormat, |(_, format)| *format).into(),
        }
    }
}

impl From<gz::Image> for sensor_msgs::Image {
    fn from(message: gz::Image) -> Self {
        let format = message.pixel_format_type();
        let row = PIXELS.iter().find(|(_, known)| *known == format);
        sensor_msgs::Image {
            header: message.header.map(Into::into),
            height: message.height,
            width: message.width,
            encoding: row.map(|(encoding, _)| (*encoding).to_owned()).unwrap_or_default(),
            is_bigendian: 0,
            step: message.step,
            data: message.data,
        }
    }
}

/// The models of distortion, with their names in ROS; the numbers are the places.
const DISTORTIONS: [&str; 3] = ["plumb_bob", "rational_polynomial", "equidistant"];

impl From<sensor_msgs::CameraInfo> for gz::CameraInfo {
    fn from(message: sensor_msgs::CameraInfo) -> Self {
        let model = DISTORTIONS.iter().position(|name| *name == message.distortion_model);
        let mut k = message.d;
        // Readers take five of them without asking.
        k.resize(k.len().max(5), 0.0);
        gz::CameraInfo {
            header: message.header.map(Into::into),
            width: message.width,
            height: message.height,
            distortion: Some(gz::camera_info::Distortion {
                model: model.and_then(|place| i32::try_from(place).ok()).unwrap_or_default(),
                k,
            }),
            intrinsics: Some(gz::camera_info::Intrinsics { k: message.k }),
            projection: Some(gz::camera_info::Projection { p: message.p }),
            rectification_matrix: message.r,
        }
    }
}

impl From<gz::CameraInfo> for sensor_msgs::CameraInfo {
    fn from(message: gz::CameraInfo) -> Self {
        let distortion = message.distortion.unwrap_or_default();
        let name = usize::try_from(distortion.model).ok().and_then(|place| DISTORTIONS.get(place));
        let sized = |mut values: Vec<f64>, length| {
            values.resize(length, 0.0);
            values
        };
        sensor_msgs::CameraInfo {
            header: message.header.map(Into::into),
            height: message.height,
            width: message.width,
            distortion_model: name.map(|name| (*name).to_owned()).unwrap_or_default(),
            d: distortion.k,
            k: sized(message.intrinsics.unwrap_or_default().k, 9),
            r: sized(message.rectification_matrix, 9),
            p: sized(message.projection.unwrap_or_default().p, 12),
            ..sensor_msgs::CameraInfo::default()
        }
    }
}

impl From<sensor_msgs::NavSatFix> for gz::NavSat {
    fn from(message: sensor_msgs::NavSatFix) -> Self {
        gz::NavSat {
            frame_id: frame_of(message.header.as_ref()),
            header: message.header.map(Into::into),
            latitude_deg: message.latitude,
            longitude_deg: message.longitude,
            altitude: message.altitude,
            ..gz::NavSat::default()
        }
    }
}

impl From<gz::NavSat> for sensor_msgs::NavSatFix {
    fn from(message: gz::NavSat) -> Self {
        sensor_msgs::NavSatFix {
            header: message.header.map(Into::into),
            latitude: message.latitude_deg,
            longitude: message.longitude_deg,
            altitude: message.altitude,
            position_covariance: vec![0.0; COVARIANCE],
            ..sensor_msgs::NavSatFix::default()
        }
    }
}

impl From<sensor_msgs::MagneticField> for gz::Magnetometer {
    fn from(message: sensor_msgs::MagneticField) -> Self {
        gz::Magnetometer {
            header: message.header.map(Into::into),
            field_tesla: message.magnetic_field.map(Into::into),
        }
    }
}

impl From<gz::Magnetometer> for sensor_msgs::MagneticField {
    fn from(message: gz::Magnetometer) -> Self {
        sensor_msgs::MagneticField {
            header: message.header.map(Into::into),
            magnetic_field: message.field_tesla.map(Into::into),
            magnetic_field_covariance: vec![0.0; COVARIANCE],
        }
    }
}

impl From<sensor_msgs::FluidPressure> for gz::FluidPressure {
    fn from(message: sensor_msgs::FluidPressure) -> Self {
        gz::FluidPressure {
            header: message.header.map(Into::into),
            pressure: message.fluid_pressure,
            variance: message.variance,
        }
    }
}

impl From<gz::FluidPressure> for sensor_msgs::FluidPressure {
    fn from(message: gz::FluidPressure) -> Self {
        sensor_msgs::FluidPressure {
            header: message.header.map(Into::into),
            fluid_pressure: message.pressure,
            variance: message.variance,
        }
    }
}

impl From<ros_gz_interfaces::Altimeter> for gz::Altimeter {
    fn from(message: ros_gz_interfaces::Altimeter) -> Self {
        gz::Altimeter {
            header: message.header.map(Into::into),
            vertical_position: message.vertical_position,
            vertical_velocity: message.vertical_velocity,
            vertical_reference: message.vertical_reference,
        }
    }
}

impl From<gz::Altimeter> for ros_gz_interfaces::Altimeter {
    fn from(message: gz::Altimeter) -> Self {
        ros_gz_interfaces::Altimeter {
            header: message.header.map(Into::into),
            vertical_position: message.vertical_position,
            vertical_velocity: message.vertical_velocity,
            vertical_reference: message.vertical_reference,
        }
    }
}

impl From<ros_gz_interfaces::LogicalCameraImage> for gz::LogicalCameraImage {
    fn from(message: ros_gz_interfaces::LogicalCameraImage) -> Self {
        let model = |model: ros_gz_interfaces::LogicalCameraImageModel| gz::logical_camera_image::Model {
            name: model.name,
            pose: model.pose.map(Into::into),
        };
        gz::LogicalCameraImage {
            header: message.header.map(Into::into),
            pose: message.pose.map(Into::into),
            model: message.model.into_iter().map(model).collect(),
        }
    }
}

impl From<gz::LogicalCameraImage> for ros_gz_interfaces::LogicalCameraImage {
    fn from(message: gz::LogicalCameraImage) -> Self {
        let model = |model: gz::logical_camera_image::Model| ros_gz_interfaces::LogicalCameraImageModel {
            name: model.name,
            pose: model.pose.map(Into::into),
        };
        ros_gz_interfaces::LogicalCameraImage {
            header: message.header.map(Into::into),
            pose: message.pose.map(Into::into),
            model: message.model.into_iter().map(model).collect(),
        }
    }
}
