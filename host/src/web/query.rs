//! Converts the query of an address to a request: `?entity=box_a` to `{"entity": "box_a"}`.
//!
//! A text member is used unchanged; every other value is JSON.

use axum::http::{StatusCode, Uri};
use bridgehead_plugin_api::messages::{Arity, Field, MessageType, Wire};
use serde::de::IgnoredAny;

use super::problem::Problem;

/// Returns the JSON of a request.
pub(super) fn request(query: &str, of: &MessageType) -> Result<String, Problem> {
    let mut members: Vec<(&str, String)> = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let field =
            of.fields().iter().find(|field| field.name() == name).ok_or_else(|| unknown(&name, of))?;
        if members.iter().any(|(known, _)| *known == field.name()) {
            return Err(malformed(field, "is given twice"));
        }
        members.push((field.name(), text_of(field, &value)?));
    }
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    Ok(format!("{{{}}}", members.join(",")))
}

/// Returns the JSON of one member.
fn text_of(field: &Field, value: &str) -> Result<String, Problem> {
    if field.arity() == Arity::One && field.wire() == Wire::String {
        return Ok(serde_json::Value::from(value).to_string());
    }
    match serde_json::from_str::<IgnoredAny>(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(error) => Err(malformed(field, &format!("is `{value}`, which is not JSON: {error}"))),
    }
}

/// Returns the problem of a POST with a query: its request is in the body alone.
pub(super) fn beside_a_body(uri: &Uri) -> Problem {
    let message = format!(
        "the query `{}` would have no effect: a POST has its request in the body, as JSON",
        uri.query().unwrap_or_default()
    );
    Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-028", message)
}

fn unknown(name: &str, of: &MessageType) -> Problem {
    let known: Vec<&str> = of.fields().iter().map(Field::name).collect();
    let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let message = format!("the request has no member `{name}`; it has {list}");
    Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-026", message).with("path", name)
}

fn malformed(field: &Field, why: &str) -> Problem {
    let message = format!("the member `{}` {why}", field.name());
    Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-027", message).with("path", field.name())
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::{Message, simulation_interfaces as si};

    use super::*;

    fn read<M: Message>(query: &str) -> Result<String, String> {
        let of = M::schema().resolve().expect("a type");
        request(query, &of).map_err(|problem| problem.json())
    }

    #[test]
    fn texts_are_taken_as_they_are_and_the_rest_is_json() {
        let entity = read::<si::GetEntityStateRequest>("entity=a+%22box%22%0A");
        assert_eq!(entity.expect("a request"), r#"{"entity":"a \"box\"\n"}"#);
        assert_eq!(read::<si::StepSimulationRequest>("steps=7").expect("a request"), r#"{"steps":7}"#);
        assert_eq!(read::<si::StepSimulationRequest>("").expect("a request"), "{}");
        let filters = read::<si::GetEntitiesRequest>("filters=%7B%22filter%22%3A%22box%22%7D");
        assert_eq!(filters.expect("a request"), r#"{"filters":{"filter":"box"}}"#);
    }

    #[test]
    fn members_that_are_unknown_twice_or_no_json_are_refused() {
        let refused = |query, texts: &[&str]| {
            let problem = read::<si::StepSimulationRequest>(query).expect_err("refused");
            texts.iter().for_each(|text| assert!(problem.contains(text), "{problem}"));
        };
        refused("step=1", &["BH-WEB-026", "`step`", "it has steps"]);
        refused("steps=1&steps=2", &["BH-WEB-027", "twice"]);
        refused("steps=1,\"x\":2", &["BH-WEB-027", "not JSON"]);
        refused("steps=", &["BH-WEB-027"]);
    }
}
