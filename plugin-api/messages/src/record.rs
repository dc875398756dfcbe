//! One line of a recording: a message as JSON, with its topic and time.
//!
//! The logging bridge and `--record-commands` write this form and the replay bridge reads it, so it is
//! declared here. Files, compression and the order of lines are handled there. Usable from any
//! thread.
//!
//! ```json
//! {"vehicle":"car1","topic":"/car1/cmd_vel","type":"geometry_msgs/msg/Twist","stamp":2000000,"seq":0,"step":2,"epoch":0,"message":{…}}
//! ```
//!
//! `stamp` is simulated time in whole nanoseconds, `seq` counts the messages of the topic, `step` is the step
//! in which the message was published or takes effect, `epoch` counts the resets before it.

use std::borrow::Cow;

use crate::error::detail_of;
use crate::json::{Text, write_string};
use crate::{JsonPlan, MessageType, PayloadError, PayloadFault};

#[cfg(test)]
mod tests;

/// When a message was published.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordTime {
    /// Simulated time of the sample in nanoseconds.
    pub stamp_ns: i64,
    /// Number of the message on its topic.
    pub sequence: u64,
    /// The step in which it was published or takes effect.
    pub step: u64,
    /// Number of resets before it.
    pub epoch: u32,
}

/// Opcode of the private MCAP record with a [`StepMark`]. MCAP reserves 0x80 to 0xFF for such records, and
/// readers skip unknown ones.
pub const STEP_MARK_OPCODE: u8 = 0xb5;

/// The step in which the following messages of an MCAP file were published. MCAP messages have no field for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepMark {
    /// Number of resets before it. First field, so that marks compare in the order of the run.
    pub epoch: u32,
    /// The step.
    pub step: u64,
}

impl StepMark {
    /// Returns the content of the record: epoch and step, little-endian.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        let (epoch, step) = bytes.split_at_mut(4);
        epoch.copy_from_slice(&self.epoch.to_le_bytes());
        step.copy_from_slice(&self.step.to_le_bytes());
        bytes
    }

    /// Reads the content of the record; `None` if it is malformed.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (epoch, step) = bytes.split_first_chunk::<4>()?;
        Some(Self { epoch: u32::from_le_bytes(*epoch), step: u64::from_le_bytes(step.try_into().ok()?) })
    }
}

impl RecordTime {
    /// Returns the position of the message in the run.
    #[must_use]
    pub fn mark(&self) -> StepMark {
        StepMark { epoch: self.epoch, step: self.step }
    }
}

/// Writes the lines of one topic. The constant part of a line is prepared once.
#[derive(Debug, Clone)]
pub struct RecordWriter {
    /// The constant beginning of a line.
    head: Vec<u8>,
    plan: JsonPlan,
}

impl RecordWriter {
    /// Creates a writer for `topic` of `vehicle` (empty for the world).
    #[must_use]
    pub fn new(vehicle: &str, topic: &str, message: &MessageType) -> Self {
        let mut head = Vec::new();
        head.extend_from_slice(b"{\"vehicle\":");
        write_string(vehicle, &mut head);
        head.extend_from_slice(b",\"topic\":");
        write_string(topic, &mut head);
        head.extend_from_slice(b",\"type\":");
        write_string(&message.ros_type().to_string(), &mut head);
        Self { head, plan: JsonPlan::compile(message) }
    }

    /// Returns the plan of the message.
    #[must_use]
    pub fn plan(&self) -> &JsonPlan {
        &self.plan
    }

    /// Appends one line with its line feed to `out`.
    ///
    /// # Errors
    /// Returns an error if the payload is not of the topic's type; `out` is then unchanged.
    pub fn write(&self, time: &RecordTime, payload: &[u8], out: &mut Vec<u8>) -> Result<(), PayloadError> {
        let start = out.len();
        out.extend_from_slice(&self.head);
        write_number(b",\"stamp\":", time.stamp_ns, out);
        write_number(b",\"seq\":", time.sequence, out);
        write_number(b",\"step\":", time.step, out);
        write_number(b",\"epoch\":", time.epoch, out);
        out.extend_from_slice(b",\"message\":");
        self.plan.encode(payload, out).inspect_err(|_| out.truncate(start))?;
        out.extend_from_slice(b"}\n");
        Ok(())
    }
}

fn write_number(key: &[u8], value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// One line as it was read. The message is still text, because only a subscriber knows its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordLine<'a> {
    /// Vehicle of the topic, if the line names it.
    pub vehicle: Option<Cow<'a, str>>,
    /// Full topic name.
    pub topic: Cow<'a, str>,
    /// ROS type name, if the line gives it.
    pub ros_type: Option<Cow<'a, str>>,
    /// Simulated time in nanoseconds, if the line gives it.
    pub stamp_ns: Option<i64>,
    /// Number on its topic, if the line gives it.
    pub sequence: Option<u64>,
    /// The step it is meant for.
    pub step: u64,
    /// Resets before it; 0 if the line gives none.
    pub epoch: u32,
    /// JSON of the message, for [`JsonPlan::decode`].
    pub message: &'a str,
}

/// Why a line cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The line is not a JSON object, or a member has a value of another kind.
    #[error("[BH-MSG-040] {}{fault}", .member.as_ref().map_or(String::new(), |name| format!("at `{name}`: ")))]
    Malformed {
        /// The member, if one was reached.
        member: Option<String>,
        /// What is wrong there, with its byte offset in the line.
        fault: PayloadFault,
    },
    /// A required member is missing.
    #[error(
        "[BH-MSG-041] the line has no `{member}`; expected at least {{\"topic\":\"/car1/cmd_vel\",\"step\":0,\"message\":{{…}}}}"
    )]
    Missing {
        /// The member.
        member: &'static str,
    },
    /// A number is out of the range of its member.
    #[error("[BH-MSG-042] `{member}` is {found}; expected {expected}")]
    OutOfRange {
        /// The member.
        member: &'static str,
        /// The number as it is written.
        found: String,
        /// The allowed range.
        expected: &'static str,
    },
}

impl RecordError {
    /// Returns the text without the code, for an error that has a code of its own.
    pub fn detail(&self) -> String {
        detail_of(self)
    }
}

impl From<PayloadFault> for RecordError {
    fn from(fault: PayloadFault) -> Self {
        Self::Malformed { member: None, fault }
    }
}

impl<'a> RecordLine<'a> {
    /// Reads a line, with or without its line feed. Members may come in any order; unknown members are skipped, so that a
    /// tool may add its own.
    ///
    /// # Errors
    /// Returns an error if the line is not a JSON object, or has no `topic`, `step` or `message`.
    pub fn parse(line: &'a str) -> Result<Self, RecordError> {
        let mut members = Members::default();
        let mut text = Text::new(line);
        text.expect(b'{', "expected the `{` of a recorded message")?;
        if !text.take(b'}') {
            loop {
                members.read(&mut text)?;
                if !text.take(b',') {
                    break;
                }
            }
            text.expect(b'}', "expected `,` or `}`")?;
        }
        text.end()?;
        members.into_line()
    }
}

/// The members of a line while it is read.
#[derive(Default)]
struct Members<'a> {
    vehicle: Option<Cow<'a, str>>,
    topic: Option<Cow<'a, str>>,
    ros_type: Option<Cow<'a, str>>,
    stamp_ns: Option<i64>,
    sequence: Option<u64>,
    step: Option<u64>,
    epoch: Option<u32>,
    message: Option<&'a str>,
}

impl<'a> Members<'a> {
    fn read(&mut self, text: &mut Text<'a>) -> Result<(), RecordError> {
        let Some(name) = text.string()? else { return Err(text.wrong("the name of a member").into()) };
        text.expect(b':', "expected `:` after the name of a member")?;
        self.read_value(&name, text).map_err(|error| match error {
            RecordError::Malformed { member: None, fault } => {
                RecordError::Malformed { member: Some(name.into_owned()), fault }
            }
            other => other,
        })
    }

    fn read_value(&mut self, name: &str, text: &mut Text<'a>) -> Result<(), RecordError> {
        match name {
            "vehicle" => self.vehicle = Some(string(text)?),
            "topic" => self.topic = Some(string(text)?),
            "type" => self.ros_type = Some(string(text)?),
            "stamp" => self.stamp_ns = Some(number("stamp", "whole nanoseconds", text)?),
            "seq" => self.sequence = Some(number("seq", COUNT, text)?),
            "step" => self.step = Some(number("step", COUNT, text)?),
            "epoch" => self.epoch = Some(number("epoch", "a whole number from 0 to 4294967295", text)?),
            "message" => self.message = Some(text.value()?),
            _ => _ = text.value()?,
        }
        Ok(())
    }

    fn into_line(self) -> Result<RecordLine<'a>, RecordError> {
        let missing = |member| RecordError::Missing { member };
        Ok(RecordLine {
            vehicle: self.vehicle,
            topic: self.topic.ok_or(missing("topic"))?,
            ros_type: self.ros_type,
            stamp_ns: self.stamp_ns,
            sequence: self.sequence,
            step: self.step.ok_or(missing("step"))?,
            epoch: self.epoch.unwrap_or(0),
            message: self.message.ok_or(missing("message"))?,
        })
    }
}

const COUNT: &str = "a whole number from 0";

fn string<'a>(text: &mut Text<'a>) -> Result<Cow<'a, str>, RecordError> {
    match text.string()? {
        Some(value) => Ok(value),
        None => Err(text.wrong("a string").into()),
    }
}

fn number<T: std::str::FromStr>(
    member: &'static str,
    expected: &'static str,
    text: &mut Text<'_>,
) -> Result<T, RecordError> {
    let Some(digits) = text.number()? else { return Err(text.wrong("a number").into()) };
    digits.parse().map_err(|_| RecordError::OutOfRange { member, found: digits.to_owned(), expected })
}
