//! Runs the system's C and C++ compilers, `$CC` and `$CXX` or `cc` and `c++`, on small sources in a
//! temporary folder. A test whose compiler fails prints what the compiler said.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use bridgehead_header_gen::header_path;
use tempfile::TempDir;

/// Warnings that an author may have switched on; the header and the examples must survive all of them.
pub(crate) const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"];

/// A folder with sources and what was built of them.
pub(crate) struct CompilerDir(TempDir);

impl CompilerDir {
    pub(crate) fn new() -> Self {
        CompilerDir(TempDir::new().unwrap())
    }

    /// Writes a source that includes the header and compiles it with `flags`; returns the product.
    pub(crate) fn compile(&self, language: Language, body: &str, flags: &[&str]) -> PathBuf {
        let source = self.0.path().join(language.file_name());
        fs::write(&source, format!("#include \"bridgehead.h\"\n{body}")).unwrap();
        self.compile_file(language, &source, flags)
    }

    /// Compiles a source that exists.
    pub(crate) fn compile_file(&self, language: Language, source: &Path, flags: &[&str]) -> PathBuf {
        let product = self.0.path().join("product");
        let include = header_path().parent().unwrap().to_owned();
        let mut command = Command::new(language.compiler());
        command.args(STRICT).args(flags).arg("-I").arg(include).arg(source).arg("-o").arg(&product);
        run(&mut command);
        product
    }
}

/// A compiler to call.
#[derive(Clone, Copy)]
pub(crate) enum Language {
    C,
    Cpp,
}

impl Language {
    fn compiler(self) -> String {
        let (variable, default) = match self {
            Language::C => ("CC", "cc"),
            Language::Cpp => ("CXX", "c++"),
        };
        env::var(variable).unwrap_or_else(|_| default.to_owned())
    }

    fn file_name(self) -> &'static str {
        match self {
            Language::C => "source.c",
            Language::Cpp => "source.cpp",
        }
    }
}

/// Runs a command to its end and returns its standard output.
pub(crate) fn run(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ended with {}:\n{complaint}", output.status);
    output.stdout
}
