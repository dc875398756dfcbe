//! Commands on `/control` and their replies, which always contain the version, the command and a result.

use std::fmt;

use bridgehead_plugin_api::Error;
use serde_json::{Map, Value, json};

use crate::pseudo_json::{self, SyntaxError};

#[cfg(test)]
mod tests;

/// Version of CLOiSim that clients accept.
pub(crate) const SIM_VERSION: &str = "5.4.2";
/// Longest filter in bytes.
const MAX_FILTER: usize = 256;
/// Largest number of targets of one teleport.
const MAX_TARGETS: usize = 64;

/// A device in the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeviceListing {
    pub(crate) model: String,
    pub(crate) kind: &'static str,
    pub(crate) parts: String,
    /// Key, port, and the text from which the tag is made.
    pub(crate) ports: Vec<(&'static str, u16, String)>,
}

/// A pose in the world: metres, and roll, pitch and yaw in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EulerPose {
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [f64; 3],
}

/// Where to teleport an entity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    pub(crate) name: String,
    /// `None` keeps its pose.
    pub(crate) pose: Option<EulerPose>,
    /// Whether its velocity is set to zero.
    pub(crate) stops: bool,
}

/// The operations on the simulation that commands need. None of them takes longer than clients wait.
pub(crate) trait Control {
    /// Returns the devices in order.
    fn devices(&self) -> Vec<DeviceListing>;
    /// Resets everything. Returns false if a reset is already running.
    ///
    /// # Errors
    /// Returns an error if the reset was refused.
    fn reset(&self) -> Result<bool, ControlError>;
    /// Teleports targets if all of them exist, and returns the result of each.
    ///
    /// # Errors
    /// Returns an error if nothing was moved.
    fn teleport(&self, targets: &[Target]) -> Result<Vec<Result<(), ControlError>>, ControlError>;
    /// Returns the pose of an entity.
    ///
    /// # Errors
    /// Returns an error if its state is not available.
    fn pose_of(&self, name: &str) -> Result<EulerPose, ControlError>;
    /// Records a text that was not understood.
    fn misunderstood(&self, why: &RequestError);
}

/// Why an operation on the simulation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ControlError {
    /// The host refused the call or could not carry it out.
    Host(Error),
    /// The service responded with an error.
    Refused(String),
    /// No response arrived in time.
    TimedOut,
    /// The call was accepted, and its response did not arrive in time.
    Pending,
    /// The run ended before the response.
    RunEnded,
    /// The response has no such field.
    Missing(&'static str),
    /// Targets that do not exist.
    UnknownModels(Vec<String>),
    /// The state of this entity is not available.
    Entity(String, Box<ControlError>),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlError::Host(error) => error.fmt(f),
            ControlError::Refused(text) => f.write_str(text),
            ControlError::TimedOut => f.write_str("the simulation does not answer in time"),
            ControlError::Pending => f.write_str("accepted, but not carried out yet"),
            ControlError::RunEnded => f.write_str("the run has ended"),
            ControlError::Missing(field) => write!(f, "the response has no {field}"),
            ControlError::UnknownModels(names) => {
                write!(f, "no such model: {}; nothing was moved", names.join(", "))
            }
            ControlError::Entity(name, error) => write!(f, "'{name}': {error}"),
        }
    }
}

/// Why a text is not a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestError {
    Empty,
    NotAnObject,
    Syntax(SyntaxError),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::Empty => f.write_str("request body is empty"),
            RequestError::NotAnObject => f.write_str("invalid json: expected an object"),
            RequestError::Syntax(error) => write!(f, "invalid json: {error}"),
        }
    }
}

/// Why a command failed.
enum CommandFailure {
    /// A field of the request is wrong: what clients read.
    Invalid(String),
    Control(ControlError),
}

impl From<ControlError> for CommandFailure {
    fn from(error: ControlError) -> Self {
        CommandFailure::Control(error)
    }
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandFailure::Invalid(text) => f.write_str(text),
            CommandFailure::Control(error) => error.fmt(f),
        }
    }
}

fn invalid(text: impl Into<String>) -> CommandFailure {
    CommandFailure::Invalid(text.into())
}

/// Returns the reply to a text.
pub(crate) fn respond(text: &str, control: &dyn Control) -> String {
    let request = match read(text) {
        Ok(request) => request,
        Err(error) => {
            control.misunderstood(&error);
            return answer("", error.to_string().into(), false);
        }
    };
    let field = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let is_indented = request.get("indent").and_then(Value::as_bool).unwrap_or(false);
    let reply = result(&request, control).unwrap_or_else(|error| error.to_string().into());
    answer(field("command"), reply, is_indented)
}

fn read(text: &str) -> Result<Map<String, Value>, RequestError> {
    if text.trim().is_empty() {
        return Err(RequestError::Empty);
    }
    match pseudo_json::parse(text) {
        Ok(Value::Object(request)) => Ok(request),
        Ok(_) => Err(RequestError::NotAnObject),
        Err(error) => Err(RequestError::Syntax(error)),
    }
}

/// Content of a reply.
struct CommandReply {
    result: Value,
    /// Result of each target, beside the overall result.
    targets: Option<Value>,
}

impl<T: Into<Value>> From<T> for CommandReply {
    fn from(result: T) -> Self {
        CommandReply { result: result.into(), targets: None }
    }
}

fn answer(command: &str, reply: CommandReply, is_indented: bool) -> String {
    let mut whole = Map::new();
    whole.insert("sim_version".to_owned(), SIM_VERSION.into());
    whole.insert("command".to_owned(), command.into());
    whole.insert("result".to_owned(), reply.result);
    whole.extend(reply.targets.map(|targets| ("targets".to_owned(), targets)));
    let text = if is_indented { serde_json::to_string_pretty(&whole) } else { serde_json::to_string(&whole) };
    text.unwrap_or_default()
}

fn result(request: &Map<String, Value>, control: &dyn Control) -> Result<CommandReply, CommandFailure> {
    let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let filter = text("filter");
    if filter.len() > MAX_FILTER {
        return Err(invalid(format!("`filter` is longer than {MAX_FILTER} bytes")));
    }
    match text("command") {
        "" => Err(invalid("command is empty")),
        "device_list" => Ok(device_list(&control.devices(), filter).into()),
        "port_list" => Ok(port_list(&control.devices(), filter).into()),
        "reset" => Ok(if control.reset()? { "ok" } else { "fail" }.into()),
        "teleport" => teleport(request, control),
        "get_model_info" => model_info(text("target_model"), control).map(CommandReply::from),
        "fps" | "start_record" | "stop_record" => {
            Err(invalid(format!("unsupported command '{}': this simulator does not render", text("command"))))
        }
        other => Err(invalid(format!(
            "unsupported command '{other}'; expected device_list, port_list, reset, teleport or get_model_info"
        ))),
    }
}

/// Nested objects: model, type, parts and key.
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

fn teleport(request: &Map<String, Value>, control: &dyn Control) -> Result<CommandReply, CommandFailure> {
    let targets = match request.get("targets") {
        None => Vec::new(),
        Some(Value::Array(list)) if list.len() <= MAX_TARGETS => {
            list.iter().map(target).collect::<Result<Vec<_>, _>>()?
        }
        Some(Value::Array(_)) => {
            return Err(invalid(format!("`targets` has more than {MAX_TARGETS} entries")));
        }
        Some(_) => return Err(invalid("`targets` is not a list")),
    };
    let resets = request.get("world_reset").and_then(Value::as_bool).unwrap_or(false);
    if targets.is_empty() && !resets {
        return Err(invalid("`targets` is empty and `world_reset` is not set: there is nothing to do"));
    }
    if resets && !control.reset()? {
        return Ok("fail".into());
    }
    let outcomes = control.teleport(&targets)?;
    let is_done = outcomes.iter().all(Result::is_ok);
    let reported = targets.iter().zip(outcomes).map(|(target, outcome)| {
        let result = outcome.err().map_or_else(|| "ok".to_owned(), |error| error.to_string());
        json!({ "target": target.name, "result": result })
    });
    let targets = Some(Value::Array(reported.collect()));
    Ok(CommandReply { result: if is_done { "ok" } else { "fail" }.into(), targets })
}

fn target(value: &Value) -> Result<Target, CommandFailure> {
    let name = value.get("target").and_then(Value::as_str).unwrap_or_default();
    if name.is_empty() {
        return Err(invalid("a target has no name in its field `target`"));
    }
    let pose = match value.get("pose") {
        None | Some(Value::Null) => None,
        Some(pose) => Some(euler_pose(name, pose)?),
    };
    let stops = value.get("reset").and_then(Value::as_bool).unwrap_or(false);
    Ok(Target { name: name.to_owned(), pose, stops })
}

fn euler_pose(name: &str, pose: &Value) -> Result<EulerPose, CommandFailure> {
    let number = |key: &str| match pose.get(key) {
        None => Ok(0.0),
        Some(value) => {
            value.as_f64().ok_or_else(|| invalid(format!("`{key}` of the pose for `{name}` is not a number")))
        }
    };
    Ok(EulerPose {
        position: [number("x")?, number("y")?, number("z")?],
        rotation: [number("roll")?, number("pitch")?, number("yaw")?],
    })
}

fn model_info(name: &str, control: &dyn Control) -> Result<Value, CommandFailure> {
    if name.is_empty() {
        return Err(invalid("`target_model` is empty"));
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
