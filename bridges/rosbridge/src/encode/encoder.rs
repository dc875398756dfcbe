//! The frames of a message: each form is made once and shared by all clients that receive it.

use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_plugin_api::Error;
use bridgehead_plugin_api::messages::{CdrPlan, MessageType, Schema};
use bridgehead_websocket::Frame;

use super::cbor::CborWriter;
use super::json::{JsonWriter, quoted, write_text};
use super::walk::{Form, Number, Writer as _, walk};
use super::{fragment, image, payload};
use crate::codes::{ENCODING, LIMIT, TYPE};
use crate::connection::Generation;
use crate::fault::Fault;

/// Most fragments of a message for a client: as many as wait for it by default.
const MAX_FRAGMENTS: usize = 1000;

/// Numbers fragmented messages of the process.
static NEXT_FRAGMENTED: AtomicU64 = AtomicU64::new(1);

/// How a message is sent. Of several wishes of a client, the greatest is fulfilled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Compression {
    /// JSON.
    #[default]
    None,
    /// JSON in an image.
    Png,
    /// CBOR.
    Cbor,
    /// CBOR around the CDR of ROS 2.
    CborRaw,
}

impl Compression {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "none" | "" => Compression::None,
            "png" => Compression::Png,
            "cbor" => Compression::Cbor,
            "cbor-raw" => Compression::CborRaw,
            _ => return None,
        })
    }
}

/// The form of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) compression: Compression,
    /// Longest text in bytes; longer ones are split.
    pub(crate) fragment: Option<usize>,
}

/// Encodes the messages of one type.
pub(crate) struct Encoder {
    message: MessageType,
    cdr: CdrPlan,
}

impl Encoder {
    /// Creates an encoder.
    ///
    /// # Errors
    /// Returns an error if ROS cannot express the type.
    pub(crate) fn new(schema: &Schema) -> Result<Self, Error> {
        let message = resolve(schema)?;
        Ok(Encoder { cdr: CdrPlan::compile(&message), message })
    }

    pub(crate) fn message(&self) -> &MessageType {
        &self.message
    }

    /// Appends the JSON of a payload.
    ///
    /// # Errors
    /// Returns an error if the payload is not of the type.
    pub(crate) fn json(&self, payload: &[u8], form: Form, out: &mut Vec<u8>) -> Result<(), Fault> {
        let slots = payload::read(&self.message, payload).map_err(|error| encoding(&error))?;
        walk(&self.message, &slots, form, &mut JsonWriter::new(out));
        Ok(())
    }

    /// Appends the CBOR of a payload.
    ///
    /// # Errors
    /// Returns an error if the payload is not of the type.
    pub(crate) fn cbor(&self, payload: &[u8], form: Form, out: &mut Vec<u8>) -> Result<(), Fault> {
        let slots = payload::read(&self.message, payload).map_err(|error| encoding(&error))?;
        walk(&self.message, &slots, form, &mut CborWriter(out));
        Ok(())
    }
}

/// Returns the type of a schema.
///
/// # Errors
/// Returns an error if ROS cannot express it.
pub(crate) fn resolve(schema: &Schema) -> Result<MessageType, Error> {
    schema
        .resolve()
        .map_err(|error| Error::unsupported(format!("[{TYPE}] `{}`: {}", schema.full_name(), error.detail())))
}

fn encoding(error: &dyn std::fmt::Display) -> Fault {
    Fault::new(ENCODING, error.to_string())
}

/// One message of the run on its way to clients.
pub(crate) struct Publication<'a> {
    pub(crate) encoder: &'a Encoder,
    pub(crate) topic: &'a str,
    pub(crate) payload: &'a [u8],
    pub(crate) stamp_ns: i64,
    pub(crate) sequence: u64,
    pub(crate) generation: Generation,
    made: Vec<(Shape, Vec<Frame>)>,
}

impl<'a> Publication<'a> {
    pub(crate) fn new(
        encoder: &'a Encoder,
        topic: &'a str,
        payload: &'a [u8],
        stamp_ns: i64,
        sequence: u64,
        generation: Generation,
    ) -> Self {
        Publication { encoder, topic, payload, stamp_ns, sequence, generation, made: Vec::new() }
    }

    /// Returns its frames in a form; usually one.
    ///
    /// # Errors
    /// Returns an error if the payload is not of its type.
    pub(crate) fn frames(&mut self, shape: Shape) -> Result<Vec<Frame>, Fault> {
        if let Some((_, frames)) = self.made.iter().find(|(made, _)| *made == shape) {
            return Ok(frames.clone());
        }
        let is_text = matches!(shape.compression, Compression::None | Compression::Png);
        let frames = match shape.fragment {
            // Clients with different sizes share the text.
            Some(size) if is_text => split(&self.whole(shape.compression)?, size)?,
            Some(_) => vec![self.whole(shape.compression)?],
            None => vec![self.encode(shape.compression)?],
        };
        self.made.push((shape, frames.clone()));
        Ok(frames)
    }

    /// Returns the frame without fragments.
    fn whole(&mut self, compression: Compression) -> Result<Frame, Fault> {
        let frames = self.frames(Shape { compression, fragment: None })?;
        frames.into_iter().next().ok_or_else(|| Fault::new(ENCODING, "the message has no form"))
    }

    fn encode(&self, compression: Compression) -> Result<Frame, Fault> {
        Ok(match compression {
            Compression::None | Compression::Png => Frame::text(compressed(self.json()?, compression)?),
            Compression::Cbor => Frame::binary(self.cbor()?),
            Compression::CborRaw => Frame::binary(self.cbor_raw()?),
        })
    }

    fn form(&self) -> Form {
        Form { generation: self.generation, sequence: self.sequence }
    }

    fn json(&self) -> Result<Vec<u8>, Fault> {
        // Numbers and base64 are longer than their protobuf.
        let mut out = Vec::with_capacity(self.payload.len() / 2 * 3 + 256);
        out.extend_from_slice(b"{\"op\":\"publish\",\"topic\":");
        write_text(self.topic, &mut out);
        out.extend_from_slice(b",\"msg\":");
        self.encoder.json(self.payload, self.form(), &mut out)?;
        out.push(b'}');
        Ok(out)
    }

    fn begin_cbor(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.payload.len() + self.payload.len() / 8 + 256);
        let mut writer = CborWriter(&mut out);
        writer.object(3);
        writer.key("op");
        writer.text(b"publish");
        writer.key("topic");
        writer.text(self.topic.as_bytes());
        writer.key("msg");
        out
    }

    fn cbor(&self) -> Result<Vec<u8>, Fault> {
        let mut out = self.begin_cbor();
        self.encoder.cbor(self.payload, self.form(), &mut out)?;
        Ok(out)
    }

    fn cbor_raw(&self) -> Result<Vec<u8>, Fault> {
        let mut cdr = Vec::with_capacity(self.payload.len() + self.payload.len() / 8 + 64);
        self.encoder.cdr.encode(self.payload, &mut cdr).map_err(|error| encoding(&error))?;
        let mut out = self.begin_cbor();
        let mut writer = CborWriter(&mut out);
        writer.object(3);
        writer.key("secs");
        writer.number(Number::Signed(self.stamp_ns.div_euclid(1_000_000_000)));
        writer.key("nsecs");
        writer.number(Number::Signed(self.stamp_ns.rem_euclid(1_000_000_000)));
        writer.key("bytes");
        writer.bytes(&cdr);
        Ok(out)
    }
}

/// Makes frames of JSON: compressed and split if requested.
pub(crate) fn pack(json: Vec<u8>, shape: Shape) -> Result<Vec<Frame>, Fault> {
    let whole = Frame::text(compressed(json, shape.compression)?);
    match shape.fragment {
        Some(size) => split(&whole, size),
        None => Ok(vec![whole]),
    }
}

fn compressed(json: Vec<u8>, compression: Compression) -> Result<String, Fault> {
    if compression == Compression::Png {
        let data = image::to_image(&json).map_err(|error| encoding(&error))?;
        return Ok(format!("{{\"op\":\"png\",\"data\":\"{data}\"}}"));
    }
    String::from_utf8(json).map_err(|error| encoding(&error))
}

/// Returns the fragments of a text that is longer than `size`; other frames are not split.
///
/// # Errors
/// Returns an error if there are so many that the backlog of a client cannot hold them.
fn split(whole: &Frame, size: usize) -> Result<Vec<Frame>, Fault> {
    let bytes = whole.to_bytes();
    let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| text.len() > size) else {
        return Ok(vec![whole.clone()]);
    };
    if text.len() / size > MAX_FRAGMENTS {
        let reason = format!(
            "{} bytes in fragments of {size} bytes are more than {MAX_FRAGMENTS} fragments; request larger ones",
            text.len()
        );
        return Err(Fault::new(LIMIT, reason));
    }
    let id = NEXT_FRAGMENTED.fetch_add(1, Ordering::Relaxed).to_string();
    Ok(fragment::split(text, size, &id).into_iter().map(Frame::text).collect())
}

/// Returns JSON of an object with members that are JSON already.
pub(crate) fn object(members: &[(&str, &str)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", members.join(","))
}

#[cfg(test)]
mod tests;
