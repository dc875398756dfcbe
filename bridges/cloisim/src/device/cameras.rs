//! Devices with images: their optical parameters, and the cameras of a sensor with several.

use super::builder::DeviceBuilder;
use super::{ConverterConfig, Slot, Source, mount};
use crate::frame::PixelFormat;
use crate::info::Info;
use crate::msgs::CameraSensor;
use crate::pose::Pose;
use crate::xml::Element;

const IMAGE: &str = "sensor_msgs/msg/Image";

/// The form of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImageConfig {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The format that the camera info names.
    pub(crate) format: PixelFormat,
    /// Units of 16-bit depths per metre.
    pub(crate) per_metre: f64,
}

/// Units of 16-bit depths per metre where none are given.
pub(super) const MILLIMETRES: f64 = 1000.0;

/// Reads a `<camera>`. `usual` is the format of cameras that name none, or one that their images cannot have.
pub(super) fn read(
    camera: Option<&Element>,
    usual: PixelFormat,
    per_metre: f64,
) -> (ImageConfig, CameraSensor) {
    let empty = Element::default();
    let camera = camera.unwrap_or(&empty);
    let (width, height) = mount::size(camera);
    let named = camera.text_at("image/format").and_then(PixelFormat::of_sdf);
    let is_depth = usual == PixelFormat::Float32;
    let format = match named {
        Some(PixelFormat::L16) => PixelFormat::L16,
        Some(format) if (format == PixelFormat::Float32) == is_depth && !is_depth => format,
        _ => usual,
    };
    let optics = CameraSensor { pixel_format: format as i32, ..mount::camera(camera) };
    (ImageConfig { width, height, format, per_metre }, optics)
}

impl DeviceBuilder<'_> {
    pub(super) fn image(&self, info: &mut Info, usual: PixelFormat) -> ConverterConfig {
        let per_metre = self.plugin_xml().number_at("configuration/depth_scale").unwrap_or(MILLIMETRES);
        let (image, optics) = read(self.xml.at("camera"), usual, per_metre);
        info.camera = Some(optics);
        ConverterConfig::Image(image)
    }

    pub(super) fn classes(&self, info: &mut Info) -> (Vec<Source>, ConverterConfig) {
        let (mut image, optics) = read(self.xml.at("camera"), PixelFormat::L16, MILLIMETRES);
        // The numbers of classes have 16 bits, whatever format the sensor names for its colours.
        image.format = PixelFormat::L16;
        info.camera = Some(CameraSensor { pixel_format: PixelFormat::L16 as i32, ..optics });
        let map = self.ending(IMAGE, "/model_map").map(|topic| Source { topic, slot: Slot::Main });
        let names = self.topic("vision_msgs/msg/LabelInfo", true);
        let names = names.map(|topic| Source { topic, slot: Slot::Classes });
        let wanted = self.plugin_xml().texts_at("segmentation/label");
        (map.into_iter().chain(names).collect(), ConverterConfig::Classes { image, wanted })
    }

    /// Images come in the order of the names that the plugin lists, which clients request too.
    pub(super) fn images(&self, info: &mut Info) -> (Vec<Source>, ConverterConfig) {
        let (mut sources, mut configs) = (Vec::new(), Vec::new());
        let chosen = self.chosen_cameras();
        for (index, name) in chosen.iter().enumerate() {
            let camera = self.camera_named(name);
            let (image, optics) = read(camera, PixelFormat::Rgb8, MILLIMETRES);
            configs.push(image);
            info.cameras.push((name.clone(), optics));
            info.transforms.extend(self.camera_transform(info, name, camera));
            let topic = self.ending(IMAGE, &format!("/{name}/image_raw"));
            sources.extend(topic.map(|topic| Source { topic, slot: Slot::Camera(index) }));
        }
        info.camera = info.cameras.first().map(|(_, optics)| optics.clone());
        if let Some(ros2) = info.ros2.as_mut() {
            ros2.frames = chosen;
        }
        (sources, ConverterConfig::Images(configs))
    }

    /// Returns the names of cameras that the plugin lists and the sensor does not have.
    pub(super) fn absent_cameras(&self) -> Vec<String> {
        let cameras = self.cameras();
        let listed = self.plugin_xml().texts_at("ros2/frame_id").into_iter();
        let absent = listed.filter(|name| !cameras.contains(name));
        absent
            .map(|name| format!("its sensor has no camera `{name}`; it has {}", cameras.join(", ")))
            .collect()
    }

    /// Returns the listed cameras that exist; all of them if none is listed.
    fn chosen_cameras(&self) -> Vec<String> {
        let cameras = self.cameras();
        let listed = self.plugin_xml().texts_at("ros2/frame_id").into_iter();
        let chosen: Vec<String> = listed.filter(|name| cameras.contains(name)).collect();
        if chosen.is_empty() { cameras } else { chosen }
    }

    fn cameras(&self) -> Vec<String> {
        let cameras = self.xml.all("camera").into_iter();
        cameras.filter_map(|camera| camera.attribute("name")).map(str::to_owned).collect()
    }

    fn camera_named(&self, name: &str) -> Option<&Element> {
        self.xml.all("camera").into_iter().find(|camera| camera.attribute("name") == Some(name))
    }

    fn camera_transform(
        &self,
        info: &Info,
        name: &str,
        camera: Option<&Element>,
    ) -> Option<crate::info::Transform> {
        let sensor = info.transform.clone()?;
        let own = camera.and_then(|camera| camera.at("pose")).map_or(Pose::IDENTITY, mount::pose);
        Some(crate::info::Transform { name: name.to_owned(), pose: sensor.pose * own, ..sensor })
    }

    /// Returns the first topic of a type that the element publishes and that ends so.
    fn ending(&self, ros_type: &str, end: &str) -> Option<String> {
        let is_it =
            |topic: &&bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ElementTopic| {
                topic.is_published && topic.r#type == ros_type && topic.topic.ends_with(end)
            };
        self.element.topics.iter().find(is_it).map(|topic| topic.topic.clone())
    }
}
