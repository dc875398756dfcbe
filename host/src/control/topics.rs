//! Topics: lists with rates, the newest message of each, and messages that clients publish.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::messages::JsonPlan;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::call::{Reply, failed, ok};
use super::listeners::Listeners;
use super::progress::Ongoing;
use super::session::Session;
use super::view::stamp;
use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::{PublishError, Simulation};

/// How long a reader waits for a message of a topic that had no listener before.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a topic is watched after it was last read, so that frequent readers get an answer at once.
const WATCH_TIME: Duration = Duration::from_secs(10);

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
    };
    let topics = session.simulation.traffic.present_topics().into_iter().map(info).collect();
    reply.send(own::GetTopicsResponse { result: ok(), topics });
}

pub(super) fn publish(
    session: &mut Session<'_>,
    request: &own::PublishMessageRequest,
    reply: Reply<own::PublishMessageResponse>,
) {
    let published = session.simulation.publish_json(&request.topic, &request.r#type, &request.json);
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
    session.progress.watches.read(session.simulation, topic, reply);
}

/// The topics that clients read.
#[derive(Default)]
pub(super) struct Watches {
    all: Vec<Watch>,
}

struct Watch {
    topic: Arc<Topic>,
    subscription: Arc<Subscription>,
    last: Option<Delivery>,
    until: Instant,
    waiting: Vec<(Instant, Reply<own::ReadTopicResponse>)>,
}

impl Watches {
    fn read(&mut self, simulation: &mut Simulation, topic: Arc<Topic>, reply: Reply<own::ReadTopicResponse>) {
        let now = crate::clock::now();
        let known = self.all.iter().position(|watch| watch.topic.id == topic.id);
        let index = known.unwrap_or_else(|| {
            let subscription = simulation.traffic.watch(Arc::clone(&topic));
            self.all.push(Watch { topic, subscription, last: None, until: now, waiting: Vec::new() });
            self.all.len() - 1
        });
        let Some(watch) = self.all.get_mut(index) else { return };
        watch.until = now + WATCH_TIME;
        watch.waiting.push((now + READ_TIMEOUT, reply));
    }
}

impl Ongoing for Watches {
    fn is_idle(&self) -> bool {
        self.all.is_empty()
    }

    /// Takes new messages, answers waiting calls, and ends watches that are not read any more.
    fn go_on(&mut self, simulation: &mut Simulation, _: &mut Listeners) {
        let now = crate::clock::now();
        self.all.iter_mut().for_each(|watch| watch.follow(now));
        let has_world = simulation.world().is_some();
        self.all.retain(|watch| {
            let stays = has_world && (now < watch.until || !watch.waiting.is_empty());
            if !stays {
                simulation.traffic.unwatch(&watch.subscription);
            }
            stays
        });
    }
}

impl Watch {
    fn follow(&mut self, now: Instant) {
        while let Some(Some(newer)) = self.subscription.take(|delivery| Some(delivery.clone())) {
            self.last = Some(newer);
        }
        if let Some(last) = &self.last {
            for (_, reply) in self.waiting.drain(..) {
                reply.send(message(&self.topic, last));
            }
            return;
        }
        let late = self.waiting.extract_if(.., |(deadline, _)| now >= *deadline);
        for (_, reply) in late.collect::<Vec<_>>() {
            let text = format!(
                "no message on `{}` for {READ_TIMEOUT:?}; the simulation may be paused, or nothing publishes on the \
                 topic",
                self.topic.name
            );
            let result = failed(si::Result::RESULT_OPERATION_FAILED, text);
            reply.send(own::ReadTopicResponse { result, ..Default::default() });
        }
    }
}

fn message(topic: &Topic, delivery: &Delivery) -> own::ReadTopicResponse {
    let mut json = Vec::new();
    let result = match JsonPlan::compile(&topic.data_type.message).encode(&delivery.payload, &mut json) {
        Ok(()) => ok(),
        Err(error) => failed(si::Result::RESULT_OPERATION_FAILED, error.to_string()),
    };
    own::ReadTopicResponse {
        result,
        r#type: topic.data_type.ros_name().to_owned(),
        stamp: Some(stamp(delivery.stamp_ns)),
        sequence: delivery.sequence,
        reset_epoch: delivery.reset_epoch,
        json: String::from_utf8(json).unwrap_or_default(),
    }
}
