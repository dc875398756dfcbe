//! The other engines: a Python program beside this one that runs the scenes in them.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::motion::{Motion, State};
use crate::ours::{Scene, list};
use crate::{Outcome, locate};

/// Names of the engines, for the program and for the page.
pub(crate) const ENGINES: [[&str; 2]; 3] = [["dart", "DART"], ["mujoco", "MuJoCo"], ["pybullet", "PyBullet"]];

/// What is left out: engine and scene.
const LEFT_OUT: [(&str, &str); 2] = [
    // DART needs minutes for a step of so many contacts.
    ("dart", "pyramid_15"),
    // Joints that are made without a file have no limits.
    ("pybullet", "outside_limits"),
];

/// All scenes, and the program that runs them.
pub(crate) struct Peers {
    python: PathBuf,
    program: PathBuf,
    folder: TempDir,
    index: Value,
}

impl Peers {
    /// Writes the scenes.
    pub(crate) fn new() -> Outcome<Self> {
        let python = env::var_os("BRIDGEHEAD_PEERS_PYTHON").ok_or("run `bash tests/agreement.sh`")?;
        let program = locate::root().join("tests/benches/agreement/peers.py");
        let folder = TempDir::new()?;
        let mut peers = Peers { python: python.into(), program, folder, index: Value::Null };
        peers.run(&["write", &peers.folder.path().to_string_lossy()])?;
        peers.index = serde_json::from_slice(&fs::read(peers.folder.path().join("index.json"))?)?;
        Ok(peers)
    }

    fn run(&self, arguments: &[&str]) -> Outcome<String> {
        self.run_program(&self.program, arguments)
    }

    /// Runs the program that draws images.
    pub(crate) fn camera(&self, arguments: &[&str]) -> Outcome<String> {
        self.program("cameras.py", arguments)
    }

    /// Runs a program beside the one that runs the scenes.
    pub(crate) fn program(&self, name: &str, arguments: &[&str]) -> Outcome<String> {
        self.run_program(&self.program.with_file_name(name), arguments)
    }

    fn run_program(&self, program: &Path, arguments: &[&str]) -> Outcome<String> {
        let mut command = Command::new(&self.python);
        let output = command.env("PYTHONDONTWRITEBYTECODE", "1").arg(program).args(arguments).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// The names of all scenes that begin with a text.
    pub(crate) fn scenes<'a>(&'a self, beginning: &'a str) -> impl Iterator<Item = &'a str> {
        let names = self.index.as_object().into_iter().flat_map(|scenes| scenes.keys());
        names.map(String::as_str).filter(move |name| name.starts_with(beginning))
    }

    /// The description of a scene.
    pub(crate) fn about(&self, scene: &str) -> &Value {
        &self.index[scene]
    }

    /// The file of a scene.
    pub(crate) fn path(&self, scene: &str) -> PathBuf {
        self.folder.path().join(format!("{scene}.sdf"))
    }

    /// Loads a scene in this project's physics.
    pub(crate) fn load(&self, scene: &str) -> Outcome<Scene> {
        Scene::load(&self.path(scene), &self.index[scene])
    }

    /// Runs a scene in this project's physics.
    pub(crate) fn ours(&self, scene: &str) -> Outcome<Motion> {
        self.load(scene)?.motion(&self.index[scene])
    }

    /// Runs scenes in another engine. Returns their motions by name.
    pub(crate) fn theirs(&self, engine: &str, scenes: &[&str]) -> Outcome<BTreeMap<String, Motion>> {
        let scenes = scenes.iter().filter(|scene| !LEFT_OUT.contains(&(engine, scene)));
        let arguments: Vec<&str> = ["run", engine].into_iter().chain(scenes.copied()).collect();
        let text = self.run(&arguments)?;
        let lines = text.lines().filter(|line| line.starts_with('{'));
        lines.map(|line| motion(&serde_json::from_str(line)?)).collect()
    }

    /// Processor time of a step of MuJoCo, seconds.
    pub(crate) fn time_mujoco(&self, scene: &str, warm_up: u32, steps: u32) -> Outcome<f64> {
        Ok(self.run(&["time", scene, &warm_up.to_string(), &steps.to_string()])?.trim().parse()?)
    }
}

fn motion(line: &Value) -> Outcome<(String, Motion)> {
    let name = line["scene"].as_str().ok_or("no scene")?.to_owned();
    let times = list(&line["times"]).filter_map(Value::as_f64).collect();
    let bodies = line["bodies"].as_object().ok_or("no bodies")?.iter().map(|(body, samples)| {
        let samples: Vec<[f64; 13]> = serde_json::from_value(samples.clone())?;
        Ok((body.clone(), samples.into_iter().map(State::from_numbers).collect()))
    });
    let bodies = bodies.collect::<Outcome<_>>()?;
    Ok((name, Motion { times, bodies }))
}

/// The program of Gazebo's physics, and the folder of Gazebo's worlds, if both are known.
pub(crate) fn gazebo() -> Option<(PathBuf, PathBuf)> {
    let path = |name| env::var_os(name).map(PathBuf::from).filter(|path| Path::exists(path));
    path("BRIDGEHEAD_GZPHYSICS").zip(path("BRIDGEHEAD_GZ_WORLDS"))
}
