//! The devices of a world: what clients find, and what each one carries.
//!
//! [`devices`] is a pure function of the world's description: the same world gives the same devices in the same
//! order, from which ports are given. [`table`] says which element is which device, [`names`] what parts are
//! called; [`mount`] where a device sits.

mod micom;
mod mount;
pub(crate) mod names;
pub(crate) mod table;
#[cfg(test)]
pub(crate) mod tests;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, WorldDescription,
};

use crate::frame::PixelFormat;
use crate::info::{Info, Ros2};
use crate::msgs;
use crate::xml::Element;
pub(crate) use micom::MicomForm;
use table::{Find, Row};

/// What a device is, as clients have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    World,
    GroundTruth,
    Micom,
    JointControl,
    Laser,
    Imu,
    Gps,
    Sonar,
    Ir,
    Contact,
    LogicalCamera,
    DepthCamera,
}

impl Kind {
    /// Its name in the list of devices.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::World => "WORLD",
            Kind::GroundTruth => "GROUNDTRUTH",
            Kind::Micom => "MICOM",
            Kind::JointControl => "JOINTCONTROL",
            Kind::Laser => "LASER",
            Kind::Imu => "IMU",
            Kind::Gps => "GPS",
            Kind::Sonar => "SONAR",
            Kind::Ir => "IR",
            Kind::Contact => "CONTACT",
            Kind::LogicalCamera => "LOGICALCAMERA",
            Kind::DepthCamera => "DEPTHCAMERA",
        }
    }
}

/// What a port is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    Clock,
    Control,
    Info,
    Data,
    Rx,
    Tx,
    Tf,
}

impl Key {
    /// Its name in the list of devices, and the end of the text that tags are made of.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Key::Clock => "Clock",
            Key::Control => "Control",
            Key::Info => "Info",
            Key::Data => "Data",
            Key::Rx => "Rx",
            Key::Tx => "Tx",
            Key::Tf => "Tf",
        }
    }
}

/// What a topic is to its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// What the device is about.
    Main,
    /// Transforms.
    Tf,
    Imu,
    Battery,
    Bumper(usize),
    Sonar(usize),
    Ir(usize),
    /// States of the joints of a nested model, whose name stands before theirs.
    Nested(usize),
}

/// A topic that goes into a device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    pub(crate) topic: String,
    pub(crate) slot: Slot,
}

/// What the conversion of a device's messages needs to know.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    World,
    Laser {
        is_cloud: bool,
        sweep: msgs::LaserScan,
    },
    Imu {
        name: String,
    },
    Gps {
        frame: String,
    },
    Range {
        frame: String,
    },
    Contact,
    LogicalCamera,
    Depth {
        width: u32,
        height: u32,
        format: PixelFormat,
        per_metre: f64,
    },
    Micom(MicomForm),
    /// Names of the nested models that [`Slot::Nested`] counts.
    Joints {
        vehicle: String,
        nested: Vec<String>,
    },
    /// Name, tracking id and class id of each target.
    GroundTruth {
        targets: Vec<(String, i32, i32)>,
    },
}

/// A device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Device {
    /// `World`, or the name of the vehicle.
    pub(crate) model: String,
    pub(crate) kind: Kind,
    /// What it is called in its model.
    pub(crate) parts: String,
    /// Whose bridge carries its topics; empty for the world's.
    pub(crate) vehicle: String,
    pub(crate) keys: &'static [Key],
    pub(crate) sources: Vec<Source>,
    /// Topic that takes what clients command.
    pub(crate) command: Option<String>,
    pub(crate) info: Info,
    pub(crate) form: Form,
}

impl Device {
    /// What ports, tags and the diff of two lists go by: model, kind and parts.
    pub(crate) fn identity(&self) -> (String, Kind, String) {
        (self.model.clone(), self.kind, self.parts.clone())
    }

    /// The text whose hash stands before every message of a port.
    pub(crate) fn hash_key(&self, key: Key) -> String {
        format!("{}{}{}", self.model, self.parts, key.name())
    }
}

/// The devices of a world, and elements that clients would look for but nobody serves.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Devices {
    pub(crate) served: Vec<Device>,
    /// Path and class of each.
    pub(crate) unserved: Vec<(String, String)>,
}

/// The devices of a world, in document order; the world itself first, also where no world is loaded.
pub(crate) fn devices(world: &WorldDescription) -> Devices {
    let mut devices = Devices { served: vec![world_device()], unserved: Vec::new() };
    for element in &world.elements {
        match table::find(world, element) {
            Find::Row(row, companion) => {
                let site = Site { world, element, companion, xml: &Element::parse(&element.xml) };
                add(&mut devices.served, site.device(row));
            }
            Find::Nobody(class) => devices.unserved.push((path_of(element), class)),
            Find::Nothing => {}
        }
    }
    devices
}

/// Adds a device; one that has the name of another gets a number, except that joints of nested models join those of
/// the vehicle.
fn add(devices: &mut Vec<Device>, mut device: Device) {
    if device.kind == Kind::JointControl
        && let Some(first) = devices
            .iter_mut()
            .find(|other| other.kind == Kind::JointControl && other.vehicle == device.vehicle)
    {
        join(first, &device);
        return;
    }
    let wanted = device.parts.clone();
    for number in 2.. {
        let is_taken = |other: &Device| other.model == device.model && other.parts == device.parts;
        if !devices.iter().any(is_taken) {
            break;
        }
        device.parts = format!("{wanted}_{number}");
    }
    devices.push(device);
}

/// Lets a nested model's joints be joints of the vehicle's device.
fn join(first: &mut Device, nested: &Device) {
    let Form::Joints { nested: names, .. } = &mut first.form else { return };
    // Several plugins may serve one element, and then the joints are the same.
    let is_same_model = first.parts == nested.parts;
    for source in &nested.sources {
        if first.sources.iter().any(|known| known.topic == source.topic) {
            continue;
        }
        let is_own = is_same_model || source.slot != Slot::Main;
        let slot = if is_own { source.slot } else { Slot::Nested(names.len()) };
        first.sources.push(Source { topic: source.topic.clone(), slot });
    }
    if !is_same_model {
        names.push(nested.parts.clone());
    }
    first.command = first.command.take().or_else(|| nested.command.clone());
}

fn world_device() -> Device {
    Device {
        model: names::WORLD.to_owned(),
        kind: Kind::World,
        parts: "SimulationWorld".to_owned(),
        vehicle: String::new(),
        keys: &[Key::Clock, Key::Control],
        sources: Vec::new(),
        command: None,
        info: Info::default(),
        form: Form::World,
    }
}

fn path_of(element: &ElementDescription) -> String {
    let own = if element.path.is_empty() { &element.sensor } else { &element.path };
    if own.is_empty() { element.name.clone() } else { own.clone() }
}

/// An element on its way to a device.
pub(crate) struct Site<'a> {
    pub(crate) world: &'a WorldDescription,
    pub(crate) element: &'a ElementDescription,
    /// CLOiSim's plugin within a sensor.
    pub(crate) companion: Option<&'a ElementDescription>,
    /// The element as written.
    pub(crate) xml: &'a Element,
}

impl Site<'_> {
    fn device(&self, row: &'static Row) -> Device {
        let model = if self.element.vehicle.is_empty() { names::WORLD } else { &self.element.vehicle };
        let parts = names::parts(self.world, self.element, self.companion, row);
        let mut info = self.info(row.kind, &parts);
        let (sources, form) = self.sources_and_form(row, &mut info);
        Device {
            model: names::usable(model),
            kind: row.kind,
            vehicle: self.element.vehicle.clone(),
            keys: row.keys,
            sources,
            command: self.topic(row.command, false),
            info,
            form,
            parts,
        }
    }

    /// The parameters of CLOiSim's plugin, which may be the element itself.
    pub(crate) fn plugin_xml(&self) -> Element {
        self.companion.map_or_else(|| self.xml.clone(), |companion| Element::parse(&companion.xml))
    }

    /// The first topic of a type that the element publishes, or listens to.
    pub(crate) fn topic(&self, ros_type: &str, is_published: bool) -> Option<String> {
        let mut topics = self.element.topics.iter();
        let found = topics.find(|topic| topic.is_published == is_published && topic.r#type == ros_type);
        found.map(|topic| topic.topic.clone())
    }

    fn main(&self, ros_type: &str) -> Vec<Source> {
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
                info.description = urdf.unwrap_or_default();
            }
            _ => info.transform = mount::transform(self.world, self.element),
        }
        info
    }

    /// What the plugin says about ROS, or what comes next to it.
    fn ros2(&self, plugin: &Element, parts: &str) -> Ros2 {
        let topic = plugin.at("ros2/topic_name");
        let mut name = topic.map(|topic| topic.text.replace("{parts_name}", parts)).unwrap_or_default();
        if name.is_empty() {
            parts.clone_into(&mut name);
        }
        if topic.and_then(|topic| topic.attribute("add_parts_name_prefix")) == Some("true") {
            name = format!("{parts}/{name}");
        }
        let mut frames: Vec<String> =
            plugin.texts_at("ros2/frame_id").iter().map(|frame| names::frame(frame)).collect();
        if frames.is_empty() && !self.element.frame_id.is_empty() && self.companion.is_none() {
            frames.push(names::own_frame(&self.element.vehicle, &self.element.frame_id));
        }
        Ros2 { topic_name: name, frames }
    }

    fn sources_and_form(&self, row: &'static Row, info: &mut Info) -> (Vec<Source>, Form) {
        let frame = || names::own_frame(&self.element.vehicle, &self.element.frame_id);
        let form = match row.kind {
            Kind::World => Form::World,
            Kind::Laser => return self.laser(info),
            Kind::Micom => return self.micom(),
            Kind::DepthCamera => self.depth(info),
            Kind::Imu => Form::Imu { name: self.element.name.clone() },
            Kind::Gps => Form::Gps { frame: frame() },
            Kind::Sonar | Kind::Ir => Form::Range { frame: frame() },
            Kind::Contact => Form::Contact,
            Kind::LogicalCamera => {
                info.logical_camera = Some(mount::logical_camera(self.xml));
                Form::LogicalCamera
            }
            Kind::JointControl => {
                let mut sources = self.main(row.source);
                sources.extend(self.transforms());
                let vehicle = self.element.vehicle.clone();
                return (sources, Form::Joints { vehicle, nested: Vec::new() });
            }
            Kind::GroundTruth => Form::GroundTruth { targets: self.targets() },
        };
        (self.main(row.source), form)
    }

    /// Topics of transforms of the vehicle, but for those of its drives and of what rests: clients make these themselves.
    fn transforms(&self) -> Vec<Source> {
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
        topics.map(|topic| Source { topic: topic.topic.clone(), slot: Slot::Tf }).collect()
    }

    fn laser(&self, info: &mut Info) -> (Vec<Source>, Form) {
        let asked = self.plugin_xml().text_at("output_type").map(str::to_owned);
        let is_cloud = asked.is_some_and(|asked| asked.starts_with("PointCloud2"));
        // Points as x, y and z: whoever asks for a cloud gets the same from either.
        let (output, ros_type) = if is_cloud {
            ("PointCloud2Raw", "sensor_msgs/msg/PointCloud2")
        } else {
            ("LaserScan", "sensor_msgs/msg/LaserScan")
        };
        output.clone_into(&mut info.output_type);
        (self.main(ros_type), Form::Laser { is_cloud, sweep: mount::sweep(self.xml) })
    }

    fn depth(&self, info: &mut Info) -> Form {
        let camera = mount::camera(self.xml);
        let (width, height) = mount::size(self.xml);
        let format = if camera.pixel_format == PixelFormat::L16 as i32 {
            PixelFormat::L16
        } else {
            PixelFormat::Float32
        };
        info.camera = Some(camera);
        let per_metre = self.plugin_xml().number_at("configuration/depth_scale").unwrap_or(1000.0);
        Form::Depth { width, height, format, per_metre }
    }

    fn targets(&self) -> Vec<(String, i32, i32)> {
        let number =
            |target: &Element, name| target.attribute(name).and_then(|id| id.parse().ok()).unwrap_or(0);
        let targets = self.xml.all("list/target");
        let read = |target: &Element| {
            (target.text.clone(), number(target, "tracking_id"), number(target, "class_id"))
        };
        targets.into_iter().map(read).collect()
    }
}
