//! The description of all paths as an OpenAPI 3.1 document, made from the declarations of the
//! services and their messages.

pub(super) mod document;
mod schema;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::action::Action;
use super::app::App;
use super::endpoint::Endpoint;
use crate::bus::RegisteredType;
use schema::Schemas;

/// Descriptions of statuses that several paths use.
const STATUSES: [(&str, &str); 8] = [
    ("400", "The request is malformed."),
    ("401", "The token is missing or wrong."),
    ("403", "The request comes from a page of another origin, or is for another host."),
    ("404", "The named item does not exist."),
    ("409", "Not possible in this state; `allowed` lists the allowed requests."),
    ("413", "The body is too large."),
    ("500", "The service failed."),
    ("503", "The run ended before the answer, or there are too many connections."),
];

/// Returns the document for the present types of topics.
pub(super) fn text(app: &App) -> Arc<str> {
    let types = app.control.shared().types.all();
    app.openapi.text(types.len(), || document(app, &types).to_string())
}

fn document(app: &App, types: &[Arc<RegisteredType>]) -> Value {
    let mut schemas = Schemas::default();
    let mut paths = Map::new();
    for endpoint in app.endpoints.services() {
        paths.insert(format!("/api/{}", endpoint.name), service(endpoint, &mut schemas));
    }
    for (name, send) in Action::all(&app.endpoints) {
        paths.insert(format!("/api/{name}"), json!({ "post": send_goal(name, send, &mut schemas) }));
        paths.insert(format!("/api/{name}/{{goal_id}}"), goal(name));
    }
    paths.extend(pages());
    types.iter().for_each(|topic| schemas.add(&topic.message));
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Bridgehead",
            "description": "The control plane of a simulation host: services with the names, members and units of ROS, as JSON.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "tags": [
            { "name": "simulation_interfaces", "description": "The standard services; their status is 200, and `result` has the outcome." },
            { "name": "bridgehead", "description": "Further services of this host; the status shows the outcome." },
            { "name": "server", "description": "Pages of the server itself." },
        ],
        "paths": paths,
        "components": { "schemas": schemas.finish(), "responses": refusals() },
    });
    if app.guard.token.is_some()
        && let Some(members) = document.as_object_mut()
    {
        members.insert("security".to_owned(), json!([{ "token": [] }]));
        let scheme = json!({ "token": { "type": "http", "scheme": "bearer" } });
        if let Some(components) = members.get_mut("components").and_then(Value::as_object_mut) {
            components.insert("securitySchemes".to_owned(), scheme);
        }
    }
    document
}

/// Returns the error responses that paths refer to.
fn refusals() -> Value {
    let refusal = |(status, text): (&str, &str)| {
        let content = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
        (format!("Refused{status}"), json!({ "description": text, "content": content }))
    };
    Value::Object(STATUSES.into_iter().map(refusal).collect())
}

/// Returns the responses of a path: the successful one, and the errors of these statuses.
fn responses(description: &str, schema: &Value, refused: &[&str]) -> Value {
    let good = json!({ "description": description, "content": { "application/json": { "schema": schema } } });
    let mut responses = Map::from_iter([("200".to_owned(), good)]);
    for status in refused {
        let reference = format!("#/components/responses/Refused{status}");
        responses.insert((*status).to_owned(), json!({ "$ref": reference }));
    }
    Value::Object(responses)
}

fn tag(endpoint: &Endpoint) -> &'static str {
    if endpoint.is_own() { "bridgehead" } else { "simulation_interfaces" }
}

fn service(endpoint: &Endpoint, schemas: &mut Schemas) -> Value {
    let response = schemas.response(endpoint.response_type());
    let text = endpoint.response_type().root().full_name();
    let described = schema::comment_of(text).unwrap_or("The result.");
    let mut answers = responses(described, &response, &["400", "401", "403", "413", "500", "503"]);
    if let (true, Some(answers)) = (endpoint.is_own(), answers.as_object_mut()) {
        // These carry the response itself.
        for status in ["404", "409"] {
            let text = STATUSES.iter().find(|(known, _)| *known == status).map_or("", |(_, text)| *text);
            let content = json!({ "application/json": { "schema": response } });
            answers.insert(status.to_owned(), json!({ "description": text, "content": content }));
        }
    }
    let common = |operation: String| {
        json!({
            "operationId": operation,
            "summary": endpoint.declared.comment,
            "description": format!("`{}`", endpoint.declared.ros_type),
            "tags": [tag(endpoint)],
            "responses": answers,
        })
    };
    let mut post = common(endpoint.name.clone());
    add(&mut post, "requestBody", body(endpoint, schemas));
    let mut methods = json!({ "post": post });
    if endpoint.declared.is_reader {
        let mut get = common(format!("{}.query", endpoint.name));
        add(&mut get, "parameters", schemas.parameters(endpoint.request_type()));
        add(&mut methods, "get", get);
    }
    methods
}

fn add(to: &mut Value, name: &str, value: Value) {
    if let Some(members) = to.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

fn body(endpoint: &Endpoint, schemas: &mut Schemas) -> Value {
    let schema = schemas.request(endpoint.request_type());
    json!({
        "required": false,
        "description": "An absent body is an empty one; absent members have their defaults.",
        "content": { "application/json": { "schema": schema, "example": example(endpoint) } },
    })
}

/// Returns a request with the defaults of its members.
fn example(endpoint: &Endpoint) -> Value {
    let (mut payload, mut json) = (Vec::new(), Vec::new());
    let plan = endpoint.request();
    let written = plan.decode("{}", &mut payload).and_then(|()| plan.encode(&payload, &mut json));
    written.ok().and_then(|()| serde_json::from_slice(&json).ok()).unwrap_or_else(|| json!({}))
}

fn send_goal(name: &str, send: &Endpoint, schemas: &mut Schemas) -> Value {
    let goal = (send.declared.request)().resolve();
    let schema = goal.map_or_else(|_| json!({ "type": "object" }), |goal| schemas.request(&goal));
    let answer = json!({
        "type": "object",
        "required": ["goal_id", "accepted"],
        "properties": {
            "goal_id": { "type": "string", "format": "uuid", "description": "Names the goal." },
            "accepted": { "type": "boolean", "description": "Whether the goal is pursued." },
        },
    });
    json!({
        "operationId": name,
        "summary": send.declared.comment,
        "description": format!("`{}`; feedback comes over the WebSocket.", send.declared.ros_type),
        "tags": [tag(send)],
        "requestBody": { "required": false, "content": { "application/json": { "schema": schema, "example": { "steps": 10 } } } },
        "responses": responses("Whether the goal is pursued.", &answer, &["400", "401", "403", "413", "500", "503"]),
    })
}

fn goal(name: &str) -> Value {
    let id = json!({ "name": "goal_id", "in": "path", "required": true, "description": "The goal.", "schema": { "type": "string", "format": "uuid" } });
    let wait = json!({ "name": "wait", "in": "query", "description": "How long to wait for the end, seconds.", "schema": { "type": "number", "minimum": 0, "maximum": 3600, "default": 0 } });
    let shown = json!({ "$ref": "#/components/schemas/Goal" });
    let canceling = json!({ "type": "object", "required": ["goal_id", "canceling"], "properties": {
        "goal_id": { "type": "string", "format": "uuid" }, "canceling": { "type": "boolean" } } });
    json!({
        "parameters": [id],
        "get": {
            "operationId": format!("{name}.goal"),
            "summary": "How far a goal is, and its result once it has ended.",
            "tags": ["simulation_interfaces"],
            "parameters": [wait],
            "responses": responses("The goal.", &shown, &["400", "401", "403", "404", "503"]),
        },
        "delete": {
            "operationId": format!("{name}.cancel"),
            "summary": "Cancels a goal.",
            "tags": ["simulation_interfaces"],
            "responses": responses("It is being cancelled.", &canceling, &["401", "403", "404", "409", "503"]),
        },
    })
}

/// Pages of the server itself.
fn pages() -> Map<String, Value> {
    let page = |operation: &str, summary: &str, content_type: &str| {
        json!({ "get": {
            "operationId": operation,
            "summary": summary,
            "tags": ["server"],
            "responses": { "200": { "description": summary, "content": { content_type: {} } } },
        } })
    };
    // No token is required.
    let open = |mut page: Value| {
        add(&mut page["get"], "security", json!([]));
        page
    };
    let socket = json!({ "get": {
        "operationId": "server.socket",
        "summary": "Opens a WebSocket, over which a client subscribes to state, feedback, statistics, poses, the log and topics.",
        "tags": ["server"],
        "responses": { "101": { "description": "The WebSocket is open." }, "426": { "description": "The request opens no WebSocket." } },
    } });
    let pages = [
        ("/api", page("server.services", "The services.", "application/json")),
        ("/", open(page("server.page", "The page for browsers.", "text/html"))),
        (
            "/healthz",
            page("server.health", "Whether the server serves and the simulation responds.", "text/plain"),
        ),
        ("/metrics", page("server.metrics", "Numbers of the run for Prometheus.", "text/plain")),
        ("/openapi.json", page("server.openapi", "This document.", "application/json")),
        ("/ws", socket),
    ];
    pages.into_iter().map(|(path, page)| (path.to_owned(), page)).collect()
}
