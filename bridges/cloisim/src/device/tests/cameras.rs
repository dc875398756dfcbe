//! Devices with images.

use super::*;
use crate::frame::PixelFormat;

#[test]
fn a_depth_camera_reports_its_pixel_format() {
    let xml = "<sensor><camera><horizontal_fov>1.5</horizontal_fov><image><width>64</width><height>32</height>\
        <format>L16</format></image></camera></sensor>";
    let mut scene = Scene::new();
    scene.sensor("mast", "depth", "depth_camera", &["sensor_msgs/msg/Image"], xml);
    let device = devices(&scene.0).served[1].clone();
    assert_eq!(device.kind, Kind::DepthCamera);
    let camera = device.info.camera.expect("a camera");
    assert_eq!((camera.horizontal_fov, camera.pixel_format), (1.5, 2));
    assert_eq!(
        device.config,
        ConverterConfig::Image(ImageConfig {
            width: 64,
            height: 32,
            format: PixelFormat::L16,
            per_metre: 1000.0
        })
    );
}

#[test]
fn the_class_of_cameras_means_colours_in_a_camera_and_depths_in_a_depth_camera() {
    for (plugin, format, kind, expected) in [
        ("camera", "", Kind::Camera, PixelFormat::Rgb8),
        ("camera", "B8G8R8", Kind::Camera, PixelFormat::Bgr8),
        ("camera", "R_FLOAT32", Kind::Camera, PixelFormat::Rgb8),
        ("depth_camera", "", Kind::DepthCamera, PixelFormat::Float32),
        ("depth_camera", "R8G8B8", Kind::DepthCamera, PixelFormat::Float32),
        ("depth_camera", "L16", Kind::DepthCamera, PixelFormat::L16),
    ] {
        let xml = format!(
            "<sensor><camera><image><width>64</width><height>32</height><format>{format}</format></image></camera>\
             </sensor>"
        );
        let mut scene = Scene::new();
        scene.sensor("mast", "eye", plugin, &["sensor_msgs/msg/Image"], &xml);
        let device = devices(&scene.0).served[1].clone();
        let ConverterConfig::Image(ImageConfig { format: found, .. }) = device.config else {
            panic!("{device:?}")
        };
        assert_eq!((device.kind, found), (kind, expected), "{plugin} {format}");
    }
}

const CAMERAS: &str = "<sensor><camera name='left'><pose>0 0.1 0 0 0 0</pose><image><width>64</width><height>48</height>\
    </image></camera><camera name='right'><pose degrees='true'>0 -0.1 0 0 0 90</pose><horizontal_fov>1.5\
    </horizontal_fov><image><width>32</width><height>24</height><format>L8</format></image></camera></sensor>";

/// A multicamera with these frames in its plugin, which publishes the images of its cameras.
fn multicamera(frames: &[&str]) -> Devices {
    let listed: String = frames.iter().map(|frame| format!("<frame_id>{frame}</frame_id>")).collect();
    let mut scene = Scene::new();
    scene.sensor("mast", "eyes", "multicamera", &[], CAMERAS);
    let element = scene.0.elements.last_mut().expect("the sensor");
    for camera in ["left", "right"] {
        element.topics.push(ElementTopic {
            topic: format!("/cloi/eyes/{camera}/image_raw"),
            r#type: "sensor_msgs/msg/Image".into(),
            is_published: true,
        });
    }
    scene.companion("MultiCameraPlugin", &format!("<plugin><ros2>{listed}</ros2></plugin>"));
    devices(&scene.0)
}

fn image(width: u32, height: u32, format: PixelFormat) -> ImageConfig {
    ImageConfig { width, height, format, per_metre: 1000.0 }
}

#[test]
fn the_cameras_of_a_multicamera_come_in_the_order_of_its_frames() {
    let found = multicamera(&["right", "left"]);
    let device = &found.served[1];
    assert_eq!((device.kind, device.parts.as_str()), (Kind::MultiCamera, "mast_eyes"));
    assert_eq!(device.keys, [Key::Info, Key::Data]);
    assert_eq!(device.info.ros2.as_ref().expect("names").frames, ["right", "left"]);
    assert_eq!(
        device.config,
        ConverterConfig::Images(vec![image(32, 24, PixelFormat::L8), image(64, 48, PixelFormat::Rgb8)])
    );
    let source = |camera: &str, index| Source {
        topic: format!("/cloi/eyes/{camera}/image_raw"),
        slot: Slot::Camera(index),
    };
    assert_eq!(device.sources, [source("right", 0), source("left", 1)]);
    let places: Vec<_> =
        device.info.transforms.iter().map(|found| (found.name.as_str(), found.pose.position)).collect();
    assert_eq!(places, [("right", [0.5, -0.1, 2.0]), ("left", [0.5, 0.1, 2.0])]);
    let [_, _, yaw] = device.info.transforms[0].pose.euler();
    assert!((yaw - std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    let formats: Vec<_> =
        device.info.cameras.iter().map(|(name, optics)| (name.as_str(), optics.horizontal_fov)).collect();
    assert_eq!(formats, [("right", 1.5), ("left", 1.047)]);
    assert_eq!(found.absent, []);
}

#[test]
fn a_multicamera_without_frames_has_all_cameras_and_unknown_frames_are_reported() {
    let all = ["left", "right"];
    assert_eq!(multicamera(&[]).served[1].info.ros2.as_ref().expect("names").frames, all);
    let found = multicamera(&["middle", "right"]);
    assert_eq!(found.served[1].info.ros2.as_ref().expect("names").frames, ["right"]);
    let [(path, text)] = &found.absent[..] else { panic!("{found:?}") };
    assert_eq!(path, "cloi/mast/eyes");
    assert_eq!(text, "its sensor has no camera `middle`; it has left, right");
    assert_eq!(multicamera(&["middle"]).served[1].info.ros2.as_ref().expect("names").frames, all);
}

#[test]
fn a_segmentation_camera_sends_numbers_of_models_and_their_names() {
    let types = ["vision_msgs/msg/LabelInfo", "sensor_msgs/msg/Image", "sensor_msgs/msg/Image"].as_slice();
    let xml = "<sensor><camera><image><width>64</width><height>32</height><format>R8G8B8</format></image></camera>\
        </sensor>";
    let mut scene = Scene::new();
    scene.sensor("mast", "eye", "segmentation_camera", types, xml);
    let topics = &mut scene.0.elements.last_mut().expect("the sensor").topics;
    for (topic, name) in topics.iter_mut().zip(["label_info", "labels_map", "model_map"]) {
        topic.topic = format!("/cloi/{name}");
    }
    let plugin = "<plugin><segmentation><label>box</label><label>car</label></segmentation></plugin>";
    scene.companion("SegmentationCameraPlugin", plugin);
    let device = devices(&scene.0).served[1].clone();
    assert_eq!(device.kind, Kind::SegmentCamera);
    assert_eq!(
        device.sources,
        [
            Source { topic: "/cloi/model_map".into(), slot: Slot::Main },
            Source { topic: "/cloi/label_info".into(), slot: Slot::Classes }
        ]
    );
    let wanted = vec!["box".to_owned(), "car".to_owned()];
    assert_eq!(device.config, ConverterConfig::Classes { image: image(64, 32, PixelFormat::L16), wanted });
    assert_eq!(device.info.camera.expect("optics").pixel_format, 2);
}

#[test]
fn a_class_of_cameras_in_another_camera_is_that_camera() {
    for class in ["SegmentationCameraPlugin", "MultiCameraPlugin"] {
        let mut scene = Scene::new();
        scene.sensor("mast", "eye", "camera", &["sensor_msgs/msg/Image"], "").companion(class, "");
        assert_eq!(list(&scene)[1..], ["cloi CAMERA mast_eye"]);
    }
}

const REALSENSE: &str = "<plugin><activate><module name='color'/><module name='depth'/><module name='imu'/>\
    <module name='left_imager'/><module name='radar'/><module name='color'/></activate><configuration>\
    <depth_scale>2000</depth_scale></configuration></plugin>";

fn realsense() -> Scene {
    let optics = |format: &str| {
        format!(
            "<sensor><camera><image><width>64</width><height>48</height><format>{format}</format></image></camera></sensor>"
        )
    };
    let image = &["sensor_msgs/msg/Image"];
    let mut scene = Scene::new();
    scene
        .sensor("mast", "color", "camera", image, &optics("R8G8B8"))
        .sensor("mast", "depth", "depth_camera", image, &optics("L16"))
        .sensor("mast", "imu", "imu", &["sensor_msgs/msg/Imu"], "<sensor/>")
        .sensor("chassis", "imu2", "imu", &["sensor_msgs/msg/Imu"], "<sensor/>")
        .sensor("mast", "left_imager", "depth_camera", image, &optics("L16"))
        .plugin("cloi", "libRealSensePlugin.so", "", &[], REALSENSE);
    scene
}

#[test]
fn the_modules_of_a_realsense_are_sensors_of_its_model_and_no_devices_of_their_own() {
    let scene = realsense();
    let found = devices(&scene.0);
    let expected = ["cloi IMU chassis_imu2", "cloi DEPTHCAMERA mast_left_imager", "cloi REALSENSE cloi"];
    assert_eq!(list(&scene)[1..], expected);
    let device = &found.served[3];
    let keys: Vec<&str> = device.keys.iter().map(|key| key.name()).collect();
    let expected = ["Info", "colorInfo", "colorData", "depthInfo", "depthData", "imuInfo", "imuData"];
    assert_eq!(keys, expected);
    assert_eq!(device.hash_key(Key::ModuleData(Module::Depth)), "cloicloidepthData");
    let slots: Vec<Slot> = device.sources.iter().map(|source| source.slot).collect();
    assert_eq!(slots, [Module::Color, Module::Depth, Module::Imu].map(Slot::Module));
    assert_eq!(device.sources[1].topic, "/cloi/mast/depth/image");
    let ConverterConfig::Modules(modules) = &device.config else { panic!("{device:?}") };
    let depth = ImageConfig { width: 64, height: 48, format: PixelFormat::L16, per_metre: 2000.0 };
    assert_eq!(modules[1], (Module::Depth, ModuleConfig::Image(depth)));
    assert_eq!(modules[2], (Module::Imu, ModuleConfig::Imu("imu".into())));
    assert_eq!(device.info.modules[2], ("imu".to_owned(), "imu"));
    assert_eq!(
        device.info_of(Key::ModuleInfo(Module::Depth)).camera.as_ref().expect("optics").pixel_format,
        2
    );
    assert_eq!(device.info.transforms[0].pose.position, [0.5, 0.0, 2.0]);
}

#[test]
fn modules_that_do_not_exist_are_reported() {
    let absent = devices(&realsense().0).absent;
    let texts: Vec<&str> = absent.iter().map(|(_, text)| text.as_str()).collect();
    let expected = [
        "its model has no sensor `left_imager` that is served by camera or wide_angle_camera",
        "`radar` is no module of a RealSense; its modules are color, left_imager, right_imager, depth, \
         aligned_depth_to_color, imu",
    ];
    assert_eq!(texts, expected);
    assert!(absent[0].0.contains("RealSensePlugin"), "{absent:?}");
}
