//! Splits a string into its target and its options.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::form::Form;
use super::options::Options;
use crate::error::Result;

/// Splits a string by the keys of its form.
pub(super) fn split<'t>(form: &'static Form, text: &'t str) -> Result<Options<'t>> {
    let mut options = Options::new(form);
    for (number, part) in parts(text).enumerate() {
        match key_of(part) {
            Some((key, value)) if number > 0 || is_option(form, key) => add(form, &mut options, key, value)?,
            _ if number == 0 => options.target = first(form, text, part)?,
            _ => return Err(form.wrong(format_args!("`{}` is not of the form `key=value`", part.trim()))),
        }
    }
    Ok(options)
}

fn add<'t>(form: &'static Form, options: &mut Options<'t>, key: &'t str, value: &'t str) -> Result {
    let is_old =
        form.target.and_then(|target| target.old).is_some_and(|old| old.strip_suffix('=') == Some(key));
    if options.text(key).is_some() || is_old && options.target.is_some() {
        return Err(form.wrong(format_args!("`{key}=` is given twice")));
    }
    if is_old {
        options.target = Some(value);
        warn_of_old(form, &format!("{key}={value}"), value);
    } else if form.key(key).is_some() {
        options.given.push((key, value));
    } else {
        return Err(form.wrong(format_args!("`{key}=` is not a known key")));
    }
    Ok(())
}

/// Reads the first part as the target.
fn first<'t>(form: &'static Form, text: &'t str, part: &'t str) -> Result<Option<&'t str>> {
    let Some(target) = form.target else {
        if part.trim().is_empty() {
            return Ok(None);
        }
        return Err(form.wrong(format_args!("`{}` is not of the form `key=value`", part.trim())));
    };
    let part = if target.is_path { part } else { part.trim() };
    let scheme = target.old.filter(|old| !old.ends_with('=')).and_then(|old| part.strip_prefix(old));
    if let Some(rest) = scheme {
        warn_of_old(form, part, rest);
    }
    let found = scheme.unwrap_or(part);
    // A path of spaces is a path.
    let is_empty = if target.is_path { text.is_empty() || found.is_empty() } else { found.is_empty() };
    Ok((!is_empty).then_some(found))
}

/// Whether the first part is an option. A path may contain `=`; a key that is not known is then a part of it.
fn is_option(form: &Form, key: &str) -> bool {
    let Some(target) = form.target else { return true };
    let is_old = target.old.is_some_and(|old| old.strip_suffix('=') == Some(key));
    !target.is_path || is_old || form.key(key).is_some()
}

/// Splits at each `;` that ends a part. The last part is left out if it is empty.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices(';').map(|(at, _)| at);
    let ends = ends.filter(|at| text.get(at + 1..).is_some_and(begins_part));
    let mut start = 0;
    ends.chain([text.len()]).enumerate().filter_map(move |(number, end)| {
        let part = text.get(start..end)?;
        start = end + 1;
        (number == 0 || !part.trim().is_empty()).then_some(part)
    })
}

/// Whether a new part begins after a `;`.
fn begins_part(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|letter: char| letter == ';' || letter.is_whitespace());
    rest.is_empty() || key_of(rest).is_some()
}

/// Splits a part into key and value, if it begins with a key.
fn key_of(part: &str) -> Option<(&str, &str)> {
    let (key, value) = part.split_once('=')?;
    let key = key.trim();
    let is_key = key.starts_with(|letter: char| letter.is_ascii_lowercase())
        && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    is_key.then(|| (key, value.trim()))
}

/// Warns of a form of earlier versions, once for each text: strings are checked before they are used.
fn warn_of_old(form: &Form, old: &str, new: &str) {
    static WARNED: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let mut warned = WARNED.lock().unwrap_or_else(PoisonError::into_inner);
    if warned.get_or_insert_default().insert(old.to_owned()) {
        let advice = if new.is_empty() {
            "leave it out".to_owned()
        } else {
            format!("write `{new}`, before all options")
        };
        log::warn!("[{}] connection string: `{old}` is an old form; {advice}", form.code);
    }
}
