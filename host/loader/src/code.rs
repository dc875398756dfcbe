//! The table of all loader findings about files and folders: number, name, meaning, advice. Plain values.
//!
//! Messages, the error pages of the documentation and the tests are made from it. The finding about one specific file
//! is a [`Refusal`](super::Refusal).

use std::fmt;

/// One row of the table, for documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// The code itself.
    pub code: Code,
    /// Its number within `BH-PLG`.
    pub number: u16,
    /// Short name in kebab case.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to try.
    pub advice: &'static str,
}

/// Declares the enum and its table from one list.
macro_rules! codes {
    ($( $variant:ident = $number:literal, $name:literal: $meaning:literal => $advice:literal; )*) => {
        /// Why a file or folder was refused or caused a warning. Shown as `BH-PLG-nnn`; numbers are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $( #[doc = $meaning] $variant, )*
        }

        /// Every code, in ascending order.
        pub const CODES: &[CodeInfo] = &[
            $( CodeInfo { code: Code::$variant, number: $number, name: $name, meaning: $meaning, advice: $advice }, )*
        ];

        impl Code {
            /// Returns the row of the table.
            #[must_use]
            pub const fn info(self) -> CodeInfo {
                match self {
                    $( Code::$variant => CodeInfo {
                        code: self, number: $number, name: $name, meaning: $meaning, advice: $advice,
                    }, )*
                }
            }
        }
    };
}

codes! {
    FolderMissing = 1, "folder-missing":
        "A given plugin folder does not exist or cannot be read."
        => "check the spelling of the folder; `~` and variables in it are not expanded";
    FolderEmpty = 2, "folder-empty":
        "A given plugin folder contains neither a `.so` file nor a plugin in Python."
        => "give the folder that contains the built libraries, for example `target/debug`; a plugin in Python needs the comments `# /// bridgehead`";
    WritableByAll = 3, "writable-by-all":
        "Every user of the machine may write a plugin folder or a library, and so choose code that the host runs."
        => "`chmod o-w` the folder or library, or use a copy in a folder of your own";
    Unreadable = 10, "unreadable":
        "The file cannot be opened or read."
        => "check that the file exists and that this user may read it";
    NotAFile = 11, "not-a-file":
        "The path is not a regular file."
        => "name a `.so` file, or a folder that contains `.so` files";
    TooLarge = 12, "too-large":
        "The file exceeds the size limit for plugins."
        => "build the plugin with `strip = true`, or with less debug information";
    Changed = 13, "changed":
        "The file was replaced between the start of the host and the first use of its plugins."
        => "start the host again";
    NotElf = 20, "not-elf":
        "The file is not an ELF file."
        => "copy the built library itself; a download or a Git LFS checkout may have replaced it with a text file";
    WrongClass = 21, "wrong-class":
        "The file is not a 64-bit little-endian ELF file."
        => "build the plugin for this machine: `cargo build` without a 32-bit `--target`";
    WrongMachine = 22, "wrong-machine":
        "The file was built for another processor architecture."
        => "build the plugin on this machine, or with its `--target`";
    NotShared = 23, "not-shared":
        "The ELF file is not a shared object."
        => "build a shared library: `crate-type = [\"cdylib\"]` in Rust, `-shared -fPIC` in C";
    Truncated = 24, "truncated":
        "The ELF file is truncated."
        => "copy the file again";
    Malformed = 25, "malformed":
        "The ELF structure of the file is inconsistent."
        => "build the plugin again; the file was damaged or changed by a tool";
    NotAPlugin = 30, "not-a-plugin":
        "The shared library has no `.bridgehead.meta` section, so it is not a Bridgehead plugin."
        => "export the plugin with `export_plugin!` in Rust or `BH_EXPORT_PLUGIN` in C; do not strip section headers";
    MetadataMalformed = 31, "metadata-malformed":
        "The metadata section is not the expected JSON."
        => "let the SDK or the C header write the section";
    MetadataSchema = 32, "metadata-schema":
        "The metadata has a later schema version and cannot be read by this host."
        => "rebuild the plugin against the plugin API of this host, or use a newer host";
    AbiVersion = 33, "abi-version":
        "The plugin was built for another major version of the plugin ABI."
        => "rebuild the plugin against the plugin API of this host, or use a newer host";
    MetadataInvalid = 34, "metadata-invalid":
        "A value in the metadata, such as an id or a name, is invalid."
        => "correct the values given to `export_plugin!` or to the C header";
    MissingExtension = 35, "missing-extension":
        "The plugin requires a host extension that this host does not offer."
        => "use a host that offers the extension, or remove it from `requires` and do without it";
    PanicAbort = 36, "panic-abort":
        "The plugin was built with `panic = \"abort\"`: a panic in it ends the whole host."
        => "build the plugin with `panic = \"unwind\"`, the default of cargo";
    UnknownKind = 37, "unknown-kind":
        "A plugin of the library is of a kind that this host does not know; the others are used."
        => "use a newer host for that plugin";
    ScriptUnmarked = 38, "script-unmarked":
        "The file imports the plugin API for Python, or was named as a plugin, but has no block of metadata."
        => "begin the file with the lines `# /// bridgehead`, `# kind = \"model\"` and `# ///`; `bridgehead plugin new --lang python` writes an example";
    ScriptMetadata = 39, "script-metadata":
        "The block of metadata of a plugin in Python is incomplete, or a value in it is invalid."
        => "correct the line; the block is TOML in comments, from `# /// bridgehead` to `# ///`";
    LayoutMissing = 40, "layout-missing":
        "The plugin has metadata but no `.bridgehead.layout` section."
        => "let the SDK or the C header write the section";
    LayoutMalformed = 41, "layout-malformed":
        "The layout section is not a table of layout rows."
        => "build the plugin again; the section was damaged or written by hand";
    LayoutDiffers = 42, "layout-differs":
        "A struct of the plugin ABI has another layout in the plugin than in this host: its header was changed, or its compiler packs structs."
        => "rebuild the plugin with the unchanged header or crates of this host, and without options that change layouts, such as `-fpack-struct`";
    PrivateCopy = 50, "private-copy":
        "The host cannot create or execute the private copy of the file that it loads; a run does not begin."
        => "name a folder in `TMPDIR` that exists, has room and is not mounted noexec";
    Link = 51, "link":
        "The dynamic linker refuses the library."
        => "see the linker's text; link the missing libraries into the plugin, or add their folder to `LD_LIBRARY_PATH`";
    EntryMissing = 52, "entry-missing":
        "The library has metadata but does not export `bridgehead_plugin_entry`."
        => "do not hide the symbol: check linker version scripts and `-fvisibility`";
    EntryInvalid = 53, "entry-invalid":
        "The exported entry is not a valid `Entry` struct."
        => "let the SDK or the C header define the entry";
    EntryVersion = 54, "entry-version":
        "The entry and the metadata contain different versions of the plugin ABI."
        => "build the plugin again from clean sources: its object files were built with different versions of the plugin API";
    FactoryInvalid = 55, "factory-invalid":
        "The library has no valid list of plugins, or one of its factories is invalid."
        => "fill every function pointer that is not documented as optional, and set each `struct_size`";
    DescriptorDiffers = 56, "descriptor-differs":
        "The list of plugins that the library returns differs from its metadata, for example in an id or in the version of a plugin."
        => "give both the same values; the SDK and the C header write both from one place";
    InitFailed = 57, "init-failed":
        "The library's `init` returned a failure."
        => "see the reason given by the plugin";
    TypesDiffer = 60, "types-differ":
        "The second layout check, by `abi_stable`, found a difference in the ABI types."
        => "rebuild the plugin against the plugin API of this host";
    TypesUnchecked = 61, "types-unchecked":
        "The layout check by `abi_stable` is not possible; the check of the layout table passed."
        => "no action is needed; for both checks, build the plugin with the `abi_stable` version of this host";
    Duplicate = 70, "duplicate":
        "A plugin with this id or name was loaded before; the first in search order is used."
        => "remove one of the two files, or search the folder of one of them first, with `--plugin-path`";
    Crashed = 80, "probe-crashed":
        "The plugin crashed or ended the probing process."
        => "run the plugin's own tests, or the printed command under a debugger";
    TimedOut = 81, "probe-timed-out":
        "The plugin did not finish loading in time."
        => "look for endless loops or waits in constructors, in `init` and in `create`";
    CreateFailed = 82, "probe-create-failed":
        "The plugin loads, but an instance of it cannot be created."
        => "see the reason given by the plugin";
    ProbeFailed = 83, "probe-failed":
        "The probing process could not be started or returned no report."
        => "check that processes can be started and that the temporary folder can be written";
    WorkerStart = 84, "worker-not-started":
        "The worker process of an isolated plugin could not be started."
        => "check that processes can be started, and the limits of processes, open files and memory";
    NotIsolated = 85, "not-isolated":
        "The plugin needs what a worker process cannot give."
        => "run the plugin in the process of the host: take it out of `isolate`";
    IsolatedUnknown = 86, "isolated-unknown":
        "`isolate` names a plugin that does not exist."
        => "correct the name, or search the folder of its library with `--plugin-path`";
    PythonMissing = 87, "python-missing":
        "A plugin in Python is used, and no interpreter was found, or it cannot be started."
        => "install Python 3.11 or newer, activate a virtual environment, or name an interpreter in the variable `BRIDGEHEAD_PYTHON`";
    PythonPackage = 88, "python-package":
        "The interpreter is too old for plugins, or has no package `bridgehead` of the same version as this host."
        => "`pip install bridgehead` in the environment of that interpreter, with the version of this host, or name another interpreter in `BRIDGEHEAD_PYTHON`";
    ScriptFailed = 89, "script-failed":
        "A plugin in Python cannot be imported: it does not compile, raises an exception, or has no class of its kind."
        => "correct the line that is given; `python FILE` shows the same error for most mistakes";
}

impl Code {
    /// Parses `BH-PLG-nnn`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Code> {
        let number: u16 = text.strip_prefix("BH-PLG-")?.parse().ok()?;
        CODES.iter().find(|row| row.number == number).map(|row| row.code)
    }

    /// Returns the advice.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        self.info().advice
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BH-PLG-{:03}", self.info().number)
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the table as a Markdown page.
#[must_use]
pub fn codes_markdown() -> String {
    let mut page = String::from("| code | name | meaning | what to try |\n|---|---|---|---|\n");
    for row in CODES {
        page.push_str(&format!("| {} | {} | {} | {} |\n", row.code, row.name, row.meaning, row.advice));
    }
    page
}
