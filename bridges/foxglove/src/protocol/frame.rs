//! Binary messages: an opcode, numbers in little endian, then bytes.

use bytes::Bytes;

/// Opcodes of the server.
mod server {
    pub(super) const MESSAGE: u8 = 1;
    pub(super) const TIME: u8 = 2;
    pub(super) const RESPONSE: u8 = 3;
    pub(super) const ASSET: u8 = 4;
}

/// Opcodes of clients.
mod client {
    pub(super) const MESSAGE: u8 = 1;
    pub(super) const CALL: u8 = 2;
}

/// Bytes of a message before its data.
pub(crate) const MESSAGE_HEADER: usize = 1 + 4 + 8;

/// A binary message of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClientFrame<'a> {
    Message { channel: u32, data: &'a [u8] },
    Call(Call<'a>),
}

/// A call of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call<'a> {
    pub(crate) service: u32,
    pub(crate) call: u32,
    pub(crate) encoding: &'a str,
    pub(crate) data: &'a [u8],
}

/// Reads a binary message of a client.
///
/// # Errors
/// Returns the reason if it is not a message of the protocol.
pub(crate) fn parse(bytes: &[u8]) -> Result<ClientFrame<'_>, String> {
    let Some((opcode, rest)) = bytes.split_first() else {
        return Err("a binary message begins with an opcode, found no bytes".to_owned());
    };
    let cut = || format!("the binary message with opcode {opcode} ends early, after {} bytes", bytes.len());
    match *opcode {
        client::MESSAGE => {
            let (channel, data) = split_number(rest).ok_or_else(cut)?;
            Ok(ClientFrame::Message { channel, data })
        }
        client::CALL => call(rest).ok_or_else(cut)?.map(ClientFrame::Call),
        other => {
            Err(format!("the opcode of a binary message must be 1 (message) or 2 (call), found {other}"))
        }
    }
}

/// Reads a call; `None` if it ends early.
fn call(rest: &[u8]) -> Option<Result<Call<'_>, String>> {
    let (service, rest) = split_number(rest)?;
    let (call, rest) = split_number(rest)?;
    let (length, rest) = split_number(rest)?;
    let (encoding, data) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let encoding = std::str::from_utf8(encoding);
    Some(
        encoding
            .map(|encoding| Call { service, call, encoding, data })
            .map_err(|_| "the encoding of a call must be a text".to_owned()),
    )
}

fn split_number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// Returns the beginning of a message; its data follows.
pub(crate) fn message_header(subscription: u32, time_ns: u64) -> [u8; MESSAGE_HEADER] {
    let mut header = [0; MESSAGE_HEADER];
    header[0] = server::MESSAGE;
    header[1..5].copy_from_slice(&subscription.to_le_bytes());
    header[5..].copy_from_slice(&time_ns.to_le_bytes());
    header
}

/// Returns a message with the time of the server.
pub(crate) fn time(time_ns: u64) -> Bytes {
    let mut bytes = vec![server::TIME];
    bytes.extend(time_ns.to_le_bytes());
    bytes.into()
}

/// Returns the response to a call.
pub(crate) fn response(call: &Call<'_>, data: &[u8]) -> Bytes {
    let encoding = call.encoding.as_bytes();
    let length = u32::try_from(encoding.len()).unwrap_or_default();
    let mut bytes = vec![server::RESPONSE];
    for number in [call.service, call.call, length] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend_from_slice(encoding);
    bytes.extend_from_slice(data);
    bytes.into()
}

/// Returns the response to a request for an asset: its bytes, or the reason why there are none.
pub(crate) fn asset(request_id: u32, outcome: Result<&[u8], &str>) -> Bytes {
    let (status, reason, data) = match outcome {
        Ok(data) => (0, "", data),
        Err(reason) => (1, reason, &[][..]),
    };
    let mut bytes = Vec::with_capacity(10 + reason.len() + data.len());
    bytes.push(server::ASSET);
    bytes.extend(request_id.to_le_bytes());
    bytes.push(status);
    bytes.extend(u32::try_from(reason.len()).unwrap_or_default().to_le_bytes());
    bytes.extend_from_slice(reason.as_bytes());
    bytes.extend_from_slice(data);
    bytes.into()
}
