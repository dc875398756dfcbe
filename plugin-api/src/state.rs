//! What a plugin remembers, and how it goes into a snapshot of a run and comes back from one.
//!
//! Values are encoded with [postcard](https://postcard.jamesmunns.com/wire-format), one after the other, behind the
//! version that [`ModelPlugin::REMEMBERS`] gives. Whatever serde can write fits: numbers, tuples, options, vectors, and
//! structs that derive `Serialize` and `Deserialize`.
//!
//! [`ModelPlugin::REMEMBERS`]: crate::model::ModelPlugin::REMEMBERS

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// Bytes of the version in front.
const VERSION: usize = size_of::<u32>();

/// What a plugin remembers from one step to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembers {
    /// Nothing: all it does follows from the step, the world, its parameters and the messages of the step.
    Nothing,
    /// Something that [`save`](crate::model::ModelPlugin::save) writes and [`load`](crate::model::ModelPlugin::load)
    /// takes back.
    Saved {
        /// Version of what is written, from 1; raised when its form changes.
        version: u32,
    },
    /// Something that it cannot save: if a run is restored, it begins as after a reset.
    Unsaved,
}

impl Remembers {
    /// The word for it in the metadata of a library.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Remembers::Nothing => "nothing",
            Remembers::Saved { .. } => "saved",
            Remembers::Unsaved => "unsaved",
        }
    }

    pub(crate) const fn version(self) -> Option<u32> {
        match self {
            Remembers::Saved { version } => Some(version),
            Remembers::Nothing | Remembers::Unsaved => None,
        }
    }
}

/// Takes the state of a plugin, value by value.
#[derive(Debug)]
pub struct StateWriter {
    bytes: Vec<u8>,
}

impl StateWriter {
    pub(crate) fn new(version: u32) -> Self {
        StateWriter { bytes: version.to_le_bytes().to_vec() }
    }

    /// Appends a value.
    ///
    /// # Errors
    /// Returns an error if its own `Serialize` fails.
    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        self.bytes = postcard::to_extend(value, std::mem::take(&mut self.bytes))
            .map_err(|error| Error::new(format!("the state cannot be written: {error}")))?;
        Ok(())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Gives the state of a plugin back, value by value in the order in which they were put.
#[derive(Debug)]
pub struct StateReader<'a> {
    version: u32,
    rest: &'a [u8],
}

impl<'a> StateReader<'a> {
    /// Splits the version off; refuses one above `known`.
    pub(crate) fn new(bytes: &'a [u8], known: u32) -> Result<Self> {
        let (version, rest) = bytes
            .split_first_chunk::<VERSION>()
            .ok_or_else(|| Error::invalid("the saved state is cut off"))?;
        let version = u32::from_le_bytes(*version);
        if version == 0 || version > known {
            let text = format!("the saved state has version {version}; this plugin reads up to {known}");
            return Err(Error::unsupported(text));
        }
        Ok(StateReader { version, rest })
    }

    /// The version it was written with: at most the plugin's own.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The next value.
    ///
    /// # Errors
    /// Returns an error if the bytes are not one of that type.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<T> {
        let (value, rest) = postcard::take_from_bytes(self.rest)
            .map_err(|error| Error::invalid(format!("the saved state cannot be read: {error}")))?;
        self.rest = rest;
        Ok(value)
    }

    /// Refuses bytes that were not read: something else wrote them.
    pub(crate) fn finish(self) -> Result {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(Error::invalid(format!("{left} bytes of the saved state were not read"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_their_order() {
        let mut writer = StateWriter::new(3);
        writer.put(&(0.1_f64, Some(-7_i64))).expect("written");
        writer.put("name").expect("written");
        let mut reader = StateReader::new(writer.bytes(), 4).expect("a state");
        assert_eq!(reader.version(), 3);
        assert_eq!(reader.take::<(f64, Option<i64>)>().expect("a pair"), (0.1, Some(-7)));
        assert_eq!(reader.take::<String>().expect("a text"), "name");
        reader.finish().expect("nothing left");
    }

    #[test]
    fn what_is_newer_cut_off_or_too_long_is_refused() {
        let mut writer = StateWriter::new(2);
        writer.put(&1.5_f64).expect("written");
        let bytes = writer.bytes();
        let newer = StateReader::new(bytes, 1).expect_err("newer");
        assert_eq!(newer.text(), "the saved state has version 2; this plugin reads up to 1");
        assert!(StateReader::new(&bytes[..3], 2).is_err());
        let mut cut = StateReader::new(&bytes[..bytes.len() - 1], 2).expect("a version");
        assert!(cut.take::<f64>().is_err());
        let left = StateReader::new(bytes, 2).expect("a state").finish().expect_err("unread");
        assert_eq!(left.text(), "8 bytes of the saved state were not read");
    }
}
