//! The camera through its C functions, with surfaces of known depth.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bridgehead_plugin_api::host::{LinkState, Pose};
use bridgehead_plugin_api::messages::sensor_msgs::{CameraInfo, Image};
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::DepthCamera;

/// Four columns and two rows over 90 degrees: a focal length of two pixels.
fn camera() -> TestHostBuilder {
    sensor().params([
        ("camera/horizontal_fov", "1.5707963267948966"),
        ("camera/image/width", "4"),
        ("camera/image/height", "2"),
        ("camera/image/format", "R_FLOAT32"),
        ("camera/clip/near", "0.5"),
        ("camera/clip/far", "10"),
    ])
}

fn sensor() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("car1")
        .link("mast")
        .parent_link("mast")
        .element("eye")
        .update_period(Duration::from_millis(100))
}

fn first_exposure(host: TestHost) -> TestModel<DepthCamera> {
    host.listen("depth/image_raw");
    host.listen("depth/camera_info");
    let mut model = TestModel::started(host);
    model.run(100).expect_done();
    model
}

/// The depths by rows from the top.
fn depths(host: TestHost) -> Vec<f32> {
    let image: Image = host.last("depth/image_raw");
    image
        .data
        .chunks_exact(4)
        .map(|pixel| f32::from_le_bytes(pixel.try_into().expect("four bytes")))
        .collect()
}

#[test]
fn a_wall_perpendicular_to_the_axis_has_one_depth_in_all_pixels() {
    let host = camera().build();
    host.set_ray_caster(|ray| Some(5.0 / ray.direction[0]));
    first_exposure(host);
    assert!(depths(host).iter().all(|depth| (depth - 5.0).abs() < 1e-6), "{:?}", depths(host));
    let image: Image = host.last("depth/image_raw");
    assert_eq!((image.width, image.height, image.step, image.is_bigendian), (4, 2, 16, 0));
    assert_eq!(image.encoding, "32FC1");
    let header = image.header.expect("header");
    assert_eq!(
        (header.stamp_nanos(), header.frame_id.as_str()),
        (100_000_000, "car1/mast/eye_optical_frame")
    );
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn rows_start_at_the_top_and_columns_at_the_left() {
    let host = camera().build();
    // The part on the upper left is nearer.
    host.set_ray_caster(|ray| {
        let [x, y, z] = ray.direction;
        Some((4.0 - y / x - 2.0 * z / x) / x)
    });
    first_exposure(host);
    let expected = [2.75, 3.25, 3.75, 4.25, 3.75, 4.25, 4.75, 5.25];
    for (depth, expected) in depths(host).into_iter().zip(expected) {
        assert!((depth - expected).abs() < 1e-6, "{:?}", depths(host));
    }
}

#[test]
fn the_camera_looks_along_its_own_axis_and_ignores_its_link() {
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let host = camera().pose(Pose { position: [0.2, 0.0, 0.1], orientation: [0.0, 0.0, 0.0, 1.0] }).build();
    let pose = Pose { position: [1.0, 2.0, 0.5], orientation: [0.0, 0.0, quarter, quarter] };
    host.set_link_state("mast", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    let mast = host.link("mast").id;
    host.set_ray_caster(move |ray| {
        assert_eq!(ray.ignore, Some(mast));
        Some((8.2 - ray.origin[1]) / ray.direction[1])
    });
    first_exposure(host);
    assert!(depths(host).iter().all(|depth| (depth - 6.0).abs() < 1e-6), "{:?}", depths(host));
}

#[test]
fn depths_outside_the_range_are_infinite() {
    let host = camera().build();
    host.set_ray_caster(|ray| match -ray.direction[1] / ray.direction[0] {
        right if right < -0.5 => Some(0.49 / ray.direction[0]),
        // Just in range along the axis, though the ray is longer.
        right if right < 0.0 => Some(10.0 / ray.direction[0] - 1e-9),
        right if right < 0.5 => Some(10.01 / ray.direction[0]),
        _ => None,
    });
    first_exposure(host);
    let row = [f32::NEG_INFINITY, 10.0, f32::INFINITY, f32::INFINITY];
    assert_eq!(depths(host), [row, row].concat());
}

#[test]
fn the_info_describes_the_same_projection() {
    let host = camera().build();
    first_exposure(host);
    let info: CameraInfo = host.last("depth/camera_info");
    assert_eq!((info.width, info.height, info.distortion_model.as_str()), (4, 2, "plumb_bob"));
    let expected = [2.0, 0.0, 1.5, 0.0, 2.0, 0.5, 0.0, 0.0, 1.0];
    assert!(
        info.k.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
        "{info:?}"
    );
    assert_eq!((info.d.len(), info.r.len(), info.p.len()), (5, 9, 12));
    let header = info.header.expect("header");
    assert_eq!(
        (header.stamp_nanos(), header.frame_id.as_str()),
        (100_000_000, "car1/mast/eye_optical_frame")
    );
}

#[test]
fn names_intrinsics_and_clip_can_be_given() {
    let host = camera()
        .topic("front")
        .params([
            ("camera/optical_frame_id", "lens"),
            ("camera/camera_info_topic", "calibration"),
            ("camera/lens/intrinsics/fx", "3"),
            ("camera/lens/intrinsics/cy", "1"),
            ("camera/depth_camera/clip/far", "4"),
        ])
        .build();
    host.listen("front/image_raw");
    host.listen("calibration");
    host.set_ray_caster(|ray| Some(5.0 / ray.direction[0]));
    TestModel::<DepthCamera>::started(host).run(100).expect_done();
    let info: CameraInfo = host.last("calibration");
    assert_eq!((info.k[0], info.k[2], info.k[5]), (3.0, 1.5, 1.0));
    let image: Image = host.last("front/image_raw");
    assert_eq!(image.header.expect("header").frame_id, "lens");
    assert_eq!(image.data[..4], f32::INFINITY.to_le_bytes());
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn no_rays_are_cast_without_a_subscriber() {
    let host = camera().build();
    let casts = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&casts);
    host.set_ray_caster(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        None
    });
    host.listen("depth/camera_info");
    let mut model = TestModel::<DepthCamera>::started(host);
    model.run(100).expect_done();
    assert_eq!(casts.load(Ordering::Relaxed), 0);
    host.listen("depth/image_raw");
    model.run(100).expect_done();
    assert_eq!(casts.load(Ordering::Relaxed), 8);
    model.reset(ResetScope::ALL).expect_done();
    model.run(100).expect_done();
    assert_eq!(host.published("depth/image_raw").pop().expect("an image").stamp_ns, 100_000_000);
    assert_eq!(depths(host).len(), 8, "exposures do not accumulate");
}

#[test]
fn noise_repeats_with_the_seed_and_stays_within_the_clip() {
    let noisy = |seed: u64, stddev: &str| {
        let host = camera().seed(seed).params([("camera/noise/stddev", stddev)]).build();
        host.set_ray_caster(|ray| Some(5.0 / ray.direction[0]));
        first_exposure(host);
        depths(host)
    };
    assert_eq!(noisy(1, "0.1"), noisy(1, "0.1"));
    assert_ne!(noisy(1, "0.1"), noisy(2, "0.1"));
    assert!(noisy(1, "0.1").iter().any(|depth| (depth - 5.0).abs() > 1e-3));
    assert!(noisy(1, "100").iter().all(|depth| (0.5..=10.0).contains(depth)));
}

#[test]
fn invalid_parameters_are_refused() {
    let refusal = |path: &str, text: &str| {
        let mut model = TestModel::<DepthCamera>::create(sensor().param(path, text).build());
        model.awake().expect_failed().text().to_owned()
    };
    let fov = refusal("camera/horizontal_fov", "3.2");
    assert!(
        fov.ends_with("`camera/horizontal_fov` is `3.2`; expected radians above 0 and below pi"),
        "{fov}"
    );
    let far = refusal("camera/clip/far", "0.1");
    assert!(far.ends_with("is `0.1`; expected more metres than near, which is 0.1"), "{far}");
    let none = refusal("camera/image/width", "0");
    assert!(none.ends_with("`camera/image/width` is `0`; expected 1 pixel or more"), "{none}");
    let many = refusal("camera/image/width", "4000000");
    assert!(many.ends_with("is `4000000 x 240 pixels`; expected at most 4194304 pixels in total"), "{many}");
    let focal = refusal("camera/lens/intrinsics/fx", "0");
    assert!(focal.ends_with("is `0`; expected pixels above 0"), "{focal}");
    let mut model = TestModel::<DepthCamera>::create(TestHost::builder().build());
    let error = model.awake().expect_failed();
    assert_eq!(error.text(), "a depth camera must be on a link; put its <sensor> element into a <link>");
}
