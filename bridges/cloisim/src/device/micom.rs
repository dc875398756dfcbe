//! The board of a vehicle: its drive, and the sensors that CLOiSim connects to it.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ElementDescription;

use super::builder::DeviceBuilder;
use super::{ConverterConfig, Slot, Source, names};

/// Parameters of a board's messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MicomConfig {
    /// Radius of the driven wheels, metres; 0 if unknown.
    pub(crate) wheel_radius: f64,
    /// Distance between the driven wheels, metres.
    pub(crate) wheel_separation: f64,
    pub(crate) bumpers: usize,
    pub(crate) sonars: usize,
    pub(crate) irs: usize,
    /// Name of the battery.
    pub(crate) battery: String,
    pub(crate) vehicle: String,
    /// Links whose transforms are sent; empty for none.
    pub(crate) transforms: Vec<String>,
}

impl DeviceBuilder<'_> {
    pub(super) fn micom(&self) -> (Vec<Source>, ConverterConfig) {
        let first = |paths: &[&str]| paths.iter().find_map(|path| self.xml.number_at(path));
        let mut sources = self.main("nav_msgs/msg/Odometry");
        let mut config = MicomConfig {
            wheel_radius: first(&["wheel/radius", "wheel_radius"]).unwrap_or(0.0),
            wheel_separation: first(&["wheel/separation", "wheel/tread", "wheel/base", "wheel_separation"])
                .unwrap_or(0.0),
            vehicle: self.element.vehicle.clone(),
            transforms: self.xml.texts_at("ros2/transforms/link"),
            ..MicomConfig::default()
        };
        config.bumpers =
            self.wire("bumper/sensor", "gazebo_msgs/msg/ContactsState", Slot::Bumper, &mut sources);
        config.sonars = self.wire("uss/sensor", "sensor_msgs/msg/Range", Slot::Sonar, &mut sources);
        config.irs = self.wire("ir/sensor", "sensor_msgs/msg/Range", Slot::Ir, &mut sources);
        self.wire("imu", "sensor_msgs/msg/Imu", |_| Slot::Imu, &mut sources);
        if let Some((element, topic)) = self.published("sensor_msgs/msg/BatteryState", |_| true) {
            config.battery.clone_from(&element.name);
            sources.push(Source { topic, slot: Slot::Battery });
        }
        if !config.transforms.is_empty() {
            sources.extend(self.transforms());
        }
        (sources, ConverterConfig::Micom(Box::new(config)))
    }

    /// Connects the sensors that are named at a path and returns the number of names.
    fn wire(
        &self,
        path: &str,
        ros_type: &str,
        slot: impl Fn(usize) -> Slot,
        into: &mut Vec<Source>,
    ) -> usize {
        let named = self.xml.texts_at(path);
        for (place, name) in named.iter().enumerate() {
            if let Some((_, topic)) = self.published(ros_type, |sensor| names::means(name, sensor)) {
                into.push(Source { topic, slot: slot(place) });
            }
        }
        named.len()
    }

    /// Returns the first element of the vehicle that matches and publishes a type.
    fn published(
        &self,
        ros_type: &str,
        is_meant: impl Fn(&ElementDescription) -> bool,
    ) -> Option<(&ElementDescription, String)> {
        let elements = self.world.elements.iter().filter(|element| element.vehicle == self.element.vehicle);
        elements.filter(|element| is_meant(element)).find_map(|element| {
            let found = element.topics.iter().find(|topic| topic.is_published && topic.r#type == ros_type)?;
            Some((element, found.topic.clone()))
        })
    }
}
