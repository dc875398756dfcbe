//! The devices of a world: what clients find, and which topics each device uses.
//!
//! [`devices`] is a pure function of the world's description: the same world gives the same devices in the same
//! order, which decides their ports. [`table`] maps elements to kinds of devices, [`builder`] reads the parameters of
//! an element, [`cameras`] and [`realsense`] those of cameras, [`names`] makes the names of parts, [`mount`] finds a
//! device's pose in the vehicle, [`urdf`] describes the vehicle.

mod builder;
mod cameras;
mod key;
mod micom;
mod mount;
pub(crate) mod names;
mod realsense;
pub(crate) mod table;
#[cfg(test)]
pub(crate) mod tests;
mod urdf;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, WorldDescription,
};

use crate::info::Info;
use crate::msgs;
use crate::xml::Element;
use builder::DeviceBuilder;
pub(crate) use cameras::ImageConfig;
pub(crate) use key::{Key, Module};
pub(crate) use micom::MicomConfig;
pub(crate) use realsense::ModuleConfig;
use table::Classification;

/// Type of a device, as clients name it.
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
    Camera,
    DepthCamera,
    SegmentCamera,
    MultiCamera,
    RealSense,
    Elevator,
    Actor,
}

impl Kind {
    /// Returns its name in the list of devices.
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
            Kind::Camera => "CAMERA",
            Kind::DepthCamera => "DEPTHCAMERA",
            Kind::SegmentCamera => "SEGMENTCAMERA",
            Kind::MultiCamera => "MULTICAMERA",
            Kind::RealSense => "REALSENSE",
            Kind::Elevator => "ELEVATOR",
            Kind::Actor => "ACTOR",
        }
    }
}

/// Role of a topic in its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The main data of the device.
    Main,
    /// Transforms.
    Tf,
    /// Poses of the device in the world.
    WorldPose,
    Imu,
    Battery,
    Bumper(usize),
    Sonar(usize),
    Ir(usize),
    /// Joint states of a nested model, whose name is put in front of the joint names.
    Nested(usize),
    /// The image of a camera, by its index.
    Camera(usize),
    /// Names of the classes in an image.
    Classes,
    /// The data of a module.
    Module(Module),
}

/// An input topic of a device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    pub(crate) topic: String,
    pub(crate) slot: Slot,
}

/// Parameters of the conversion of a device's messages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ConverterConfig {
    World,
    Laser {
        is_cloud: bool,
        sweep: Box<msgs::LaserScan>,
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
    Image(ImageConfig),
    /// An image of classes, and the names of those that clients receive; none for all of them.
    Classes {
        image: ImageConfig,
        wanted: Vec<String>,
    },
    /// Images of one time, indexed by [`Slot::Camera`].
    Images(Vec<ImageConfig>),
    Modules(Vec<(Module, ModuleConfig)>),
    Micom(Box<MicomConfig>),
    /// Names of the nested models, indexed by [`Slot::Nested`].
    Joints {
        vehicle: String,
        nested: Vec<String>,
        /// Frames of the vehicle's links.
        links: Vec<String>,
        /// Frames of the links that its joints carry; `None` for all links.
        own: Option<Vec<String>>,
        /// Number of elements whose joints it has.
        groups: usize,
    },
    /// Name of the system of elevators.
    Elevators {
        system: String,
    },
    /// Names of the actors, with the topics of their goals.
    Actors {
        goals: Vec<(String, String)>,
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
    /// Its name within the model.
    pub(crate) parts: String,
    /// The vehicle whose bridge carries its topics; empty for the world.
    pub(crate) vehicle: String,
    pub(crate) keys: Vec<Key>,
    pub(crate) sources: Vec<Source>,
    /// Topic that takes commands of clients.
    pub(crate) command: Option<String>,
    pub(crate) info: Info,
    /// What clients can request on further ports.
    pub(crate) further_infos: Vec<(Key, Info)>,
    pub(crate) config: ConverterConfig,
}

impl Device {
    /// Returns what identifies a device for ports, tags and the comparison of two lists: model, kind and parts.
    pub(crate) fn identity(&self) -> (String, Kind, String) {
        (self.model.clone(), self.kind, self.parts.clone())
    }

    /// Returns what clients can request on a port.
    pub(crate) fn info_of(&self, key: Key) -> &Info {
        let further = self.further_infos.iter().find(|(own, _)| *own == key);
        further.map_or(&self.info, |(_, info)| info)
    }

    /// Returns the text whose hash is the tag of a port. For a module it is made of model, device, module and `Data` or
    /// `Info`: the name of the key contains the last two.
    pub(crate) fn hash_key(&self, key: Key) -> String {
        format!("{}{}{}", self.model, self.parts, key.name())
    }
}

/// The devices of a world, and elements that clients expect but no plugin here serves.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Devices {
    pub(crate) served: Vec<Device>,
    /// Path and class of each.
    pub(crate) unsupported: Vec<(String, String)>,
    /// Path of a board, and a sensor that it names and its model does not have.
    pub(crate) missing: Vec<(String, String)>,
    /// Path of a camera device, and a camera or module that it names and cannot have, with the reason.
    pub(crate) absent: Vec<(String, String)>,
}

/// Returns the devices of a world in document order, the world's own first, even if no world is loaded.
pub(crate) fn devices(world: &WorldDescription) -> Devices {
    let mut devices = Devices { served: vec![world_device()], ..Devices::default() };
    let modules = realsense::sensors_of_modules(world);
    for element in world.elements.iter().filter(|element| !modules.contains(&element.path)) {
        match table::classify(world, element) {
            Classification::Device(row, companion) => {
                let builder = DeviceBuilder { world, element, companion, xml: &Element::parse(&element.xml) };
                let device = builder.device(row);
                devices.absent.extend(builder.absent(row).into_iter().map(|text| (path_of(element), text)));
                if let ConverterConfig::Micom(board) = &device.config {
                    let path = path_of(element);
                    devices.missing.extend(board.missing.iter().map(|name| (path.clone(), name.clone())));
                }
                add(&mut devices.served, device);
            }
            Classification::Unsupported(class) => devices.unsupported.push((path_of(element), class)),
            Classification::NotADevice => {}
        }
    }
    devices
}

/// Adds a device. If its name is taken, a number is appended; joints of nested models are merged into the vehicle's
/// device instead.
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

/// Merges the joints of a nested model into the vehicle's device.
fn join(first: &mut Device, nested: &Device) {
    let ConverterConfig::Joints { nested: names, own, groups, .. } = &mut first.config else { return };
    if let ConverterConfig::Joints { own: of_nested, groups: further, .. } = &nested.config {
        *groups += further;
        match (own.as_mut(), of_nested) {
            (Some(own), Some(of_nested)) => own.extend(of_nested.iter().cloned()),
            (Some(_), None) => *own = None,
            (None, _) => {}
        }
    }
    // Several plugins may serve one element; their joints are the same.
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
        keys: vec![Key::Clock, Key::Control],
        sources: Vec::new(),
        command: None,
        info: Info::default(),
        further_infos: Vec::new(),
        config: ConverterConfig::World,
    }
}

fn path_of(element: &ElementDescription) -> String {
    let own = if element.path.is_empty() { &element.sensor } else { &element.path };
    if own.is_empty() { element.name.clone() } else { own.clone() }
}
