//! The kinds of values that keys have: how each is read from a file and from a flag, and how it is shown. Pure.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::code::Code;
use super::error::ConfigError;
use super::file::table::Table;
use super::http::{HttpAddress, Secret};
use super::key::Form;
use super::value;
use crate::clock::Speed;
use crate::duration::duration_text;

/// How values of one kind are read and shown.
pub(super) struct ValueKind<T> {
    /// What they look like.
    pub(super) form: Form,
    /// Reads the value of a key of a file; reports errors to the table.
    pub(super) read: fn(&Table<'_, '_>, &'static str) -> Option<T>,
    /// Reads the argument of a flag.
    pub(super) parse: fn(&OsStr) -> Result<T, ConfigError>,
    /// Returns the value as a file would write it.
    pub(super) show: fn(&T) -> Value,
}

/// Any text.
pub(super) const TEXT: ValueKind<String> = ValueKind {
    form: Form::Text,
    read: |table, key| table.text(key).map(str::to_owned),
    parse: |text| Ok(text.to_string_lossy().into_owned()),
    show: |text| Value::from(text.as_str()),
};

/// A path; relative to the folder of its file, or to the working directory if it stands in a flag.
pub(super) const PATH: ValueKind<PathBuf> = ValueKind {
    form: Form::Path,
    read: |table, key| Some(table.source().resolve(table.text(key)?)),
    parse: |text| Ok(PathBuf::from(text)),
    // Absolute: the output may be kept in another folder.
    show: |path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Value::from(path.to_string_lossy())
    },
};

/// A duration above zero.
pub(super) const TIME: ValueKind<Duration> = ValueKind {
    form: Form::Time,
    read: |table, key| table.parsed(key, value::duration),
    parse: |text| value::duration(&text.to_string_lossy()),
    show: |time| Value::from(duration_text(*time)),
};

/// `true` or `false`. A flag without an argument means `true`.
pub(super) const BOOLEAN: ValueKind<bool> = ValueKind {
    form: Form::Boolean,
    read: |table, key| table.flag(key),
    parse: |_| Ok(true),
    show: |flag| Value::from(*flag),
};

/// How fast simulated time runs.
pub(super) const SPEED: ValueKind<Speed> = ValueKind {
    form: Form::Speed,
    read: |table, key| table.speed(key),
    parse: |text| value::speed(&text.to_string_lossy()),
    show: |speed| match speed {
        Speed::Factor(factor) => Value::from(*factor),
        Speed::Unlimited => Value::from(value::UNLIMITED),
    },
};

/// A number of bytes.
pub(super) const BYTES: ValueKind<usize> = ValueKind {
    form: Form::Bytes,
    read: |table, key| table.size(key),
    parse: |text| value::size(&text.to_string_lossy()),
    show: |bytes| Value::from(value::size_text(*bytes)),
};

/// The address of a server, or `off`.
pub(super) const ADDRESS: ValueKind<HttpAddress> = ValueKind {
    form: Form::Address,
    read: |table, key| table.parsed(key, value::http_address),
    parse: |text| value::http_address(&text.to_string_lossy()),
    show: |address| match address {
        HttpAddress::Off => Value::from(value::OFF),
        HttpAddress::At(address) => Value::from(address.as_str()),
    },
};

/// A token, which is never shown.
pub(super) const SECRET: ValueKind<Secret> = ValueKind {
    form: Form::Secret,
    read: |table, key| table.kept(key, value::token(table.text(key)?)),
    parse: |text| value::token(&text.to_string_lossy()),
    show: |_| Value::from("not shown"),
};

/// A key of the keyboard.
pub(super) const KEY: ValueKind<char> = ValueKind {
    form: Form::Key,
    read: |table, key| table.parsed(key, value::key),
    parse: |text| value::key(&text.to_string_lossy()),
    show: |key| Value::from(key.to_string()),
};

/// A whole number from `MIN` to `MAX`.
pub(super) const fn whole<T, const MIN: u64, const MAX: u64>() -> ValueKind<T>
where
    T: TryFrom<u64> + Copy + Into<Value>,
{
    ValueKind {
        form: Form::Number(MIN, MAX),
        read: |table, key| table.whole_number(key, MIN, MAX),
        parse: |text| {
            let text = text.to_string_lossy();
            let number = text.parse().ok().filter(|number| (MIN..=MAX).contains(number));
            number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
                ConfigError::new(Code::NumberInvalid, format!("`{text}` is not a whole number in the range"))
                    .expected(format!("a whole number from {MIN} to {MAX}"))
            })
        },
        show: |number| (*number).into(),
    }
}

/// A number within limits.
macro_rules! decimal {
    ($limits:path) => {
        ValueKind {
            form: Form::Decimal($limits[0], $limits[1]),
            read: |table, key| table.decimal(key, $limits),
            parse: |text| {
                let number = text.to_string_lossy().parse().unwrap_or(f64::NAN);
                value::decimal(number, $limits)
            },
            show: |number| Value::from(*number),
        }
    };
}

/// Limits of [`PUSHING_SPEED`]: slower than DART makes no sense, and faster throws bodies.
const PUSHING_SPEEDS: [f64; 2] = [0.001, 10.0];
/// Limits of [`SCENE_RATE`].
const SCENE_RATES: [f64; 2] = [0.001, 1000.0];

/// A speed at which overlaps are resolved, m/s.
pub(super) const PUSHING_SPEED: ValueKind<f64> = decimal!(PUSHING_SPEEDS);

/// A rate of poses, per simulated second.
pub(super) const SCENE_RATE: ValueKind<f64> = decimal!(SCENE_RATES);

/// One of the words of a table.
macro_rules! choice {
    ($words:path) => {{
        const WORDS: [&str; $words.len()] = crate::config::kind::first_of($words);
        crate::config::kind::ValueKind {
            form: crate::config::key::Form::Choice(&WORDS),
            read: |table, key| table.parsed(key, |word| crate::config::value::choice(word, $words)),
            parse: |text| crate::config::value::choice(&text.to_string_lossy(), $words),
            show: |choice| serde_json::Value::from(crate::config::value::word($words, *choice)),
        }
    }};
}
pub(super) use choice;

/// Returns the words of a table, without their values.
pub(super) const fn first_of<T: Copy, const N: usize>(words: &[(&'static str, T)]) -> [&'static str; N] {
    let mut first = [""; N];
    let mut at = 0;
    while at < N {
        first[at] = words[at].0;
        at += 1;
    }
    first
}
