//! Every Rust file of a source folder is a module: cargo does not read a file that nobody declares, and tests in it pass
//! for ever.

use std::path::Path;

use super::lexer::{Token, tokens};
use super::{Source, sources};

/// Files that cargo finds by their name.
const ROOTS: [&str; 3] = ["lib.rs", "main.rs", "build.rs"];

/// Whether `source` declares the module `name`.
fn declares(source: &Source, name: &str) -> bool {
    let tokens = tokens(&source.text);
    tokens.windows(2).any(|pair| {
        matches!((pair[0].0, pair[1].0), (Token::Word("mod"), Token::Word(declared)) if declared == name)
    })
}

/// Whether `source`, the module of a folder, includes the text of its file `name`, which is compiled elsewhere.
fn includes(source: &Source, name: &str) -> bool {
    let folder = source.path.strip_suffix(".rs").and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let file = format!("{folder}/{name}.rs");
    tokens(&source.text).iter().any(|(token, _)| matches!(token, Token::Text(text) if *text == file))
}

/// Files that no other one declares.
fn strays(sources: &[Source]) -> Vec<&str> {
    let of = |path: &str| sources.iter().find(|source| source.path == path);
    let is_stray = |source: &&Source| {
        let path = Path::new(&source.path);
        let folder = path.parent().unwrap_or(path).to_string_lossy();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_root = ROOTS.iter().any(|root| path.ends_with(root)) || folder.ends_with("/src/bin");
        let parents = [format!("{folder}.rs"), format!("{folder}/lib.rs"), format!("{folder}/main.rs")];
        !is_root
            && !parents
                .iter()
                .filter_map(|parent| of(parent))
                .any(|parent| declares(parent, &name) || includes(parent, &name))
    };
    let inside =
        sources.iter().filter(|source| source.path.contains("/src/") || source.path.contains("tests/it/"));
    inside.filter(is_stray).map(|source| source.path.as_str()).collect()
}

#[test]
fn every_file_is_a_module() {
    assert_eq!(strays(&sources()), Vec::<&str>::new(), "files that are never compiled");
}

#[test]
fn a_file_that_nobody_declares_is_found() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        source("host/src/lib.rs", "mod bus;"),
        source(
            "host/src/bus.rs",
            "// mod lost;\nmod topic;\nconst TEXT: &str = include_str!(\"bus/text.rs\");",
        ),
        source("host/src/bus/topic.rs", ""),
        source("host/src/bus/text.rs", ""),
        source("host/src/bus/lost.rs", ""),
    ];
    assert_eq!(strays(&sources), ["host/src/bus/lost.rs"]);
}
