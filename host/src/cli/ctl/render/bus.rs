//! Topics and services by their names: one line for each, or what is known about one. Pure.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::fields::{figures, item, number, pairs, rows, text, whole};
use crate::cli::human::bytes;

/// Returns the names in a list of a response, one line each, with or without their types. A name that several vehicles
/// have stands there once.
pub(in crate::cli::ctl) fn names(json: &Value, (list, member): (&str, &str), types: bool) -> String {
    let line = |row: &Value| {
        let name = text(row, member);
        if types { format!("{name} [{}]\n", text(row, "type")) } else { format!("{name}\n") }
    };
    rows(json, list).iter().map(line).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the names of the topics of a type, one line each.
pub(in crate::cli::ctl) fn topics_of(json: &Value, type_name: &str) -> String {
    let found = rows(json, "topics").iter().filter(|row| text(row, "type") == type_name);
    let names: BTreeSet<String> = found.map(|row| format!("{}\n", text(row, "topic"))).collect();
    names.into_iter().collect()
}

/// Returns the sensors and plugins that publish or subscribe to a topic, from the description of the world.
pub(in crate::cli::ctl) fn elements_of(topic: &str, world: &Value) -> Vec<Value> {
    let users = |element: &Value| {
        let topics = rows(element, "topics").iter().filter(|row| text(row, "topic") == topic);
        let user = |row: &Value| {
            let path =
                [text(element, "path"), text(element, "name")].into_iter().find(|name| !name.is_empty());
            json!({
                "element": path.unwrap_or_default(),
                "plugin": text(element, "plugin"),
                "vehicle": text(element, "vehicle"),
                "is_published": item(row, "is_published"),
            })
        };
        topics.map(user).collect::<Vec<_>>()
    };
    rows(item(world, "description"), "elements").iter().flat_map(users).collect()
}

/// Returns what is known about a topic of a vehicle or of the world, given the elements that use topics of its name.
pub(in crate::cli::ctl) fn topic(row: &Value, elements: &[Value]) -> String {
    let vehicle = text(row, "vehicle");
    let own = elements.iter().filter(|element| text(element, "vehicle") == vehicle || vehicle.is_empty());
    let (publishers, subscribers): (Vec<&Value>, Vec<&Value>) =
        own.partition(|element| item(element, "is_published").as_bool() == Some(true));
    let rate = match number(row, "rate") {
        rate if rate > 0.0 => format!("{} Hz of the wall clock", figures(rate)),
        _ => String::new(),
    };
    let published = format!("{} messages, {}", whole(row, "published"), bytes(whole(row, "bytes")));
    pairs(&[
        ("topic", text(row, "topic").to_owned()),
        ("type", text(row, "type").to_owned()),
        ("vehicle", if vehicle.is_empty() { "none, it belongs to the world" } else { vehicle }.to_owned()),
        ("publishers", users(&publishers)),
        ("subscribers", users(&subscribers)),
        ("published", published),
        ("rate", rate),
        ("delivered", format!("{} messages to bridges", whole(row, "delivered"))),
        ("dropped", whole(row, "dropped").to_string()),
    ])
}

/// Returns a number and the elements with their plugins.
fn users(elements: &[&Value]) -> String {
    let named: Vec<String> = elements
        .iter()
        .map(|element| format!("{} (plugin {})", text(element, "element"), text(element, "plugin")))
        .collect();
    match named.as_slice() {
        [] => "0".to_owned(),
        named => format!("{}: {}", named.len(), named.join(", ")),
    }
}

/// Returns what is declared about a service, given the words of its command.
pub(in crate::cli::ctl) fn service(row: &Value, command: &str, definition: Option<&str>) -> String {
    let head = pairs(&[
        ("service", text(row, "name").to_owned()),
        ("type", text(row, "type").to_owned()),
        ("purpose", text(row, "comment").to_owned()),
        ("command", format!("bridgehead ctl {command}")),
    ]);
    match definition {
        Some(definition) => format!("{head}\n{definition}"),
        None => head,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_several_vehicles_is_listed_once() {
        let topic = |name: &str| json!({"topic": name, "type": "std_msgs/msg/Bool"});
        let json = json!({"topics": [topic("/b"), topic("/a"), topic("/b")]});
        assert_eq!(names(&json, ("topics", "topic"), false), "/a\n/b\n");
        assert_eq!(topics_of(&json, "std_msgs/msg/Bool"), "/a\n/b\n");
        assert_eq!(topics_of(&json, "std_msgs/msg/Int8"), "");
        assert_eq!(
            names(&json, ("topics", "topic"), true),
            "/a [std_msgs/msg/Bool]\n/b [std_msgs/msg/Bool]\n"
        );
    }

    #[test]
    fn a_topic_is_shown_with_the_elements_of_its_vehicle() {
        let topic_of =
            |is_published: bool| json!([{"topic": "/a", "is_published": is_published}, {"topic": "/b"}]);
        let element = |vehicle: &str, is_published: bool| json!({"path": format!("{vehicle}/imu"), "plugin": "imu", "vehicle": vehicle, "topics": topic_of(is_published)});
        let world = json!({"description": {"elements": [element("car1", true), element("car2", true), element("car1", false)]}});
        let elements = elements_of("/a", &world);
        assert_eq!(elements.len(), 3);
        let row = json!({"topic": "/a", "type": "std_msgs/msg/Bool", "vehicle": "car1", "published": 12, "bytes": 24});
        let expected = "\
topic        /a
type         std_msgs/msg/Bool
vehicle      car1
publishers   1: car1/imu (plugin imu)
subscribers  1: car1/imu (plugin imu)
published    12 messages, 24 B
delivered    0 messages to bridges
dropped      0
";
        assert_eq!(topic(&row, &elements), expected);
        assert!(topic(&row, &[]).contains("publishers   0\n"));
    }
}
