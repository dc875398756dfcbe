//! Compares the descriptors that a library returns with its metadata section.
//!
//! The host makes its decisions by the metadata, before code of the library runs. A library whose code reports other
//! values is refused. Main thread only.

use bridgehead_abi::Str;
use bridgehead_abi::entry::{Descriptor, PluginFactory};

use super::abi_struct::checked_ref;
use super::code::Code;
use super::metadata::{Kind, Metadata, PluginMetadata};
use super::refusal::Refusal;

/// Checks every descriptor of a factory list against the metadata.
///
/// # Errors
/// Returns [`Code::DescriptorDiffers`] with one line per difference, or [`Code::FactoryInvalid`] if a descriptor cannot
/// be read.
pub(super) fn check(list: &PluginFactory, metadata: &Metadata) -> Result<(), Refusal> {
    let stated = metadata.plugins.len();
    if usize::try_from(list.count) != Ok(stated) {
        return Err(mismatch(vec![format!(
            "count: the code has {}, the metadata has {stated} plugins",
            list.count
        )]));
    }
    let mut differences = Vec::new();
    for (index, plugin) in (0..list.count).zip(&metadata.plugins) {
        differences.extend(compare(index, descriptor(list, index)?, plugin));
    }
    if differences.is_empty() { Ok(()) } else { Err(mismatch(differences)) }
}

fn mismatch(differences: Vec<String>) -> Refusal {
    let first = differences.first().cloned().unwrap_or_default();
    let more = match differences.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let text = format!("the library's descriptors differ from its metadata: {first}{more}");
    Refusal::new(Code::DescriptorDiffers, text).with_details(differences)
}

fn descriptor(list: &PluginFactory, index: u32) -> Result<&'static Descriptor, Refusal> {
    // SAFETY: the list was checked and `index` is below its count.
    let pointer = unsafe { (list.descriptor)(index) };
    // SAFETY: by the ABI the descriptor is immutable and valid until the process ends.
    unsafe { checked_ref(pointer) }.map_err(|found| {
        Refusal::new(Code::FactoryInvalid, format!("descriptor {index} is invalid: {found}"))
    })
}

fn compare(index: u32, descriptor: &Descriptor, plugin: &PluginMetadata) -> Vec<String> {
    let texts = [
        ("id", descriptor.id, &plugin.id),
        ("name", descriptor.name, &plugin.name),
        ("version", descriptor.version, &plugin.version),
        ("vendor", descriptor.vendor, &plugin.vendor),
        ("license", descriptor.license, &plugin.license),
    ];
    let mut lines: Vec<String> = texts
        .into_iter()
        .filter_map(|(field, code, stated)| text_difference(index, field, code, stated))
        .collect();
    let code = match Kind::from_abi(descriptor.kind) {
        Kind::Unknown => descriptor.kind.to_string(),
        known => known.to_string(),
    };
    if Kind::from_abi(descriptor.kind) != plugin.kind {
        lines.push(format!("plugin {index} kind: the code has `{code}`, the metadata has `{}`", plugin.kind));
    }
    lines
}

fn text_difference(index: u32, field: &str, code: Str, stated: &str) -> Option<String> {
    // SAFETY: the texts of a descriptor live as long as the library.
    let code = String::from_utf8_lossy(unsafe { code.as_bytes() });
    (code != stated).then(|| {
        format!("plugin {index} {field}: the code has `{}`, the metadata has `{stated}`", code.escape_debug())
    })
}
