//! Builds plugin libraries for tests, with the C compiler and the public header.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The folder of `bridgehead.h`.
const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugin-api/include");

/// A folder with plugin libraries.
pub(crate) struct Shelf {
    folder: TempDir,
}

impl Shelf {
    pub(crate) fn new() -> Self {
        Shelf { folder: TempDir::new().expect("a temporary folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Compiles the fixture plugin as `lib<name>.so` with a name of its own and the given macros.
    pub(crate) fn plugin(&self, name: &str, macros: &[(&str, &str)]) -> PathBuf {
        self.plugin_with_header(name, macros, Path::new(INCLUDE))
    }

    /// Compiles the fixture plugin like [`Shelf::plugin`], with another folder of `bridgehead.h`.
    pub(crate) fn plugin_with_header(&self, name: &str, macros: &[(&str, &str)], include: &Path) -> PathBuf {
        let id = format!("\"org.example.{name}\"");
        let own_name = format!("\"{name}\"");
        let defaults =
            [("FIXTURE_ID", id.as_str()), ("FIXTURE_NAME", &own_name), ("FIXTURE_REQUIRES", "\"\"")];
        self.compile(name, include_str!("fixture.c"), include, &with_defaults(&defaults, macros))
    }

    /// Compiles the library of two plugins, `shared` and `<name>`. [`Shelf::notes`] returns the notes of its `init` and
    /// `deinit`.
    pub(crate) fn pair(&self, name: &str, macros: &[(&str, &str)]) -> PathBuf {
        let notes = format!("\"{}\"", self.path().join("notes").display());
        let label = format!("\"{name}\"");
        let defaults = [
            ("PAIR_NOTES", notes.as_str()),
            ("PAIR_LABEL", &label),
            ("PAIR_PANIC", "\"none\""),
            ("PAIR_COUNT", "2"),
            ("PAIR_FIRST_KIND", "BH_KIND_MODEL"),
            ("PAIR_FIRST_WORD", "\"model\""),
        ];
        self.compile(name, include_str!("pair.c"), Path::new(INCLUDE), &with_defaults(&defaults, macros))
    }

    /// Returns the notes of the libraries of [`Shelf::pair`], line by line.
    pub(crate) fn notes(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path().join("notes")).unwrap_or_default();
        text.lines().map(String::from).collect()
    }

    /// Compiles a C text that is not a plugin as `lib<name>.so`.
    pub(crate) fn library(&self, name: &str, text: &str) -> PathBuf {
        self.compile(name, text, Path::new(INCLUDE), &[])
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).expect("the file is written");
        path
    }

    /// Writes a copy of the header in which each text of `changes` is replaced by the other; all must occur. Returns
    /// its folder.
    pub(crate) fn changed_header(&self, changes: &[(&str, &str)]) -> PathBuf {
        let mut header = fs::read_to_string(Path::new(INCLUDE).join("bridgehead.h")).expect("the header");
        for (from, to) in changes {
            assert!(header.contains(from), "the header has no `{from}`");
            header = header.replace(from, to);
        }
        let folder = self.path().join("include");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("bridgehead.h"), header).expect("the header is written");
        folder
    }

    fn compile(&self, name: &str, text: &str, include: &Path, macros: &[(&str, &str)]) -> PathBuf {
        let source = self.path().join(format!("{name}.c"));
        fs::write(&source, text).expect("the source is written");
        let path = self.path().join(format!("lib{name}.so"));
        let output = Command::new("cc")
            .args(["-std=gnu11", "-Wall", "-Werror", "-shared", "-fPIC", "-O1", "-o"])
            .arg(&path)
            .arg(format!("-I{}", include.display()))
            .args(macros.iter().map(|(key, value)| format!("-D{key}={value}")))
            .arg(source)
            .output()
            .expect("a C compiler called `cc`");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        path
    }
}

/// Returns the given macros, after the defaults of those that are not given.
fn with_defaults<'a>(
    defaults: &[(&'a str, &'a str)],
    given: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let is_given = |key: &str| given.iter().any(|(known, _)| *known == key);
    defaults.iter().filter(|(key, _)| !is_given(key)).chain(given).copied().collect()
}

/// Replaces the one place where `from` occurs in a file by `to`.
pub(crate) fn patch(path: &Path, from: &[u8], to: &[u8]) {
    let mut bytes = fs::read(path).expect("the file");
    let places: Vec<usize> =
        (0..bytes.len()).filter(|&at| bytes.get(at..).is_some_and(|rest| rest.starts_with(from))).collect();
    let [at] = places.as_slice() else { panic!("{} places to patch", places.len()) };
    bytes.splice(*at..at + from.len(), to.iter().copied());
    fs::write(path, bytes).expect("the file is written");
}
