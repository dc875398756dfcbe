//! The paths that a source file names, in any form, and the modules at the root of a crate that it names by them.

use std::collections::BTreeSet;

use super::lexer::{Placed, Token, tokens};

/// Means the whole crate, if a file names that: `use crate::*`, `use crate as host`.
pub(super) const WHOLE: &str = "*";

/// A path that a source names, without a `*` at its end.
pub(super) struct Named<'a> {
    /// Number of modules between the root and the module in which the path begins.
    pub(super) depth: usize,
    /// Its names below that module. A path that begins without `crate`, `super` or `self` may also name another crate.
    pub(super) names: Vec<&'a str>,
}

/// The names at the root of the crate that a source names, including [`WHOLE`].
///
/// `depth` is the number of modules between the root and the file's content: 1 for `src/web.rs`, 2 for
/// `src/web/guard.rs`.
pub(super) fn imports(source: &str, depth: usize) -> BTreeSet<String> {
    let named = paths(tokens(source), depth);
    let of_root = named.iter().filter(|named| named.depth == 0);
    of_root.map(|named| (*named.names.first().unwrap_or(&WHOLE)).to_owned()).collect()
}

/// The paths that a source names. `depth` is that of [`imports`].
pub(super) fn paths(tokens: Vec<Placed<'_>>, depth: usize) -> Vec<Named<'_>> {
    let mut reader = Reader { tokens, at: 0, depth, blocks: Vec::new(), found: Vec::new() };
    reader.read();
    reader.found
}

struct Reader<'a> {
    tokens: Vec<Placed<'a>>,
    at: usize,
    /// Depth of the current module.
    depth: usize,
    /// The open blocks; true if a block is a module.
    blocks: Vec<bool>,
    found: Vec<Named<'a>>,
}

impl<'a> Reader<'a> {
    fn token(&self, at: usize) -> Option<Token<'a>> {
        self.tokens.get(at).map(|(token, _)| *token)
    }

    fn before(&self, back: usize) -> Option<Token<'a>> {
        self.at.checked_sub(back).and_then(|at| self.token(at))
    }

    fn read(&mut self) {
        while let Some(token) = self.token(self.at) {
            match token {
                Token::Sign('{') => {
                    let is_module = self.before(2) == Some(Token::Word("mod"));
                    self.depth += usize::from(is_module);
                    self.blocks.push(is_module);
                }
                Token::Sign('}') => self.depth -= usize::from(self.blocks.pop().unwrap_or(false)),
                Token::Word("self") if self.before(1) == Some(Token::Word("crate")) => {
                    self.found.push(Named { depth: 0, names: Vec::new() });
                }
                Token::Word(word) if self.begins_path(word) => {
                    self.path(self.depth, Vec::new());
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Whether the current word begins a path that is not part of a visibility such as `pub(in super)`.
    fn begins_path(&self, word: &str) -> bool {
        let follows = match self.token(self.at + 1) {
            Some(Token::Path) => true,
            Some(Token::Word("as")) => matches!(word, "crate" | "super" | "self"),
            _ => false,
        };
        let is_visibility =
            self.before(1) == Some(Token::Word("in")) && self.before(2) == Some(Token::Sign('('));
        follows && self.before(1) != Some(Token::Path) && !is_visibility
    }

    /// Reads a path, or a tree of paths in a `use`, from the module at a depth on, and after the names that were read.
    fn path(&mut self, mut depth: usize, mut names: Vec<&'a str>) {
        loop {
            match self.token(self.at) {
                Some(Token::Word("crate")) => depth = 0,
                Some(Token::Word("super")) => depth = depth.saturating_sub(1),
                Some(Token::Word("self")) => {}
                Some(Token::Word(name)) => names.push(name),
                Some(Token::Sign('{')) => return self.group(depth, &names),
                Some(Token::Sign('*')) => break,
                // For example the `<` of generic arguments, which are read as paths of their own.
                _ if names.is_empty() => return,
                _ => break,
            }
            self.at += 1;
            if self.token(self.at) != Some(Token::Path) {
                break;
            }
            self.at += 1;
        }
        self.found.push(Named { depth, names });
    }

    /// Reads `{a, b::c}` after a path.
    fn group(&mut self, depth: usize, names: &[&'a str]) {
        self.at += 1;
        loop {
            // After a comma, the group may end.
            if self.token(self.at) != Some(Token::Sign('}')) {
                self.path(depth, names.to_vec());
            }
            // An alias, or the star that ended the path.
            while !matches!(self.token(self.at), Some(Token::Sign(',' | '}')) | None) {
                self.at += 1;
            }
            self.at += 1;
            if self.before(1) != Some(Token::Sign(',')) {
                return;
            }
        }
    }
}

/// The imports of a file two modules below the root.
#[cfg(test)]
fn found(source: &str) -> Vec<String> {
    imports(source, 2).into_iter().collect()
}

#[test]
fn imports_are_found_in_every_form() {
    for source in [
        "use crate::sim;",
        "use crate::sim::Simulation;",
        "pub use crate::sim::Simulation;",
        "pub(crate) use crate::sim::*;",
        "use crate::sim as clock;",
        "use crate::sim::Simulation as Clock;",
        "use crate::{sim};",
        "use crate::{sim as clock};",
        "use crate::{sim::{Simulation, step::{Step, Width}}};",
        "use crate::{\n    sim::{\n        self,\n        Simulation,\n    },\n};",
        "use {crate::sim::Simulation, std::fs};",
        "use crate :: r#sim;",
        "use crate::/* quiet */sim;",
        "fn f() { crate::sim::run(); }",
        "fn f() -> Vec<crate::sim::Simulation> { x as crate::sim::Number }",
        "fn f() { a::b::<crate::sim::Simulation>() }",
        "impl crate::sim::Stop for crate::sim::Simulation {}",
        "macro_rules! m { () => { $crate::sim::run() } }",
        "#[serde(with = x)] struct A(crate::sim::Simulation);",
        "use super::super::sim;",
        "use super::super::{sim::Simulation};",
        "use super::{super::{sim}};",
        "use self::super::super::sim;",
        "fn f() { super::super::sim::run() }",
        "mod inner { use super::super::super::sim; }",
        "mod inner { mod most { } } fn f() { super::super::sim::run() }",
    ] {
        assert_eq!(found(source), ["sim"], "{source}");
    }
}

#[test]
fn a_group_gives_each_of_its_names() {
    let source =
        "use crate::{bus::{self, Topic}, config, sim as clock, world::{entities::{Info, poses}, slot}};";
    assert_eq!(found(source), ["bus", "config", "sim", "world"]);
    let source = "use super::{super::sim, super::{bus, web::Server}, routes};";
    assert_eq!(found(source), ["bus", "sim", "web"]);
}

#[test]
fn the_whole_crate_is_an_import_too() {
    for source in [
        "use crate::*;",
        "use crate as host;",
        "use crate::{self as host};",
        "use super::super::*;",
        "use super::super as host;",
        "extern crate self as host;",
    ] {
        assert_eq!(found(source), [WHOLE], "{source}");
    }
}

#[test]
fn text_that_only_resembles_an_import_is_ignored() {
    for source in [
        "// use crate::sim;",
        "/* use crate::sim; */ /// [`crate::sim`]",
        "const A: &str = \"crate::sim\";",
        "const A: &str = r#\"\"crate::sim\"#;",
        "use std::sim; use other::crate_sim;",
        "pub(crate) fn sim() {}",
        "pub(in super::super) struct Sim;",
        "pub(in crate::web) struct Sim;",
        "use super::sim;",
        "use self::sim;",
        "fn f(&self) { self.sim() }",
        "mod inner { use super::super::sim; }",
    ] {
        assert!(found(source).is_empty(), "{source}: {:?}", found(source));
    }
}
