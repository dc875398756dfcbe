//! Builds a device from an element and the CLOiSim plugin within it.

use bridgehead_plugin_api::host::FromParam;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, WorldDescription,
};

use super::table::Row;
use super::{ConverterConfig, Device, Kind, Slot, Source, mount, names, table, urdf};
use crate::frame::PixelFormat;
use crate::info::{Info, Ros2};
use crate::xml::Element;

/// Builds a device from an element.
pub(crate) struct DeviceBuilder<'a> {
    pub(crate) world: &'a WorldDescription,
    pub(crate) element: &'a ElementDescription,
    /// The CLOiSim plugin within a sensor.
    pub(crate) companion: Option<&'a ElementDescription>,
    /// The XML of the element.
    pub(crate) xml: &'a Element,
}

impl DeviceBuilder<'_> {
    pub(super) fn device(&self, row: &'static Row) -> Device {
        // Clients look for elevators in the world, also for those of a building.
        let is_of_world = self.element.vehicle.is_empty() || row.kind == Kind::Elevator;
        let model = if is_of_world { names::WORLD } else { &self.element.vehicle };
        let parts = names::parts(self.world, self.element, self.companion, row);
        let mut info = self.info(row.kind, &parts);
        let (mut keys, mut further_infos) = (row.keys.to_vec(), Vec::new());
        let (sources, config) = if row.kind == Kind::RealSense {
            let (modules, config) = self.modules(&mut info);
            (keys, further_infos) = (modules.keys, modules.infos);
            (modules.sources, config)
        } else {
            self.sources_and_config(row, &mut info)
        };
        Device {
            model: names::usable(model),
            kind: row.kind,
            vehicle: self.element.vehicle.clone(),
            keys,
            sources,
            command: self.topic(row.command, false),
            info,
            further_infos,
            config,
            parts,
        }
    }

    /// Returns what the device names and does not have.
    pub(super) fn absent(&self, row: &'static Row) -> Vec<String> {
        match row.kind {
            Kind::MultiCamera => self.absent_cameras(),
            Kind::RealSense => self.absent_modules(),
            _ => Vec::new(),
        }
    }

    /// Returns the parameters of the CLOiSim plugin, which may be the element itself.
    pub(crate) fn plugin_xml(&self) -> Element {
        self.companion.map_or_else(|| self.xml.clone(), |companion| Element::parse(&companion.xml))
    }

    /// Returns the first topic of a type that the element publishes or subscribes to.
    pub(crate) fn topic(&self, ros_type: &str, is_published: bool) -> Option<String> {
        let mut topics = self.element.topics.iter();
        let found = topics.find(|topic| topic.is_published == is_published && topic.r#type == ros_type);
        found.map(|topic| topic.topic.clone())
    }

    pub(super) fn main(&self, ros_type: &str) -> Vec<Source> {
        self.topic(ros_type, true).map(|topic| Source { topic, slot: Slot::Main }).into_iter().collect()
    }

    fn info(&self, kind: Kind, parts: &str) -> Info {
        let plugin = self.plugin_xml();
        let mut info = Info { ros2: Some(self.ros2(&plugin, parts)), ..Info::default() };
        match kind {
            Kind::Micom | Kind::JointControl => {
                info.static_transforms = mount::static_transforms(self.world, self.element, &plugin);
                let vehicle = |model: &&_| names::is_named(model, &self.element.vehicle);
                let urdf = self.world.models.iter().find(vehicle).map(|model| model.urdf.clone());
                let urdf = urdf.filter(|urdf| !urdf.is_empty());
                info.description = urdf.unwrap_or_else(|| urdf::describe(self.world, &self.element.vehicle));
            }
            _ => info.transform = mount::transform(self.world, self.element),
        }
        info
    }

    /// Returns the plugin's ROS names, or defaults.
    fn ros2(&self, plugin: &Element, parts: &str) -> Ros2 {
        let topic = plugin.at("ros2/topic_name");
        let mut name = topic.map(|topic| topic.text.replace("{parts_name}", parts)).unwrap_or_default();
        if name.is_empty() {
            parts.clone_into(&mut name);
        }
        if topic.and_then(|topic| topic.attribute("add_parts_name_prefix")) == Some("true") {
            name = format!("{parts}/{name}");
        }
        let frames = plugin.texts_at("ros2/frame_id");
        let frames = frames.iter().map(|frame| names::frame(&frame.replace("{parts_name}", parts)));
        let mut frames: Vec<String> = frames.collect();
        // Boards get their frame from the client: the base.
        if frames.is_empty() && self.element.kind == "sensor" && self.companion.is_none() {
            frames.push(names::own_frame(&self.element.vehicle, &self.element.frame_id));
        }
        Ros2 { topic_name: name, frames }
    }

    fn sources_and_config(&self, row: &'static Row, info: &mut Info) -> (Vec<Source>, ConverterConfig) {
        let frame = || names::own_frame(&self.element.vehicle, &self.element.frame_id);
        let config = match row.kind {
            Kind::World => ConverterConfig::World,
            Kind::Laser => return self.laser(info),
            Kind::Micom => return self.micom(),
            Kind::Camera => self.image(info, PixelFormat::Rgb8),
            Kind::DepthCamera => self.image(info, PixelFormat::Float32),
            Kind::Imu => ConverterConfig::Imu { name: self.element.name.clone() },
            Kind::Gps => ConverterConfig::Gps { frame: frame() },
            Kind::Sonar | Kind::Ir => {
                let mut sources = self.main(row.source);
                let pose = self.topic("geometry_msgs/msg/PoseStamped", true);
                sources.extend(pose.map(|topic| Source { topic, slot: Slot::WorldPose }));
                return (sources, ConverterConfig::Range { frame: frame() });
            }
            Kind::Contact => ConverterConfig::Contact,
            Kind::LogicalCamera => {
                info.logical_camera = Some(mount::logical_camera(self.xml));
                ConverterConfig::LogicalCamera
            }
            Kind::JointControl => {
                let mut sources = self.main(row.source);
                sources.extend(self.transforms());
                let vehicle = self.element.vehicle.clone();
                let links = mount::frames(self.world, &vehicle);
                let own = names::carried(self.world, self.element, self.xml);
                let nested = Vec::new();
                let groups = usize::from(sources.iter().any(|source| source.slot == Slot::Main));
                return (sources, ConverterConfig::Joints { vehicle, nested, links, own, groups });
            }
            Kind::GroundTruth => ConverterConfig::GroundTruth { targets: self.targets() },
            Kind::SegmentCamera => return self.classes(info),
            Kind::MultiCamera => return self.images(info),
            Kind::RealSense => return (Vec::new(), ConverterConfig::Modules(Vec::new())),
            Kind::Elevator => ConverterConfig::Elevators {
                system: self.xml.text_at("system_name").unwrap_or("elevator_system").to_owned(),
            },
            Kind::Actor => ConverterConfig::Actors { goals: self.goals() },
        };
        (self.main(row.source), config)
    }

    /// Returns transform topics of the vehicle, except those of its drives and static ones, which clients make
    /// themselves.
    pub(super) fn transforms(&self) -> Vec<Source> {
        let elements =
            self.world.elements.iter().filter(|element| {
                element.vehicle == self.element.vehicle && !table::is_drive(&element.plugin)
            });
        let topics = elements.flat_map(|element| &element.topics);
        let topics = topics.filter(|topic| {
            topic.is_published
                && topic.r#type == "tf2_msgs/msg/TFMessage"
                && !topic.topic.ends_with("tf_static")
        });
        let mut sources: Vec<Source> =
            topics.map(|topic| Source { topic: topic.topic.clone(), slot: Slot::Tf }).collect();
        // Several plugins may publish on one topic.
        sources.sort_by(|a, b| a.topic.cmp(&b.topic));
        sources.dedup();
        sources
    }

    fn laser(&self, info: &mut Info) -> (Vec<Source>, ConverterConfig) {
        let requested = self.plugin_xml().text_at("output_type").map(str::to_owned);
        let is_cloud = requested.is_some_and(|requested| requested.starts_with("PointCloud2"));
        // Points are x, y and z, so both kinds of cloud requests get the same.
        let (output, ros_type) = if is_cloud {
            ("PointCloud2Raw", "sensor_msgs/msg/PointCloud2")
        } else {
            ("LaserScan", "sensor_msgs/msg/LaserScan")
        };
        output.clone_into(&mut info.output_type);
        (self.main(ros_type), ConverterConfig::Laser { is_cloud, sweep: Box::new(mount::sweep(self.xml)) })
    }

    /// Returns the actors of the world with the topics of their goals.
    fn goals(&self) -> Vec<(String, String)> {
        let actors = self.world.elements.iter().filter(|element| element.plugin == "actor");
        let goal = |actor: &ElementDescription| {
            let topic = actor.topics.iter().find(|topic| !topic.is_published)?;
            Some((actor.vehicle.clone(), topic.topic.clone()))
        };
        actors.filter_map(goal).collect()
    }

    fn targets(&self) -> Vec<(String, i32, i32)> {
        let number = |target: &Element, name| target.attribute(name).and_then(i32::from_param).unwrap_or(0);
        let targets = self.xml.all("list/target");
        let read = |target: &Element| {
            (target.text.clone(), number(target, "tracking_id"), number(target, "class_id"))
        };
        targets.into_iter().map(read).collect()
    }
}
