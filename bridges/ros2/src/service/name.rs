//! What a service is called in DDS.

use bridgehead_plugin_api::messages::ros::ServiceTypes;
use bridgehead_plugin_api::{Error, Result};

use super::codes::NAME;

/// Names of the two topics of a service, and of what is on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// Topic that clients write to, for example `rq/get_entitiesRequest`.
    pub(crate) request_topic: String,
    /// Its type, for example `simulation_interfaces::srv::dds_::GetEntities_Request_`.
    pub(crate) request_type: String,
    /// Topic that clients listen to, for example `rr/get_entitiesReply`.
    pub(crate) reply_topic: String,
    /// Its type, for example `simulation_interfaces::srv::dds_::GetEntities_Response_`.
    pub(crate) reply_type: String,
}

impl Names {
    /// Of the service with an absolute name, for example `/get_entities`.
    ///
    /// # Errors
    /// Where ROS 2 knows no such names.
    pub(crate) fn of(service: &str, types: &ServiceTypes) -> Result<Self> {
        if !is_ros_name(service) {
            return Err(Error::invalid(format!(
                "the service name `{service}` is none for ROS 2: parts between slashes begin with a letter or an \
                 underscore and go on with those and digits; give it another name [{NAME}]"
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

/// Whether a name is absolute and every part of it a token of ROS 2.
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
    fn namespaces_stay() {
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
    fn names_that_ros_refuses_are_refused_with_their_reason() {
        let declared =
            declared_services().iter().find(|declared| declared.kind == ServiceKind::Service).expect("one");
        let types = ServiceTypes::declared(declared).expect("types");
        for name in ["reset", "/", "/1st", "/a//b", "/a/", "/a-b", "/straße"] {
            let error = Names::of(name, &types).expect_err(name);
            assert!(error.text().contains(name) && error.text().contains("[BH-ROS-101]"), "{error}");
        }
    }
}
