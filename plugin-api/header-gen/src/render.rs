//! Writes the header: the fixed texts of `templates/` and, between them, what was read from the ABI crate.
//! Order: version and rules, forward declarations, the modules one by one, helpers, layout table, export.

use std::fmt::Write;

use crate::{
    Error,
    docs::Documenter,
    source::{Declaration, Field, Kind, Module, Source},
    types,
};

const HEAD: &str = include_str!("../templates/head.h");
const TAIL: &str = include_str!("../templates/tail.h");
const EXPORT: &str = include_str!("../templates/export.h");

/// Where the documentation of the ABI crate begins to speak of rules instead of the crate.
const RULES: &str = "# Rules";

/// Functions up to this many columns stand on one line.
const WIDTH: usize = 110;

/// The whole header.
///
/// # Errors
/// Returns an error if a type has no C form.
pub fn header(source: &Source) -> Result<String, Error> {
    let docs = Documenter::new(source);
    let mut out = HEAD.replace("@DOCS@", &rules(source, &docs));
    forward_declarations(&mut out, source);
    for module in &source.modules {
        render_module(&mut out, module, &docs)?;
    }
    out.push_str(TAIL);
    layout_rows(&mut out, source);
    out.push_str(EXPORT);
    Ok(out.replace("\n\n\n", "\n\n"))
}

fn rules(source: &Source, docs: &Documenter<'_>) -> String {
    let text = source.modules.iter().find(|module| module.name == "lib").map_or("", |module| &module.docs);
    let from = text.find(RULES).unwrap_or(0);
    let lines: Vec<String> = docs.lines("lib", &text[from..], 0).iter().map(|line| star(line)).collect();
    lines.join("\n")
}

fn forward_declarations(out: &mut String, source: &Source) {
    out.push('\n');
    for (_, item) in source.items() {
        if matches!(item.kind, Kind::Struct { .. }) {
            line(out, &format!("typedef struct {0} {0};", item.c_name));
        }
    }
}

fn render_module(out: &mut String, module: &Module, docs: &Documenter<'_>) -> Result<(), Error> {
    banner(out, module, docs);
    for item in &module.items {
        match &item.kind {
            Kind::Constant(value) => {
                comment(out, docs, module, &item.docs, 0);
                line(out, &format!("#define {} {value}", item.c_name));
            }
            Kind::Alias(ty) => {
                comment(out, docs, module, &item.docs, 0);
                line(out, &format!("typedef {ty} {};", item.c_name));
            }
            Kind::Struct { fields, .. } => structure(out, docs, module, item, fields)?,
        }
    }
    Ok(())
}

/// Opens a module with its name and what the Rust file says at its top, except for the rules above.
fn banner(out: &mut String, module: &Module, docs: &Documenter<'_>) {
    let title = if module.name == "lib" { "version" } else { module.name };
    line(out, &format!("\n/* ---- {title} {} */\n", "-".repeat(90 - title.len())));
    if module.name != "lib" {
        line(out, "/*");
        for text in docs.lines(module.name, &module.docs, 0) {
            line(out, &star(&text));
        }
        line(out, " */\n");
    }
}

fn structure(
    out: &mut String,
    docs: &Documenter<'_>,
    module: &Module,
    item: &Declaration,
    fields: &[Field],
) -> Result<(), Error> {
    out.push('\n');
    comment(out, docs, module, &item.docs, 0);
    line(out, &format!("struct {} {{", item.c_name));
    for field in fields {
        comment(out, docs, module, &field.docs, 4);
        let declared = types::declare(&field.ty, &field.c_name).map_err(|why| Error::Unsupported {
            item: format!("{}::{}.{}", module.name, item.name, field.name),
            why,
        })?;
        line(out, &format!("    {};", broken(&declared)));
    }
    line(out, "};\n");
    Ok(())
}

/// Breaks a long function pointer behind the parenthesis of its parameters.
fn broken(declared: &str) -> String {
    match declared.split_once(")(") {
        Some((name, parameters)) if declared.len() + 5 > WIDTH => format!("{name})(\n        {parameters}"),
        _ => declared.to_owned(),
    }
}

fn comment(out: &mut String, docs: &Documenter<'_>, module: &Module, text: &str, indent: usize) {
    let pad = " ".repeat(indent);
    let lines = docs.lines(module.name, text, indent);
    match lines.as_slice() {
        [] => {}
        [only] => line(out, &format!("{pad}/** {only} */")),
        several => {
            line(out, &format!("{pad}/**"));
            for text in several {
                line(out, &format!("{pad}{}", star(text)));
            }
            line(out, &format!("{pad} */"));
        }
    }
}

fn star(text: &str) -> String {
    format!(" * {text}").trim_end().to_owned()
}

fn layout_rows(out: &mut String, source: &Source) {
    out.push_str("#define BH_LAYOUT_ROWS");
    for (item, fields) in source.layout_structs() {
        let (rust, c) = (&item.name, &item.c_name);
        let mut row = |text: String| out.extend([" \\\n    ", &text]);
        row(format!("BH_LAYOUT_STRUCT(\"{rust}.\", {c})"));
        for field in fields {
            let ty = types::compact(&field.ty);
            row(format!("BH_LAYOUT_FIELD(\"{rust}.{}\", {ty:?}, {c}, {})", field.name, field.c_name));
        }
    }
    out.push('\n');
}

/// Writing to a `String` cannot fail.
fn line(out: &mut String, text: &str) {
    let _infallible = writeln!(out, "{text}");
}
