//! Reads the ABI crate's sources into the items the header is made of: structs, constants and aliases with
//! their documentation, module by module. It checks what C needs and Rust does not: every item is known,
//! names are unique, and a struct stands behind those it contains by value. Rendering is left to
//! [`crate::render`].

use std::{collections::HashSet, fs, path::Path};

use syn::{Attribute, Expr, Fields, Item, ItemConst, ItemStruct, Lit, Meta, UnOp, Visibility};

use crate::{Error, names, types};

/// The modules of the ABI crate in the order of the header; `lib` holds the version and the rules.
pub const MODULES: [&str; 21] = [
    "lib",
    "status",
    "basic",
    "message",
    "extension",
    "layout",
    "entry",
    "host",
    "surroundings",
    "dynamics",
    "kinematics",
    "calls",
    "description",
    "scene",
    "actions",
    "report",
    "stepping",
    "encodings",
    "bridges",
    "bridge",
    "model",
];

/// Slices of texts and of rows serve Rust callers only and are left out of the header.
const RUST_ONLY: [&str; 2] = ["&[&str]", "&[LayoutRow]"];

/// Everything the header is made of.
pub struct Source {
    /// The modules in the order of [`MODULES`].
    pub modules: Vec<Module>,
}

/// One file of the ABI crate.
pub struct Module {
    /// Its name in Rust.
    pub name: &'static str,
    /// The documentation at its top.
    pub docs: String,
    /// What it declares, in its own order.
    pub items: Vec<Declaration>,
}

/// One item of a module.
pub struct Declaration {
    /// Name in Rust.
    pub name: String,
    /// Name in C.
    pub c_name: String,
    /// Documentation, one line per line of the source.
    pub docs: String,
    /// What it is.
    pub kind: Kind,
}

/// What a [`Declaration`] declares.
pub enum Kind {
    /// A `repr(C)` struct.
    Struct {
        /// Its fields in order.
        fields: Vec<Field>,
        /// Whether it was defined with `abi_struct!` and so has rows in the layout table.
        in_layout: bool,
    },
    /// A constant with its value in C.
    Constant(String),
    /// Another name for a type, given in C.
    Alias(String),
}

/// One field of a struct.
pub struct Field {
    /// Name in Rust.
    pub name: String,
    /// Name in C: differs where C reserves the word.
    pub c_name: String,
    /// Documentation.
    pub docs: String,
    /// Its type.
    pub ty: syn::Type,
}

impl Source {
    /// Reads the modules from the crate's `src` folder.
    ///
    /// # Errors
    /// As for [`crate::generate`].
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let mut modules = Vec::new();
        for name in MODULES {
            let path = folder.join(format!("{name}.rs"));
            let text = fs::read_to_string(&path).map_err(|source| Error::File { path, source })?;
            modules.push(Module::parse(name, &text)?);
        }
        let source = Source { modules };
        source.check_names()?;
        source.check_order()?;
        Ok(source)
    }

    /// Every item with the module it stands in.
    pub fn items(&self) -> impl Iterator<Item = (&Module, &Declaration)> {
        self.modules.iter().flat_map(|module| module.items.iter().map(move |item| (module, item)))
    }

    /// The structs that have rows in the layout table, with their fields.
    pub fn layout_structs(&self) -> impl Iterator<Item = (&Declaration, &[Field])> {
        self.items().filter_map(|(_, item)| match &item.kind {
            Kind::Struct { fields, in_layout: true } => Some((item, fields.as_slice())),
            Kind::Struct { .. } | Kind::Constant(_) | Kind::Alias(_) => None,
        })
    }

    fn check_names(&self) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for (module, item) in self.items() {
            if !seen.insert(&item.c_name) {
                let why = format!("`{}` is already the C name of another item", item.c_name);
                return Err(unsupported(module.name, &item.name, why));
            }
        }
        Ok(())
    }

    /// The header follows the order of the sources, which is the order of the layout table.
    fn check_order(&self) -> Result<(), Error> {
        let structs: HashSet<&str> = self.structs().map(|(_, item, _)| item.name.as_str()).collect();
        let mut defined = HashSet::new();
        for (module, item, fields) in self.structs() {
            for field in fields {
                let Some(needed) = types::value_dependency(&field.ty) else { continue };
                if structs.contains(needed.as_str()) && !defined.contains(needed.as_str()) {
                    let why =
                        format!("it contains `{needed}`, which is defined behind it; move `{needed}` up");
                    return Err(unsupported(module, &format!("{}.{}", item.name, field.name), why));
                }
            }
            defined.insert(item.name.as_str());
        }
        Ok(())
    }

    fn structs(&self) -> impl Iterator<Item = (&'static str, &Declaration, &[Field])> {
        self.items().filter_map(|(module, item)| match &item.kind {
            Kind::Struct { fields, .. } => Some((module.name, item, fields.as_slice())),
            Kind::Constant(_) | Kind::Alias(_) => None,
        })
    }
}

impl Module {
    fn parse(name: &'static str, text: &str) -> Result<Self, Error> {
        let parse = |source| Error::Parse { module: name, source };
        let file = syn::parse_file(text).map_err(parse)?;
        let mut items = Vec::new();
        for item in file.items {
            match item {
                Item::Macro(item) if item.mac.path.is_ident("abi_struct") => {
                    items.push(structure(name, item.mac.parse_body().map_err(parse)?, true)?);
                }
                Item::Struct(item) if is_public(&item.vis) => items.push(structure(name, item, false)?),
                Item::Const(item) if is_public(&item.vis) => items.extend(constant(name, &item)?),
                Item::Type(item) if is_public(&item.vis) => {
                    let rust = item.ident.to_string();
                    let ty = types::declare(&item.ty, "").map_err(|why| unsupported(name, &rust, why))?;
                    items.push(Declaration {
                        c_name: names::of_type(&rust),
                        name: rust,
                        docs: docs_of(&item.attrs),
                        kind: Kind::Alias(ty),
                    });
                }
                // Functions and impls are for Rust callers; uses and modules declare nothing.
                _ => {}
            }
        }
        Ok(Module { name, docs: docs_of(&file.attrs), items })
    }
}

fn structure(module: &str, item: ItemStruct, in_layout: bool) -> Result<Declaration, Error> {
    let name = item.ident.to_string();
    let Fields::Named(named) = item.fields else {
        return Err(unsupported(module, &name, "it has no named fields".to_owned()));
    };
    let mut fields = Vec::new();
    for field in named.named {
        let rust = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        fields.push(Field {
            c_name: names::of_field(&rust),
            name: rust,
            docs: docs_of(&field.attrs),
            ty: field.ty,
        });
    }
    let kind = Kind::Struct { fields, in_layout };
    Ok(Declaration { c_name: names::of_type(&name), name, docs: docs_of(&item.attrs), kind })
}

fn constant(module: &str, item: &ItemConst) -> Result<Option<Declaration>, Error> {
    if RUST_ONLY.contains(&types::compact(&item.ty).as_str()) {
        return Ok(None);
    }
    let name = item.ident.to_string();
    let value = value_of(&item.expr)
        .ok_or_else(|| unsupported(module, &name, "its value is not a literal, `MIN` or `MAX`".to_owned()))?;
    let c_name = names::of_constant(module, &name);
    Ok(Some(Declaration { name, c_name, docs: docs_of(&item.attrs), kind: Kind::Constant(value) }))
}

/// A constant's value in C. Integers stay bare, so that macros can turn them into text.
fn value_of(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Some(number.base10_digits().to_owned()),
            Lit::Str(text) => Some(format!("{:?}", text.value())),
            _ => None,
        },
        Expr::Unary(unary) => match (&unary.op, &*unary.expr) {
            (UnOp::Neg(_), number) => value_of(number).map(|number| format!("(-{number})")),
            (UnOp::Deref(_), Expr::Lit(literal)) => byte_list(&literal.lit),
            _ => None,
        },
        Expr::Path(path) => limit(&types::compact(path)),
        _ => None,
    }
}

fn byte_list(literal: &Lit) -> Option<String> {
    let Lit::ByteStr(bytes) = literal else { return None };
    let letters: Vec<String> =
        bytes.value().iter().map(|byte| format!("'{}'", byte.escape_ascii())).collect();
    Some(format!("{{{}}}", letters.join(", ")))
}

fn limit(path: &str) -> Option<String> {
    let (kind, end) = path.split_once("::")?;
    let bits = kind.get(1..).filter(|bits| ["8", "16", "32", "64"].contains(bits))?;
    match (kind.get(..1)?, end) {
        ("u", "MAX") => Some(format!("UINT{bits}_MAX")),
        ("i", "MAX" | "MIN") => Some(format!("INT{bits}_{end}")),
        _ => None,
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn docs_of(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(doc_line).collect();
    lines.join("\n")
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        Expr::Lit(literal) if pair.path.is_ident("doc") => match &literal.lit {
            Lit::Str(text) => {
                let text = text.value();
                Some(text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}

fn unsupported(module: &str, item: &str, why: String) -> Error {
    Error::Unsupported { item: format!("{module}::{item}"), why }
}

#[cfg(test)]
mod tests;
