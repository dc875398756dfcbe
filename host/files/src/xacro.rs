//! Expands xacro sources, which are programs that generate a URDF or SDF, with the program `xacro`.
//!
//! `$(find PACKAGE)` asks a module of ROS for Python. A machine without ROS does not have it, so the program gets a stand-in
//! that looks for packages where the addresses of a world are looked up. Usable from any thread; blocks while the program
//! runs.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

use super::{MAX_OF_TEXT, ReadError, open};

/// How often the end of the program is looked for.
const LOOK: Duration = Duration::from_millis(5);
/// The longest time that an expansion may take; those of large robots take less than a second.
const LIMIT: Duration = Duration::from_secs(30);
/// Bytes of its messages that are shown.
const MAX_MESSAGE: u64 = 4 << 10;

/// The stand-in for the module of ROS. A folder is a package if it has the name, or if its `package.xml` gives the name. A
/// package that is not there becomes a folder that does not exist, because xacro asks also for those of files that it does
/// not read in the end.
const PACKAGES: &str = r#"import os
import re
import sys


def get_package_share_directory(name):
    for folder in os.environ["BRIDGEHEAD_PACKAGES"].split("\n"):
        if is_named(folder, name):
            return folder
        inside = os.path.join(folder, name)
        if os.path.isdir(inside):
            return inside
    print(f"package `{name}` is in no folder of the search path", file=sys.stderr)
    return os.path.join(os.path.dirname(__file__), "missing", name)


def is_named(folder, name):
    try:
        with open(os.path.join(folder, "package.xml"), encoding="utf-8") as file:
            found = re.search(r"<name>\s*([^<\s]+)\s*</name>", file.read())
    except (OSError, UnicodeDecodeError):
        return False
    return found is not None and found.group(1) == name
"#;

/// What to expand.
#[derive(Clone, Copy, Debug)]
pub struct Xacro<'a> {
    /// The file.
    pub path: &'a Path,
    /// Names and values of `<xacro:arg>`.
    pub arguments: &'a [(String, String)],
    /// Folders that are packages or contain some, in the order in which they are looked through; those above the file come
    /// first.
    pub folders: &'a [PathBuf],
}

/// Why a file was not expanded.
#[derive(Debug, thiserror::Error)]
pub enum XacroError {
    /// There is no program.
    #[error("there is no program `xacro` to expand it")]
    Missing,
    /// The program refuses the file.
    #[error("xacro refuses it: {0}")]
    Refused(String),
    /// The program takes too long.
    #[error("xacro takes longer than {} s", LIMIT.as_secs())]
    Late,
    /// The text cannot be read, or is larger than allowed.
    #[error("the text of xacro: {0}")]
    Output(#[from] ReadError),
    /// The system refused.
    #[error("xacro cannot be run: {0}")]
    Io(#[from] io::Error),
}

impl Xacro<'_> {
    /// Returns the expanded text, of at most `most` bytes.
    ///
    /// # Errors
    /// Returns an error if there is no program `xacro`, it refuses the file, it takes too long, or its text is larger.
    pub fn expand(&self, most: u64) -> Result<String, XacroError> {
        self.run(&[], most)
    }

    /// Returns the files that the file reads while it is expanded.
    ///
    /// # Errors
    /// Returns an error as [`Xacro::expand`] does.
    pub fn dependencies(&self) -> Result<Vec<PathBuf>, XacroError> {
        Ok(self.run(&["--deps"], MAX_OF_TEXT)?.split_whitespace().map(PathBuf::from).collect())
    }

    fn run(&self, options: &[&str], most: u64) -> Result<String, XacroError> {
        // The program reads the file by itself: what is no regular file is refused before.
        drop(open(self.path)?);
        let folder = Scratch::new()?;
        let module = folder.0.join("ament_index_python");
        fs::create_dir(&module)?;
        fs::write(module.join("__init__.py"), "")?;
        fs::write(module.join("packages.py"), PACKAGES)?;
        let (mut output, mut messages) = (folder.file("output")?, folder.file("messages")?);
        let mut command = self.command(options, &folder.0)?;
        command.stdout(output.try_clone()?).stderr(messages.try_clone()?);
        let mut child = match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(XacroError::Missing),
            child => child?,
        };
        let limits = [(&output, most), (&messages, MAX_OF_TEXT)];
        let status = awaited(&mut child, limits).inspect_err(|_| end(&mut child))?;
        if status.success() {
            return Ok(text(&mut output, most)?);
        }
        Err(XacroError::Refused(message(&beginning(&mut messages)?)))
    }

    fn command(&self, options: &[&str], own: &Path) -> io::Result<Command> {
        let mut command = Command::new("xacro");
        // The name of an absolute path is no option, whatever it begins with.
        command.args(options).arg(std::path::absolute(self.path)?);
        command.args(self.arguments.iter().map(|(name, value)| format!("{name}:={value}")));
        command.env("PYTHONPATH", python_path(own)).env("BRIDGEHEAD_PACKAGES", self.packages());
        command.env("PYTHONDONTWRITEBYTECODE", "1").stdin(Stdio::null()).process_group(0);
        Ok(command)
    }

    /// Returns the folders of packages, one a line.
    fn packages(&self) -> OsString {
        let above = std::path::absolute(self.path).unwrap_or_else(|_| self.path.to_owned());
        let above: Vec<&Path> = above.ancestors().skip(1).collect();
        let all = above.into_iter().chain(self.folders.iter().map(PathBuf::as_path));
        all.map(Path::as_os_str).collect::<Vec<_>>().join(OsStr::new("\n"))
    }
}

fn python_path(own: &Path) -> OsString {
    let others = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let folders = std::iter::once(own.to_owned()).chain(std::env::split_paths(&others));
    std::env::join_paths(folders).unwrap_or_else(|_| own.into())
}

/// Waits for the end of the program, which may write so many bytes into each file.
fn awaited(child: &mut Child, limits: [(&File, u64); 2]) -> Result<ExitStatus, XacroError> {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        for (file, most) in limits {
            if file.metadata()?.len() > most {
                return Err(ReadError::TooLarge(most).into());
            }
        }
        if waited >= LIMIT {
            return Err(XacroError::Late);
        }
        sleep(LOOK);
        waited += LOOK;
    }
}

/// Ends the program and those that it has started.
fn end(child: &mut Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: the group is that of the child, which has not been waited for, so that no other has its number.
        unsafe { libc::killpg(group, libc::SIGKILL) };
    }
    // It has ended, or does so at once.
    drop(child.wait());
}

fn text(file: &mut File, most: u64) -> Result<String, ReadError> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge(most));
    }
    String::from_utf8(bytes).map_err(|_| ReadError::NotText)
}

/// Returns the beginning of the messages of the program, whatever bytes they are.
fn beginning(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MAX_MESSAGE).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the messages of the program in one line.
fn message(found: &str) -> String {
    let lines: Vec<&str> = found.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { "it says nothing".to_owned() } else { lines.join("; ") }
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("bridgehead-xacro-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Fails if somebody else has made it, so that nobody else's files are used.
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Scratch(path))
    }

    fn file(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(self.0.join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays in the temporary one harms nobody.
        drop(fs::remove_dir_all(&self.0));
    }
}
