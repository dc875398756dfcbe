//! `bridgehead plugin new`: writes the folder of a plugin that builds, tests itself and runs.
//!
//! The folder is written beside its place and renamed when it is complete, so that a failure leaves nothing behind. Main
//! thread.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::{env, fs, io};

use bridgehead_plugin_api::abi::{ABI_MAJOR, ABI_MINOR};

use super::templates;
use super::templates::MODEL_RULES;
use crate::cli::args::{NewArguments, PluginKind, PluginLanguage};
use crate::cli::console::Console;
use crate::cli::finding::finding;
use crate::cli::printed;
use crate::cli::printed::EXIT_CONFIGURATION;

/// Longest name of a plugin.
const MAX_NAME: usize = 64;

/// Words of Rust, C and C++ and names of crates that cannot name a crate, a type or a file.
const RESERVED: [&str; 62] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "auto",
    "await",
    "become",
    "box",
    "break",
    "bridgehead",
    "build",
    "case",
    "char",
    "class",
    "const",
    "continue",
    "core",
    "crate",
    "default",
    "do",
    "double",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "float",
    "fn",
    "for",
    "gen",
    "goto",
    "if",
    "impl",
    "in",
    "int",
    "let",
    "log",
    "long",
    "loop",
    "macro",
    "match",
    "messages",
    "mod",
    "move",
    "mut",
    "pub",
    "ref",
    "return",
    "self",
    "short",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "try",
    "type",
    "union",
    "unsafe",
    "while",
];

/// Why there is no new plugin.
#[derive(Debug, thiserror::Error)]
enum NewError {
    #[error("[BH-KIT-001] the name `{0}` cannot be used: {1}")]
    Name(String, &'static str),
    #[error(
        "[BH-KIT-002] the id `{0}` is no reverse domain name; write letters, digits, dots and `_`, with a dot inside"
    )]
    Id(String),
    #[error("[BH-KIT-003] `{}` is not written: {reason}", path.display())]
    NotWritten { path: PathBuf, reason: String },
    #[error("[BH-KIT-004] `{}` has no crates for plugins: `Cargo.toml` and `build/Cargo.toml` are expected there", .0.display())]
    NoSdk(PathBuf),
    #[error(
        "[BH-KIT-006] no SDK for Rust was found beside this program; give it with `--sdk DIR`: the folder `plugin-api` of the sources, or the folder `share/bridgehead/sdk` of an installation"
    )]
    SdkNotFound,
}

/// Writes the folder of a new plugin; returns the exit code.
pub(in crate::cli) fn new(arguments: &NewArguments, console: &Console) -> u8 {
    match try_new(arguments) {
        Ok(text) => printed(&text, 0, EXIT_CONFIGURATION, console),
        Err(problem) => {
            console.line(&finding("error", "", &problem.to_string()));
            EXIT_CONFIGURATION
        }
    }
}

fn try_new(arguments: &NewArguments) -> Result<String, NewError> {
    let plugin = NewPlugin::read(arguments)?;
    let place = arguments.path.clone().unwrap_or_else(|| PathBuf::from(&plugin.name));
    let files = plugin.files();
    write_all(&place, &files).map_err(|reason| NewError::NotWritten { path: place.clone(), reason })?;
    Ok(plugin.next_steps(&place, &files))
}

/// A plugin to write.
struct NewPlugin {
    name: String,
    kind: PluginKind,
    language: PluginLanguage,
    id: String,
    vendor: String,
    /// The lines of `Cargo.toml` that name the two crates.
    crates: [String; 2],
}

impl NewPlugin {
    fn read(arguments: &NewArguments) -> Result<Self, NewError> {
        let name = arguments.name.clone();
        check_name(&name)?;
        let (kind, language) = (arguments.kind, arguments.lang);
        let id = arguments.id.clone().unwrap_or_else(|| format!("org.example.{}.{name}", word(kind)));
        if !is_id(&id) {
            return Err(NewError::Id(id));
        }
        let crates = match language {
            PluginLanguage::Rust => crates(arguments.sdk.as_deref(), env::current_exe().ok().as_deref())?,
            PluginLanguage::C | PluginLanguage::Cpp | PluginLanguage::Python => Default::default(),
        };
        // The vendor becomes part of a text of the language.
        let vendor = arguments.vendor.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\' | '@'));
        Ok(NewPlugin { name, kind, language, id, vendor: vendor.collect(), crates })
    }

    /// Returns the files with their paths.
    fn files(&self) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> = templates::files(self.kind, self.language)
            .into_iter()
            .map(|(path, text)| (self.filled(path), self.filled(text)))
            .collect();
        let readme: Vec<String> =
            templates::readme(self.kind, self.language).into_iter().map(|part| self.filled(part)).collect();
        files.push(("README.md".to_owned(), readme.concat()));
        files
    }

    /// Replaces the placeholders.
    fn filled(&self, text: &str) -> String {
        let [api, build] = &self.crates;
        let build = if self.kind == PluginKind::Sensor && self.language == PluginLanguage::Rust {
            format!("\n[build-dependencies]\n{build}\n\n")
        } else {
            "\n".to_owned()
        };
        let (language, extension) = match self.language {
            PluginLanguage::Rust => ("Rust", "rs"),
            PluginLanguage::C => ("C99", "c"),
            PluginLanguage::Cpp => ("C++17", "cpp"),
            PluginLanguage::Python => ("Python", "py"),
        };
        let (of_cmake, standard) =
            if self.language == PluginLanguage::Cpp { ("CXX", "cxx_std_17") } else { ("C", "c_std_99") };
        let words = [
            ("@model-rules@\n", MODEL_RULES),
            ("@name@", &self.name),
            ("@Type@", &type_name(&self.name)),
            ("@id@", &self.id),
            ("@vendor@", &self.vendor),
            ("@package@", &format!("{}.v1", self.name)),
            ("@what@", what(self.kind)),
            ("@api@", api),
            ("@build@\n", &build),
            ("@abi@", &format!("{ABI_MAJOR}.{ABI_MINOR}")),
            ("@rust@", env!("CARGO_PKG_RUST_VERSION")),
            ("@language@", language),
            ("@extension@", extension),
            ("@library@", &self.library()),
            ("@validate@", self.validation()),
            ("@validate-words@]", &self.validation_words()),
            ("@start-peer@", if self.kind == PluginKind::Bridge { "python3 peer.py 9000 & " } else { "" }),
            ("@cmake-language@", of_cmake),
            ("@standard@", standard),
        ];
        words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
    }

    /// Returns the path of the built library below the folder.
    fn library(&self) -> String {
        match self.language {
            PluginLanguage::Rust => format!("target/debug/lib{}.so", self.name),
            PluginLanguage::C | PluginLanguage::Cpp => format!("build/lib{}.so", self.name),
            PluginLanguage::Python => format!("{}.py", self.name),
        }
    }

    /// Returns the same arguments as the end of a list in Python.
    fn validation_words(&self) -> String {
        let words = self.validation().split_whitespace().map(|word| format!(", \"{word}\""));
        words.chain([String::from("]")]).collect()
    }

    /// Returns what a validation of this kind of plugin needs, as arguments.
    fn validation(&self) -> &'static str {
        match self.kind {
            PluginKind::Bridge => " --connection 127.0.0.1:9000",
            PluginKind::Sensor => "",
            PluginKind::Controller => " --world world.sdf",
        }
    }

    /// Returns what was written, and what to do next.
    fn next_steps(&self, place: &Path, files: &[(String, String)]) -> String {
        let mut text = format!("{} contains a new {}:\n", place.display(), word(self.kind));
        files.iter().for_each(|(path, _)| _ = writeln!(text, "  {path}"));
        let (tool, source, steps): (_, _, &[&str]) = match self.language {
            PluginLanguage::Rust => ("cargo", "https://rustup.rs", &["cargo test", "cargo build"]),
            PluginLanguage::C | PluginLanguage::Cpp => (
                "cmake",
                "the packages of your system",
                &["cmake -S . -B build", "cmake --build build", "ctest --test-dir build"],
            ),
            PluginLanguage::Python => ("python3", "https://www.python.org", &[]),
        };
        let _ = writeln!(text, "next:\n  cd {}", place.display());
        steps.iter().for_each(|step| _ = writeln!(text, "  {step}"));
        let _ = writeln!(text, "  bridgehead plugin validate {}{}", self.library(), self.validation());
        if !is_installed(tool) {
            let _ = writeln!(text, "`{tool}` is not found; install it from {source} first");
        }
        text
    }
}

fn word(kind: PluginKind) -> &'static str {
    match kind {
        PluginKind::Bridge => "bridge",
        PluginKind::Sensor => "sensor",
        PluginKind::Controller => "controller",
    }
}

fn what(kind: PluginKind) -> &'static str {
    match kind {
        PluginKind::Bridge => {
            "A bridge for Bridgehead: sends each message as JSON over UDP, and takes such datagrams from its peer."
        }
        PluginKind::Sensor => {
            "A sensor for Bridgehead: publishes how fast its link moves along its own x axis."
        }
        PluginKind::Controller => {
            "A controller for Bridgehead: turns a joint with the speed that commands say."
        }
    }
}

fn check_name(name: &str) -> Result<(), NewError> {
    let refuse = |reason| Err(NewError::Name(name.to_owned(), reason));
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return refuse("it must begin with a small letter");
    }
    if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
        return refuse("only small letters, digits and underscores are allowed");
    }
    // ROS allows neither of these in the name of a package.
    if name.contains("__") || name.ends_with('_') {
        return refuse("an underscore must stand between two other characters");
    }
    if name.len() > MAX_NAME {
        return refuse("it is longer than 64 characters");
    }
    if RESERVED.contains(&name) {
        return refuse("it is a word of the language");
    }
    Ok(())
}

fn is_id(id: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    id.len() <= 255 && id.split('.').count() >= 2 && id.split('.').all(is_part)
}

/// Returns `my_radar` as `MyRadar`.
fn type_name(name: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(capital).collect()
}

/// Returns the dependencies on the two crates, by path: those that `--sdk` names, or those beside the program.
fn crates(sdk: Option<&Path>, program: Option<&Path>) -> Result<[String; 2], NewError> {
    let found = match sdk {
        Some(folder) => sdk_in(folder).ok_or_else(|| NewError::NoSdk(folder.to_owned()))?,
        None => program.and_then(sdk_of_program).ok_or(NewError::SdkNotFound)?,
    };
    let line = |name: &str, below: &str| format!("{name} = {{ path = {:?} }}", below_sdk(&found, below));
    Ok([line("bridgehead-plugin-api", ""), line("bridgehead-build", "build")])
}

/// Returns the crates in a folder: `plugin-api` itself, or the folder of an installation that contains it.
fn sdk_in(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    [folder.join("plugin-api"), folder].into_iter().find(|folder| is_sdk(folder))
}

fn below_sdk(folder: &Path, below: &str) -> String {
    let path = if below.is_empty() { folder.to_owned() } else { folder.join(below) };
    path.display().to_string()
}

fn is_sdk(folder: &Path) -> bool {
    ["Cargo.toml", "build/Cargo.toml", "abi/Cargo.toml"].iter().all(|file| folder.join(file).is_file())
}

/// Returns the crates that are installed with this program, or those of its sources if it was built in them.
fn sdk_of_program(program: &Path) -> Option<PathBuf> {
    let program = program.canonicalize().ok()?;
    let places = ["share/bridgehead/sdk/plugin-api", "plugin-api"];
    let mut folders =
        program.ancestors().flat_map(|folder| places.iter().map(move |place| folder.join(place)));
    folders.find(|folder| is_sdk(folder))
}

/// Returns true if a program is in the search path.
fn is_installed(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// Writes all files below a new folder, or nothing.
fn write_all(place: &Path, files: &[(String, String)]) -> Result<(), String> {
    if place.symlink_metadata().is_ok() {
        return Err("it exists; name another folder with `--path`".to_owned());
    }
    let Some(Component::Normal(name)) = place.components().next_back() else {
        return Err("it is no name of a folder".to_owned());
    };
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = parent.join(format!(".{}.{}.part", name.display(), std::process::id()));
    let written = write_below(&temporary, files).and_then(|()| fs::rename(&temporary, place));
    if written.is_err() {
        // The same problem may prevent the removal.
        drop(fs::remove_dir_all(&temporary));
    }
    written.map_err(|error| error.to_string())
}

fn write_below(folder: &Path, files: &[(String, String)]) -> io::Result<()> {
    fs::create_dir(folder)?;
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
