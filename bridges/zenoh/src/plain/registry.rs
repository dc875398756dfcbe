//! What all instances of a prefix have opened, to answer questions about it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::messages::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_ros2_node::lock::lock;
use serde_json::{Value, json};
use zenoh::key_expr::keyexpr;

use crate::plain::incoming::Incoming;
use crate::plain::outgoing::{Latest, Outgoing};
use crate::plain::service::Service;

/// The topics and services of a prefix.
#[derive(Default)]
pub(crate) struct Registry(Mutex<Opened>);

/// What is open. The host ends it by dropping it.
#[derive(Default)]
struct Opened {
    outgoing: Vec<Weak<Outgoing>>,
    incoming: Vec<Weak<Incoming>>,
    services: Vec<Weak<Service>>,
}

/// Adds one, and forgets those that have ended.
fn add<T>(all: &mut Vec<Weak<T>>, one: &Arc<T>) {
    all.retain(|known| known.strong_count() > 0);
    if !all.iter().any(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(one))) {
        all.push(Arc::downgrade(one));
    }
}

fn living<T>(all: &[Weak<T>]) -> Vec<Arc<T>> {
    all.iter().filter_map(Weak::upgrade).collect()
}

impl Registry {
    pub(crate) fn add_outgoing(&self, topic: &Arc<Outgoing>) {
        add(&mut lock(&self.0).outgoing, topic);
    }

    pub(crate) fn add_incoming(&self, topic: &Arc<Incoming>) {
        add(&mut lock(&self.0).incoming, topic);
    }

    pub(crate) fn add_service(&self, service: &Arc<Service>) {
        add(&mut lock(&self.0).services, service);
    }

    /// Returns the latest message of each topic whose key a question matches.
    ///
    /// Several vehicles may publish on one topic. Transforms of all of them are one message; of others, the first vehicle
    /// counts.
    pub(crate) fn latest(&self, asked: &keyexpr) -> Vec<(Arc<Outgoing>, Latest)> {
        let topics = living(&lock(&self.0).outgoing);
        let mut found: BTreeMap<String, (Arc<Outgoing>, Latest)> = BTreeMap::new();
        for topic in topics {
            let Some(latest) = topic.latest() else { continue };
            if !keyexpr::new(&latest.key).is_ok_and(|key| asked.intersects(key)) {
                continue;
            }
            match found.get_mut(&latest.key) {
                // Messages of protobuf one after the other are one message with the elements of all lists.
                Some((_, known)) if topic.codec().protobuf_name() == TfMessage::FULL_NAME => {
                    known.append(&latest);
                }
                Some(_) => {}
                None => drop(found.insert(latest.key.clone(), (topic, latest))),
            }
        }
        found.into_values().collect()
    }

    /// Returns the topics, by their keys.
    pub(crate) fn topics(&self) -> Value {
        let opened = lock(&self.0);
        let (outgoing, incoming) = (living(&opened.outgoing), living(&opened.incoming));
        drop(opened);
        let mut rows: BTreeMap<(String, &str), Value> = BTreeMap::new();
        let sent = outgoing.iter().filter_map(|topic| Some((topic.key()?, "out", topic.codec().ros_name())));
        let received =
            incoming.iter().filter_map(|topic| Some((topic.key()?, "in", topic.codec().ros_name())));
        for (key, direction, type_name) in sent.chain(received) {
            let row = json!({"key": key, "type": type_name, "direction": direction});
            rows.insert((key, direction), row);
        }
        rows.into_values().collect()
    }

    /// Returns the services, by their keys.
    pub(crate) fn services(&self) -> Value {
        let services = living(&lock(&self.0).services);
        let mut rows: BTreeMap<String, Value> = BTreeMap::new();
        for service in services {
            let Some(key) = service.key() else { continue };
            let [request, response] = service.types();
            let row = json!({"key": key, "request": request, "response": response});
            rows.insert(key, row);
        }
        rows.into_values().collect()
    }
}
