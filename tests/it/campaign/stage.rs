//! A folder with a program, plugins, a world and a campaign.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::{host, plugin};

/// A box above the ground, with a sensor that notices the impact.
const WORLD: &str = r#"<sdf version="1.9"><world name="drop">
<physics name="p" type="ignored"><max_step_size>0.001</max_step_size></physics>
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="box"><pose>0 0 9 0 0 0</pose><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>
<sensor name="imu" type="imu"><update_rate>1000</update_rate></sensor>
</link></model>
</world></sdf>
"#;

/// Fails if the box hits something.
const CONFIG: &str = r#"[[trigger]]
label = "no impact"
event = { name = "topic", topic = "/box/imu", field = "linear_acceleration.z", is = "> 2" }
action = "fail"
"#;

/// Four cases with two seeds.
pub(super) const CAMPAIGN: &str = r#"[campaign]
config = "base.toml"
duration = "0.6s"
[matrix]
world = "worlds/*.sdf"
seed = { from = 1, count = 2 }
"run.substeps" = [1, 2]
"world.model[box].pose" = ["0 0 1 0 0 0", "0 0 9 0 0 0"]
"#;

/// A folder, removed at the end.
pub(super) struct Stage {
    folder: TempDir,
}

/// A command that has ended.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Ended {
    #[track_caller]
    pub(super) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "exit code\n{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Fails unless the output has these texts.
    #[track_caller]
    pub(super) fn expect(&self, texts: &[&str]) {
        for text in texts {
            let has = self.stdout.contains(text) || self.stderr.contains(text);
            assert!(has, "no `{text}` in:\n{}\n{}", self.stdout, self.stderr);
        }
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Stage {
    pub(super) fn new() -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
        let stage = Stage { folder };
        for name in ["bin", "home", "plugins", "worlds"] {
            fs::create_dir(stage.path(name)).expect("a folder");
        }
        link(&host(), &stage.path("bin/bridgehead"));
        stage.add_plugin("imu");
        stage.write("worlds/box.sdf", WORLD);
        stage.write("base.toml", CONFIG);
        stage.write("c.toml", CAMPAIGN);
        stage
    }

    pub(super) fn add_plugin(&self, name: &str) {
        let path = plugin(name);
        link(&path, &self.path("plugins").join(path.file_name().expect("a name")));
    }

    /// Uses another build of the program.
    pub(super) fn use_program(&self, program: &Path) {
        fs::remove_file(self.path("bin/bridgehead")).expect("the program of the tests");
        link(program, &self.path("bin/bridgehead"));
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("the file is written");
    }

    #[track_caller]
    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names in a folder, sorted; none if it does not exist.
    pub(super) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// `bridgehead campaign` in the folder.
    pub(super) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(self.path("bin/bridgehead"));
        command.arg("campaign").args(arguments);
        self.prepare(&mut command);
        command
    }

    fn prepare(&self, command: &mut Command) {
        command
            .current_dir(self.folder.path())
            .env("HOME", self.path("home"))
            .env("BRIDGEHEAD_PLUGIN_PATH", self.path("plugins"))
            .env_remove("XDG_DATA_HOME")
            .env_remove("RUST_LOG")
            .stdin(Stdio::null());
    }

    #[track_caller]
    pub(super) fn campaign(&self, arguments: &[&str]) -> Ended {
        self.command(arguments).output().expect("the program starts").into()
    }

    /// Starts a command whose output nobody reads.
    pub(super) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    }

    /// Runs a command of a shell.
    pub(super) fn shell(&self, text: &str) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        self.prepare(&mut command);
        command.output().expect("a shell").into()
    }

    /// The table of all runs in a store, one map for each line.
    #[track_caller]
    pub(super) fn table(&self, store: &str) -> Vec<BTreeMap<String, String>> {
        let text = self.read(&format!("{store}/runs.csv"));
        let mut lines = text.lines().map(cells);
        let names = lines.next().expect("a heading");
        lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
    }

    /// The table without what depends on the machine and its speed.
    #[track_caller]
    pub(super) fn lasting_table(&self, store: &str) -> Vec<BTreeMap<String, String>> {
        let mut table = self.table(store);
        for run in &mut table {
            for name in ["wall_s", "real_time_factor", "machine"] {
                assert!(run.remove(name).is_some(), "a column {name}");
            }
        }
        table
    }
}

/// The cells of a line of comma-separated values.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                cell.push('"');
                letters.next();
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    cells.push(cell);
    cells
}

fn link(from: &Path, to: &Path) {
    if fs::hard_link(from, to).is_err() {
        fs::copy(from, to).unwrap_or_else(|error| panic!("copying `{}`: {error}", from.display()));
    }
}
