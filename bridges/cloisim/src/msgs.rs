//! The messages of CLOiSim, made from `proto/cloisim/msgs`.

#![allow(missing_docs, reason = "the comments stand in the .proto files")]
#![allow(clippy::all, unreachable_pub, reason = "made by prost")]

include!(concat!(env!("OUT_DIR"), "/cloisim.msgs.rs"));

impl Time {
    /// From nanoseconds of simulated time.
    #[must_use]
    pub fn from_nanos(nanos: i64) -> Self {
        let rest = nanos.rem_euclid(1_000_000_000);
        Time { sec: nanos.div_euclid(1_000_000_000), nsec: i32::try_from(rest).unwrap_or(0) }
    }
}

impl Header {
    /// A header with a time and nothing else.
    #[must_use]
    pub fn at(stamp: Time) -> Self {
        Header { stamp: Some(stamp), data: Vec::new() }
    }
}

impl Any {
    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Any::of(any::ValueType::String, any::Value::StringValue(text.into()))
    }

    /// Yes or no.
    #[must_use]
    pub fn truth(truth: bool) -> Self {
        Any::of(any::ValueType::Boolean, any::Value::BoolValue(truth))
    }

    /// A pose.
    #[must_use]
    pub fn pose(pose: Pose) -> Self {
        Any::of(any::ValueType::Pose3d, any::Value::Pose3dValue(pose))
    }

    fn of(kind: any::ValueType, value: any::Value) -> Self {
        Any { header: None, r#type: kind.into(), value: Some(value) }
    }
}

impl Param {
    /// A parameter with one value.
    #[must_use]
    pub fn named(name: &str, value: Any) -> Self {
        Param { params: [(name.to_owned(), value)].into(), ..Param::default() }
    }

    /// The same with parts.
    #[must_use]
    pub fn with(mut self, children: impl IntoIterator<Item = Param>) -> Self {
        self.children.extend(children);
        self
    }
}
