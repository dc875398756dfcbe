//! The plugin element: `<input>` with its `<match>`es, `<output>`s and `<delay_ms>`. Read once in `awake`.

use std::sync::Arc;

use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::messages::JsonPlan;
use bridgehead_plugin_api::{Error, Result};

use crate::matcher::Matcher;
use crate::service::Call;
use crate::types::{Type, Types};

/// The parameters.
pub(crate) struct Settings {
    pub(crate) input_topic: String,
    pub(crate) input: Arc<JsonPlan>,
    /// All of them must match.
    pub(crate) matchers: Vec<Matcher>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) calls: Vec<Call>,
    /// Simulated time from trigger to output, nanoseconds.
    pub(crate) delay_ns: i64,
}

/// An `<output>`.
pub(crate) struct Output {
    pub(crate) topic: String,
    pub(crate) plan: Arc<JsonPlan>,
    pub(crate) payload: Vec<u8>,
}

impl Settings {
    pub(crate) fn read(params: Params, types: &Types) -> Result<Self> {
        let input = message_type(params, "input/@type", types)?;
        let matchers = (0..params.count("input/match"))
            .map(|index| Matcher::read(params, &format!("input/match[{index}]"), &input))
            .collect::<Result<_>>()?;
        let outputs = (0..params.count("output"))
            .map(|index| output(params, &format!("output[{index}]"), types))
            .collect::<Result<Vec<_>>>()?;
        if outputs.is_empty() && params.count("service") == 0 {
            return Err(Error::invalid(
                "parameter `output` is missing: expected at least one message to publish, or a `<service>` to call",
            ));
        }
        let delay_ms: f64 = params.get_or("delay_ms", 0.0)?;
        Ok(Settings {
            input_topic: params.require("input/@topic")?,
            input: input.plan,
            matchers,
            outputs,
            calls: Call::read_all(params, types),
            delay_ns: nanoseconds(params, delay_ms)?,
        })
    }
}

fn output(params: Params, path: &str, types: &Types) -> Result<Output> {
    let kind = message_type(params, &format!("{path}/@type"), types)?;
    let text = kind.translated(&params.text(path).unwrap_or_default());
    let plan = kind.plan;
    let mut payload = Vec::new();
    plan.decode_text(&text, &mut payload).map_err(|error| {
        let name = plan.message_type().full_name();
        params.refuse(path, text.trim(), format!("the text of a `{name}`: {error}"))
    })?;
    Ok(Output { topic: params.require(&format!("{path}/@topic"))?, plan, payload })
}

fn message_type(params: Params, path: &str, types: &Types) -> Result<Type> {
    let name: String = params.require(path)?;
    types.find(&name).ok_or_else(|| {
        let known = Types::of_gazebo();
        params.refuse(
            path,
            &name,
            format!("a message type of ROS that comes with the host, or one of {known}"),
        )
    })
}

#[expect(clippy::cast_possible_truncation, reason = "checked to be below 1e18")]
fn nanoseconds(params: Params, milliseconds: f64) -> Result<i64> {
    if (0.0..1e12).contains(&milliseconds) {
        return Ok((milliseconds * 1e6).round() as i64);
    }
    Err(params.refuse("delay_ms", &milliseconds.to_string(), "milliseconds, from 0 to 1e12"))
}
