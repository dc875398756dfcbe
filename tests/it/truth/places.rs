//! Sensors whose values depend on their pose: satellite navigation, altimeter, air pressure, magnetometer.

use super::rotation::{from_rpy, into_turned};
use super::{GRAVITY, heavy_world, log_of_rig};
use crate::support::{assert_all_near, assert_near, at};

/// Of WGS 84: the semi-major axis in metres, and the square of the first eccentricity.
const AXIS: f64 = 6_378_137.0;
const ECCENTRICITY_SQUARED: f64 = 6.694_379_990_141_317e-3;

/// A place on Earth, from degrees and metres, in the frame that rotates with the Earth.
fn earth_centered(latitude: f64, longitude: f64, altitude: f64) -> [f64; 3] {
    let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
    let normal = AXIS / (1.0 - ECCENTRICITY_SQUARED * latitude.sin().powi(2)).sqrt();
    let across = (normal + altitude) * latitude.cos();
    let up = (normal * (1.0 - ECCENTRICITY_SQUARED) + altitude) * latitude.sin();
    [across * longitude.cos(), across * longitude.sin(), up]
}

/// East, north and up from one place to another.
fn east_north_up(origin: [f64; 3], place: [f64; 3]) -> [f64; 3] {
    let [from, to] =
        [origin, place].map(|[latitude, longitude, altitude]| earth_centered(latitude, longitude, altitude));
    let [dx, dy, dz] = [0, 1, 2].map(|axis| to[axis] - from[axis]);
    let (sin_latitude, cos_latitude) = origin[0].to_radians().sin_cos();
    let (sin_longitude, cos_longitude) = origin[1].to_radians().sin_cos();
    let outwards = cos_longitude * dx + sin_longitude * dy;
    [
        cos_longitude * dy - sin_longitude * dx,
        cos_latitude * dz - sin_latitude * outwards,
        cos_latitude * outwards + sin_latitude * dz,
    ]
}

#[test]
fn a_navsat_fix_agrees_with_the_tangent_plane_at_the_origin() {
    let origin = [48.137, 11.575, 519.0];
    let [latitude, longitude, elevation] = origin;
    let place = [3000.0, -2000.0, 40.0];
    let [x, y, z] = place;
    for heading in [0.0_f64, 90.0, -30.0] {
        let sdf = heavy_world(&format!(
            "<spherical_coordinates><surface_model>EARTH_WGS84</surface_model><latitude_deg>{latitude}</latitude_deg>
            <longitude_deg>{longitude}</longitude_deg><elevation>{elevation}</elevation><heading_deg>{heading}</heading_deg>
            </spherical_coordinates><model name='rig'><static>true</static><pose>{x} {y} {z} 0 0 0</pose>
            <link name='mast'><sensor name='gps' type='navsat'><update_rate>10</update_rate></sensor></link></model>"
        ));
        let lines = log_of_rig(&sdf, &["navsat"], "0.1s");
        let fix = at(&lines, "/rig/fix", 100);
        let found = ["latitude", "longitude", "altitude"].map(|name| fix.number(&format!("/message/{name}")));
        // The world's x axis is rotated by `heading` to the left of east.
        let (sin, cos) = heading.to_radians().sin_cos();
        let expected = [x * cos - y * sin, x * sin + y * cos, z];
        assert_all_near(east_north_up(origin, found), expected, 1e-6);
    }
}

#[test]
fn a_falling_altimeter_follows_the_parabola() {
    let rig = "<model name='rig'><pose>0 0 100 0 0 0</pose><link name='body'>
        <sensor name='height' type='altimeter'><update_rate>10</update_rate></sensor></link></model>";
    let lines = log_of_rig(&heavy_world(rig), &["environment"], "3s");
    for (milliseconds, seconds) in [(100, 0.1), (1000, 1.0), (3000, 3.0)] {
        let reading = at(&lines, "/rig/altimeter", milliseconds);
        assert_near(reading.number("/message/vertical_velocity"), -GRAVITY * seconds, 1e-9);
        // A step is a constant velocity, so the fall is ahead of the parabola by up to half a step.
        let parabola = -0.5 * GRAVITY * seconds * seconds;
        assert_near(
            reading.number("/message/vertical_position"),
            parabola,
            GRAVITY * seconds * 0.0005 + 1e-9,
        );
        assert_near(reading.number("/message/vertical_reference"), 100.0, 1e-9);
    }
}

/// Pressures of the U.S. Standard Atmosphere 1976, pascal, at 1000 m and 2000 m.
const STANDARD: [(f64, f64); 2] = [(1000.0, 89_874.6), (2000.0, 79_495.2)];

#[test]
fn air_pressure_is_that_of_the_standard_atmosphere() {
    for (altitude, pressure) in STANDARD {
        let rig = format!(
            "<model name='rig'><static>true</static><pose>0 0 {} 0 0 0</pose><link name='body'>
            <sensor name='air' type='air_pressure'><update_rate>10</update_rate><air_pressure>
            <reference_altitude>300</reference_altitude></air_pressure></sensor></link></model>",
            altitude - 300.0
        );
        let lines = log_of_rig(&heavy_world(&rig), &["environment"], "0.1s");
        assert_near(at(&lines, "/rig/air_pressure", 100).number("/message/fluid_pressure"), pressure, 2.0);
    }
}

#[test]
fn a_magnetometer_measures_the_field_in_its_own_axes() {
    let field = [2.1e-5, -1.3e-6, -4.3e-5];
    let (model, mount) = ([0.3, -0.4, 1.1], [-0.7, 0.1, 0.2]);
    let text = |numbers: [f64; 3]| numbers.map(|number| number.to_string()).join(" ");
    let sdf = heavy_world(&format!(
        "<magnetic_field>{}</magnetic_field><model name='rig'><static>true</static><pose>1 2 3 {}</pose>
        <link name='body'><sensor name='compass' type='magnetometer'><pose>0 0 0 {}</pose><update_rate>10</update_rate>
        </sensor></link></model>",
        text(field),
        text(model),
        text(mount)
    ));
    let lines = log_of_rig(&sdf, &["environment"], "0.1s");
    let found = at(&lines, "/rig/magnetometer", 100).vector("/message/magnetic_field");
    let expected = into_turned(from_rpy(mount), into_turned(from_rpy(model), field));
    assert_all_near(found, expected, 1e-15);
}
