//! RealSense: a model whose sensors are the modules of one device.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, WorldDescription,
};

use super::builder::DeviceBuilder;
use super::cameras::{self, ImageConfig, MILLIMETRES};
use super::table::{self, Classification};
use super::{ConverterConfig, Key, Kind, Module, Slot, Source, mount, names};
use crate::frame::PixelFormat;
use crate::info::{Info, Ros2};
use crate::xml::Element;

/// The data of a module.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModuleConfig {
    Image(ImageConfig),
    /// Name of the sensor.
    Imu(String),
}

/// What a RealSense is made of.
#[derive(Debug, Default)]
pub(super) struct Modules {
    pub(super) keys: Vec<Key>,
    pub(super) sources: Vec<Source>,
    pub(super) infos: Vec<(Key, Info)>,
    configs: Vec<(Module, ModuleConfig)>,
}

/// Returns the paths of the sensors that are modules of a RealSense, and so no devices of their own.
pub(super) fn sensors_of_modules(world: &WorldDescription) -> BTreeSet<String> {
    let is_realsense = |element: &&ElementDescription| {
        let device = || table::classify(world, element);
        element.kind == "plugin"
            && matches!(device(), Classification::Device(row, _) if row.kind == Kind::RealSense)
    };
    let boards = world.elements.iter().filter(is_realsense);
    let sensors = boards.flat_map(|element| {
        let named = activated(&Element::parse(&element.xml));
        let modules: Vec<Module> = named.iter().filter_map(|name| Module::of(name)).collect();
        modules.into_iter().filter_map(|module| sensor(world, element, module))
    });
    sensors.map(|sensor| sensor.path.clone()).collect()
}

/// Returns the names of the modules that a plugin activates.
fn activated(plugin: &Element) -> Vec<String> {
    let modules = plugin.all("activate/module").into_iter();
    modules.map(|module| module.attribute("name").unwrap_or(&module.text).to_owned()).collect()
}

/// Returns the sensor of a model that is a module: it has its name and data.
fn sensor<'a>(
    world: &'a WorldDescription,
    element: &ElementDescription,
    module: Module,
) -> Option<&'a ElementDescription> {
    let sensors = world.elements.iter().filter(|sensor| {
        sensor.kind == "sensor" && sensor.name == module.name() && plugins(module).contains(&&*sensor.plugin)
    });
    let ranked = sensors
        .filter_map(|sensor| names::rank(module.name(), &element.model, sensor).map(|rank| (rank, sensor)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, sensor)| sensor)
}

/// Returns the plugins whose data a module can have.
fn plugins(module: Module) -> &'static [&'static str] {
    match module {
        Module::Color | Module::LeftImager | Module::RightImager => &["camera", "wide_angle_camera"],
        Module::Depth | Module::AlignedDepth => &["depth_camera"],
        Module::Imu => &["imu"],
    }
}

impl DeviceBuilder<'_> {
    pub(super) fn modules(&self, info: &mut Info) -> (Modules, ConverterConfig) {
        let mut modules = Modules { keys: vec![Key::Info], ..Modules::default() };
        for name in activated(self.xml) {
            let found = Module::of(&name).and_then(|module| {
                // A module may be listed twice.
                let is_new = !modules.configs.iter().any(|(known, _)| *known == module);
                is_new
                    .then(|| sensor(self.world, self.element, module))
                    .flatten()
                    .map(|sensor| (module, sensor))
            });
            if let Some((module, sensor)) = found {
                self.add_module(module, sensor, &mut modules, info);
            }
        }
        let configs = std::mem::take(&mut modules.configs);
        (modules, ConverterConfig::Modules(configs))
    }

    fn add_module(
        &self,
        module: Module,
        sensor: &ElementDescription,
        modules: &mut Modules,
        info: &mut Info,
    ) {
        let (config, ros_type, own) = self.module(module, sensor);
        info.modules.push((module.name().to_owned(), if own.camera.is_some() { "camera" } else { "imu" }));
        info.cameras.extend(own.camera.clone().map(|optics| (module.name().to_owned(), optics)));
        info.transforms.extend(own.transform.clone());
        modules.keys.extend([Key::ModuleInfo(module), Key::ModuleData(module)]);
        modules.infos.push((Key::ModuleInfo(module), own));
        let topic = sensor.topics.iter().find(|topic| topic.is_published && topic.r#type == ros_type);
        // A sensor that has not started yet has no topic yet.
        modules
            .sources
            .extend(topic.map(|topic| Source { topic: topic.topic.clone(), slot: Slot::Module(module) }));
        modules.configs.push((module, config));
    }

    /// Returns the data of a module, its ROS type, and what clients can request about it.
    fn module(&self, module: Module, sensor: &ElementDescription) -> (ModuleConfig, &'static str, Info) {
        let transform = mount::transform(self.world, sensor)
            .map(|found| crate::info::Transform { name: module.name().to_owned(), ..found });
        let frames = vec![names::own_frame(&sensor.vehicle, &sensor.frame_id)];
        let ros2 = Some(Ros2 { topic_name: module.name().to_owned(), frames });
        let mut info = Info { ros2, transform, ..Info::default() };
        let usual = match module {
            Module::Imu => return (ModuleConfig::Imu(sensor.name.clone()), "sensor_msgs/msg/Imu", info),
            Module::Color | Module::LeftImager | Module::RightImager => PixelFormat::Rgb8,
            Module::Depth | Module::AlignedDepth => PixelFormat::Float32,
        };
        let per_metre = self.xml.number_at("configuration/depth_scale").unwrap_or(MILLIMETRES);
        let xml = Element::parse(&sensor.xml);
        let (image, optics) = cameras::read(xml.at("camera"), usual, per_metre);
        info.camera = Some(optics);
        (ModuleConfig::Image(image), "sensor_msgs/msg/Image", info)
    }

    /// Returns the modules that the plugin activates and that do not exist.
    pub(super) fn absent_modules(&self) -> Vec<String> {
        let names = activated(self.xml);
        let absent = names.iter().filter_map(|name| match Module::of(name) {
            None => {
                Some(format!("`{name}` is no module of a RealSense; its modules are {}", Module::names()))
            }
            Some(module) if sensor(self.world, self.element, module).is_none() => Some(format!(
                "its model has no sensor `{name}` that is served by {}",
                plugins(module).join(" or ")
            )),
            Some(_) => None,
        });
        absent.collect()
    }
}
