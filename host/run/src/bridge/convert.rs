//! Payloads in the form of a bridge, by converters of other plugins.

use bridgehead_abi::{Status, bridge as raw, status};
use bridgehead_plugin_api::objects::Callback;

use crate::api::check;
use crate::api::context::Context;
use crate::bus::Converter;
use crate::call;

/// Converts the payload of `message` into `scratch`, which grows as needed. Returns the length of the result. `owner` is
/// the bridge; a failure is reported once for each reason.
///
/// # Errors
/// Returns the status of the converter if the conversion fails.
pub(super) fn convert(
    converter: &Converter,
    owner: &str,
    message: &bridgehead_abi::Message,
    scratch: &mut Vec<u8>,
) -> Result<usize, Status> {
    let converted = call::in_conversion(owner, || try_convert(owner, &converter.raw, message, scratch));
    if let Err(code) = converted {
        // SAFETY: the library's host object lives as long as the process.
        let host = unsafe { converter.host.as_ref() }.map(|host| unsafe { Context::from_host(host) });
        let (library, reason) =
            host.map(|host| (host.label.as_str(), host.take_explanation())).unwrap_or_default();
        let reason = reason.unwrap_or_else(|| status::name(code).to_owned());
        // SAFETY: the caller has made the message from texts of the host.
        let topic = unsafe { message.topic.as_str() }.unwrap_or_default();
        let text = format!("lost a message of `{topic}`: the converter of `{library}` failed: {reason}");
        call::breach(call::Rule::Conversion, Some(owner), &text);
    }
    converted
}

fn try_convert(
    owner: &str,
    converter: &Callback<raw::Converter>,
    message: &bridgehead_abi::Message,
    scratch: &mut Vec<u8>,
) -> Result<usize, Status> {
    for _ in 0..2 {
        match converter.convert(message, scratch) {
            (status::WOULD_BLOCK, len) if len > scratch.len() => {
                check::check_size(owner, len, "converter.convert")?;
                scratch.resize(len, 0);
            }
            (code, _) if code < 0 => return Err(code),
            (_, len) => return Ok(len.min(scratch.len())),
        }
    }
    Err(status::WOULD_BLOCK)
}
