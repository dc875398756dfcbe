//! Finds and reads the file of a mesh.
//!
//! Only regular files with the extension of a mesh are read: a world, which a client may have sent, could name any other
//! file of the machine as a mesh.

use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};

use bridgehead_files::{ReadError, read_bytes};

use crate::protocol::quoted;

/// Extensions of mesh files.
const EXTENSIONS: [&str; 5] = ["dae", "glb", "gltf", "obj", "stl"];
/// Largest file.
const MAX_BYTES: u64 = 32 << 20;

/// Returns the bytes of a mesh.
///
/// # Errors
/// Returns the reason why there are none.
pub(super) fn read(mesh: &str, folders: &[PathBuf]) -> Result<Vec<u8>, String> {
    let path = find(mesh, folders)?;
    // A link with the name of a mesh may lead anywhere.
    if let Ok(real) = path.canonicalize() {
        check_extension(&real, mesh)?;
    }
    let bytes = read_bytes(&path, MAX_BYTES).map_err(|error| match error {
        ReadError::TooLarge(_) => {
            format!("{} is larger than {} MiB, the largest asset", path.display(), MAX_BYTES >> 20)
        }
        error => format!("{} cannot be read: {error}", path.display()),
    })?;
    // Not only the name: a client may have published the marker that names the file.
    if !is_mesh(&extension_of(&path), &bytes) {
        return Err(format!("the content of {} is not that of a mesh", path.display()));
    }
    Ok(bytes)
}

/// Whether bytes begin like a mesh of this format. A text that is no mesh has no such beginning; the viewer reads the rest.
fn is_mesh(extension: &str, bytes: &[u8]) -> bool {
    let beginning = bytes.get(..4096).unwrap_or(bytes);
    let text = String::from_utf8_lossy(beginning);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match extension {
        "dae" => text.starts_with('<') && text.contains("<COLLADA"),
        "glb" => bytes.starts_with(b"glTF"),
        "gltf" => text.starts_with('{') && bytes.windows(7).any(|part| part == b"\"asset\""),
        "stl" => text.starts_with("solid") || is_binary_stl(bytes),
        "obj" => is_obj(text),
        _ => false,
    }
}

/// 80 bytes, the number of triangles, and 50 bytes for each.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let number = bytes.get(80..84).and_then(|number| number.try_into().ok()).map(u32::from_le_bytes);
    number.is_some_and(|number| bytes.len() as u64 >= 84 + 50 * u64::from(number))
}

/// Whether the first lines that are no comments are statements of the format.
fn is_obj(text: &str) -> bool {
    const STATEMENTS: [&str; 12] = ["v", "vn", "vt", "vp", "f", "l", "p", "o", "g", "s", "mtllib", "usemtl"];
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut statements = lines.filter_map(|line| line.split_whitespace().next()).take(20).peekable();
    statements.peek().is_some() && statements.all(|word| STATEMENTS.contains(&word))
}

fn extension_of(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Returns the file of an address.
fn find(mesh: &str, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let (scheme, rest) = mesh.split_once("://").unwrap_or(("", mesh));
    if !matches!(scheme, "" | "file" | "model" | "package") {
        let expected = "`package://`, `model://`, `file://` or a path";
        return Err(format!("`{}` is not an address of a file; expected {expected}", quoted(mesh)));
    }
    let rest = if scheme == "file" { decoded(rest) } else { Cow::Borrowed(rest) };
    let path = Path::new(&*rest);
    check(path, mesh)?;
    let tried: Vec<PathBuf> = if path.is_absolute() {
        vec![path.to_owned()]
    } else {
        folders.iter().map(|folder| folder.join(path)).collect()
    };
    let found = tried.iter().find(|path| fs::metadata(path).is_ok_and(|found| found.is_file()));
    found.cloned().ok_or_else(|| not_found(mesh, folders))
}

fn check_extension(path: &Path, mesh: &str) -> Result<(), String> {
    if !EXTENSIONS.contains(&extension_of(path).as_str()) {
        let expected = EXTENSIONS.join(", ");
        return Err(format!("`{}` is not a mesh file; expected one of {expected}", quoted(mesh)));
    }
    Ok(())
}

fn check(path: &Path, mesh: &str) -> Result<(), String> {
    check_extension(path, mesh)?;
    if path.components().any(|component| component == Component::ParentDir) {
        return Err(format!("`{}` must not contain `..`", quoted(mesh)));
    }
    Ok(())
}

fn not_found(mesh: &str, folders: &[PathBuf]) -> String {
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let places = if folders.is_empty() { "no folders".to_owned() } else { folders.join(", ") };
    format!(
        "`{}` is not found in {places}; add the folder that contains it to `assets=` or to BRIDGEHEAD_RESOURCE_PATH",
        quoted(mesh)
    )
}

/// Decodes `%20` and the like; a `%` without two digits stands for itself.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let digits =
            after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Variables with folders of models, as the host reads them, and that of ROS 2, whose packages are in `share`.
const VARIABLES: [&str; 8] = [
    "BRIDGEHEAD_RESOURCE_PATH",
    "SDF_PATH",
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "CLOISIM_MODEL_PATH",
    "CLOISIM_FILES_PATH",
    "CLOISIM_WORLD_PATH",
    "ROS_PACKAGE_PATH",
];
const PREFIXES: &str = "AMENT_PREFIX_PATH";

/// Returns the folders of the environment, in the order in which the host searches them.
pub(crate) fn environment() -> Vec<PathBuf> {
    let of = |name: &str| std::env::var_os(name).unwrap_or_default();
    let split = |value: &std::ffi::OsStr| std::env::split_paths(value).collect::<Vec<_>>();
    let folders = VARIABLES.iter().flat_map(|name| split(&of(name)));
    let packages = split(&of(PREFIXES)).into_iter().map(|prefix| prefix.join("share"));
    let non_empty = |folder: &PathBuf| !folder.as_os_str().is_empty() && folder != Path::new("share");
    folders.chain(packages).filter(non_empty).collect()
}
