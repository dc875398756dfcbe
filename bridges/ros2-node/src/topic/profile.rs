//! The quality of service of topics, as ROS users expect it.
//!
//! The plugin's request decides: best effort for sensor samples, reliable for other topics, latched for topics that
//! are published once. A few topics have a fixed profile in ROS.

use bridgehead_plugin_api::host::{self, Durability as HostDurability, Reliability as HostReliability};

use crate::qos::{Qos, Reliability};

/// Transforms that change: the profile of `tf2_ros` broadcasters, with a depth of 100.
const TF: Qos = Qos { depth: 100, ..Qos::DEFAULT };

/// Returns the profile of an outgoing topic. `kind` is its ROS type, `sensor_msgs/msg/LaserScan`.
pub(super) fn outgoing(name: &str, kind: &str, requested: host::Qos, has_reliable_sensors: bool) -> Qos {
    let last = name.rsplit('/').next().unwrap_or(name);
    match (last, kind) {
        ("tf_static", "tf2_msgs/msg/TFMessage")
        | ("robot_description", "std_msgs/msg/String")
        | (_, "nav_msgs/msg/OccupancyGrid") => Qos::LATCHED,
        ("tf", "tf2_msgs/msg/TFMessage") => TF,
        ("clock", "rosgraph_msgs/msg/Clock") => Qos::SENSOR,
        _ => {
            let is_sensor = requested.reliability == HostReliability::BestEffort && !has_reliable_sensors;
            of(requested, if is_sensor { Reliability::BestEffort } else { Reliability::Reliable })
        }
    }
}

/// Returns the profile of an incoming topic. A best-effort reader matches more writers: best-effort writers do not
/// match reliable readers.
pub(super) fn incoming(requested: host::Qos) -> Qos {
    let reliability = match requested.reliability {
        HostReliability::BestEffort => Reliability::BestEffort,
        HostReliability::Reliable => Reliability::Reliable,
    };
    of(requested, reliability)
}

fn of(requested: host::Qos, reliability: Reliability) -> Qos {
    if requested.durability == HostDurability::Latched {
        return Qos { depth: requested.depth.max(1), ..Qos::LATCHED };
    }
    let basis = if reliability == Reliability::BestEffort { Qos::SENSOR } else { Qos::DEFAULT };
    Qos { depth: requested.depth.max(basis.depth), ..basis }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCAN: &str = "sensor_msgs/msg/LaserScan";
    const TF_MESSAGE: &str = "tf2_msgs/msg/TFMessage";

    fn profile(name: &str, kind: &str, requested: host::Qos) -> Qos {
        outgoing(name, kind, requested, false)
    }

    #[test]
    fn sensor_samples_are_best_effort_unless_requested_otherwise() {
        assert_eq!(profile("/car1/scan", SCAN, host::Qos::sensor_data()), Qos::SENSOR);
        assert_eq!(outgoing("/car1/scan", SCAN, host::Qos::sensor_data(), true), Qos::DEFAULT);
        assert_eq!(profile("/car1/scan", SCAN, host::Qos::default()), Qos::DEFAULT);
    }

    #[test]
    fn latched_messages_are_kept_for_late_readers() {
        assert_eq!(profile("/car1/state", "std_msgs/msg/String", host::Qos::latched()), Qos::LATCHED);
    }

    #[test]
    fn some_topics_have_a_fixed_profile() {
        let requested = host::Qos::default();
        assert_eq!(profile("/tf", TF_MESSAGE, requested), TF);
        assert_eq!(profile("/tf_static", TF_MESSAGE, requested), Qos::LATCHED);
        assert_eq!(profile("/map", "nav_msgs/msg/OccupancyGrid", requested), Qos::LATCHED);
        assert_eq!(profile("/car1/robot_description", "std_msgs/msg/String", requested), Qos::LATCHED);
        assert_eq!(profile("/clock", "rosgraph_msgs/msg/Clock", requested), Qos::SENSOR);
        // With another type it is not the standard topic.
        assert_eq!(profile("/car1/tf", "std_msgs/msg/String", requested), Qos::DEFAULT);
    }

    #[test]
    fn a_plugin_can_increase_the_depth_but_not_decrease_it() {
        let deep = host::Qos { depth: 50, ..host::Qos::default() };
        assert_eq!(profile("/a", SCAN, deep).depth, 50);
        let flat = host::Qos { depth: 1, ..host::Qos::default() };
        assert_eq!(profile("/a", SCAN, flat).depth, 10);
    }

    #[test]
    fn incoming_topics_have_the_reliability_of_the_plugin() {
        assert_eq!(incoming(host::Qos::default()), Qos::DEFAULT);
        assert_eq!(incoming(host::Qos::sensor_data()), Qos::SENSOR);
    }
}
