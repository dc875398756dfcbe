//! `bridgehead plugin info`: what a file says of itself, without running it.

use std::fmt::Write as _;

use super::super::args::InfoArguments;
use super::super::console::Console;
use super::super::printed;
use crate::plugin::probe::Outcome;
use crate::plugin::{LoadOptions, Metadata, described};

/// Describes a file; returns the exit code, which is that of a probe.
pub(in crate::cli) fn info(arguments: &InfoArguments, console: &Console) -> u8 {
    let usage = Outcome::Usage.exit_code();
    match described(&arguments.file, LoadOptions::default().size_limit) {
        Ok(metadata) => {
            let text = if arguments.json { json(&metadata) } else { text(&metadata) };
            printed(&text, Outcome::Ok.exit_code(), usage, console)
        }
        Err(refusal) => {
            console.line(&format!("{}: {refusal}", arguments.file.display()));
            Outcome::Refused.exit_code()
        }
    }
}

fn json(metadata: &Metadata) -> String {
    // Texts and numbers only, which always have a form in JSON.
    let text = serde_json::to_string_pretty(metadata);
    text.map_or_else(|error| format!("{{\"error\": \"{error}\"}}\n"), |text| format!("{text}\n"))
}

fn text(metadata: &Metadata) -> String {
    let [major, minor] = metadata.abi;
    let mut text = format!("plugin ABI  {major}.{minor}\n");
    if !metadata.sdk.is_empty() {
        let _ = writeln!(text, "made with   {}", metadata.sdk);
    }
    for plugin in &metadata.plugins {
        let kind = super::validate::word(plugin);
        let _ = writeln!(text, "\n{} ({kind})", plugin.name);
        let rows = [
            ("id", plugin.id.clone()),
            ("version", plugin.version.clone()),
            ("vendor", plugin.vendor.clone()),
            ("license", plugin.license.clone()),
            ("requires", plugin.requires.join(", ")),
            ("provides", plugin.provides.join(", ")),
            ("remembers", plugin.state.clone()),
        ];
        let filled = rows.iter().filter(|(_, value)| !value.is_empty());
        filled.for_each(|(name, value)| _ = writeln!(text, "  {name:<10}{value}"));
    }
    text
}
