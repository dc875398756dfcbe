//! What is asked on `/control`, and what is answered: always the version, the command, and a result.

use serde_json::{Map, Value, json};

use crate::pseudo_json;

#[cfg(test)]
mod tests;

/// What clients take for a simulator they know.
pub(crate) const SIM_VERSION: &str = "5.4.2";
/// Longest filter in bytes.
const MAX_FILTER: usize = 256;
/// Most targets of one teleport.
const MAX_TARGETS: usize = 64;

/// A device as it is listed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeviceListing {
    pub(crate) model: String,
    pub(crate) kind: &'static str,
    pub(crate) parts: String,
    /// Key, port and the text that tags are made of.
    pub(crate) ports: Vec<(&'static str, u16, String)>,
}

/// A place in the world: metres, and roll, pitch and yaw in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EulerPose {
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [f64; 3],
}

/// Where a target is to be put.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    pub(crate) name: String,
    /// `None` leaves it where it is.
    pub(crate) pose: Option<EulerPose>,
    /// Whether its velocity ends.
    pub(crate) stops: bool,
}

/// What commands need of the simulation. Nothing here takes longer than clients wait.
pub(crate) trait Control {
    /// The devices in order.
    fn devices(&self) -> Vec<DeviceListing>;
    /// Resets everything; false while a reset is running.
    ///
    /// # Errors
    /// Why not.
    fn reset(&self) -> Result<bool, String>;
    /// Puts targets somewhere, after all of them were found; what came of each.
    ///
    /// # Errors
    /// Why nothing was tried.
    fn teleport(&self, targets: &[Target]) -> Result<Vec<Result<(), String>>, String>;
    /// Where an entity is.
    ///
    /// # Errors
    /// Why nobody can say.
    fn pose_of(&self, name: &str) -> Result<EulerPose, String>;
    /// A text was not understood.
    fn misunderstood(&self, why: &str);
}

/// The answer to a text.
pub(crate) fn respond(text: &str, control: &dyn Control) -> String {
    let request = match read(text) {
        Ok(request) => request,
        Err(why) => {
            control.misunderstood(&why);
            return answer("", Err(why), false);
        }
    };
    let field = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let is_indented = request.get("indent").and_then(Value::as_bool).unwrap_or(false);
    answer(field("command"), result(&request, control), is_indented)
}

fn read(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Err("request body is empty".to_owned());
    }
    match pseudo_json::parse(text) {
        Ok(Value::Object(request)) => Ok(request),
        Ok(_) => Err("invalid json: an object was expected".to_owned()),
        Err(error) => Err(format!("invalid json: {error}")),
    }
}

/// What a command came to.
struct CommandReply {
    result: Value,
    /// What became of each target, beside the result.
    targets: Option<Value>,
}

impl<T: Into<Value>> From<T> for CommandReply {
    fn from(result: T) -> Self {
        CommandReply { result: result.into(), targets: None }
    }
}

fn answer(command: &str, reply: Result<CommandReply, String>, is_indented: bool) -> String {
    let reply = reply.unwrap_or_else(CommandReply::from);
    let mut whole = Map::new();
    whole.insert("sim_version".to_owned(), SIM_VERSION.into());
    whole.insert("command".to_owned(), command.into());
    whole.insert("result".to_owned(), reply.result);
    whole.extend(reply.targets.map(|targets| ("targets".to_owned(), targets)));
    let text = if is_indented { serde_json::to_string_pretty(&whole) } else { serde_json::to_string(&whole) };
    text.unwrap_or_default()
}

fn result(request: &Map<String, Value>, control: &dyn Control) -> Result<CommandReply, String> {
    let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let filter = text("filter");
    if filter.len() > MAX_FILTER {
        return Err(format!("`filter` is longer than {MAX_FILTER} bytes"));
    }
    match text("command") {
        "" => Err("command is empty".to_owned()),
        "device_list" => Ok(device_list(&control.devices(), filter).into()),
        "port_list" => Ok(port_list(&control.devices(), filter).into()),
        "reset" => control.reset().map(|began| if began { "ok" } else { "fail" }.into()),
        "teleport" => teleport(request, control),
        "get_model_info" => model_info(text("target_model"), control).map(CommandReply::from),
        "fps" | "start_record" | "stop_record" => {
            Err(format!("unsupported command '{}': nothing is drawn here", text("command")))
        }
        other => Err(format!(
            "unsupported command '{other}': there are device_list, port_list, reset, teleport and get_model_info"
        )),
    }
}

/// Model, type, parts and key, each an object in the one before.
fn device_list(devices: &[DeviceListing], filter: &str) -> Value {
    let mut models = Map::new();
    for device in devices.iter().filter(|device| device.model.starts_with(filter)) {
        let model = models.entry(&*device.model).or_insert_with(|| json!({}));
        let Some(kinds) = model.as_object_mut() else { continue };
        let kind = kinds.entry(device.kind).or_insert_with(|| json!({}));
        let Some(parts) = kind.as_object_mut() else { continue };
        let ports = device.ports.iter().map(|(key, port, _)| ((*key).to_owned(), Value::from(*port)));
        parts.insert(device.parts.clone(), Value::Object(ports.collect()));
    }
    Value::Object(models)
}

fn port_list(devices: &[DeviceListing], filter: &str) -> Value {
    let ports = devices.iter().flat_map(|device| &device.ports);
    let wanted = ports.filter(|(_, _, hash_key)| hash_key.starts_with(filter));
    Value::Object(wanted.map(|(_, port, hash_key)| (hash_key.clone(), Value::from(*port))).collect())
}

fn teleport(request: &Map<String, Value>, control: &dyn Control) -> Result<CommandReply, String> {
    let targets = match request.get("targets") {
        None => Vec::new(),
        Some(Value::Array(list)) if list.len() <= MAX_TARGETS => {
            list.iter().map(target).collect::<Result<Vec<_>, _>>()?
        }
        Some(Value::Array(_)) => return Err(format!("`targets` names more than {MAX_TARGETS}")),
        Some(_) => return Err("`targets` is no list".to_owned()),
    };
    let resets = request.get("world_reset").and_then(Value::as_bool).unwrap_or(false);
    if targets.is_empty() && !resets {
        return Err("`targets` is empty and `world_reset` is not set: there is nothing to do".to_owned());
    }
    if resets && !control.reset()? {
        return Ok("fail".into());
    }
    let outcomes = control.teleport(&targets)?;
    let is_done = outcomes.iter().all(Result::is_ok);
    let reported = targets.iter().zip(outcomes).map(|(target, outcome)| {
        json!({ "target": target.name, "result": outcome.err().unwrap_or_else(|| "ok".to_owned()) })
    });
    let targets = Some(Value::Array(reported.collect()));
    Ok(CommandReply { result: if is_done { "ok" } else { "fail" }.into(), targets })
}

fn target(value: &Value) -> Result<Target, String> {
    let name = value.get("target").and_then(Value::as_str).unwrap_or_default();
    if name.is_empty() {
        return Err("a target has no name as `target`".to_owned());
    }
    let pose = match value.get("pose") {
        None | Some(Value::Null) => None,
        Some(pose) => Some(euler_pose(name, pose)?),
    };
    let stops = value.get("reset").and_then(Value::as_bool).unwrap_or(false);
    Ok(Target { name: name.to_owned(), pose, stops })
}

fn euler_pose(name: &str, pose: &Value) -> Result<EulerPose, String> {
    let number = |key: &str| match pose.get(key) {
        None => Ok(0.0),
        Some(value) => value.as_f64().ok_or_else(|| format!("`{key}` of the pose for `{name}` is no number")),
    };
    Ok(EulerPose {
        position: [number("x")?, number("y")?, number("z")?],
        rotation: [number("roll")?, number("pitch")?, number("yaw")?],
    })
}

fn model_info(name: &str, control: &dyn Control) -> Result<Value, String> {
    if name.is_empty() {
        return Err("`target_model` is empty".to_owned());
    }
    let EulerPose { position: [x, y, z], rotation: [roll, pitch, yaw] } = control.pose_of(name)?;
    Ok(json!({
        "name": name,
        "pose": {
            "position": { "x": x, "y": y, "z": z },
            "orientation": { "roll": roll, "pitch": pitch, "yaw": yaw },
        },
    }))
}
