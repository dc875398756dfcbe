//! Converts JSON of clients to protobuf.
//!
//! Both generations of ROS are understood: `secs` and `nsecs` of times, and `seq` of headers, which is dropped.

use bridgehead_plugin_api::messages::{JsonPlan, MessageType, Struct, Wire};
use serde_json::{Map, Value};

use super::walk::{is_header, is_time};
use crate::codes::MALFORMED;
use crate::fault::Fault;

/// Reads messages of one type.
pub(crate) struct Decoder(JsonPlan);

impl Decoder {
    pub(crate) fn new(message: &MessageType) -> Self {
        Decoder(JsonPlan::compile(message))
    }

    pub(crate) fn message(&self) -> &MessageType {
        self.0.message_type()
    }

    /// Returns the protobuf of a JSON object.
    ///
    /// # Errors
    /// Returns an error that names the field.
    pub(crate) fn decode(&self, json: &str) -> Result<Vec<u8>, Fault> {
        let mut payload = Vec::with_capacity(json.len() / 2);
        let decoded = match self.in_form_of_ros_2(json) {
            Some(json) => self.0.decode(&json, &mut payload),
            None => self.0.decode(json, &mut payload),
        };
        let malformed = |error: &dyn std::fmt::Display| {
            Fault::new(MALFORMED, format!("it is not a `{}`: {error}", self.message().ros_type()))
        };
        decoded.map(|()| payload).map_err(|error| malformed(&error.detail()))
    }

    /// Returns the text with the names of ROS 2; `None` if it has no names of ROS 1.
    fn in_form_of_ros_2(&self, json: &str) -> Option<String> {
        if !["\"secs\"", "\"nsecs\"", "\"seq\""].iter().any(|name| json.contains(name)) {
            return None;
        }
        let mut value: Value = serde_json::from_str(json).ok()?;
        rename(self.message(), self.message().root(), &mut value);
        Some(value.to_string())
    }
}

fn rename(message: &MessageType, of: &Struct, value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(|element| rename(message, of, element)),
        Value::Object(members) => {
            if is_time(of.ros_type()) {
                rename_member(members, "secs", "sec");
                rename_member(members, "nsecs", "nanosec");
            } else if is_header(of.ros_type()) {
                members.remove("seq");
            }
            for field in of.fields() {
                if let (Wire::Message(id), Some(member)) = (field.wire(), members.get_mut(field.name()))
                    && let Some(contained) = message.dependencies().get(id.index())
                {
                    rename(message, contained, member);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn rename_member(members: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = members.remove(from) {
        members.entry(to).or_insert(value);
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::{Message, geometry_msgs, sensor_msgs};

    use super::*;

    fn decode<M: Message>(json: &str) -> Result<M, Fault> {
        let decoder = Decoder::new(&M::schema().resolve().expect("a type"));
        decoder.decode(json).map(|payload| M::decode(&*payload).expect("a message"))
    }

    #[test]
    fn both_generations_are_understood() {
        for stamp in [r#""secs":5,"nsecs":7"#, r#""sec":5,"nanosec":7"#, r#""secs":5,"nanosec":7"#] {
            let json = format!(r#"{{"header":{{"seq":1,"stamp":{{{stamp}}},"frame_id":"a"}}}}"#);
            let message: geometry_msgs::TwistStamped = decode(&json).expect(stamp);
            let stamp = message.header.and_then(|header| header.stamp).expect("a stamp");
            assert_eq!((stamp.sec, stamp.nanosec), (5, 7));
        }
    }

    #[test]
    fn bytes_are_base64_or_numbers_and_null_is_not_a_number() {
        for data in ["\"AQI=\"", "[1,2]"] {
            let image: sensor_msgs::Image = decode(&format!("{{\"data\":{data}}}")).expect(data);
            assert_eq!(image.data.to_vec(), [1, 2]);
        }
        let vector: geometry_msgs::Vector3 = decode("{\"x\":null,\"y\":1}").expect("a vector");
        assert!(vector.x.is_nan() && vector.y.to_bits() == 1.0_f64.to_bits());
    }

    #[test]
    fn an_error_names_the_type_and_the_field() {
        let error = decode::<geometry_msgs::Twist>(r#"{"linear":{"x":"fast"}}"#).expect_err("a text");
        assert_eq!(error.code, MALFORMED);
        assert!(error.text.contains("geometry_msgs/msg/Twist") && error.text.contains("linear.x"), "{error}");
        assert!(decode::<geometry_msgs::Twist>(r#"{"secs":1,"#).is_err());
        assert!(decode::<geometry_msgs::Twist>(r#"{"speed":1}"#).is_err());
    }
}
