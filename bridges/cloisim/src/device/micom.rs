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
    /// Named sensors that the model does not have.
    pub(crate) missing: Vec<String>,
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
        let mut missing = Vec::new();
        config.bumpers = self.wire(
            "bumper/sensor",
            "gazebo_msgs/msg/ContactsState",
            Slot::Bumper,
            (&mut sources, &mut missing),
        );
        config.sonars =
            self.wire("uss/sensor", "sensor_msgs/msg/Range", Slot::Sonar, (&mut sources, &mut missing));
        config.irs = self.wire("ir/sensor", "sensor_msgs/msg/Range", Slot::Ir, (&mut sources, &mut missing));
        self.wire("imu", "sensor_msgs/msg/Imu", |_| Slot::Imu, (&mut sources, &mut missing));
        config.missing = missing;
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
        (into, missing): (&mut Vec<Source>, &mut Vec<String>),
    ) -> usize {
        let named = self.xml.texts_at(path);
        for (place, name) in named.iter().enumerate() {
            match self.named(name, ros_type) {
                Some(topic) => into.push(Source { topic, slot: slot(place) }),
                // A sensor that has not started yet has no topic yet.
                None if self.may_come(name) => {}
                None => missing.push(name.clone()),
            }
        }
        named.len()
    }

    /// Returns true if a parameter names a sensor that some plugin serves.
    fn may_come(&self, name: &str) -> bool {
        let mut elements = self.world.elements.iter();
        elements.any(|element| {
            !element.plugin.is_empty() && names::rank(name, &self.element.model, element).is_some()
        })
    }

    /// Returns the topic of the sensor that a parameter names, in the model of the plugin.
    fn named(&self, name: &str, ros_type: &str) -> Option<String> {
        let elements = self.world.elements.iter();
        let fits = elements.filter_map(|element| {
            let rank = names::rank(name, &self.element.model, element)?;
            let topic = element.topics.iter().find(|topic| topic.is_published && topic.r#type == ros_type)?;
            Some((rank, topic.topic.clone()))
        });
        fits.min_by_key(|(rank, _)| *rank).map(|(_, topic)| topic)
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
