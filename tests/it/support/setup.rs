//! A run being prepared: the folder, the plugins and the arguments.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::{Finished, Running, locate};

/// How long a run may take before the test fails: much longer than any run takes, even on a busy machine.
const DEADLINE: Duration = Duration::from_secs(300);

/// The model plugins that `worlds/cloisim_yard.sdf` uses.
pub(crate) const CLOISIM_YARD: &[&str] = &[
    "battery",
    "camera",
    "contact",
    "diff_drive",
    "entities",
    "imu",
    "joint_control",
    "joint_state",
    "lidar",
    "navsat",
    "sonar",
];

/// A fresh folder with a host that finds only the plugins put there.
///
/// The host is linked into the folder instead of being run from its build folder, because it would find all plugins of
/// the workspace there.
pub(crate) struct Setup {
    folder: TempDir,
    /// The build that host and plugins come from.
    build: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(String, OsString)>,
    /// Value of `--speed` of a run.
    speed: &'static str,
    /// Shell commands that prepare the process, such as `ulimit -n 1024`.
    preparations: Vec<String>,
    /// A command that starts the host, with its arguments.
    wrapper: Vec<String>,
    deadline: Duration,
    /// True if the host must not read what the permissions of files forbid, as root can.
    is_unprivileged: bool,
}

impl Setup {
    pub(crate) fn new() -> Self {
        Self::of_build(locate::target())
    }

    /// A setup with the host and plugins of [`build_release`](super::build_release).
    pub(crate) fn released() -> Self {
        Self::of_build(locate::release())
    }

    fn of_build(build: PathBuf) -> Self {
        // On the file system of the target folder, so that big files are linked instead of copied.
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
        for name in ["bin", "home", "out", "plugins"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        link(&locate::host_in(&build), &folder.path().join("bin/bridgehead"));
        Setup {
            folder,
            build,
            arguments: Vec::new(),
            variables: Vec::new(),
            speed: "unlimited",
            preparations: Vec::new(),
            wrapper: Vec::new(),
            deadline: DEADLINE,
            is_unprivileged: false,
        }
    }

    /// A file or folder of this run.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder given with `--plugin-path`.
    pub(crate) fn plugin_folder(&self) -> PathBuf {
        self.path("plugins")
    }

    /// Adds plugins and bridges of the workspace.
    pub(crate) fn plugins(self, names: &[&str]) -> Self {
        for name in names {
            self.add_library(&locate::plugin_in(&self.build, name));
        }
        self
    }

    /// Adds plugins of `tests/fixtures`.
    pub(crate) fn fixtures(self, names: &[&str]) -> Self {
        for name in names {
            self.add_library(&locate::fixture(name));
        }
        self
    }

    /// Puts a library into the plugin folder, as a user does.
    fn add_library(&self, path: &Path) {
        let name = path.file_name().expect("a library has a name");
        link(path, &self.plugin_folder().join(name));
    }

    /// Writes a file into the folder and returns its path.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).expect("the file is written");
        path
    }

    /// Runs in real time, for tests with other programs. Must be called before the world is given.
    pub(crate) fn in_real_time(self) -> Self {
        Setup { speed: "1", ..self }
    }

    /// Runs a world given as text.
    pub(crate) fn world(self, sdf: &str) -> Self {
        let path = self.file("world.sdf", sdf);
        self.run(&path)
    }

    /// Runs a world file: `bridgehead run FILE` with the plugin folder, the output folder and the result file of this
    /// setup, at full speed.
    pub(crate) fn run(self, world: &Path) -> Self {
        self.without_world().arg(world)
    }

    /// Runs without a world, until one is loaded: `bridgehead run` with the flags of [`Setup::run`].
    pub(crate) fn without_world(self) -> Self {
        let (plugins, out, result) = (self.plugin_folder(), self.path("out"), self.path("result.json"));
        let speed = self.speed;
        self.arg("run")
            // Concurrent runs would compete for the default port; a later `--http` wins.
            .args(["--http", "off", "--speed", speed, "--plugin-path"])
            .arg(plugins)
            .arg("--output")
            .arg(out)
            .arg("--result")
            .arg(result)
    }

    /// Attaches a bridge.
    pub(crate) fn bridge(self, attachment: impl AsRef<OsStr>) -> Self {
        self.arg("--bridge").arg(attachment)
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    pub(crate) fn args<const N: usize>(mut self, arguments: [&str; N]) -> Self {
        self.arguments.extend(arguments.map(OsString::from));
        self
    }

    /// Uses a configuration file with this text.
    pub(crate) fn config(self, toml: &str) -> Self {
        let path = self.file("config.toml", toml);
        self.arg("--config").arg(path)
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Starts the host with a signal ignored, as `nohup` does with `HUP`.
    pub(crate) fn ignoring(mut self, signal: &str) -> Self {
        self.preparations.push(format!("trap '' {signal}"));
        self
    }

    /// Starts the host with a limit, in the syntax of `ulimit`: `-n 1024` for a hard limit of open files.
    pub(crate) fn limited(mut self, limit: &str) -> Self {
        self.preparations.push(format!("ulimit {limit}"));
        self
    }

    /// Makes the fixture `recorder` record its calls in a file, which [`Finished::recorded`] reads.
    pub(crate) fn recording(self) -> Self {
        let path = self.path("recorded.jsonl");
        self.env("RECORDER_FILE", path)
    }

    /// Extends the deadline of the run by this much.
    pub(crate) fn longer(mut self, time: Duration) -> Self {
        self.deadline += time;
        self
    }

    /// Limits the address space of the host: an allocation beyond it ends the process.
    pub(crate) fn memory(self, mib: u64) -> Self {
        self.limited(&format!("-v {}", mib << 10))
    }

    /// Takes the privilege of root from the host to ignore the permissions of files.
    pub(crate) fn unprivileged(self) -> Self {
        Setup { is_unprivileged: true, ..self }
    }

    /// Starts the host as an argument of this command.
    pub(crate) fn under(self, command: &str) -> Self {
        Setup { wrapper: command.split_whitespace().map(str::to_owned).collect(), ..self }
    }

    /// Runs the host to its end, or to the deadline, which fails the test.
    #[track_caller]
    pub(crate) fn finish(self) -> Finished {
        self.start().finish()
    }

    /// Starts the host.
    #[track_caller]
    pub(crate) fn start(self) -> Running {
        let program = self.path("bin/bridgehead");
        let mut command = if let [wrapper, rest @ ..] = &self.wrapper[..] {
            let mut wrapped = Command::new(wrapper);
            wrapped.args(rest).arg(program);
            wrapped
        } else if self.preparations.is_empty() {
            host_command(program)
        } else {
            // The shell becomes the host, so the id of the process stays the same.
            let prepare: String = self.preparations.iter().map(|command| format!("{command} && ")).collect();
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("{prepare}exec \"$0\" \"$@\"")]).arg(program);
            shell
        };
        command
            .args(&self.arguments)
            .current_dir(self.folder.path())
            .env("HOME", self.path("home"))
            .env_remove("XDG_DATA_HOME")
            .env_remove("BRIDGEHEAD_PLUGIN_PATH")
            .env_remove("RUST_LOG")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        heed_hangups(&mut command);
        if self.is_unprivileged {
            drop_privilege(&mut command);
        }
        let deadline = if is_watched() { self.deadline * 20 } else { self.deadline };
        Running::new(command, deadline, self.folder)
    }
}

/// Returns true if valgrind watches the memory of hosts, which takes longer.
fn is_watched() -> bool {
    env::var_os("BRIDGEHEAD_VALGRIND").is_some_and(|value| value == "1")
}

/// The host, which valgrind ends with an exit code of its own after an error of memory.
fn host_command(program: PathBuf) -> Command {
    if !is_watched() {
        return Command::new(program);
    }
    let mut watched = Command::new("valgrind");
    watched.args(["--quiet", "--error-exitcode=99", "--trace-children=yes"]).arg(program);
    watched
}

/// Makes the process that a command starts receive SIGHUP, also if the tests run under `nohup`.
fn heed_hangups(command: &mut Command) {
    let restore = || {
        // SAFETY: a system call that is allowed between fork and exec, with a disposition that exists.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_DFL) };
        Ok(())
    };
    // SAFETY: as above.
    unsafe { command.pre_exec(restore) };
}

/// Takes the privilege of root to ignore permissions from the process that a command starts.
fn drop_privilege(command: &mut Command) {
    /// Reading, and searching folders, whatever the permissions say (`capabilities(7)`).
    const CAPABILITIES: [libc::c_ulong; 2] = [1, 2];
    let restrict = move || {
        for capability in CAPABILITIES {
            // SAFETY: a call without pointers. It fails for users who have no capabilities to lose.
            unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
        }
        Ok(())
    };
    // SAFETY: between fork and exec, only system calls that are allowed there are made.
    unsafe { command.pre_exec(restrict) };
}

/// Makes a hard link, or a copy if the file system does not support links.
fn link(from: &Path, to: &Path) {
    if fs::hard_link(from, to).is_err() {
        fs::copy(from, to).unwrap_or_else(|error| panic!("copying `{}`: {error}", from.display()));
    }
}
