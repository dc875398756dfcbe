//! Names of a service in DDS.

use bridgehead_plugin_api::messages::ros::ServiceTypes;
use bridgehead_plugin_api::{Error, Result};

use super::codes::NAME;

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
    ///
    /// # Errors
    /// Returns an error if the name is not valid in ROS 2.
    pub(crate) fn of(service: &str, types: &ServiceTypes) -> Result<Self> {
        if !is_ros_name(service) {
            return Err(Error::invalid(format!(
                "[{NAME}] the service name `{service}` is not valid in ROS 2: parts between slashes consist of letters, \
                 digits and underscores and do not begin with a digit; give it another name"
            )));
        }
        Ok(Names {
            request_topic: format!("rq{service}Request"),
            request_type: types.request().ros_type().dds(),
            reply_topic: format!("rr{service}Reply"),
            reply_type: types.response().ros_type().dds(),
        })
    }
}

/// Returns true if a name is absolute and consists of ROS 2 tokens.
pub(crate) fn is_ros_name(name: &str) -> bool {
    name.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_token))
}

fn is_token(part: &str) -> bool {
    let is_start = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    part.starts_with(is_start) && part.chars().all(|letter| is_start(letter) || letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::{ServiceKind, declared_services};

    use super::*;

    fn names(method: &str) -> Names {
        let declared = declared_services().iter().find(|declared| declared.name == method).expect("declared");
        Names::of(&format!("/{method}"), &ServiceTypes::declared(declared).expect("types")).expect("names")
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
        let names = Names::of("/car1/arm/enable", &types).expect("names");
        assert_eq!(
            (names.request_topic.as_str(), names.reply_topic.as_str()),
            ("rq/car1/arm/enableRequest", "rr/car1/arm/enableReply")
        );
    }

    #[test]
    fn invalid_names_are_refused_with_the_reason() {
        let declared =
            declared_services().iter().find(|declared| declared.kind == ServiceKind::Service).expect("one");
        let types = ServiceTypes::declared(declared).expect("types");
        for name in ["reset", "/", "/1st", "/a//b", "/a/", "/a-b", "/straße"] {
            let error = Names::of(name, &types).expect_err(name);
            assert!(error.text().contains(name) && error.text().contains("[BH-ROS-101]"), "{error}");
        }
    }
}
