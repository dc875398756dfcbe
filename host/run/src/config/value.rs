//! Texts for a duration, a speed, a size or a choice, on the command line and in files.
//!
//! Every function returns the value or a [`ConfigError`] without a place, which the caller adds. Pure.

use std::time::Duration;

use bridgehead_lifecycle::StartIn;

use super::code::Code;
use super::error::{ConfigError, quoted};
use super::http::{HttpAddress, Secret};
use super::policy::{FailurePolicy, LossPolicy, Reconnect, RecordedImages};
use crate::api::Late;
use crate::bus::Overflow;
use crate::clock::{Speed, SpeedFault};
use crate::duration::{DurationError, parse_duration, units};
use crate::watchdog::Mode;
use crate::world::names::NameStyle;

/// Returns the duration that `text` names; it is above zero and rounded to the nanosecond.
///
/// # Errors
/// Returns an error if the text is not a number with a unit, or the duration is out of range.
pub fn duration(text: &str) -> Result<Duration, ConfigError> {
    parse_duration(text).map_err(|fault| {
        let error = ConfigError::new(Code::DurationInvalid, format!("`{text}` {fault}"));
        match fault {
            DurationError::NoUnit => {
                error.hint(format!("write `{text}s` for seconds, `{text}ms` for milliseconds"))
            }
            DurationError::UnknownUnit(_) => error.expected(format!("one of {}", quoted(units()))),
            DurationError::Zero => error.expected("more than zero"),
            DurationError::TooLong => error.expected("at most 292 years"),
            DurationError::Negative
            | DurationError::NoNumber
            | DurationError::Malformed
            | DurationError::TooManyDigits
            | DurationError::TooShort => error,
        }
    })
}

/// Returns a speed: `unlimited`, or simulated seconds per second.
///
/// # Errors
/// Returns an error if the text is neither, or the number is not above zero.
pub fn speed(text: &str) -> Result<Speed, ConfigError> {
    if text == UNLIMITED {
        return Ok(Speed::Unlimited);
    }
    match text.parse::<f64>() {
        Ok(factor) => speed_factor(factor),
        Err(_) => Err(ConfigError::new(Code::SpeedInvalid, format!("`{text}` is not a speed"))),
    }
}

/// Returns the speed for a number.
///
/// # Errors
/// Returns an error if the number is not above zero, or cannot be paced.
pub fn speed_factor(factor: f64) -> Result<Speed, ConfigError> {
    Speed::of_factor(factor).map_err(|fault| {
        let error = ConfigError::new(Code::SpeedInvalid, fault.to_string());
        match fault {
            SpeedFault::NotANumber | SpeedFault::Negative(_) => error,
            SpeedFault::Zero => {
                error.hint("to start without running use `--start paused`; for no pacing use `unlimited`")
            }
            SpeedFault::NotPaced(_) => {
                let range = format!("{:e} to {:e}", Speed::RANGE.start(), Speed::RANGE.end());
                error.expected(range).hint("to run as fast as possible use `unlimited`")
            }
        }
    })
}

/// Returns a decimal number within limits.
///
/// # Errors
/// Returns an error if the number is outside of them.
pub fn decimal(number: f64, [least, most]: [f64; 2]) -> Result<f64, ConfigError> {
    if number >= least && number <= most {
        return Ok(number);
    }
    let error = ConfigError::new(Code::NumberInvalid, format!("{number} is not in the range"));
    Err(error.expected(format!("a number from {least} to {most}")))
}

/// Returns a number of bytes above zero; `K`, `M` and `G` are powers of 1024.
///
/// # Errors
/// Returns an error if the text is not such a number.
pub fn size(text: &str) -> Result<usize, ConfigError> {
    let (digits, factor) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) if text.ends_with('K') => (digits, 1 << 10),
        Some(digits) if text.ends_with('M') => (digits, 1 << 20),
        Some(digits) => (digits, 1 << 30),
        None => (text, 1),
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse::<usize>().ok().filter(|_| is_number);
    number
        .and_then(|number| number.checked_mul(factor))
        .filter(|size| *size > 0)
        .ok_or_else(|| ConfigError::new(Code::SizeInvalid, format!("`{text}` is not a number of bytes")))
}

/// Words for the first state of a loaded world.
pub const STARTS: &[(&str, StartIn)] =
    &[("playing", StartIn::Playing), ("paused", StartIn::Paused), ("stopped", StartIn::Stopped)];
/// Words for the style of names.
pub const NAME_STYLES: &[(&str, NameStyle)] =
    &[("bridgehead", NameStyle::Bridgehead), ("gazebo", NameStyle::Gazebo)];
/// Words for the first state of a world that a client loads.
pub const LOAD_ENDS: &[(&str, StartIn)] = &[("stopped", StartIn::Stopped), ("paused", StartIn::Paused)];
/// Words for the reaction to a failed plugin.
pub const FAILURE_POLICIES: &[(&str, FailurePolicy)] = &[
    ("continue", FailurePolicy::Continue),
    ("pause", FailurePolicy::Pause),
    ("abort", FailurePolicy::Abort),
];
/// Words for the end of a run whose world is incomplete.
pub const LOSS_POLICIES: &[(&str, LossPolicy)] =
    &[("fail", LossPolicy::Fail), ("ignore", LossPolicy::Ignore)];
/// Words for the images of a recording.
pub const RECORDED_IMAGES: &[(&str, RecordedImages)] =
    &[("compressed", RecordedImages::Compressed), ("all", RecordedImages::All)];
/// Words for the reaction to a lost connection.
pub const RECONNECTS: &[(&str, Reconnect)] = &[("backoff", Reconnect::Backoff), ("never", Reconnect::Never)];
/// Words for what happens to a step that has waited too long for a bridge.
pub const LATE: &[(&str, Late)] = &[("wait", Late::Wait), ("continue", Late::Continue), ("end", Late::End)];
/// Words for the process in which a plugin runs: whether it is another one.
pub const ISOLATIONS: &[(&str, bool)] = &[("none", false), ("process", true)];
/// Words for the treatment of messages if a queue is full.
pub const OVERFLOWS: &[(&str, Overflow)] =
    &[("drop-oldest", Overflow::DropOldest), ("block", Overflow::Block), ("error", Overflow::Error)];
/// Words for the reaction to a lifecycle state that lasts too long.
pub const WATCH_MODES: &[(&str, Mode)] =
    &[("off", Mode::Off), ("log", Mode::Log), ("abort", Mode::Abort), ("kill", Mode::Kill)];
/// The speed without pacing.
pub const UNLIMITED: &str = "unlimited";
/// The word for no limit, and for no server.
pub const OFF: &str = "off";

/// What happens after a lost connection.
///
/// # Errors
/// Returns an error if the word is unknown.
pub fn reconnect(word: &str) -> Result<Reconnect, ConfigError> {
    choice(word, RECONNECTS)
}

/// Returns what happens to a step that has waited too long for a bridge.
///
/// # Errors
/// Returns an error if the word is unknown.
pub fn late(word: &str) -> Result<Late, ConfigError> {
    choice(word, LATE)
}

/// Returns whether a plugin runs in a process of its own.
///
/// # Errors
/// Returns an error if the word is unknown.
pub fn isolation(word: &str) -> Result<bool, ConfigError> {
    choice(word, ISOLATIONS)
}

/// Returns the treatment of messages if a queue is full.
///
/// # Errors
/// Returns an error if the word is unknown.
pub fn overflow(word: &str) -> Result<Overflow, ConfigError> {
    choice(word, OVERFLOWS)
}

/// Returns a duration; `off` means none.
///
/// # Errors
/// Returns an error if the text is neither.
pub fn timeout(text: &str) -> Result<Option<Duration>, ConfigError> {
    if text == OFF { Ok(None) } else { duration(text).map(Some) }
}

/// Returns the address of a server: `host:port`, or `off`.
///
/// # Errors
/// Returns an error if the text is neither.
pub fn http_address(text: &str) -> Result<HttpAddress, ConfigError> {
    if text == OFF {
        return Ok(HttpAddress::Off);
    }
    let is_port =
        |port: &str| port.bytes().all(|digit| digit.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let is_host = |host: &str| {
        let in_brackets = host.starts_with('[') && host.ends_with(']');
        !host.is_empty() && !host.contains(char::is_whitespace) && (in_brackets || !host.contains([':', '/']))
    };
    match text.rsplit_once(':') {
        Some((host, port)) if is_host(host) && is_port(port) => Ok(HttpAddress::At(text.to_owned())),
        _ => Err(ConfigError::new(Code::AddressInvalid, format!("`{text}` is not an address"))),
    }
}

/// A key of the keyboard.
///
/// # Errors
/// Returns an error if the text is not one visible character.
pub fn key(text: &str) -> Result<char, ConfigError> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(key), None) if key.is_ascii_graphic() => Ok(key),
        _ => Err(ConfigError::new(Code::KeyInvalid, format!("`{text}` is not a key"))),
    }
}

/// Returns the token of a server.
///
/// # Errors
/// Returns an error if the text is empty: a variable that a script forgot to set would otherwise mean that every client,
/// or none, has the token.
pub fn token(text: &str) -> Result<Secret, ConfigError> {
    if text.trim().is_empty() {
        return Err(ConfigError::new(Code::TokenInvalid, "the token is empty"));
    }
    Ok(Secret(text.to_owned()))
}

/// Returns the word for a value.
pub(super) fn word<T: Copy + PartialEq>(known: &[(&'static str, T)], value: T) -> &'static str {
    known.iter().find(|(_, found)| *found == value).map_or("", |(word, _)| word)
}

/// Returns a number of bytes in the form that [`size`] reads.
pub(super) fn size_text(bytes: usize) -> String {
    let units = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)];
    let fitting = units.into_iter().find(|(_, unit)| bytes != 0 && bytes.is_multiple_of(*unit));
    let (unit, size) = fitting.unwrap_or(("", 1));
    format!("{}{unit}", bytes / size)
}

/// Returns the value of a word.
///
/// # Errors
/// Returns an error that lists the known words if this is not one of them.
pub(super) fn choice<T: Copy>(word: &str, known: &[(&str, T)]) -> Result<T, ConfigError> {
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        ConfigError::new(Code::ChoiceInvalid, format!("`{word}` is not an allowed word"))
            .expected(format!("one of {}", quoted(known.iter().map(|(name, _)| *name))))
    })
}

#[cfg(test)]
mod tests;
