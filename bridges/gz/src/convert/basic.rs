//! Times, headers and single values.

use bridgehead_plugin_api::messages::{builtin_interfaces, rosgraph_msgs, std_msgs};

use crate::msgs as gz;
use crate::msgs::header::Map;

/// Keys of values in a header.
const FRAME: &str = "frame_id";
const CHILD_FRAME: &str = "child_frame_id";

const NANOSECONDS: i64 = 1_000_000_000;

impl gz::Time {
    pub(crate) fn from_ns(ns: i64) -> Self {
        let nsec = i32::try_from(ns.rem_euclid(NANOSECONDS)).unwrap_or_default();
        gz::Time { sec: ns.div_euclid(NANOSECONDS), nsec }
    }

    pub(crate) fn to_ns(self) -> i64 {
        self.sec.saturating_mul(NANOSECONDS).saturating_add(self.nsec.into())
    }
}

impl From<builtin_interfaces::Time> for gz::Time {
    fn from(time: builtin_interfaces::Time) -> Self {
        gz::Time { sec: time.sec.into(), nsec: i32::try_from(time.nanosec).unwrap_or_default() }
    }
}

impl From<gz::Time> for builtin_interfaces::Time {
    fn from(time: gz::Time) -> Self {
        let sec = i32::try_from(time.sec).unwrap_or(if time.sec < 0 { i32::MIN } else { i32::MAX });
        builtin_interfaces::Time { sec, nanosec: u32::try_from(time.nsec).unwrap_or_default() }
    }
}

impl gz::Header {
    /// A header with a time only.
    pub(crate) fn at(ns: i64) -> Self {
        gz::Header { stamp: Some(gz::Time::from_ns(ns)), data: Vec::new() }
    }

    /// Returns the first value of a key; empty without one.
    fn value(&self, key: &str) -> String {
        let found = self.data.iter().find(|entry| entry.key == key);
        found.and_then(|entry| entry.value.first()).cloned().unwrap_or_default()
    }

    /// Returns the header with a value, unless that is empty.
    fn with(mut self, key: &str, value: String) -> Self {
        if !value.is_empty() {
            self.data.push(Map { key: key.to_owned(), value: vec![value] });
        }
        self
    }

    /// Returns the frame of the child, which stands in a field of its own in messages of the run.
    pub(super) fn child_frame(&self) -> String {
        self.value(CHILD_FRAME)
    }

    pub(super) fn with_child_frame(self, frame: String) -> Self {
        self.with(CHILD_FRAME, frame)
    }
}

impl From<std_msgs::Header> for gz::Header {
    fn from(header: std_msgs::Header) -> Self {
        let bare = gz::Header { stamp: header.stamp.map(Into::into), data: Vec::new() };
        bare.with(FRAME, header.frame_id)
    }
}

impl From<gz::Header> for std_msgs::Header {
    fn from(header: gz::Header) -> Self {
        std_msgs::Header { frame_id: header.value(FRAME), stamp: header.stamp.map(Into::into) }
    }
}

impl From<rosgraph_msgs::Clock> for gz::Clock {
    fn from(message: rosgraph_msgs::Clock) -> Self {
        gz::Clock { sim: Some(message.clock.unwrap_or_default().into()), ..gz::Clock::default() }
    }
}

impl From<gz::Clock> for rosgraph_msgs::Clock {
    fn from(message: gz::Clock) -> Self {
        rosgraph_msgs::Clock { clock: Some(message.sim.unwrap_or_default().into()) }
    }
}

impl From<std_msgs::Empty> for gz::Empty {
    fn from(_: std_msgs::Empty) -> Self {
        gz::Empty::default()
    }
}

impl From<gz::Empty> for std_msgs::Empty {
    fn from(_: gz::Empty) -> Self {
        std_msgs::Empty::default()
    }
}

/// Messages of one value, which is in the field `data` on both sides. A second field is named; it is left out.
macro_rules! values {
    ($($ours:ty $({ $ours_rest:ident })? => $gz:ty $({ $gz_rest:ident })?;)*) => {$(
        impl From<$ours> for $gz {
            fn from(message: $ours) -> Self {
                Self { data: message.data, $($gz_rest: None)? }
            }
        }

        impl From<$gz> for $ours {
            fn from(message: $gz) -> Self {
                Self { data: message.data, $($ours_rest: None)? }
            }
        }
    )*};
}

values! {
    std_msgs::Bool => gz::Boolean { header };
    std_msgs::String => gz::StringMsg { header };
    std_msgs::Float64 => gz::Double { header };
    std_msgs::Float32 => gz::Float { header };
    std_msgs::Int32 => gz::Int32 { header };
    std_msgs::Float64MultiArray { layout } => gz::DoubleV;
}

impl From<std_msgs::ColorRgba> for gz::Color {
    fn from(colour: std_msgs::ColorRgba) -> Self {
        let std_msgs::ColorRgba { r, g, b, a } = colour;
        gz::Color { r, g, b, a, header: None }
    }
}

impl From<gz::Color> for std_msgs::ColorRgba {
    fn from(colour: gz::Color) -> Self {
        let gz::Color { r, g, b, a, .. } = colour;
        std_msgs::ColorRgba { r, g, b, a }
    }
}
