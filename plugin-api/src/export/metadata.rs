//! Writes the metadata JSON of a library at compile time.

use super::PluginInfo;

/// Version of this crate, for the `sdk` field.
const SDK: &str = concat!("bridgehead-plugin-api ", env!("CARGO_PKG_VERSION"));

/// Version of abi_stable whose layouts the library carries; empty if it carries none.
const ABI_STABLE: &str = if cfg!(feature = "layout-check") { "0.11.3" } else { "" };

/// Writes into `target`, or only counts where that is too short.
struct Writer<const N: usize> {
    target: [u8; N],
    len: usize,
}

impl<const N: usize> Writer<N> {
    const fn byte(mut self, byte: u8) -> Self {
        if self.len < N {
            self.target[self.len] = byte;
        }
        self.len += 1;
        self
    }

    const fn raw(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            self = self.byte(bytes[index]);
            index += 1;
        }
        self
    }

    /// A JSON string; texts that would need escapes do not compile.
    const fn quoted(mut self, text: &str) -> Self {
        self = self.byte(b'"');
        let bytes = text.as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            let byte = bytes[index];
            assert!(
                byte >= 0x20 && byte != b'"' && byte != b'\\',
                "a plugin's texts hold no quotes or control characters"
            );
            self = self.byte(byte);
            index += 1;
        }
        self.byte(b'"')
    }

    const fn number(self, value: u32) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "a decimal digit")]
        let digit = b'0' + (value % 10) as u8;
        let head = if value >= 10 { self.number(value / 10) } else { self };
        head.byte(digit)
    }

    const fn field(self, name: &str, text: &str) -> Self {
        self.byte(b',').quoted(name).byte(b':').quoted(text)
    }

    const fn list(mut self, name: &str, texts: &[&str]) -> Self {
        self = self.byte(b',').quoted(name).raw(":[");
        let mut index = 0;
        while index < texts.len() {
            if index > 0 {
                self = self.byte(b',');
            }
            self = self.quoted(texts[index]);
            index += 1;
        }
        self.byte(b']')
    }

    const fn plugin(self, info: &PluginInfo) -> Self {
        let out = self
            .raw("{\"id\":")
            .quoted(info.id)
            .field("kind", info.kind.name())
            .field("name", info.name)
            .field("version", info.version)
            .field("vendor", info.vendor)
            .field("license", info.license)
            .list("requires", info.requires)
            .list("provides", info.provides);
        match info.remembers {
            Some(remembers) => out.field("state", remembers.name()).byte(b'}'),
            None => out.byte(b'}'),
        }
    }
}

const fn write<const N: usize>(plugins: &[PluginInfo], panic_aborts: bool) -> Writer<N> {
    let mut out: Writer<N> = Writer { target: [0; N], len: 0 };
    out = out.raw("{\"schema\":").number(bridgehead_abi::entry::METADATA_SCHEMA);
    out =
        out.raw(",\"abi\":[").number(bridgehead_abi::ABI_MAJOR).byte(b',').number(bridgehead_abi::ABI_MINOR);
    out = out.byte(b']').field("sdk", SDK).field("panic", if panic_aborts { "abort" } else { "unwind" });
    if !ABI_STABLE.is_empty() {
        out = out.field("abi_stable", ABI_STABLE);
    }
    out = out.raw(",\"plugins\":[");
    let mut index = 0;
    while index < plugins.len() {
        if index > 0 {
            out = out.byte(b',');
        }
        out = out.plugin(&plugins[index]);
        index += 1;
    }
    out.raw("]}")
}

/// Length of the metadata text.
#[must_use]
pub const fn metadata_len(plugins: &[PluginInfo], panic_aborts: bool) -> usize {
    write::<0>(plugins, panic_aborts).len
}

/// The metadata text, `N` bytes as [`metadata_len`] says.
#[must_use]
pub const fn metadata<const N: usize>(plugins: &[PluginInfo], panic_aborts: bool) -> [u8; N] {
    let out = write::<N>(plugins, panic_aborts);
    assert!(out.len == N);
    out.target
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, PluginInfo};
    use super::*;
    use crate::state::Remembers;

    const PLUGINS: &[PluginInfo] = &[PluginInfo {
        kind: Kind::Model,
        id: "org.example.sensor.sonar",
        name: "sonar",
        version: "1.0.0",
        vendor: "Example",
        license: "MIT",
        requires: &["bridgehead.bus/1"],
        provides: &[],
        remembers: Some(Remembers::Saved { version: 1 }),
    }];

    #[test]
    fn metadata_is_the_documented_json() {
        const LEN: usize = metadata_len(PLUGINS, false);
        let text = String::from_utf8(metadata::<LEN>(PLUGINS, false).to_vec()).expect("text");
        let expected_tail = concat!(
            r#""plugins":[{"id":"org.example.sensor.sonar","kind":"model","name":"sonar","version":"1.0.0","#,
            r#""vendor":"Example","license":"MIT","requires":["bridgehead.bus/1"],"provides":[],"state":"saved"}]}"#
        );
        let abi = format!("[{},{}]", bridgehead_abi::ABI_MAJOR, bridgehead_abi::ABI_MINOR);
        let expected_head = format!(r#"{{"schema":1,"abi":{abi},"sdk":"bridgehead-plugin-api "#);
        assert!(text.starts_with(&expected_head), "{text}");
        assert!(text.ends_with(expected_tail), "{text}");
    }
}
