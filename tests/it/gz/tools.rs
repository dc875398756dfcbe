//! Gazebo's programs, and a run that they can reach.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::{Served, Setup, free_port, missing, worlds};

/// A partition with ports of discovery of its own, so that tests do not see each other.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    folder: PathBuf,
    partition: String,
    ports: [u16; 2],
}

impl Tools {
    /// Returns the programs, or skips the test.
    #[track_caller]
    pub(super) fn find() -> Option<Self> {
        let folder =
            fs::read_dir("/usr/libexec/ignition").into_iter().flatten().flatten().map(|entry| entry.path());
        let Some(folder) = folder.into_iter().find(|folder| folder.join("ign-transport-topic").is_file())
        else {
            missing("the programs of Gazebo are missing (Debian: apt-get install ignition-transport-cli)");
            return None;
        };
        let ports = [free_port(), free_port()];
        Some(Tools { folder, partition: format!("test-{}", ports[0]), ports })
    }

    /// The same programs in another partition.
    pub(super) fn in_partition(&self, partition: &str) -> Self {
        Tools { partition: partition.to_owned(), ..self.clone() }
    }

    /// The connection string of a bridge that they reach.
    pub(super) fn bridge(&self) -> String {
        let [topics, services] = self.ports;
        format!("*=gz:partition={};names=ignition;ports={topics},{services}", self.partition)
    }

    /// A run of a world of the project, with what its vehicles need.
    #[track_caller]
    pub(super) fn host(&self, world: &str, change: impl FnOnce(Setup) -> Setup) -> Served {
        let plugins = ["gz", "clock", "imu", "lidar", "diff_drive", "joint_state", "logging"];
        let setup = Setup::new().plugins(&plugins).in_real_time().run(&worlds().join(world));
        Served::start(change(setup.bridge(self.bridge())))
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let [topics, services] = self.ports;
        Command::new(self.folder.join(program))
            .args(arguments)
            .env("IGN_IP", "127.0.0.1")
            .env("IGN_PARTITION", &self.partition)
            .env("IGN_DISCOVERY_MSG_PORT", topics.to_string())
            .env("IGN_DISCOVERY_SRV_PORT", services.to_string())
            .output()
            .expect("the program of Gazebo runs")
    }

    #[track_caller]
    fn text(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.run(program, arguments);
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// `ign topic` with these arguments.
    #[track_caller]
    pub(super) fn topic(&self, arguments: &[&str]) -> String {
        self.text("ign-transport-topic", arguments)
    }

    /// The next message of a topic, as text.
    #[track_caller]
    pub(super) fn echo(&self, topic: &str) -> String {
        self.topic(&["-e", "-t", topic, "-n", "1"])
    }

    /// The names that `-l` lists.
    #[track_caller]
    pub(super) fn topics(&self) -> Vec<String> {
        self.topic(&["-l"]).lines().map(str::to_owned).collect()
    }

    /// `ign service` with these arguments.
    #[track_caller]
    pub(super) fn service(&self, arguments: &[&str]) -> String {
        self.text("ign-transport-service", arguments)
    }

    /// Calls a service; the types are without their package.
    #[track_caller]
    pub(super) fn call(&self, service: &str, [request, response]: [&str; 2], text: &str) -> String {
        let types = [request, response].map(|name| format!("ignition.msgs.{name}"));
        let answer = self.service(&[
            "-s",
            service,
            "--reqtype",
            &types[0],
            "--reptype",
            &types[1],
            "--timeout",
            "20000",
            "--req",
            text,
        ]);
        answer.trim().to_owned()
    }
}

/// Returns the value of the first field of a name in a message as text.
#[track_caller]
pub(super) fn number(message: &str, field: &str) -> f64 {
    let value = message.lines().find_map(|line| line.trim().strip_prefix(field)?.strip_prefix(": "));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no `{field}` in {message}"))
}
