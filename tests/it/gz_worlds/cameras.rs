//! Gazebo's worlds with cameras: each camera delivers its images at its rate.

use super::{PLUGINS, counts, folder};
use crate::support::Setup;

/// A world, the simulated time of its run, its topics of images, and their number. An image that is exposed within the
/// last period arrives after the end of the run.
type Row = (&'static str, &'static str, &'static [(&'static str, usize)]);

const TABLE: &[Row] = &[
    ("actor.sdf", "0.5s", &[("/camera/camera/image_raw", 14)]),
    (
        "camera_lens_flare.sdf",
        "0.5s",
        &[
            ("/camera_lensflare/camera/image_raw", 14),
            ("/wide_angle_camera_lensflare/wide_angle_camera/image_raw", 14),
        ],
    ),
    ("camera_sensor.sdf", "0.5s", &[("/camera/camera/image_raw", 14)]),
    ("camera_video_record_dbl_pendulum.sdf", "0.5s", &[("/camera/camera/image_raw", 14)]),
    ("depth_camera_sensor.sdf", "0.5s", &[("/depth_camera/depth_camera/image_raw", 4)]),
    ("fuel_textured_mesh.sdf", "0.5s", &[("/camera/camera/image_raw", 14)]),
    // An image has 14 MiB.
    ("global_illumination.sdf", "0.1s", &[("/camera/camera/image_raw", 2)]),
    ("model_photo_shoot.sdf", "0.5s", &[("/photo_shoot/camera/image_raw", 14)]),
    ("optical_tactile_sensor_plugin.sdf", "2s", &[("/tactile_sensor/depth_camera/image_raw", 1)]),
    ("plane_propeller_demo.sdf", "0.5s", &[("/propeller_plane/camera/image_raw", 14)]),
    ("shader_param.sdf", "0.5s", &[("/camera/camera/image_raw", 14), ("/camera/depth_camera/image_raw", 4)]),
    ("sky.sdf", "0.5s", &[("/camera/camera/image_raw", 14)]),
    (
        "thermal_camera.sdf",
        "0.5s",
        &[
            ("/thermal_camera/thermal_camera/image_raw", 14),
            ("/thermal_camera_8bit/thermal_camera_8bit/image/image_raw", 14),
        ],
    ),
    // Its images are asked for.
    ("triggered_camera_sensor.sdf", "0.5s", &[]),
    (
        "visibility.sdf",
        "0.5s",
        &[("/camera_0x01/camera_0x01/image_raw", 14), ("/camera_0x02/camera_0x02/image_raw", 14)],
    ),
    ("visualize_frustum_rgb_camera.sdf", "0.5s", &[("/rgb_camera/image_raw", 14)]),
    ("wide_angle_camera.sdf", "0.5s", &[("/wide_angle_camera/wide_angle_camera/image_raw", 14)]),
];

#[test]
fn cameras_deliver_their_images_at_their_rates() {
    for (file, duration, expected) in TABLE {
        let Some(folder) = folder() else { return };
        let setup = Setup::new().plugins(PLUGINS).run(&folder.join(file));
        // Models that are on the network only are missing.
        let setup = setup.args(["--duration", duration, "--on-loss", "ignore"]);
        let finished = setup.bridge("*=logging:out/run.jsonl").finish().expect_code(0);
        let images: Vec<_> =
            counts(&finished).into_iter().filter(|(topic, _)| topic.ends_with("/image_raw")).collect();
        let expected: Vec<_> = expected.iter().map(|(topic, count)| ((*topic).to_owned(), *count)).collect();
        assert_eq!(images, expected, "{file}\n{finished}");
    }
}
