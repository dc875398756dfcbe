//! Names of a service in DDS.

use bridgehead_plugin_api::messages::ros::ServiceTypes;

/// Names and types of the two topics of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// Topic of requests, for example `rq/get_entitiesRequest`.
    pub(crate) request_topic: String,
    /// Its type, for example `simulation_interfaces::srv::dds_::GetEntities_Request_`.
    pub(crate) request_type: String,
    /// Topic of replies, for example `rr/get_entitiesReply`.
    pub(crate) reply_topic: String,
    /// Its type, for example `simulation_interfaces::srv::dds_::GetEntities_Response_`.
    pub(crate) reply_type: String,
}

impl Names {
    /// Returns the names of the service with an absolute name, for example `/get_entities`.
    pub(crate) fn of(service: &str, types: &ServiceTypes) -> Self {
        Names {
            request_topic: format!("rq{service}Request"),
            request_type: types.request().ros_type().dds(),
            reply_topic: format!("rr{service}Reply"),
            reply_type: types.response().ros_type().dds(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::{ServiceKind, declared_services};

    use super::*;

    fn names(method: &str) -> Names {
        let declared = declared_services().iter().find(|declared| declared.name == method).expect("declared");
        Names::of(&format!("/{method}"), &ServiceTypes::declared(declared).expect("types"))
    }

    #[test]
    fn a_service_has_two_topics() {
        let expected = Names {
            request_topic: "rq/spawn_entityRequest".into(),
            request_type: "simulation_interfaces::srv::dds_::SpawnEntity_Request_".into(),
            reply_topic: "rr/spawn_entityReply".into(),
            reply_type: "simulation_interfaces::srv::dds_::SpawnEntity_Response_".into(),
        };
        assert_eq!(names("spawn_entity"), expected);
    }

    #[test]
    fn namespaces_are_kept() {
        let declared =
            declared_services().iter().find(|declared| declared.kind == ServiceKind::Service).expect("one");
        let types = ServiceTypes::declared(declared).expect("types");
        let names = Names::of("/car1/arm/enable", &types);
        assert_eq!(
            (names.request_topic.as_str(), names.reply_topic.as_str()),
            ("rq/car1/arm/enableRequest", "rr/car1/arm/enableReply")
        );
    }
}
