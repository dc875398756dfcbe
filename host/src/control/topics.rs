//! Services for topics: lists with rates, the newest message of each, and messages that clients publish.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::call::{Reply, failed, ok};
use super::session::Session;
use crate::sim::PublishError;

pub(super) fn list(
    session: &mut Session<'_>,
    _: &own::GetTopicsRequest,
    reply: Reply<own::GetTopicsResponse>,
) {
    let rates = session.simulation.traffic.rates();
    let info = |report: crate::bus::TopicReport| own::TopicInfo {
        rate: rates.of(&report),
        topic: report.name,
        vehicle: report.vehicle,
        r#type: report.type_name,
        published: report.published,
        bytes: report.bytes,
        delivered: report.delivered,
        dropped: report.dropped,
        overflowed: report.overflowed,
        listeners: report.listeners,
    };
    let topics = session.simulation.traffic.present_topics().into_iter().map(info).collect();
    reply.send(own::GetTopicsResponse { result: ok(), topics });
}

pub(super) fn publish(
    session: &mut Session<'_>,
    request: &own::PublishMessageRequest,
    reply: Reply<own::PublishMessageResponse>,
) {
    let own::PublishMessageRequest { topic, r#type, json, create } = request;
    let published = session.simulation.publish_json(topic, r#type, json, *create);
    let result = match published {
        Ok(()) => ok(),
        Err(error @ (PublishError::NoTopic { .. } | PublishError::NoType(_))) => {
            failed(si::Result::RESULT_NOT_FOUND, error.to_string())
        }
        Err(error @ PublishError::NoWorld) => failed(si::Result::RESULT_INCORRECT_STATE, error.to_string()),
        Err(error) => failed(si::Result::RESULT_OPERATION_FAILED, error.to_string()),
    };
    reply.send(own::PublishMessageResponse { result });
}

pub(super) fn read(
    session: &mut Session<'_>,
    request: &own::ReadTopicRequest,
    reply: Reply<own::ReadTopicResponse>,
) {
    let Some(topic) = session.simulation.traffic.find_topic(&request.topic) else {
        let text = format!("there is no topic `{}`", request.topic);
        let result = failed(si::Result::RESULT_NOT_FOUND, text);
        return reply.send(own::ReadTopicResponse { result, ..Default::default() });
    };
    let kept = session.progress.kept.newest(&topic, session.simulation.now().reset_epoch);
    session.progress.watches.read(session.simulation, topic, kept, reply);
}
