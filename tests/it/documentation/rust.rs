//! Rust of the documentation, compiled as one crate with a module for each page.
//!
//! The crate has the layout of a new sensor, so that it builds as a plugin of the reader does.

use std::fs;
use std::process::Command;

use super::blocks::{Page, pages};
use crate::support::{Setup, cargo, root, succeed, target};

/// What blocks of a page use without saying where it comes from.
const CONTEXT: &[(&str, &str)] = &[
    ("docs/own-messages.md", include_str!("rust/own_messages.rs")),
    ("docs/plugin-guide.md", include_str!("rust/plugin_guide.rs")),
];

/// Returns the module of a page, unless the page has no Rust. Files belong to pages that are followed.
fn module(page: &Page) -> Option<String> {
    let blocks: Vec<_> = page.of("rust").filter(|block| block.file.is_empty()).collect();
    if blocks.is_empty() {
        return None;
    }
    let context = CONTEXT.iter().find(|(path, _)| *path == page.path).map_or("", |(_, context)| context);
    let context = context.lines().filter(|line| !line.starts_with("//!"));
    let mut text = format!("pub mod {} {{\nuse bridgehead_plugin_api::prelude::*;\n", page.word());
    context.for_each(|line| text += &format!("{line}\n"));
    for block in blocks {
        let is_body = block.text.trim_start().starts_with("let ");
        let (before, after) =
            if is_body { (format!("fn line_{}() {{\n", block.line), "}\n") } else { (String::new(), "") };
        text += &format!("// {}:{}\n{before}{}{after}", page.path, block.line, block.text);
    }
    Some(text + "}\n")
}

#[test]
fn rust_compiles() {
    let modules: Vec<String> = pages().iter().filter_map(module).collect();
    assert!(modules.len() > 1, "only {} pages have Rust", modules.len());
    let setup = Setup::new();
    let mut program = Command::new(setup.path("bin/bridgehead"));
    let program = program.args(["plugin", "new", "pages", "--kind", "sensor", "--sdk"]);
    succeed(program.arg(root().join("plugin-api")).current_dir(setup.path("out")));
    let folder = setup.path("out/pages");
    let text = format!(
        "#![allow(dead_code, unused_imports, unused_variables)]\n\
         bridgehead_plugin_api::include_messages!(pub mod messages);\n{}",
        modules.concat()
    );
    fs::write(folder.join("src/lib.rs"), text).expect("a source");
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    let builds = target().parent().expect("the folder of all builds").join("outside");
    cargo(|command| command.arg("build").current_dir(&folder).env("CARGO_TARGET_DIR", builds));
}
