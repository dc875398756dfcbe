//! The bytes that a glTF file names: in the binary file itself, written as text, or in a file beside it.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gltf::buffer::Source;

use crate::file::{self, MOST_BYTES};
use crate::part::Fault;

/// All buffers, each as long as it is said to be at least.
pub(super) fn load(file: &gltf::Gltf, path: &Path) -> Result<Vec<Vec<u8>>, Fault> {
    let mut buffers = Vec::new();
    // However many buffers name the same file.
    let mut left = MOST_BYTES;
    for buffer in file.buffers() {
        let bytes = match buffer.source() {
            Source::Bin if buffer.index() == 0 => file.blob.clone().ok_or("its binary part is missing")?,
            Source::Bin => return Err("two buffers want its binary part".into()),
            Source::Uri(uri) => uri_bytes(uri, path, left)?,
        };
        if bytes.len() < buffer.length() {
            let (at, found, wanted) = (buffer.index(), bytes.len(), buffer.length());
            return Err(format!("buffer {at} has {found} of {wanted} bytes").into());
        }
        left = left.saturating_sub(bytes.len() as u64);
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn uri_bytes(uri: &str, path: &Path, most: u64) -> Result<Vec<u8>, Fault> {
    let Some(data) = uri.strip_prefix("data:") else {
        let beside = path.parent().unwrap_or(Path::new("")).join(unescaped(uri));
        return file::read(&beside, most).map_err(Fault::Other);
    };
    let (_, text) = data.split_once("base64,").ok_or("a buffer in it is not base64")?;
    STANDARD.decode(text).map_err(|error| format!("a buffer in it is not base64: {error}").into())
}

/// Percent signs with two digits as the bytes they stand for.
fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = code.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| *first == b'%');
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
