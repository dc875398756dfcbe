//! Message types by every name that a world file may use. Built in `awake`.

use std::sync::Arc;

use bridgehead_plugin_api::messages::{JsonPlan, all_schemas};

/// A message of Gazebo with its counterpart here.
pub(crate) struct Counterpart {
    /// Name without its package.
    gazebo: &'static str,
    /// Name in ROS.
    ros: &'static str,
    /// Fields with other names here.
    renamed: &'static [(&'static str, &'static str)],
    /// Fields of the message itself that the counterpart does not have.
    left_out: &'static [&'static str],
}

const fn same(gazebo: &'static str, ros: &'static str) -> Counterpart {
    Counterpart { gazebo, ros, renamed: &[], left_out: &["header"] }
}

/// The messages that have one; those of `ros_gz_bridge`, as far as they are here.
const OF_GAZEBO: &[Counterpart] = &[
    same("Actuators", "actuator_msgs/msg/Actuators"),
    same("Altimeter", "ros_gz_interfaces/msg/Altimeter"),
    same("Boolean", "std_msgs/msg/Bool"),
    same("Color", "std_msgs/msg/ColorRGBA"),
    same("Dataframe", "ros_gz_interfaces/msg/Dataframe"),
    same("Double", "std_msgs/msg/Float64"),
    same("Double_V", "std_msgs/msg/Float64MultiArray"),
    same("Empty", "std_msgs/msg/Empty"),
    same("EntityWrench", "ros_gz_interfaces/msg/EntityWrench"),
    same("Float", "std_msgs/msg/Float32"),
    Counterpart {
        renamed: &[("nsec", "nanosec")],
        left_out: &["data"],
        ..same("Header", "std_msgs/msg/Header")
    },
    same("Int32", "std_msgs/msg/Int32"),
    same("Int32_V", "std_msgs/msg/Int32MultiArray"),
    Counterpart { left_out: &["header", "name", "id"], ..same("Pose", "geometry_msgs/msg/Pose") },
    same("Quaternion", "geometry_msgs/msg/Quaternion"),
    same("StringMsg", "std_msgs/msg/String"),
    Counterpart { renamed: &[("nsec", "nanosec")], ..same("Time", "builtin_interfaces/msg/Time") },
    same("Twist", "geometry_msgs/msg/Twist"),
    same("Vector2d", "geometry_msgs/msg/Vector3"),
    same("Vector3d", "geometry_msgs/msg/Vector3"),
    same("Wrench", "geometry_msgs/msg/Wrench"),
];

/// A type, and how a world writes its messages.
#[derive(Clone)]
pub(crate) struct Type {
    pub(crate) plan: Arc<JsonPlan>,
    counterpart: Option<&'static Counterpart>,
}

impl Type {
    /// Returns the text of a message with the names of this host.
    pub(crate) fn translated(&self, text: &str) -> String {
        let Some(of) = self.counterpart else { return text.to_owned() };
        let mut result = String::new();
        for field in fields(text) {
            if !of.left_out.contains(&field.name) {
                result.push_str(&renamed(of, field.text));
            }
        }
        result
    }

    /// Returns the name of a field, with dots between its parts, as this host has it.
    pub(crate) fn field(&self, path: &str) -> String {
        let Some(of) = self.counterpart else { return path.to_owned() };
        let name = |part: &str| {
            let new = of.renamed.iter().find(|(old, _)| *old == part);
            new.map_or(part, |(_, new)| new).to_owned()
        };
        path.split('.').map(name).collect::<Vec<_>>().join(".")
    }
}

/// A field of a message in the text format, with its value and the white space behind it.
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// Splits a message in protobuf's text format into its fields. Text that is no message becomes one field, and is refused
/// when it is decoded.
pub(crate) fn fields(text: &str) -> Vec<Field<'_>> {
    let mut result: Vec<Field<'_>> = Vec::new();
    let mut rest = text;
    while !rest.trim_start().is_empty() {
        let length = length_of_field(rest);
        let (field, after) = rest.split_at(length);
        let name = field.trim_start().split([':', '{', '<', '[', ' ', '\n', '\t']).next().unwrap_or_default();
        result.push(Field { name, text: field });
        rest = after;
    }
    result
}

/// Returns the length of the first field: its name, and a value in braces, in brackets, in quotes or plain.
fn length_of_field(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut has_value = false;
    let mut is_behind_colon = false;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => {
                quote = Some(letter);
                has_value = true;
            }
            (None, '{' | '<' | '[') => depth += 1,
            (None, '}' | '>' | ']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + letter.len_utf8();
                }
            }
            (None, ':') if depth == 0 => is_behind_colon = true,
            (None, ',' | ';') if depth == 0 => return at + letter.len_utf8(),
            (None, _) if depth > 0 => {}
            (None, _) if letter.is_whitespace() => {
                // A value ends at white space, unless a brace follows.
                if has_value && is_behind_colon {
                    return at;
                }
            }
            (None, _) => has_value = is_behind_colon,
        }
    }
    text.len()
}

/// Returns a field with all names that differ replaced, at any depth and outside of quotes.
fn renamed(of: &Counterpart, text: &str) -> String {
    of.renamed.iter().fold(text.to_owned(), |text, (old, new)| {
        let mut result = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(old) {
            let (before, found) = rest.split_at(at);
            let after = found.get(old.len()..).unwrap_or_default();
            let is_word = !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
                && after.trim_start().starts_with(':')
                && before.matches('"').count() % 2 == 0;
            result.push_str(before);
            result.push_str(if is_word { new } else { old });
            rest = after;
        }
        result + rest
    })
}

/// The types of the plugin API.
pub(crate) struct Types(Vec<Arc<JsonPlan>>);

impl Types {
    pub(crate) fn all() -> Self {
        let resolved = all_schemas().filter_map(|schema| schema.resolve().ok());
        Types(resolved.map(|message| Arc::new(JsonPlan::compile(&message))).collect())
    }

    /// Returns the type called `name`: protobuf's full name, `package/msg/Name`, `package/Name`, `gz.msgs.Name` or
    /// `ignition.msgs.Name`.
    pub(crate) fn find(&self, name: &str) -> Option<Type> {
        let of_gazebo = ["gz.msgs.", "ignition.msgs."].iter().find_map(|prefix| name.strip_prefix(prefix));
        let counterpart = match of_gazebo {
            Some(short) => Some(OF_GAZEBO.iter().find(|known| known.gazebo == short)?),
            None => None,
        };
        let wanted = counterpart.map_or(name, |counterpart| counterpart.ros);
        let is_it = |plan: &&Arc<JsonPlan>| {
            let (message, ros) = (plan.message_type(), plan.message_type().ros_type().to_string());
            message.full_name() == wanted || ros == wanted || ros.replace("/msg/", "/") == wanted
        };
        let plan = self.0.iter().find(is_it).map(Arc::clone)?;
        Some(Type { plan, counterpart })
    }

    /// Returns the names of Gazebo's messages that have a counterpart.
    pub(crate) fn of_gazebo() -> String {
        let names: Vec<String> = OF_GAZEBO.iter().map(|known| format!("gz.msgs.{}", known.gazebo)).collect();
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(name: &str, text: &str) -> String {
        let kind = Types::all().find(name).expect(name);
        kind.translated(text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_counterpart_is_a_type_of_the_host() {
        let types = Types::all();
        for known in OF_GAZEBO {
            assert!(types.find(&format!("gz.msgs.{}", known.gazebo)).is_some(), "{}", known.ros);
        }
    }

    #[test]
    fn fields_without_a_counterpart_are_left_out_and_others_renamed() {
        let pose = "name: \"a { b\", id: 8, position { x: 1 y: -2 }\norientation: {w: 1}";
        assert_eq!(translated("gz.msgs.Pose", pose), "position { x: 1 y: -2 } orientation: {w: 1}");
        assert_eq!(translated("gz.msgs.Pose", "id: 8 name: 'x'"), "");
        assert_eq!(
            translated("gz.msgs.Header", "stamp { sec: 3 nsec: 5 } data { key: \"nsec: \" }"),
            "stamp { sec: 3 nanosec: 5 }"
        );
        assert_eq!(translated("gz.msgs.Int32_V", "data: [1, 2]"), "data: [1, 2]");
        assert_eq!(translated("std_msgs/Int32", "data: 4"), "data: 4");
        let time = Types::all().find("gz.msgs.Time").expect("a type");
        assert_eq!(time.field("nsec"), "nanosec");
    }
}
