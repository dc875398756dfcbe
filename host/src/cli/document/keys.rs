//! The tables of keys in the guide to the configuration file, made from the table of keys.

use std::fmt::Write as _;

use crate::config::{Key, SECTIONS, Settings, keys_of};

/// Markers around a table in the guide.
const BEGIN: &str = "<!-- The table of keys, generated from the program: ";
const END: &str = "<!-- The end of the table. -->";

/// Returns the guide with new tables; the rest is unchanged.
#[must_use]
pub fn configuration(guide: &str) -> String {
    let mut page = String::new();
    let mut rest = guide;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (section, after) = after.split_once(" -->").unwrap_or(("", after));
        let behind = after.split_once(END).map_or(after, |(_, behind)| behind);
        let _ = write!(page, "{before}{BEGIN}{section} -->\n{}{END}", table(section));
        rest = behind;
    }
    page.push_str(rest);
    page
}

/// Returns the names of sections without a table in the guide.
#[must_use]
pub fn missing(guide: &str) -> Vec<&'static str> {
    let is_missing = |section: &&str| !guide.contains(&format!("{BEGIN}{section} -->"));
    SECTIONS.iter().map(|section| section.name).filter(is_missing).collect()
}

fn table(section: &str) -> String {
    let meaning = SECTIONS.iter().find(|known| known.name == section).map_or("", |known| known.meaning);
    let mut text = format!("\n{meaning}\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
    if section == "services" {
        let names: Vec<String> = keys_of(section).map(|key| format!("`{}`", key.name)).collect();
        return format!("\n{meaning}\n\nThe keys are {}.\n\n", names.join(", "));
    }
    for key in keys_of(section) {
        let form = key.form.describe();
        let _ = writeln!(text, "| `{}` | {form} | {} | {} |", key.name, default(&key), key.meaning);
    }
    text.push('\n');
    text
}

fn default(key: &Key) -> String {
    key.default_text(&Settings::defaults()).map_or(key.without.to_owned(), |value| format!("`{value}`"))
}
