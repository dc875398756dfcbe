//! Names and patterns of vehicles, and the `--bridge` argument: `WHERE=NAME:CONNECTION`.
//!
//! The connection string is passed to the bridge unchanged. The vehicles that match a pattern are known when the world is
//! loaded. Pure.

use std::ffi::OsStr;

use globset::Glob;

use super::code::Code;
use super::error::ConfigError;
use super::request::{BridgeRequest, RequestOrigin};

/// The form of a `--bridge` argument.
const FORM: &str = "WHERE=NAME:CONNECTION";

/// Reads a `--bridge` argument: split at the first `=` and the first `:` after it, and nowhere else.
///
/// # Errors
/// Returns an error if a part is missing, the pattern is malformed, or the argument is not UTF-8.
pub fn bridge_argument(argument: &OsStr) -> Result<BridgeRequest, ConfigError> {
    let Some(text) = argument.to_str() else {
        let shown = argument.to_string_lossy();
        return Err(ConfigError::new(Code::NotUtf8, format!("the bridge `{shown}` is not UTF-8")));
    };
    let wrong = |why: &str| ConfigError::new(Code::BridgeInvalid, format!("`{text}` {why}")).expected(FORM);
    let Some((attach, rest)) = text.split_once('=') else {
        return Err(wrong("has no `=` after the place where the bridge is attached"));
    };
    let Some((name, connection)) = rest.split_once(':') else {
        let hint = format!("write `{text}:` for an empty connection string");
        return Err(wrong("has no `:` and connection string after the name of the bridge").hint(hint));
    };
    if attach.is_empty() {
        return Err(wrong("has nothing before the `=`, where the bridge is attached"));
    }
    if name.is_empty() {
        return Err(wrong("has no bridge name between `=` and `:`"));
    }
    check_attach(attach)?;
    Ok(BridgeRequest::new(attach, name, connection, RequestOrigin::CommandLine))
}

/// Checks an attachment: `world`, a name, or a pattern.
///
/// # Errors
/// Returns an error if it is empty, or a malformed pattern.
pub fn check_attach(attach: &str) -> Result<(), ConfigError> {
    if attach.trim().is_empty() {
        return Err(ConfigError::new(Code::AttachInvalid, "the name to attach to is empty"));
    }
    match Glob::new(attach) {
        Ok(_) => Ok(()),
        Err(error) => {
            let why = format!("`{attach}` is neither a name nor a pattern: {}", error.kind());
            Err(ConfigError::new(Code::AttachInvalid, why))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    fn read(text: &str) -> Result<BridgeRequest, ConfigError> {
        bridge_argument(OsStr::new(text))
    }

    #[test]
    fn the_argument_is_split_at_the_first_signs_only() {
        let cases = [
            ("car1=logging:out.mcap", ("car1", "logging", "out.mcap")),
            ("*=ros2:", ("*", "ros2", "")),
            ("world=zmq:tcp://a=b:1;c, d ", ("world", "zmq", "tcp://a=b:1;c, d ")),
            ("car?=org.example.b:= : ; , ü\n", ("car?", "org.example.b", "= : ; , ü\n")),
            ("a=b=c:d", ("a", "b=c", "d")),
        ];
        for (text, expected) in cases {
            let found = read(text).expect(text);
            assert_eq!((&*found.attach, &*found.name, &*found.connection), expected);
            assert_eq!(found.origin, RequestOrigin::CommandLine);
        }
    }

    #[test]
    fn a_missing_part_is_named_with_the_form() {
        let cases = [
            ("logging", "has no `=`"),
            ("car1=logging", "has no `:`"),
            ("=logging:x", "nothing before the `=`"),
            ("car1=:x", "has no bridge name"),
            ("", "has no `=`"),
        ];
        for (text, why) in cases {
            let error = read(text).expect_err(text);
            assert_eq!(error.code, Code::BridgeInvalid);
            assert!(error.found.contains(why), "{error}");
            assert!(error.found.contains(&format!("`{text}`")), "{error}");
            assert_eq!(error.expected, "WHERE=NAME:CONNECTION");
        }
    }

    #[test]
    fn malformed_patterns_are_refused() {
        for text in ["car[1=logging:x", "{a=logging:x", " =logging:x"] {
            assert_eq!(read(text).expect_err(text).code, Code::AttachInvalid);
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_refused() {
        let error = bridge_argument(OsStr::from_bytes(b"car1=logging:\xff.mcap")).expect_err("refused");
        assert_eq!(error.code, Code::NotUtf8);
        assert!(error.found.contains("car1=logging:"), "{error}");
    }
}
