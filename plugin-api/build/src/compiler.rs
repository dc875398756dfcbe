//! Compiles the messages of a plugin: types that refer to the SDK, and one file that includes them all.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use prost::Message as _;

use crate::code::{decode, write_impls};
use crate::set::{File, FileSet, Files};
use crate::{ANNOTATIONS, Error, proto_files, proto_folder};

/// The crate of the messages as a plugin sees it.
const MESSAGES: &str = "::bridgehead_plugin_api::messages";

/// The file that `include_messages!` includes.
const INCLUDED: &str = "messages.rs";

pub(crate) fn compile(folder: &Path, out: &Path) -> Result<(), Error> {
    tell_cargo(folder);
    let paths = proto_files(folder)?;
    if paths.is_empty() {
        return Err(Error::NoFiles(folder.to_owned()));
    }
    let names: Vec<PathBuf> =
        paths.iter().map(|path| path.strip_prefix(folder).unwrap_or(path).to_owned()).collect();
    let invalid = |error: protox::Error| Error::Invalid(format!("{error:?}").trim_end().to_owned());
    let mut compiler = protox::Compiler::new([folder.to_owned(), proto_folder()]).map_err(invalid)?;
    compiler.include_imports(true).include_source_info(true).open_files(&names).map_err(invalid)?;

    let own: BTreeSet<String> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let encoded = compiler.encode_file_descriptor_set();
    let set = FileSet::decode(encoded.as_slice()).map_err(|error| Error::Invalid(error.to_string()))?;
    let is_own = |file: &&File| own.contains(&file.name);
    set.file.iter().filter(is_own).try_for_each(check)?;

    let packages = set.file.iter().map(|file| &file.package);
    let standard = packages.filter(|package| package.starts_with("bridgehead.")).cloned();
    let mut types = compiler.file_descriptor_set();
    types.file.retain(|file| own.contains(file.name()) || file.package().starts_with("bridgehead."));
    types.file.retain(|file| file.name() != ANNOTATIONS);
    write_types(types, standard.collect(), out)?;

    let files = Files::of(set);
    let (impls, found) = write_impls(files.iter().filter(is_own), &files, out, [MESSAGES, "self"])?;
    let uses: String = found.iter().map(|path| format!("pub use {path};\n")).collect();
    let path = out.join(INCLUDED);
    let types = fs::read_to_string(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
    fs::write(&path, format!("{types}{impls}{uses}")).map_err(Error::write(path))
}

/// Tells cargo when the build script has to run again.
#[expect(clippy::print_stdout, reason = "cargo reads what a build script prints")]
fn tell_cargo(folder: &Path) {
    println!("cargo::rerun-if-changed={}", folder.display());
}

/// Writes the types of prost and the file with their modules.
fn write_types(
    types: prost_types::FileDescriptorSet,
    standard: BTreeSet<String>,
    out: &Path,
) -> Result<(), Error> {
    let mut config = prost_build::Config::new();
    config.prost_path(format!("{MESSAGES}::prost")).include_file(INCLUDED).out_dir(out);
    for package in standard {
        // `bridgehead.std_msgs.v1` is the module `std_msgs` of the SDK.
        let Some(module) = package.split('.').nth(1) else { continue };
        config.extern_path(format!(".{package}"), format!("{MESSAGES}::{module}"));
    }
    config.compile_fds(types).map_err(Error::write(out.to_owned()))
}

/// Refuses what compiles but does not work later, where the file is known.
fn check(file: &File) -> Result<(), Error> {
    let name = || file.name.clone();
    if file.package.is_empty() {
        return Err(Error::NoPackage { file: name() });
    }
    if file.package.split('.').next() == Some("bridgehead") {
        return Err(Error::StandardPackage { file: name(), package: file.package.clone() });
    }
    if let Some(import) = file.dependency.iter().find(|import| import.starts_with("google/")) {
        return Err(Error::Google { file: name(), import: import.clone() });
    }
    for body in &file.messages {
        let message = decode(file, body)?;
        if message.options.unwrap_or_default().ros_message.is_empty() {
            return Err(Error::NoRosName { file: name(), message: message.name });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
