//! The projection between pixels and directions: a pinhole without distortion. Pure; any thread.
//!
//! Pixel coordinates are those of ROS: integers are the centres of pixels, with columns from the left and rows from
//! the top.

use bridgehead_plugin_api::messages::sensor_msgs::CameraInfo;
use bridgehead_plugin_api::messages::std_msgs::Header;

/// The projection of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lens {
    /// Width in pixels.
    pub(crate) width: u32,
    /// Height in pixels.
    pub(crate) height: u32,
    /// Horizontal and vertical focal length, pixels.
    pub(crate) focal: [f64; 2],
    /// Principal point, column and row.
    pub(crate) center: [f64; 2],
}

impl Lens {
    /// Returns the projection for a horizontal field of view in radians, with square pixels and a central principal
    /// point.
    pub(crate) fn with_angle(width: u32, height: u32, horizontal_fov: f64) -> Self {
        let focal = f64::from(width) / (2.0 * libm::tan(horizontal_fov / 2.0));
        let center = [width, height].map(|pixels| (f64::from(pixels) - 1.0) / 2.0);
        Lens { width, height, focal: [focal; 2], center }
    }

    /// Returns unit vectors through the centres of the pixels, by rows from the top, in the sensor frame: x forward,
    /// y left, z up.
    pub(crate) fn directions(&self) -> Vec<[f64; 3]> {
        let row = |row: u32| (0..self.width).map(move |column| self.direction(column, row));
        (0..self.height).flat_map(row).collect()
    }

    fn direction(&self, column: u32, row: u32) -> [f64; 3] {
        let right = (f64::from(column) - self.center[0]) / self.focal[0];
        let down = (f64::from(row) - self.center[1]) / self.focal[1];
        let length = (1.0 + right * right + down * down).sqrt();
        [1.0 / length, -right / length, -down / length]
    }

    /// Returns the largest ratio of distance along a ray to depth along the axis, which is at a corner.
    pub(crate) fn longest_ray(&self) -> f64 {
        let (right, bottom) = (self.width.saturating_sub(1), self.height.saturating_sub(1));
        let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
        corners.map(|(column, row)| 1.0 / self.direction(column, row)[0]).into_iter().fold(1.0, f64::max)
    }

    /// Returns the message that describes the projection, without its time.
    pub(crate) fn info(&self, frame_id: &str) -> CameraInfo {
        let ([fx, fy], [cx, cy]) = (self.focal, self.center);
        CameraInfo {
            header: Some(Header { frame_id: frame_id.to_owned(), stamp: None }),
            height: self.height,
            width: self.width,
            distortion_model: "plumb_bob".to_owned(),
            d: vec![0.0; 5],
            k: vec![fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0],
            r: vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            p: vec![fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
            ..CameraInfo::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn the_field_of_view_is_from_edge_to_edge() {
        let lens = Lens::with_angle(100, 50, FRAC_PI_2);
        assert!((lens.focal[0] - 50.0).abs() < 1e-12, "{lens:?}");
        // The centre of the last column is half a pixel inside the edge at 45 degrees.
        let [x, y, z] = lens.direction(99, 0);
        assert!((-y / x - 49.5 / 50.0).abs() < 1e-12 && (z / x - 24.5 / 50.0).abs() < 1e-12);
    }

    #[test]
    fn pixels_start_at_the_top_left() {
        let directions = Lens::with_angle(3, 3, FRAC_PI_2).directions();
        assert_eq!(directions[4].map(f64::to_bits), [1.0, -0.0, -0.0].map(f64::to_bits));
        assert!(directions[0][1] > 0.4 && directions[0][2] > 0.4, "{:?}", directions[0]);
        assert!(directions[5][1] < -0.5 && directions[5][2].abs() < 1e-12, "{:?}", directions[5]);
        for [x, y, z] in directions {
            assert!((x * x + y * y + z * z - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_longest_ray_is_at_the_corner_farthest_from_the_axis() {
        let mut lens = Lens::with_angle(2, 2, FRAC_PI_2);
        assert!((lens.longest_ray() - 1.5_f64.sqrt()).abs() < 1e-12);
        lens.center = [1.0, 1.0];
        assert!((lens.longest_ray() - 3.0_f64.sqrt()).abs() < 1e-12);
    }
}
