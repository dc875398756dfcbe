//! Errors of CDR: the fault and its position.
//!
//! The texts have no code: the receiver knows the sender and reports it with a code of its own.

/// Why CDR could not be read, at which field and at which byte.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}byte {}: {}", place(&.0.path), .0.offset, .0.fault)]
pub struct CdrError(Box<Placed>);

/// Boxed, so that results without an error stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Placed {
    path: String,
    offset: usize,
    fault: CdrFault,
}

fn place(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("at `{path}`, ") }
}

/// What is wrong with CDR.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CdrFault {
    /// The first four bytes are not [`CDR_ENCAPSULATION`](crate::CDR_ENCAPSULATION), options aside.
    #[error("the message begins with {found}; expected 00 01, which is CDR of version 1 in little endian")]
    Encapsulation {
        /// The first bytes, in hexadecimal.
        found: String,
    },
    /// The bytes end inside a value.
    #[error("{what} of {wanted} bytes belongs here, {left} are left; is it of another type or generation?")]
    Truncated {
        /// What was to be read.
        what: &'static str,
        /// Required bytes.
        wanted: usize,
        /// Remaining bytes.
        left: usize,
    },
    /// More elements are announced than the rest of the bytes can hold.
    #[error(
        "{found} elements of at least {size} bytes are announced, {left} bytes are left; is it of another type?"
    )]
    Count {
        /// Announced elements.
        found: u32,
        /// Least number of bytes of an element.
        size: usize,
        /// Remaining bytes.
        left: usize,
    },
    /// A sequence or a string is longer than its ROS type allows.
    #[error("the length is {found}, the ROS type allows at most {allowed}")]
    Length {
        /// Elements or bytes found.
        found: u32,
        /// Largest length allowed.
        allowed: u32,
    },
    /// A string does not end in NUL.
    #[error("the string ends in {found:#04x}, expected NUL")]
    NotTerminated {
        /// Its last byte.
        found: u8,
    },
    /// A string is not UTF-8.
    #[error("the string is not UTF-8")]
    NotUtf8,
    /// A truth value is neither 0 nor 1.
    #[error("a bool is 0 or 1, found {found}; is it of another type?")]
    NotBool {
        /// The byte.
        found: u8,
    },
}

impl CdrError {
    pub(super) fn new(offset: usize, fault: CdrFault) -> Self {
        Self(Box::new(Placed { path: String::new(), offset, fault }))
    }

    /// Returns the path of the field from the root, for example `transforms[2].header.stamp`; empty for the message itself.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns the byte at which the value begins, counted from the first byte.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// Returns what is wrong there.
    pub fn fault(&self) -> &CdrFault {
        &self.0.fault
    }

    /// Returns the same error as seen from the message that holds `field`.
    pub(super) fn below(mut self, field: &str) -> Self {
        let path = &self.0.path;
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        self.0.path = format!("{field}{joint}{path}");
        self
    }

    /// Returns the same error as seen from the array that holds element `index`.
    pub(super) fn at(self, index: usize) -> Self {
        self.below(&format!("[{index}]"))
    }
}
