//! The worlds in which plugins are validated.

/// The vehicle of the validator's world.
pub(super) const VEHICLE: &str = "subject";

/// Where a model plugin can stand in the world of the validator, from the most to the least common place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a `<sensor>` of a link, 100 times per second.
    Sensor,
    /// In a `<model>`.
    Model,
    /// In the `<world>`.
    World,
}

impl Place {
    pub(super) const ALL: [Place; 3] = [Place::Sensor, Place::Model, Place::World];

    pub(super) fn name(self) -> &'static str {
        match self {
            Place::Sensor => "a <sensor> of a link",
            Place::Model => "a <model>",
            Place::World => "the <world>",
        }
    }
}

/// Returns a world with a model that has two links, a joint and a sensor of its own; and a plugin, if one is given.
pub(super) fn world(plugin: Option<(&str, Place)>) -> String {
    let element = |place| match plugin {
        Some((name, at)) if at == place => format!("<plugin name=\"{name}\" filename=\"{name}\"/>"),
        _ => String::new(),
    };
    let sensor = match element(Place::Sensor) {
        plugin if plugin.is_empty() => plugin,
        plugin => {
            format!(
                "<sensor name=\"subject\" type=\"custom\"><update_rate>100</update_rate>{plugin}</sensor>"
            )
        }
    };
    format!(
        "<?xml version=\"1.0\"?>\n<sdf version=\"1.9\"><world name=\"validation\">{}\n\
         <model name=\"ground\"><static>true</static><link name=\"link\"><collision name=\"c\"><geometry><plane>\
         <normal>0 0 1</normal></plane></geometry></collision></link></model>\n\
         <model name=\"{VEHICLE}\"><pose>0 0 0.3 0 0 0</pose><link name=\"body\"><inertial><mass>1</mass></inertial>\
         <collision name=\"c\"><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision>\
         <sensor name=\"imu\" type=\"imu\"><update_rate>100</update_rate></sensor>{sensor}</link>\n\
         <link name=\"wheel\"><pose>0 0.4 0 0 0 0</pose><inertial><mass>0.2</mass></inertial>\
         <collision name=\"c\"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>\n\
         <joint name=\"axle\" type=\"revolute\"><parent>body</parent><child>wheel</child><axis><xyz>0 1 0</xyz></axis>\
         </joint>{}</model></world></sdf>\n",
        element(Place::World),
        element(Place::Model),
    )
}
