//! Compares messages: as a whole or one field, exactly or within a tolerance.

use std::sync::Arc;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::messages::JsonPlan;
use serde_json::Value;

use crate::types::Type;

/// Tolerance of numbers without `tol`, as in Gazebo.
const TOLERANCE: f64 = 1e-8;

/// One `<match>`.
pub(crate) struct Matcher {
    plan: Arc<JsonPlan>,
    /// Names from the message down to the field; empty for the whole message.
    field: Vec<String>,
    expected: Value,
    /// Tolerance of numbers.
    tolerance: f64,
    /// Whether the comparison is inverted.
    is_negative: bool,
}

impl Matcher {
    pub(crate) fn read(params: Params, path: &str, kind: &Type) -> Result<Self> {
        let plan = &kind.plan;
        let text = params.text(path).unwrap_or_default();
        let attribute = |name: &str| params.text(&format!("{path}/@{name}"));
        let field: Vec<String> = attribute("field")
            .map(|field| kind.field(&field).split('.').map(str::to_owned).collect())
            .unwrap_or_default();
        let text = if field.is_empty() { kind.translated(&text) } else { text };
        let refuse = |error: String| params.refuse(path, text.trim(), error);
        let expected = expected(plan, &field, &text).map_err(refuse)?;
        let tolerance_path = format!("{path}/@tol");
        let tolerance: f64 = params.get_or(&tolerance_path, TOLERANCE)?;
        if tolerance.is_nan() || tolerance < 0.0 {
            return Err(params.refuse(&tolerance_path, &tolerance.to_string(), "a number, 0 or more"));
        }
        let is_negative = match attribute("logic_type").as_deref() {
            None | Some("positive") => false,
            Some("negative") => true,
            Some(other) => {
                return Err(params.refuse(&format!("{path}/@logic_type"), other, "`positive` or `negative`"));
            }
        };
        Ok(Matcher { plan: Arc::clone(plan), field, expected, tolerance, is_negative })
    }

    /// Returns true if the message matches. A message that cannot be decoded does not.
    pub(crate) fn accepts(&self, payload: &Payload) -> bool {
        let Some(found) = to_json(&self.plan, payload) else { return false };
        let at_field = self.field.iter().try_fold(&found, |value, name| value.get(name));
        let is_equal = at_field.is_some_and(|found| is_within(found, &self.expected, self.tolerance));
        is_equal != self.is_negative
    }
}

/// Returns the value to compare with: a whole message, or one field of a message that contains only this field.
fn expected(plan: &JsonPlan, field: &[String], text: &str) -> std::result::Result<Value, String> {
    let text = field.iter().rev().enumerate().fold(text.to_owned(), |inner, (depth, name)| {
        // The innermost field may be a value or a message in its own braces.
        if depth == 0 { format!("{name}: {inner}") } else { format!("{name} {{ {inner} }}") }
    });
    let mut payload = Vec::new();
    let name = plan.message_type().full_name();
    plan.decode_text(&text, &mut payload).map_err(|error| format!("content of a `{name}`: {error}"))?;
    let whole = to_json(plan, &payload).ok_or_else(|| format!("content of a `{name}`"))?;
    let at_field = field.iter().try_fold(&whole, |value, name| value.get(name)).cloned();
    at_field.ok_or_else(|| format!("a field of a `{name}`"))
}

fn to_json(plan: &JsonPlan, payload: &[u8]) -> Option<Value> {
    let mut json = Vec::new();
    plan.encode(payload, &mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

/// Returns true if two values are equal, with numbers within `tolerance`.
fn is_within(found: &Value, expected: &Value, tolerance: f64) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            (a - b).abs() <= tolerance
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_within(a, b, tolerance))
        }
        (Value::Object(a), Value::Object(b)) => {
            b.iter().all(|(name, b)| a.get(name).is_some_and(|a| is_within(a, b, tolerance)))
        }
        _ => found == expected,
    }
}
