//! Lists as tables.

use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use serde_json::{Value, json};

use super::fields::{figures, item, join, named, number, pairs, rows, table, text, whole};
use super::places::{angles, bounds, pose, vector};
use crate::cli::human::bytes;

/// Names of the status of a bridge.
const BRIDGES: [&str; 5] = ["disconnected", "lost", "connecting", "connected", "disconnecting"];

/// Returns the response of a listing service; `None` for others.
pub(super) fn list(service: &str, json: &Value) -> Option<String> {
    Some(match service {
        "get_entities" => names(json, "entities"),
        "get_entities_states" => states(json),
        "spawn_entities" => spawned(json),
        "get_spawnables" => spawnables(json),
        "get_named_poses" => poses(json),
        "get_available_worlds" => worlds(json),
        "get_plugins" => plugins(json),
        "get_world_description" => description(item(json, "description")),
        "get_link_poses" => links(json),
        "get_bridges" => bridges(json),
        "get_topics" => topics(json),
        "get_triggers" => triggers(json, "due") + &end(json),
        "get_trigger_history" => triggers(json, "ran at"),
        _ => return None,
    })
}

/// Returns a table with a head, if it has rows. The last `numbers` columns are right-aligned.
fn headed(head: &[&str], numbers: usize, body: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut rows = vec![head.iter().map(|cell| (*cell).to_owned()).collect()];
    rows.extend(body);
    if rows.len() == 1 { String::new() } else { table(&rows, numbers) }
}

/// Returns the texts of some members.
fn texts(value: &Value, members: &[&str]) -> Vec<String> {
    members.iter().map(|member| text(value, member).to_owned()).collect()
}

fn names(json: &Value, member: &str) -> String {
    rows(json, member).iter().filter_map(Value::as_str).map(|name| format!("{name}\n")).collect()
}

fn states(json: &Value) -> String {
    let row = |(name, state): (&Value, &Value)| {
        let pose = item(state, "pose");
        let linear = vector(item(item(state, "twist"), "linear"));
        let numbers = [vector(item(pose, "position")), angles(pose), linear].concat();
        let name = name.as_str().unwrap_or_default().to_owned();
        // Adding zero removes the sign of a negative zero.
        let numbers = numbers.into_iter().map(|number| format!("{:.3}", (number * 1e3).round() / 1e3 + 0.0));
        std::iter::once(name).chain(numbers).collect()
    };
    let head = ["entity", "x m", "y m", "z m", "roll °", "pitch °", "yaw °", "vx m/s", "vy m/s", "vz m/s"];
    headed(&head, 9, rows(json, "entities").iter().zip(rows(json, "states")).map(row))
}

fn spawned(json: &Value) -> String {
    let row = |result: &Value| {
        let outcome = item(result, "result");
        let said = match whole(outcome, "result") {
            1 => "spawned".to_owned(),
            number => format!("result {number}"),
        };
        vec![text(result, "entity_name").to_owned(), said, text(outcome, "error_message").to_owned()]
    };
    headed(&["entity", "result", "message"], 0, rows(json, "results").iter().map(row))
}

fn spawnables(json: &Value) -> String {
    let row = |model: &Value| {
        let room = bounds(item(model, "spawn_bounds"));
        vec![uri(item(model, "entity_resource")), room, text(model, "description").to_owned()]
    };
    headed(&["resource", "room", "description"], 0, rows(json, "spawnables").iter().map(row))
}

/// Returns the address of a resource; a text is not printed.
fn uri(resource: &Value) -> String {
    let uri = text(resource, "uri");
    let is_text = uri.is_empty() && !text(resource, "resource_string").is_empty();
    if is_text { "(text)" } else { uri }.to_owned()
}

fn poses(json: &Value) -> String {
    let row = |named: &Value| {
        let name = text(named, "name").to_owned();
        vec![name, pose(item(named, "pose")), join(named, "tags"), text(named, "description").to_owned()]
    };
    headed(&["name", "pose", "tags", "description"], 0, rows(json, "poses").iter().map(row))
}

/// Returns the links with their poses, of which each has seven numbers.
fn links(json: &Value) -> String {
    let poses = rows(json, "poses").chunks(7).map(|numbers| {
        let [x, y, z, i, j, k, w]: [&Value; 7] =
            std::array::from_fn(|index| numbers.get(index).unwrap_or(&Value::Null));
        pose(&json!({"position": {"x": x, "y": y, "z": z}, "orientation": {"x": i, "y": j, "z": k, "w": w}}))
    });
    let row = |(name, pose): (&Value, String)| vec![name.as_str().unwrap_or_default().to_owned(), pose];
    headed(&["link", "pose"], 0, rows(json, "links").iter().zip(poses).map(row))
}

/// Returns one world.
pub(super) fn world(world: &Value) -> String {
    pairs(&[
        ("name", text(world, "name").to_owned()),
        ("resource", uri(item(world, "world_resource"))),
        ("description", text(world, "description").to_owned()),
        ("tags", join(world, "tags")),
    ])
}

fn worlds(json: &Value) -> String {
    let row = |world: &Value| {
        let name = text(world, "name").to_owned();
        vec![
            name,
            uri(item(world, "world_resource")),
            join(world, "tags"),
            text(world, "description").to_owned(),
        ]
    };
    headed(&["name", "resource", "tags", "description"], 0, rows(json, "worlds").iter().map(row))
}

/// Returns features by their names, then other properties of the simulator.
pub(super) fn features(features: &Value) -> String {
    let message = si::SimulatorFeatures::schema().resolve().ok();
    let constants: Vec<(&str, &str)> = message
        .iter()
        .flat_map(|message| message.root().constants())
        .filter_map(|line| line.split_once(' ')?.1.split_once('='))
        .collect();
    let name = |number: u64| {
        let found = constants.iter().find(|(_, value)| value.parse() == Ok(number));
        found.map_or_else(|| number.to_string(), |(name, _)| (*name).to_owned())
    };
    let mut lines: Vec<String> =
        rows(features, "features").iter().filter_map(Value::as_u64).map(name).collect();
    lines.push(format!("spawn formats: {}", join(features, "spawn_formats")));
    lines.push(text(features, "custom_info").to_owned());
    lines.into_iter().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// Returns the times of steps and plugins.
pub(super) fn statistics(json: &Value) -> String {
    let row = |name: String, one: &Value| {
        let members = ["mean", "std_deviation", "min", "p50", "p99", "max"];
        let cells = [name, whole(one, "count").to_string()];
        cells.into_iter().chain(members.map(|member| figures(number(one, member)))).collect::<Vec<_>>()
    };
    let phases = rows(json, "accumulators").iter().map(|one| row(text(one, "name").to_owned(), one));
    let plugins = rows(json, "plugins").iter().filter(|plugin| whole(item(plugin, "calls"), "count") > 0);
    let plugins = plugins.map(|plugin| row(format!("{} [ms]", text(plugin, "label")), item(plugin, "calls")));
    let head = ["what", "count", "mean", "std", "min", "p50", "p99", "max"];
    format!("{}overruns: {}\n", headed(&head, 7, phases.chain(plugins)), whole(json, "overruns"))
}

fn plugins(json: &Value) -> String {
    let head = ["label", "plugin", "version", "kind", "state", "failure"];
    headed(&head, 0, rows(json, "plugins").iter().map(|plugin| texts(plugin, &head)))
}

/// Returns sensors and plugins, with a line for each topic. A plugin that its sensor serves has no path and follows it.
fn description(world: &Value) -> String {
    let lines = |element: &Value| {
        let path = text(element, "path");
        let shown = if path.is_empty() { format!("  {}", text(element, "name")) } else { path.to_owned() };
        let mut lead = vec![shown, text(element, "asked").to_owned(), text(element, "plugin").to_owned()];
        let topics = rows(element, "topics");
        if topics.is_empty() {
            return vec![lead];
        }
        let line = |topic: &Value| {
            let is_published = item(topic, "is_published").as_bool() == Some(true);
            let direction = if is_published { "publishes" } else { "hears" };
            let topic = [direction, text(topic, "topic"), text(topic, "type")].map(str::to_owned);
            let blank = vec![String::new(); 3];
            [std::mem::replace(&mut lead, blank), topic.to_vec()].concat()
        };
        topics.iter().map(line).collect::<Vec<_>>()
    };
    let head = ["element", "asks for", "served by", "", "topic", "type"];
    headed(&head, 0, rows(world, "elements").iter().flat_map(lines))
}

fn bridges(json: &Value) -> String {
    let row = |bridge: &Value| {
        let status = named(&BRIDGES, bridge, "status");
        let failure = text(bridge, "failure");
        let gap = if failure.is_empty() { "" } else { ": " };
        let mut cells = texts(bridge, &["label", "connection"]);
        cells.push(format!("{status}{gap}{failure}"));
        cells.extend(
            ["delivered", "dropped", "lost", "missed"].map(|member| whole(bridge, member).to_string()),
        );
        cells
    };
    let head = ["label", "connection", "status", "delivered", "dropped", "lost", "missed"];
    headed(&head, 4, rows(json, "bridges").iter().map(row))
}

/// Returns the addresses of all bridges.
pub(in crate::cli::ctl) fn endpoints(json: &Value) -> String {
    let of_bridge = |bridge: &Value| {
        let label = text(bridge, "label").to_owned();
        let line =
            move |endpoint: &Value| [vec![label.clone()], texts(endpoint, &["address", "purpose"])].concat();
        rows(bridge, "endpoints").iter().map(line).collect::<Vec<_>>()
    };
    headed(&["bridge", "address", "what is there"], 0, rows(json, "bridges").iter().flat_map(of_bridge))
}

fn topics(json: &Value) -> String {
    let row = |topic: &Value| {
        let rate = match number(topic, "rate") {
            rate if rate > 0.0 => format!("{} Hz", figures(rate)),
            _ => "-".to_owned(),
        };
        let mut cells = texts(topic, &["topic", "type"]);
        let [published, dropped] = ["published", "dropped"].map(|member| whole(topic, member).to_string());
        cells.extend([published, rate, bytes(whole(topic, "bytes")), dropped]);
        cells
    };
    let head = ["topic", "type", "published", "rate", "size", "dropped"];
    headed(&head, 4, rows(json, "topics").iter().map(row))
}

/// Returns the end of the run, if it is known.
fn end(json: &Value) -> String {
    let eta = item(json, "eta").as_f64().filter(|eta| *eta > 0.0);
    eta.map(|eta| format!("the run ends at {eta} s\n")).unwrap_or_default()
}

/// Returns waiting or fired triggers; `when` is the head of the column with their times.
fn triggers(json: &Value, when: &str) -> String {
    let row = |trigger: &Value| {
        let at = number(trigger, "at");
        let is_sticky = item(trigger, "sticky").as_bool() == Some(true);
        let mut cells = vec![whole(trigger, "id").to_string()];
        cells.extend(texts(trigger, &["label", "event", "action"]));
        cells.push(if is_sticky { "sticky" } else { "once" }.to_owned());
        cells.push(text(trigger, "source").to_owned());
        cells.push(if at < 0.0 { "-".to_owned() } else { format!("{at} s") });
        cells
    };
    let head = ["id", "label", "event", "action", "stays", "source", when];
    headed(&head, 1, rows(json, "triggers").iter().map(row))
}
