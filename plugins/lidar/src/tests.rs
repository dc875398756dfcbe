//! The lidar through its C functions, with surfaces at known distances.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bridgehead_plugin_api::host::{LinkState, Pose};
use bridgehead_plugin_api::messages::sensor_msgs::{LaserScan, PointCloud2};
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{Ray, TestHost, TestHostBuilder, TestModel};

use super::Lidar;

/// A planar lidar with five rays from right to left, ten samples per second.
fn planar() -> TestHostBuilder {
    sensor().params([
        ("lidar/scan/horizontal/samples", "5"),
        ("lidar/scan/horizontal/min_angle", "-0.7853981633974483"),
        ("lidar/scan/horizontal/max_angle", "0.7853981633974483"),
        ("lidar/range/min", "0.5"),
        ("lidar/range/max", "20"),
    ])
}

fn sensor() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("car1")
        .link("chassis")
        .parent_link("chassis")
        .element("front")
        .update_period(Duration::from_millis(100))
}

/// Subscribes to both topics and runs until the first scan.
fn first_sweep(host: TestHost) -> TestModel<Lidar> {
    host.listen("scan");
    host.listen("scan/points");
    let mut model = TestModel::started(host);
    model.run(100).expect_done();
    model
}

/// A wall perpendicular to the world's x axis.
fn wall_at_x(x: f64) -> impl Fn(&Ray) -> Option<f64> + Send + Sync + 'static {
    move |ray| Some((x - ray.origin[0]) / ray.direction[0]).filter(|distance| *distance > 0.0)
}

fn assert_ranges(scan: &LaserScan, expected: &[f64]) {
    assert_eq!(scan.ranges.len(), expected.len());
    for (range, expected) in scan.ranges.iter().zip(expected) {
        let is_same = f64::from(*range).to_bits() == expected.to_bits();
        assert!(
            is_same || (f64::from(*range) - expected).abs() < 1e-6,
            "{:?} is not {expected}",
            scan.ranges
        );
    }
}

#[test]
fn ranges_to_a_wall_follow_the_secant_of_the_angle() {
    let host = planar().build();
    host.set_ray_caster(wall_at_x(5.0));
    first_sweep(host);
    let scan: LaserScan = host.last("scan");
    let expected = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|step: f64| 5.0 / (step * FRAC_PI_4 / 2.0).cos());
    assert_ranges(&scan, &expected);
    let angles = [scan.angle_min, scan.angle_max, scan.angle_increment].map(f64::from);
    for (angle, expected) in angles.into_iter().zip([-FRAC_PI_4, FRAC_PI_4, FRAC_PI_4 / 2.0]) {
        assert!((angle - expected).abs() < 1e-7, "{angles:?}");
    }
    assert_eq!((scan.range_min, scan.range_max), (0.5, 20.0));
    assert_eq!((scan.time_increment, scan.scan_time), (0.0, 0.1));
    assert_eq!(scan.intensities, [1.0; 5]);
    let header = scan.header.expect("header");
    assert_eq!((header.stamp_nanos(), header.frame_id.as_str()), (100_000_000, "car1/chassis/front"));
}

#[test]
fn rays_start_at_the_sensor_and_turn_with_it() {
    let quarter_turn = [0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2];
    let host = planar().pose(Pose { position: [0.2, 0.0, 0.1], orientation: [0.0, 0.0, 0.0, 1.0] }).build();
    let pose = Pose { position: [1.0, 2.0, 0.5], orientation: quarter_turn };
    host.set_link_state("chassis", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    let chassis = host.link("chassis").id;
    host.set_ray_caster(move |ray| {
        assert_eq!(ray.ignore, Some(chassis));
        assert!((ray.origin[0] - 1.0).abs() < 1e-12 && (ray.origin[1] - 2.2).abs() < 1e-12);
        assert!((ray.origin[2] - 0.6).abs() < 1e-12);
        Some((10.0 - ray.origin[1]) / ray.direction[1])
    });
    first_sweep(host);
    let expected = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|step: f64| 7.8 / (step * FRAC_PI_4 / 2.0).cos());
    assert_ranges(&host.last("scan"), &expected);
}

#[test]
fn ranges_outside_the_limits_are_infinite() {
    let host = planar().build();
    host.set_ray_caster(|ray| match ray.direction[1] {
        left if left < -0.6 => Some(0.49),
        left if left < -0.1 => Some(0.5),
        left if left < 0.1 => Some(20.0),
        left if left < 0.6 => Some(20.1),
        _ => None,
    });
    first_sweep(host);
    let scan: LaserScan = host.last("scan");
    assert_ranges(&scan, &[f64::NEG_INFINITY, 0.5, 20.0, f64::INFINITY, f64::INFINITY]);
    assert_eq!(scan.intensities, [0.0, 1.0, 1.0, 0.0, 0.0]);
    let cloud: PointCloud2 = host.last("scan/points");
    assert!(!cloud.is_dense);
    assert!(point(&cloud, 0)[0].is_nan() && point(&cloud, 4)[2].is_nan());
    assert!((point(&cloud, 2)[0] - 20.0).abs() < 1e-6);
}

/// Returns x, y, z and intensity of a point.
fn point(cloud: &PointCloud2, index: usize) -> [f32; 4] {
    let start = index * cloud.point_step as usize;
    std::array::from_fn(|field| {
        let at = start + 4 * field;
        f32::from_le_bytes(cloud.data[at..at + 4].try_into().expect("four bytes"))
    })
}

/// Three rings of two rays: 45° down, level, 45° up; to the right and straight ahead.
fn spatial() -> TestHostBuilder {
    sensor().params([
        ("ray/scan/horizontal/samples", "1"),
        ("ray/scan/horizontal/resolution", "2"),
        ("ray/scan/horizontal/min_angle", "-1.5707963267948966"),
        ("ray/scan/horizontal/max_angle", "0"),
        ("ray/scan/vertical/samples", "3"),
        ("ray/scan/vertical/min_angle", "-0.7853981633974483"),
        ("ray/scan/vertical/max_angle", "0.7853981633974483"),
        ("ray/range/max", "100"),
    ])
}

#[test]
fn a_cloud_has_a_row_per_ring_and_the_scan_is_the_level_one() {
    let host = spatial().build();
    host.set_ray_caster(|ray| Some(2.0 + ray.direction[2] + ray.direction[0]));
    first_sweep(host);
    assert_ranges(&host.last("scan"), &[2.0, 3.0]);

    let cloud: PointCloud2 = host.last("scan/points");
    assert_eq!((cloud.height, cloud.width, cloud.point_step, cloud.row_step), (3, 2, 20, 40));
    assert_eq!(cloud.data.len(), 120);
    assert!(cloud.is_dense && !cloud.is_bigendian);
    let fields: Vec<_> = cloud.fields.iter().map(|field| (field.name.as_str(), field.offset)).collect();
    assert_eq!(fields, [("x", 0), ("y", 4), ("z", 8), ("intensity", 12), ("ring", 16)]);
    let rings: Vec<u8> = (0..6).map(|index| cloud.data[index * 20 + 16]).collect();
    assert_eq!(rings, [0, 0, 1, 1, 2, 2]);

    // Lowest ring, straight ahead: 45° down, at the distance given by the caster.
    let diagonal = 2.0 * FRAC_1_SQRT_2;
    let expected = [diagonal, 0.0, -diagonal, 1.0];
    for (value, expected) in point(&cloud, 1).into_iter().zip(expected) {
        assert!((f64::from(value) - expected).abs() < 1e-6, "{:?}", point(&cloud, 1));
    }
}

#[test]
fn two_scans_do_not_accumulate() {
    let host = spatial().build();
    host.set_ray_caster(|_| Some(1.0));
    let mut model = first_sweep(host);
    host.set_ray_caster(|_| Some(2.0));
    model.run(100).expect_done();
    assert_ranges(&host.last("scan"), &[2.0, 2.0]);
    let cloud: PointCloud2 = host.last("scan/points");
    assert_eq!(cloud.data.len(), 120);
    assert!((point(&cloud, 3)[0] - 2.0).abs() < 1e-6);
}

#[test]
fn no_rays_are_cast_without_a_subscriber() {
    let host = planar().build();
    let casts = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&casts);
    host.set_ray_caster(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        None
    });
    let mut model = TestModel::<Lidar>::started(host);
    model.run(150).expect_done();
    assert_eq!(casts.load(Ordering::Relaxed), 0);
    host.listen("scan");
    model.run(100).expect_done();
    assert_eq!(casts.load(Ordering::Relaxed), 5);
    assert_eq!(host.published("scan/points").len(), 0);
}

#[test]
fn samples_keep_their_rate_and_start_again_after_a_reset() {
    let host = planar().build();
    let mut model = first_sweep(host);
    model.run(950).expect_done();
    let stamps: Vec<i64> = host.published("scan").iter().map(|scan| scan.stamp_ns / 1_000_000).collect();
    assert_eq!(stamps, [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
    model.reset(ResetScope::ALL).expect_done();
    model.run(100).expect_done();
    let last = host.published("scan").pop().expect("a scan");
    assert_eq!((last.stamp_ns, last.reset_epoch, last.sequence), (100_000_000, 1, 0));
}

/// Returns the ranges of one scan of 2000 noisy rays at 4 m, as deviations in millimetres.
fn noisy_sweep(seed: u64) -> Vec<f64> {
    let host = sensor()
        .seed(seed)
        .params([
            ("lidar/scan/horizontal/samples", "2000"),
            ("lidar/range/max", "10"),
            ("lidar/noise/type", "gaussian"),
            ("lidar/noise/mean", "0.02"),
            ("lidar/noise/stddev", "0.01"),
        ])
        .build();
    host.set_ray_caster(|_| Some(4.0));
    first_sweep(host);
    let scan: LaserScan = host.last("scan");
    scan.ranges.iter().map(|range| (f64::from(*range) - 4.0) * 1000.0).collect()
}

#[test]
fn noise_has_its_mean_and_deviation_and_repeats_with_the_seed() {
    let errors = noisy_sweep(3);
    let mean = errors.iter().sum::<f64>() / 2000.0;
    let deviation = (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / 2000.0).sqrt();
    assert!((mean - 20.0).abs() < 1.0, "mean {mean} mm");
    assert!((deviation - 10.0).abs() < 0.7, "deviation {deviation} mm");
    assert_eq!(errors, noisy_sweep(3));
    assert_ne!(errors, noisy_sweep(4));
}

#[test]
fn a_topic_of_the_sensor_replaces_the_default() {
    let model = TestModel::<Lidar>::started(planar().topic("/front/laser").build());
    let topics: Vec<String> = model.host().topics().into_iter().map(|topic| topic.name).collect();
    assert_eq!(topics, ["/front/laser", "/front/laser/points"]);
    assert_eq!(model.host().unread_params(), Vec::<String>::new());
}

/// Returns why `awake` refuses a lidar with these parameters.
fn refusal<const N: usize>(params: [(&str, &str); N]) -> String {
    let mut model = TestModel::<Lidar>::create(sensor().params(params).build());
    model.awake().expect_failed().text().to_owned()
}

#[test]
fn invalid_parameters_are_refused_with_their_path() {
    let missing = refusal([("lidar/scan/horizontal/samples", "3")]);
    assert_eq!(missing, "parameter `lidar/range/max` is missing; expected a number");

    let turned = refusal([("lidar/range/min", "2"), ("lidar/range/max", "1")]);
    assert!(turned.contains("tests.rs:"), "{turned}");
    assert!(turned.ends_with("`lidar/range/max` is `1`; expected more metres than range/min, which is 2"));

    let none = refusal([("lidar/scan/horizontal/samples", "0"), ("lidar/range/max", "1")]);
    assert!(none.contains("expected a number that gives 1 to 4194304 rays"), "{none}");

    let many = refusal([
        ("lidar/scan/horizontal/samples", "100000"),
        ("lidar/scan/vertical/samples", "100"),
        ("lidar/range/max", "1"),
    ]);
    assert!(
        many.contains("`lidar/scan` is `10000000 rays`; expected at most 4194304 rays in total"),
        "{many}"
    );

    let noise = refusal([("lidar/range/max", "1"), ("lidar/noise/type", "pink")]);
    assert!(noise.ends_with("is `pink`; expected `none`, `gaussian` or `gaussian_quantized`"), "{noise}");
}

#[test]
fn a_lidar_without_a_link_is_refused_with_its_right_place() {
    let mut model = TestModel::<Lidar>::create(TestHost::builder().param("lidar/range/max", 1).build());
    let error = model.awake().expect_failed();
    assert_eq!(error.text(), "sensor `plugin` measures at a link; put its <sensor> element into a <link>");
}

#[test]
fn a_full_circle_measures_its_seam_twice() {
    let host = sensor()
        .params([
            ("lidar/scan/horizontal/samples", "5"),
            ("lidar/scan/horizontal/min_angle", "-3.141592653589793"),
            ("lidar/scan/horizontal/max_angle", "3.141592653589793"),
            ("lidar/range/max", "9"),
        ])
        .build();
    host.set_ray_caster(|ray| Some(2.0 + ray.direction[0]));
    first_sweep(host);
    assert_ranges(&host.last("scan"), &[1.0, 2.0, 3.0, 2.0, 1.0]);
    let increment = host.last::<LaserScan>("scan").angle_increment;
    assert!((f64::from(increment) - FRAC_PI_2).abs() < 1e-6);
}

#[test]
fn a_filter_drops_angles_and_ranges_and_does_not_change_the_rest() {
    let ranges = |params: &[(&str, &str)]| {
        let builder =
            params.iter().fold(planar().param("lidar/noise/stddev", "0.1"), |builder, (path, text)| {
                builder.param(path, text)
            });
        let host = builder.build();
        host.set_ray_caster(|ray| (ray.direction[1] < 0.5).then(|| 5.0 + 5.0 * ray.direction[1]));
        first_sweep(host);
        assert_eq!(host.unread_params(), Vec::<String>::new());
        let scan: LaserScan = host.last("scan");
        assert_eq!((scan.ranges.len(), scan.intensities.len()), (5, 5), "the angles keep their positions");
        assert!(
            scan.ranges
                .iter()
                .zip(&scan.intensities)
                .all(|(range, strength)| !range.is_nan() || *strength == 0.0)
        );
        scan.ranges
    };
    let all = ranges(&[]);
    assert!(all.iter().all(|range| !range.is_nan()) && all[4].is_infinite(), "{all:?}");
    let same = |found: &[f32], kept: [bool; 5]| {
        for (index, kept) in kept.into_iter().enumerate() {
            let is_right =
                if kept { found[index].to_bits() == all[index].to_bits() } else { found[index].is_nan() };
            assert!(is_right, "{found:?} of {all:?}");
        }
    };
    // Written with fewer digits than the angle has.
    same(&ranges(&[("filter_angle_min", "-0.392699")]), [false, true, true, true, true]);
    let middle = [("filter_angle_min", "-0.4"), ("filter_angle_max", "0.1")];
    same(&ranges(&middle), [false, true, true, false, false]);
    // A range filter alone; out of range is beyond any bound.
    same(&ranges(&[("filter_range_min", "2.2")]), [false, true, true, true, true]);
    same(&ranges(&[("filter_range_max", "6")]), [true, true, true, false, false]);
}

#[test]
fn a_filtered_cloud_has_points_of_nan_in_every_ring() {
    let host = spatial().param("filter_angle_min", "-1").build();
    host.set_ray_caster(|_| Some(2.0));
    first_sweep(host);
    let cloud: PointCloud2 = host.last("scan/points");
    let is_missing: Vec<bool> = (0..6).map(|index| point(&cloud, index)[0].is_nan()).collect();
    assert_eq!((is_missing, cloud.is_dense), (vec![true, false, true, false, true, false], false));
}

#[test]
fn a_sensor_may_publish_its_cloud_on_its_own_topic() {
    let host = planar().param("output_type", "PointCloud2").build();
    host.set_ray_caster(wall_at_x(5.0));
    ["scan", "scan/points", "scan/scan"].into_iter().for_each(|topic| host.listen(topic));
    TestModel::<Lidar>::started(host).run(100).expect_done();
    assert_eq!(host.last::<PointCloud2>("scan"), host.last::<PointCloud2>("scan/points"));
    assert_eq!(host.last::<LaserScan>("scan/scan").ranges.len(), 5);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn intensities_can_be_disabled() {
    let host = planar().param("intensity", "false").build();
    host.set_ray_caster(wall_at_x(5.0));
    first_sweep(host);
    assert_eq!(host.last::<LaserScan>("scan").intensities, [0.0_f32; 0]);
    assert_eq!(point(&host.last("scan/points"), 2)[3].to_bits(), 0.0_f32.to_bits());
}

#[test]
fn invalid_filters_and_outputs_are_refused() {
    let range = [("lidar/range/max", "1")];
    let turned = refusal([range[0], ("filter_range_min", "2"), ("filter_range_max", "1")]);
    assert!(
        turned.ends_with("`filter_range_max` is `1`; expected at least filter_range_min, which is 2"),
        "{turned}"
    );
    let output = refusal([range[0], ("output_type", "Image")]);
    assert!(
        output.ends_with("is `Image`; expected `LaserScan`, `PointCloud2` or `PointCloud2Raw`"),
        "{output}"
    );
    let rays = refusal([range[0], ("bridgehead:rays", "radar")]);
    assert!(rays.ends_with("`bridgehead:rays` is `radar`; expected collisions or visuals"), "{rays}");
}
