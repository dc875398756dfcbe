//! The services below `/rosapi`, by which clients ask what a run has. They are answered here, without the host.

use serde_json::{Value, json};

use crate::codes::{LIMIT, MALFORMED, UNSUPPORTED};
use crate::connection::Generation;
use crate::encode::walk::is_time;
use crate::fault::Fault;
use crate::hub::Hub;
use crate::names::{absolute, is_type, parts};

mod details;

/// The node of this host.
const NODE: &str = "/bridgehead";
/// Longest arguments of a question in bytes.
const LONGEST_ARGUMENTS: usize = 1 << 16;
/// Why there are no parameters.
const NO_PARAMETERS: &str = "the simulator has no ROS parameters";

/// The services with the names of their types.
pub(crate) const SERVICES: [(&str, &str); 28] = [
    ("action_servers", "GetActionServers"),
    ("action_type", "ActionType"),
    ("delete_param", "DeleteParam"),
    ("get_param", "GetParam"),
    ("get_param_names", "GetParamNames"),
    ("get_ros_version", "GetROSVersion"),
    ("get_time", "GetTime"),
    ("has_param", "HasParam"),
    ("interfaces", "Interfaces"),
    ("message_details", "MessageDetails"),
    ("node_details", "NodeDetails"),
    ("nodes", "Nodes"),
    ("publishers", "Publishers"),
    ("service_host", "ServiceHost"),
    ("service_node", "ServiceNode"),
    ("service_providers", "ServiceProviders"),
    ("service_request_details", "ServiceRequestDetails"),
    ("service_response_details", "ServiceResponseDetails"),
    ("service_type", "ServiceType"),
    ("services", "Services"),
    ("services_for_type", "ServicesForType"),
    ("set_param", "SetParam"),
    ("subscribers", "Subscribers"),
    ("topic_type", "TopicType"),
    ("topics", "Topics"),
    ("topics_and_raw_types", "TopicsAndRawTypes"),
    ("topics_for_type", "TopicsForType"),
    ("topics_for_types", "TopicsForType"),
];

/// Returns the response of a service as JSON; `None` if the name is not below `/rosapi`.
pub(crate) fn answer(hub: &Hub, name: &str, arguments: Option<&str>) -> Option<Result<String, Fault>> {
    let service = name.strip_prefix("/rosapi/")?;
    Some(
        Question::new(hub, arguments)
            .and_then(|question| question.answer(service))
            .map(|value| value.to_string()),
    )
}

/// One call.
struct Question<'a> {
    hub: &'a Hub,
    arguments: Value,
}

/// A topic or service and its type.
type Typed = (String, String);

impl<'a> Question<'a> {
    fn new(hub: &'a Hub, arguments: Option<&str>) -> Result<Self, Fault> {
        let arguments = arguments.unwrap_or("{}");
        if arguments.len() > LONGEST_ARGUMENTS {
            let found = arguments.len();
            let text = format!("`args` may have {LONGEST_ARGUMENTS} bytes, found {found}");
            return Err(Fault::new(LIMIT, text));
        }
        let arguments = serde_json::from_str(arguments)
            .map_err(|error| Fault::new(MALFORMED, format!("`args` is not JSON: {error}")))?;
        Ok(Question { hub, arguments })
    }

    /// Returns an argument, by its name or as the first of a list.
    fn argument(&self, name: &str) -> String {
        let value = match &self.arguments {
            Value::Array(list) => list.first(),
            arguments => arguments.get(name),
        };
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn answer(&self, service: &str) -> Result<Value, Fault> {
        Ok(match service {
            "topics" => {
                let (topics, types): (Vec<_>, Vec<_>) = self.topics().into_iter().unzip();
                json!({"topics": topics, "types": types})
            }
            "topics_and_raw_types" => self.raw_types(),
            "topics_for_type" | "topics_for_types" => {
                json!({"topics": of_type(self.topics(), &self.argument("type"))})
            }
            "topic_type" => json!({"type": find(&self.topics(), &self.argument("topic"))}),
            "services" => json!({"services": names(self.services())}),
            "services_for_type" => json!({"services": of_type(self.services(), &self.argument("type"))}),
            "service_type" => json!({"type": find(&self.services(), &self.argument("service"))}),
            "service_providers" => json!({"providers": self.providers("service")}),
            "service_node" => json!({"node": self.providers("service").first().copied().unwrap_or_default()}),
            "service_host" => json!({"host": ""}),
            "action_servers" => json!({"action_servers": names(self.actions())}),
            "action_type" => json!({"type": find(&self.actions(), &self.argument("action"))}),
            "interfaces" => json!({"interfaces": self.interfaces()}),
            "nodes" => json!({"nodes": [NODE]}),
            "node_details" => self.node_details(),
            "publishers" => json!({"publishers": self.node_if(&self.outgoing(), "topic")}),
            "subscribers" => json!({"subscribers": self.node_if(&self.incoming(), "topic")}),
            "get_time" => self.time(),
            "get_ros_version" => match self.hub.generation {
                Generation::One => json!({"version": 1, "distro": ""}),
                Generation::Two => json!({"version": 2, "distro": ""}),
            },
            "get_param" => self.parameter(),
            "get_param_names" => json!({"names": []}),
            "has_param" => json!({"exists": false}),
            "set_param" | "delete_param" => json!({"successful": false, "reason": NO_PARAMETERS}),
            "message_details" => details::message(self.hub, &self.argument("type"))?,
            "service_request_details" => details::request(self.hub, &self.argument("type"))?,
            "service_response_details" => details::response(self.hub, &self.argument("type"))?,
            other => {
                let text = format!("this bridge does not offer `/rosapi/{other}`; see its README for a list");
                return Err(Fault::new(UNSUPPORTED, text));
            }
        })
    }

    fn outgoing(&self) -> Vec<Typed> {
        let topics = self.hub.outgoing();
        topics
            .iter()
            .map(|topic| (topic.name.clone(), self.hub.type_name(&topic.ros_type().to_string())))
            .collect()
    }

    fn incoming(&self) -> Vec<Typed> {
        let topics = self.hub.incoming();
        topics
            .iter()
            .map(|topic| (topic.name.clone(), self.hub.type_name(&topic.ros_type().to_string())))
            .collect()
    }

    /// Returns the topics of the run in the order of their names.
    fn topics(&self) -> Vec<Typed> {
        let mut topics = self.outgoing();
        topics.extend(self.incoming());
        topics.sort();
        topics.dedup_by(|a, b| a.0 == b.0);
        topics
    }

    fn services(&self) -> Vec<Typed> {
        let run = self
            .hub
            .services()
            .into_iter()
            .map(|service| (service.name.clone(), self.hub.type_name(service.types.ros_type())));
        let own = SERVICES.iter().map(|(name, kind)| {
            (format!("/rosapi/{name}"), self.hub.type_name(&format!("rosapi_msgs/srv/{kind}")))
        });
        let mut services: Vec<Typed> = run.chain(self.hub.relay.services()).chain(own).collect();
        services.sort();
        services
    }

    fn actions(&self) -> Vec<Typed> {
        let actions = self.hub.actions();
        let run = actions.iter().map(|(action, _)| (action.name.clone(), self.hub.type_name(&action.r#type)));
        let clients = self.hub.relay.actions().into_iter().map(|name| (name, String::new()));
        run.chain(clients).collect()
    }

    fn interfaces(&self) -> Vec<String> {
        let mut all: Vec<String> = [self.topics(), self.services(), self.actions()]
            .into_iter()
            .flatten()
            .map(|(_, kind)| kind)
            .collect();
        all.sort();
        all.dedup();
        all.retain(|kind| !kind.is_empty());
        all
    }

    fn raw_types(&self) -> Value {
        let outgoing = self.hub.outgoing();
        let texts = outgoing.iter().map(|topic| {
            let text = bridgehead_plugin_api::messages::ros::full_msg_text(topic.encoder.message());
            (topic.name.clone(), self.hub.type_name(&topic.ros_type().to_string()), text)
        });
        let incoming = self.hub.incoming();
        let more = incoming.iter().map(|topic| {
            let text = bridgehead_plugin_api::messages::ros::full_msg_text(topic.message());
            (topic.name.clone(), self.hub.type_name(&topic.ros_type().to_string()), text)
        });
        let mut all: Vec<(String, String, String)> = texts.chain(more).collect();
        all.sort();
        all.dedup_by(|a, b| a.0 == b.0);
        let topics: Vec<&String> = all.iter().map(|(topic, _, _)| topic).collect();
        let types: Vec<&String> = all.iter().map(|(_, kind, _)| kind).collect();
        let texts: Vec<&String> = all.iter().map(|(_, _, text)| text).collect();
        json!({"topics": topics, "types": types, "typedefs_full_text": texts})
    }

    /// Returns the node if the run offers the service.
    fn providers(&self, argument: &str) -> Vec<&'static str> {
        self.node_if(&self.services(), argument)
    }

    /// Returns the node if the named topic or service is in a list.
    fn node_if(&self, list: &[Typed], argument: &str) -> Vec<&'static str> {
        let name = absolute(&self.argument(argument));
        if list.iter().any(|(listed, _)| *listed == name) { vec![NODE] } else { Vec::new() }
    }

    fn node_details(&self) -> Value {
        if absolute(&self.argument("node")) != NODE {
            return json!({"subscribing": [], "publishing": [], "services": []});
        }
        json!({
            "subscribing": names(self.incoming()),
            "publishing": names(self.outgoing()),
            "services": names(self.services()),
        })
    }

    fn time(&self) -> Value {
        let time_ns = self.hub.time().map_or(0, |reading| reading.time_ns);
        let (seconds, nanoseconds) = (time_ns.div_euclid(1_000_000_000), time_ns.rem_euclid(1_000_000_000));
        // Some clients read the names of ROS 1 in any case.
        json!({"time": {"sec": seconds, "nanosec": nanoseconds, "secs": seconds, "nsecs": nanoseconds}})
    }

    /// The value is JSON text, which clients parse.
    fn parameter(&self) -> Value {
        let default = match &self.arguments {
            Value::Array(list) => list.get(1),
            arguments => arguments.get("default_value").or_else(|| arguments.get("default")),
        };
        let default = default.and_then(Value::as_str).filter(|text| !text.is_empty()).unwrap_or("null");
        json!({"value": default, "successful": false, "reason": NO_PARAMETERS})
    }
}

fn names(list: Vec<Typed>) -> Vec<String> {
    list.into_iter().map(|(name, _)| name).collect()
}

fn of_type(list: Vec<Typed>, kind: &str) -> Vec<String> {
    let wanted = parts(kind);
    let is_it = |(_, found): &Typed| wanted.is_some_and(|(package, name)| is_type(found, package, name));
    list.into_iter().filter(is_it).map(|(name, _)| name).collect()
}

/// Returns the type of a name; empty if it is not in the list.
fn find(list: &[Typed], name: &str) -> String {
    let name = absolute(name);
    list.iter().find(|(listed, _)| *listed == name).map(|(_, kind)| kind.clone()).unwrap_or_default()
}
