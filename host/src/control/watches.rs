//! The topics that clients read, each with its newest message.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_lifecycle::State;
use bridgehead_plugin_api::messages::{
    JsonPlan, bridgehead_simulation_interfaces as own, simulation_interfaces as si,
};

use super::call::{Reply, failed, ok};
use super::listeners::Listeners;
use super::message::stamp;
use super::ongoing::Ongoing;
use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::Simulation;

/// How long a reader waits for a message of a topic that had no listener before.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a topic is watched after it was last read, so that frequent readers get an answer at once.
const WATCH_TIME: Duration = Duration::from_secs(10);

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
    /// Answers with the newest message of a topic, as soon as there is one. `kept` is the one that counted steps left; in
    /// a pause without one, the answer says so at once.
    pub(super) fn read(
        &mut self,
        simulation: &mut Simulation,
        topic: Arc<Topic>,
        kept: Option<Delivery>,
        reply: Reply<own::ReadTopicResponse>,
    ) {
        let now = crate::clock::now();
        let known = self.all.iter().position(|watch| watch.topic.id == topic.id);
        let index = known.unwrap_or_else(|| {
            let subscription = simulation.traffic.watch(Arc::clone(&topic));
            self.all.push(Watch { topic, subscription, last: None, until: now, waiting: Vec::new() });
            self.all.len() - 1
        });
        let Some(watch) = self.all.get_mut(index) else { return };
        watch.until = now + WATCH_TIME;
        let reset_epoch = simulation.now().reset_epoch;
        watch.last = watch.last.take().filter(|last| last.reset_epoch == reset_epoch).or(kept);
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
        let is_paused = simulation.state() == State::Pause;
        self.all.iter_mut().for_each(|watch| watch.follow(now, is_paused));
        let has_world = simulation.world().is_some();
        self.all.retain(|watch| {
            // Nothing is made in a pause, so that a watch costs nothing, and the next steps belong to its reader.
            let stays = has_world && (is_paused || now < watch.until || !watch.waiting.is_empty());
            if !stays {
                simulation.traffic.unwatch(&watch.subscription);
            }
            stays
        });
    }
}

impl Watch {
    /// Takes new messages and answers the waiting calls.
    fn follow(&mut self, now: Instant, is_paused: bool) {
        while let Some(Some(newer)) = self.subscription.take(|delivery| Some(delivery.clone())) {
            self.last = Some(newer);
        }
        if let Some(last) = &self.last {
            for (_, reply) in self.waiting.drain(..) {
                reply.send(message(&self.topic, last));
            }
            return;
        }
        let late = self.waiting.extract_if(.., |(deadline, _)| is_paused || now >= *deadline);
        for (_, reply) in late.collect::<Vec<_>>() {
            let text = if is_paused { self.none_in_pause() } else { self.none_in_time() };
            let result = failed(si::Result::RESULT_OPERATION_FAILED, text);
            reply.send(own::ReadTopicResponse { result, ..Default::default() });
        }
    }

    /// The answer in a pause, in which no message will come.
    fn none_in_pause(&self) -> String {
        format!(
            "[BH-CTL-017] no message on `{}` ({}) yet: the simulation is paused, and nothing has subscribed to the topic, \
             or its sensor was not due; it is subscribed from now on; try: step, then read again",
            self.topic.name,
            self.topic.data_type.ros_name()
        )
    }

    fn none_in_time(&self) -> String {
        format!(
            "no message on `{}` for {READ_TIMEOUT:?}; perhaps nothing publishes on it now",
            self.topic.name
        )
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
