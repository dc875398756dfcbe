//! `bridgehead service`: the names of services, what is declared about one, and calls that need its type. Main thread.

use bridgehead_plugin_api::messages::ros::ServiceTypes;
use bridgehead_plugin_api::messages::{MessageType, ServiceDeclaration, Wire, declared_services};
use serde_json::{Value, json};

use super::client::Answer;
use super::error::{CtlError, text_of};
use super::input::Message;
use super::session::Session;
use super::task::kind::{Call, Request, Show};
use super::{judge, render, table, text};
use crate::control::GAZEBO_SERVICES;
use crate::text::printable;

/// Prints the names of services; returns the exit code.
pub(super) fn names(session: &Session, types: bool) -> Result<u8, CtlError> {
    let answer = listed(session)?;
    if session.json {
        return Ok(session.print(&format!("{}\n", answer.text.trim_end())));
    }
    Ok(session.print(&printable(&render::names(&answer.json, ("services", "name"), types))))
}

/// Shows a service; returns the exit code.
pub(super) fn info(session: &Session, service: &str) -> Result<u8, CtlError> {
    let row = find(session, service)?;
    if session.json {
        return Ok(session.print(&format!("{row}\n")));
    }
    let definition = types_of(&text_of(&row, "type")).map(|types| types.srv_text());
    let text = render::service(&row, &table::command_of(service), definition.as_deref());
    Ok(session.print(&printable(&text)))
}

/// Calls a service after its type was looked up; returns the exit code.
pub(super) fn call(session: &Session, order: &Request) -> Result<u8, CtlError> {
    let Request { service, type_name, message, is_of_gazebo } = order;
    let found = text_of(&find(session, service)?, "type");
    if !type_name.is_empty() && *type_name != found {
        let (service, given) = (service.clone(), type_name.clone());
        return Err(CtlError::ServiceType { service, found, given });
    }
    let types = types_of(&found);
    let member = types.as_ref().filter(|_| *is_of_gazebo).and_then(|types| only_member(types.request()));
    let request = match message {
        Message::Json(_, value) => match member {
            Some(member) if value.get(&member).is_none() => json!({member: value}),
            _ => value.clone(),
        },
        Message::Text(written) => {
            let request = types.as_ref().map(ServiceTypes::request);
            let member = member.as_deref().filter(|member| !written.text.trim_start().starts_with(member));
            let json = text::json_of(written, &format!("{found}_Request"), request, member)?;
            serde_json::from_str(&json).unwrap_or(Value::Null)
        }
    };
    session.call(&Call { service: service.clone(), request, show: Show::Json })
}

fn listed(session: &Session) -> Result<Answer, CtlError> {
    judge::of_service(&session.client, ("", &Value::Null), session.client.get("")?)
}

/// Returns the row of a service or action in the list of the host.
fn find(session: &Session, service: &str) -> Result<Value, CtlError> {
    let answer = listed(session)?;
    let rows = ["services", "actions"].into_iter().filter_map(|kind| answer.json.get(kind)?.as_array());
    let all: Vec<&Value> = rows.flatten().collect();
    let names: Vec<String> = all.iter().map(|row| text_of(row, "name")).collect();
    match all.iter().find(|row| text_of(row, "name") == service) {
        Some(row) => Ok((*row).clone()),
        None => Err(judge::no_service(service, &json!({"services": names}))),
    }
}

/// Returns the messages of a service with a ROS type, if this program has them.
fn types_of(ros_type: &str) -> Option<ServiceTypes> {
    let of_gazebo = GAZEBO_SERVICES.iter().map(|service| &service.declared);
    let mut all = declared_services().iter().chain(of_gazebo);
    let declared: &ServiceDeclaration = all.find(|declared| declared.ros_type == ros_type)?;
    ServiceTypes::declared(declared).ok()
}

/// Returns the name of the only field of a message, if that is a message.
fn only_member(message: &MessageType) -> Option<String> {
    match message.fields() {
        [field] if matches!(field.wire(), Wire::Message(_)) => Some(field.name().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_has_a_definition_and_those_of_gazebo_a_member_for_its_message() {
        for declared in declared_services() {
            let is_service = declared.ros_type.contains("/srv/");
            assert_eq!(types_of(declared.ros_type).is_some(), is_service, "{}", declared.name);
        }
        let member = |name: &str| only_member(types_of(name).expect("a type").request());
        assert_eq!(member("ros_gz_interfaces/srv/ControlWorld").as_deref(), Some("world_control"));
        assert_eq!(member("ros_gz_interfaces/srv/SpawnEntity").as_deref(), Some("entity_factory"));
        assert_eq!(member("ros_gz_interfaces/srv/DeleteEntity").as_deref(), Some("entity"));
        assert_eq!(member("ros_gz_interfaces/srv/SetEntityPose"), None);
        assert_eq!(member("simulation_interfaces/srv/StepSimulation"), None);
    }
}
