//! Message types by every name that a world file may use. Built in `awake`.

use std::sync::Arc;

use bridgehead_plugin_api::messages::{JsonPlan, all_schemas};

/// Gazebo's messages that correspond to a type with the same fields.
const OF_GAZEBO: &[(&str, &str)] = &[
    ("Actuators", "actuator_msgs/msg/Actuators"),
    ("Altimeter", "ros_gz_interfaces/msg/Altimeter"),
    ("Boolean", "std_msgs/msg/Bool"),
    ("Dataframe", "ros_gz_interfaces/msg/Dataframe"),
    ("Double", "std_msgs/msg/Float64"),
    ("Empty", "std_msgs/msg/Empty"),
    ("EntityWrench", "ros_gz_interfaces/msg/EntityWrench"),
    ("Float", "std_msgs/msg/Float32"),
    ("Int32", "std_msgs/msg/Int32"),
    ("Quaternion", "geometry_msgs/msg/Quaternion"),
    ("StringMsg", "std_msgs/msg/String"),
    ("Twist", "geometry_msgs/msg/Twist"),
    ("Vector3d", "geometry_msgs/msg/Vector3"),
    ("Wrench", "geometry_msgs/msg/Wrench"),
];

/// The types of the plugin API.
pub(crate) struct Types(Vec<Arc<JsonPlan>>);

impl Types {
    pub(crate) fn all() -> Self {
        let resolved = all_schemas().filter_map(|schema| schema.resolve().ok());
        Types(resolved.map(|message| Arc::new(JsonPlan::compile(&message))).collect())
    }

    /// Returns the type called `name`: protobuf's full name, `package/msg/Name`, `package/Name`, `gz.msgs.Name` or
    /// `ignition.msgs.Name`.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<JsonPlan>> {
        let of_gazebo = ["gz.msgs.", "ignition.msgs."].iter().find_map(|prefix| name.strip_prefix(prefix));
        let wanted = match of_gazebo {
            Some(short) => OF_GAZEBO.iter().find(|(gazebo, _)| *gazebo == short)?.1,
            None => name,
        };
        let is_it = |plan: &&Arc<JsonPlan>| {
            let (message, ros) = (plan.message_type(), plan.message_type().ros_type().to_string());
            message.full_name() == wanted || ros == wanted || ros.replace("/msg/", "/") == wanted
        };
        self.0.iter().find(is_it).map(Arc::clone)
    }

    /// Returns the names of Gazebo's messages that have a counterpart.
    pub(crate) fn of_gazebo() -> String {
        let names: Vec<String> = OF_GAZEBO.iter().map(|(name, _)| format!("gz.msgs.{name}")).collect();
        names.join(", ")
    }
}
