//! Requests about topics.

use std::sync::Arc;
use std::time::Duration;

use crate::client::{Advertised, Client};
use crate::codes::{LIMIT, UNKNOWN};
use crate::encode::relayed::Relayed;
use crate::endpoint::conflict;
use crate::fault::{Fault, Level};
use crate::hub::Hub;
use crate::lock::lock;
use crate::names::{absolute, is_message};
use crate::request::Request;
use crate::subscription::{Subscription, Wish};

use super::shape_of;

/// Most subscriptions of one client, and most announcements.
const MAX_TOPICS: usize = 1000;

/// Gives a message to the run, and to the clients that subscribe to its topic.
pub(super) fn publish(hub: &Hub, client: &Client, request: &Request) -> Result<(), Fault> {
    let topic = absolute(&request.required("topic")?);
    let message = request.json("msg").unwrap_or("{}");
    let receivers: Vec<_> = hub.incoming().into_iter().filter(|incoming| incoming.name == topic).collect();
    let is_subscribed = hub.is_subscribed(&topic);
    if receivers.is_empty() && !is_subscribed {
        return Err(without_receiver(hub, &topic));
    }
    let kind = request.text("type")?.or_else(|| announced(client, &topic));
    let delivered = receivers.iter().map(|incoming| incoming.deliver(message, kind.as_deref()));
    delivered.fold(Ok(()), Result::and).map_err(|fault| {
        let text = format!("a message on `{topic}` is dropped: {}", fault.text);
        Fault::new(fault.code, text)
    })?;
    if is_subscribed {
        let message = request.checked("msg", "{}")?;
        hub.pass_on(&Relayed { topic: &topic, kind: kind.as_deref(), message });
    }
    Ok(())
}

/// Returns the type that a client has announced; `None` if it has announced none, or several.
fn announced(client: &Client, topic: &str) -> Option<String> {
    let advertised = lock(&client.advertised);
    let (first, rest) = advertised.get(topic)?.split_first()?;
    rest.iter().all(|other| other.kind == first.kind).then(|| first.kind.clone())
}

fn without_receiver(hub: &Hub, topic: &str) -> Fault {
    let text = match hub.topic_type(topic) {
        Some(_) => {
            format!("a message on `{topic}` is dropped: the run publishes this topic and does not receive it")
        }
        None => format!("a message on `{topic}` is dropped: nothing in the run subscribes to it"),
    };
    Fault::new(UNKNOWN, text)
}

/// Subscribes to a topic, also before the run has it if the type is given.
pub(super) fn subscribe(hub: &Hub, client: &Client, request: &Request) -> Result<(), Fault> {
    let topic = absolute(&request.required("topic")?);
    let kind = request.text("type")?.filter(|kind| !kind.is_empty() && kind != "*");
    check_type(hub, &topic, kind.as_deref())?;
    let milliseconds = u64::try_from(request.number("throttle_rate")?.unwrap_or(0)).unwrap_or(u64::MAX);
    let wish = Wish {
        shape: shape_of(request)?,
        throttle: Duration::from_millis(milliseconds),
        queue_length: request.number("queue_length")?.unwrap_or(0),
    };
    let too_many = || Fault::new(LIMIT, "this client has too many subscriptions");
    let subscription = subscription_to(hub, client, &topic).ok_or_else(too_many)?;
    if !subscription.add(request.id(), wish, kind) {
        return Err(too_many());
    }
    // Each request is a new subscriber, as far as ROS is concerned.
    hub.repeat(&topic, &subscription);
    Ok(())
}

/// Returns what the client receives of a topic; `None` if it has too many subscriptions.
fn subscription_to(hub: &Hub, client: &Client, topic: &str) -> Option<Arc<Subscription>> {
    let mut subscriptions = lock(&client.subscriptions);
    let count: usize = subscriptions.values().map(|subscription| subscription.wishes()).sum();
    if count >= MAX_TOPICS {
        return None;
    }
    if let Some(subscription) = subscriptions.get(topic) {
        return Some(Arc::clone(subscription));
    }
    let subscription = Arc::new(Subscription::new(&client.link, &client.held, &hub.lost));
    subscriptions.insert(topic.to_owned(), Arc::clone(&subscription));
    hub.subscribe(topic, &subscription);
    Some(subscription)
}

fn check_type(hub: &Hub, topic: &str, kind: Option<&str>) -> Result<(), Fault> {
    let known = hub.outgoing().into_iter().find(|outgoing| outgoing.name == topic);
    match (known, kind) {
        (Some(known), Some(kind)) if !is_message(kind, known.ros_type()) => {
            Err(conflict(topic, known.ros_type(), kind))
        }
        (None, None) => {
            let text = format!("the run has no topic `{topic}`; give its type to receive it once it exists");
            Err(Fault::new(UNKNOWN, text))
        }
        (Some(_), _) | (None, Some(_)) => Ok(()),
    }
}

/// Ends one subscription, or all of a topic.
pub(super) fn unsubscribe(hub: &Hub, client: &Client, request: &Request) -> Result<(), Fault> {
    let topic = absolute(&request.required("topic")?);
    let mut subscriptions = lock(&client.subscriptions);
    let Some(subscription) = subscriptions.get(&topic).cloned() else {
        return Err(Fault::new(UNKNOWN, format!("this client has no subscription to `{topic}`")));
    };
    let is_over = request.id().is_none_or(|id| subscription.remove(&id));
    if is_over {
        subscriptions.remove(&topic);
        hub.unsubscribe(&topic, &subscription);
    }
    Ok(())
}

/// Announces a topic.
pub(super) fn advertise(hub: &Hub, client: &Client, request: &Request) -> Result<(), Fault> {
    let (topic, kind) = (absolute(&request.required("topic")?), request.required("type")?);
    let receivers: Vec<_> = hub.incoming().into_iter().filter(|incoming| incoming.name == topic).collect();
    if let Some(other) = receivers.iter().find(|incoming| !incoming.accepts(&kind)) {
        return Err(conflict(&topic, other.ros_type(), &kind));
    }
    announce(client, &topic, Advertised { id: request.id(), kind })?;
    if receivers.is_empty() && !hub.is_subscribed(&topic) {
        let text = format!("nothing in the run subscribes to `{topic}`; its messages are dropped until then");
        client.status(Level::Warning, request.id().as_deref(), &text);
    }
    Ok(())
}

/// Notes an announcement, once.
fn announce(client: &Client, topic: &str, announced: Advertised) -> Result<(), Fault> {
    let mut advertised = lock(&client.advertised);
    if advertised.get(topic).is_some_and(|all| all.contains(&announced)) {
        return Ok(());
    }
    if advertised.values().map(Vec::len).sum::<usize>() >= MAX_TOPICS {
        return Err(Fault::new(LIMIT, "this client has announced too many topics"));
    }
    advertised.entry(topic.to_owned()).or_default().push(announced);
    Ok(())
}

/// Takes back one announcement, or all of a topic.
pub(super) fn unadvertise(client: &Client, request: &Request) -> Result<(), Fault> {
    let topic = absolute(&request.required("topic")?);
    let mut advertised = lock(&client.advertised);
    let Some(all) = advertised.get_mut(&topic) else {
        return Err(Fault::new(UNKNOWN, format!("this client has not announced `{topic}`")));
    };
    match request.id() {
        Some(id) => all.retain(|advertised| advertised.id.as_ref() != Some(&id)),
        None => all.clear(),
    }
    if all.is_empty() {
        advertised.remove(&topic);
    }
    Ok(())
}
