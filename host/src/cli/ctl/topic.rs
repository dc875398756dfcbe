//! `bridgehead topic info` and `topic pub`: what the host tells about a topic, and messages that are published one after
//! the other. Main thread.

use std::collections::BTreeSet;
use std::thread::sleep;

use serde_json::{Value, json};

use super::error::{CtlError, text_of};
use super::input::Message;
use super::session::Session;
use super::task::kind::{Publish, publication};
use super::{judge, render, text};
use crate::clock;
use crate::config::nearest;
use crate::text::printable;

/// Returns the rows of `get_topics` with a name: one for each vehicle that has such a topic.
///
/// # Errors
/// Returns an error if there is none, with the most similar name.
pub(super) fn find(session: &Session, topic: &str) -> Result<Vec<Value>, CtlError> {
    let answer = session.client.call("get_topics", &json!({}))?;
    let all = answer.json.get("topics").and_then(Value::as_array).cloned().unwrap_or_default();
    let names: Vec<String> = all.iter().map(|row| text_of(row, "topic")).collect();
    if !names.iter().any(|name| name == topic) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let near = nearest(topic, &names).unwrap_or_default().to_owned();
        return Err(CtlError::NoTopic { topic: topic.to_owned(), near });
    }
    Ok(all.into_iter().filter(|row| text_of(row, "topic") == topic).collect())
}

/// Prints the type of a topic; returns the exit code.
pub(super) fn type_of(session: &Session, topic: &str) -> Result<u8, CtlError> {
    let types: BTreeSet<String> = find(session, topic)?.iter().map(|row| text_of(row, "type")).collect();
    let lines: String = types.iter().map(|name| format!("{name}\n")).collect();
    Ok(session.print(&printable(&lines)))
}

/// Shows a topic; returns the exit code.
pub(super) fn info(session: &Session, topic: &str) -> Result<u8, CtlError> {
    let topics = find(session, topic)?;
    let world = session.client.call("get_world_description", &json!({}))?;
    let elements = render::elements_of(topic, &world.json);
    if session.json {
        let text = json!({"topics": topics, "elements": elements}).to_string();
        return Ok(session.print(&format!("{text}\n")));
    }
    let shown: Vec<String> = topics.iter().map(|row| render::topic(row, &elements)).collect();
    Ok(session.print(&printable(&shown.join("\n"))))
}

/// Publishes a message several times, or until Ctrl-C; returns the exit code.
pub(super) fn publish(session: &Session, order: &Publish) -> Result<u8, CtlError> {
    let request = publication(&order.topic, &order.type_name, &json_of(session, order)?).request;
    let mut due = clock::now();
    let mut published = 0;
    while order.count.is_none_or(|count| published < count) {
        if published > 0 {
            due += order.period;
            sleep(due.saturating_duration_since(clock::now()));
        }
        let answer = session.client.post("publish_message", &request)?;
        if session.json {
            session.print(&format!("{}\n", answer.text.trim_end()));
        }
        judge::of_service(&session.client, ("publish_message", &request), answer)?;
        published += 1;
        // With several hosts on a machine, a user should see which one gets the messages.
        if published == 1 && order.count.is_none() && !session.json {
            let (topic, address) = (&order.topic, &session.client.address);
            session.print(&format!("publishing on {topic} of the host at {address} until Ctrl-C\n"));
        }
    }
    if session.json {
        return Ok(0);
    }
    Ok(session.print(&match published {
        1 => "ok\n".to_owned(),
        _ => format!("{published} messages published\n"),
    }))
}

/// Returns the message as JSON; a text is read with the type of the topic unless the type is given.
fn json_of(session: &Session, order: &Publish) -> Result<String, CtlError> {
    let text = match &order.message {
        Message::Json(text, _) => return Ok(text.clone()),
        Message::Text(text) => text,
    };
    let type_name = if order.type_name.is_empty() {
        find(session, &order.topic)?.first().map(|row| text_of(row, "type")).unwrap_or_default()
    } else {
        order.type_name.clone()
    };
    text::json_of(text, &type_name, text::message_type(&type_name).as_ref(), None)
}
