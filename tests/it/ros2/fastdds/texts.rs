//! ROS types and messages in the words that `values.hpp` reads and writes. They are computed from `.msg` texts, without
//! the codecs of the project.

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::ros2::stack::hex;
use crate::support::root;

/// The folders of the texts, named `package.Name.msg`; the halves of services are `Name_Request` and `Name_Response`.
const FOLDERS: [&str; 2] = ["plugin-api/messages/tests/golden", "tests/it/ros2/peer/texts"];
/// The field of a message without fields in DDS.
const HIDDEN: &str = "uint8 structure_needs_at_least_one_member";

/// Number of elements of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    One,
    Any,
    Fixed(usize),
}

/// A field line of a text.
#[derive(Debug)]
struct Field {
    name: String,
    /// A primitive, or `package/Name`.
    element: String,
    count: Count,
    default: Option<String>,
}

/// The fields of a message, by `package/Name`.
pub(super) struct Texts(BTreeMap<String, Vec<Field>>);

impl Texts {
    /// All of them, read once.
    pub(super) fn all() -> &'static Self {
        static ALL: OnceLock<Texts> = OnceLock::new();
        ALL.get_or_init(Texts::read)
    }

    fn read() -> Self {
        let files = FOLDERS.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
        let paths = files.map(|entry| entry.expect("an entry").path());
        let texts = paths.filter_map(|path| {
            let (package, name) = path.file_name()?.to_str()?.strip_suffix(".msg")?.split_once('.')?;
            let text = fs::read_to_string(&path).expect("a text");
            Some((format!("{package}/{name}"), fields(&text)))
        });
        Texts(texts.collect())
    }

    #[track_caller]
    fn fields(&self, name: &str) -> &[Field] {
        self.0.get(name).unwrap_or_else(|| panic!("no text of `{name}`"))
    }

    /// The names of the nested messages, innermost first, and then its own.
    pub(super) fn with_parts(&self, name: &str) -> Vec<String> {
        let parts = self.fields(name).iter().filter(|field| field.element.contains('/'));
        let mut names: Vec<String> = parts.flat_map(|field| self.with_parts(&field.element)).collect();
        names.push(name.to_owned());
        names
    }

    /// The definition of a type in words.
    pub(super) fn definition(&self, name: &str) -> String {
        let field = |field: &Field| {
            let count = match field.count {
                Count::One => String::new(),
                Count::Any => "[]".to_owned(),
                Count::Fixed(count) => format!("[{count}]"),
            };
            format!("{} {}{count}", field.name, inner(&field.element))
        };
        self.fields(name).iter().map(field).collect::<Vec<_>>().join(" ")
    }

    /// A message in words; absent members have their default values.
    #[track_caller]
    pub(super) fn words(&self, name: &str, message: &Value) -> String {
        let mut words = Vec::new();
        self.put(name, message, &mut words);
        words.join(" ")
    }

    #[track_caller]
    fn put(&self, name: &str, message: &Value, words: &mut Vec<String>) {
        let given = message.as_object().unwrap_or_else(|| panic!("{message} is not a {name}"));
        let fields = self.fields(name);
        for member in given.keys() {
            assert!(fields.iter().any(|field| field.name == *member), "{name} has no `{member}`");
        }
        for field in fields {
            match (field.count, given.get(&field.name)) {
                (Count::One, value) => self.put_one(field, value, words),
                (Count::Any, None) => words.push("0".to_owned()),
                (Count::Any, Some(list)) => {
                    let list = list.as_array().expect("a list");
                    words.push(list.len().to_string());
                    list.iter().for_each(|value| self.put_one(field, Some(value), words));
                }
                (Count::Fixed(count), list) => {
                    let value = |index| list.map(|list| &list[index]);
                    (0..count).for_each(|index| self.put_one(field, value(index), words));
                }
            }
        }
    }

    #[track_caller]
    fn put_one(&self, field: &Field, value: Option<&Value>, words: &mut Vec<String>) {
        let zero = if field.element == "string" { "" } else { "0" };
        let default = field.default.as_deref().unwrap_or(zero);
        match (field.element.as_str(), value) {
            (part, value) if part.contains('/') => self.put(part, value.unwrap_or(&json!({})), words),
            ("string", value) => {
                let text = value.map_or(default, |value| value.as_str().expect("a text"));
                words.push(format!("x{}", hex(text.as_bytes())));
            }
            (_, None) => words.push(default.to_owned()),
            (_, Some(Value::Bool(flag))) => words.push(u8::from(*flag).to_string()),
            // JSON has no NaN and no infinity; they are strings.
            (_, Some(Value::String(number))) => words.push(number.clone()),
            (_, Some(number)) => words.push(number.to_string()),
        }
    }

    /// The message for these words.
    pub(super) fn message<'a>(&self, name: &str, words: &mut impl Iterator<Item = &'a str>) -> Option<Value> {
        let mut message = Map::new();
        for field in self.fields(name) {
            let count = match field.count {
                Count::One => {
                    message.insert(field.name.clone(), self.one(&field.element, words)?);
                    continue;
                }
                Count::Any => words.next()?.parse().ok()?,
                Count::Fixed(count) => count,
            };
            let list: Option<Vec<Value>> = (0..count).map(|_| self.one(&field.element, words)).collect();
            message.insert(field.name.clone(), list?.into());
        }
        message.remove(HIDDEN.split_once(' ').map_or("", |(_, name)| name));
        Some(message.into())
    }

    fn one<'a>(&self, element: &str, words: &mut impl Iterator<Item = &'a str>) -> Option<Value> {
        if element.contains('/') {
            return self.message(element, words);
        }
        let word = words.next()?;
        Some(match element {
            "bool" => json!(word == "1"),
            "string" => String::from_utf8(super::unhex(word.strip_prefix('x')?)).ok()?.into(),
            "float32" | "float64" => finite_or_text(word.parse().ok()?),
            _ => {
                word.parse::<u64>().map(Value::from).or_else(|_| word.parse::<i64>().map(Value::from)).ok()?
            }
        })
    }
}

fn finite_or_text(number: f64) -> Value {
    match number {
        number if number.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        number => number.into(),
    }
}

/// DDS name of `package/kind/Name`.
pub(super) fn dds(ros_type: &str) -> String {
    let mut parts = ros_type.split('/');
    let mut part = || parts.next().unwrap_or_else(|| panic!("`{ros_type}` is not a ROS type"));
    format!("{}::{}::dds_::{}_", part(), part(), part())
}

/// Name of the type of a field: the primitive, or the DDS name of a message, which only this participant uses.
pub(super) fn inner(element: &str) -> String {
    match element.split_once('/') {
        Some((package, name)) => dds(&format!("{package}/msg/{name}")),
        None => element.to_owned(),
    }
}

/// `package/Name` of `package/kind/Name`.
pub(super) fn short(ros_type: &str) -> String {
    let (package, rest) =
        ros_type.split_once('/').unwrap_or_else(|| panic!("`{ros_type}` is not a ROS type"));
    format!("{package}/{}", rest.rsplit('/').next().unwrap_or(rest))
}

/// The fields of a text, in order.
fn fields(text: &str) -> Vec<Field> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let is_constant = |line: &str| line.contains('=') && !line.contains("<=");
    let fields: Vec<Field> = lines.filter(|line| !line.is_empty() && !is_constant(line)).map(field).collect();
    if fields.is_empty() { vec![field(HIDDEN)] } else { fields }
}

fn field(line: &str) -> Field {
    let mut words = line.split_whitespace();
    let (kind, name) = words.next().zip(words.next()).unwrap_or_else(|| panic!("`{line}` is not a field"));
    let (element, count) = match kind.split_once('[') {
        None => (kind, Count::One),
        // A limit is not on the wire.
        Some((element, rest)) if rest == "]" || rest.starts_with("<=") => (element, Count::Any),
        Some((element, rest)) => {
            let count = rest
                .trim_end_matches(']')
                .parse()
                .unwrap_or_else(|_| panic!("`{line}` is not supported here"));
            (element, Count::Fixed(count))
        }
    };
    let element = if element.contains('/') { short(element) } else { element.to_owned() };
    Field { name: name.to_owned(), element, count, default: words.next().map(str::to_owned) }
}
