//! Messages that are written as text, `linear: {x: 0.5}`, as JSON. The types are those of this program. Pure.

use bridgehead_plugin_api::messages::{JsonPlan, MessageType, TextFormatError, all_schemas};

use super::error::CtlError;
use super::input::Text;

/// Returns the message type with a ROS name; `None` if this program does not have it.
pub(super) fn message_type(ros_name: &str) -> Option<MessageType> {
    let mut types = all_schemas().filter_map(|schema| schema.resolve().ok());
    types.find(|message| message.ros_type().to_string() == ros_name)
}

/// Returns a text as JSON; `member` is the one that the text is the content of.
///
/// # Errors
/// Returns an error if the text does not fit the type, or the type is unknown.
pub(super) fn json_of(
    text: &Text,
    type_name: &str,
    message: Option<&MessageType>,
    member: Option<&str>,
) -> Result<String, CtlError> {
    let wrong = |why: String| CtlError::Message {
        what: text.what.clone(),
        type_name: type_name.to_owned(),
        json: text.fault.clone(),
        text: why,
    };
    let message = message.ok_or_else(|| wrong("this program does not have the type".to_owned()))?;
    let written = match member {
        Some(member) => format!("{member} {{ {} }}", text.text),
        None => text.text.clone(),
    };
    encoded(&JsonPlan::compile(message), &written).map_err(|error| {
        let why = error.to_string();
        wrong(crate::catalogue::split_code(&why).map_or(why.clone(), |(_, bare)| bare))
    })
}

fn encoded(plan: &JsonPlan, text: &str) -> Result<String, TextFormatError> {
    let (mut payload, mut json) = (Vec::new(), Vec::new());
    plan.decode_text(text, &mut payload)?;
    plan.encode(&payload, &mut json)?;
    Ok(String::from_utf8_lossy(&json).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::ctl::input::{Message, message};

    fn read(argument: &str, type_name: &str) -> Result<serde_json::Value, CtlError> {
        let Message::Text(text) = message(argument)? else { panic!("`{argument}` is JSON") };
        let json = json_of(&text, type_name, message_type(type_name).as_ref(), None)?;
        Ok(serde_json::from_str(&json).expect("JSON"))
    }

    #[test]
    fn the_texts_of_gazebo_and_of_yaml_on_one_line_are_messages() {
        let twist = "geometry_msgs/msg/Twist";
        for text in [
            "linear: {x: 0.5}, angular: {z: -1}",
            "linear {x: 0.5} angular {z: -1}",
            "{linear: {x: 0.5, y: 0.0}, angular: {z: -1.0}}",
        ] {
            let json = read(text, twist).expect("a message");
            assert_eq!(
                (&json["linear"]["x"], &json["angular"]["z"]),
                (&0.5.into(), &(-1.0).into()),
                "{text}"
            );
        }
        for text in ["data: \"hi\"", "{data: 'hi'}"] {
            assert_eq!(read(text, "std_msgs/msg/String").expect("a message")["data"], "hi");
        }
    }

    #[test]
    fn a_text_that_does_not_fit_is_refused_with_both_reasons() {
        let error = read("linear: {u: 1}", "geometry_msgs/msg/Twist").expect_err("refused");
        let text = error.report();
        for part in [
            "error[BH-CTL-038]: `linear: {u: 1}` is not a message of the type `geometry_msgs/msg/Twist`: as JSON, ",
            "; as text, 1:10: ",
            "\n  try: write JSON such as ",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(error.exit_code(), 1);
        let error = read("a: 1", "own_msgs/msg/Own").expect_err("refused").to_string();
        assert!(error.ends_with("as text, this program does not have the type"), "{error}");
    }
}
