//! The bridge to Gazebo: duration of a call, compared with calls between two processes of Gazebo's own library.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::program::Program;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::{Outcome, locate};

const ROUNDS: u32 = 9;
/// Calls of each service in a round.
const CALLS: u32 = 500;
/// Ports of discovery that nothing else uses.
const PORTS: [&str; 2] = ["24317", "24318"];
/// Services of the run, and those of the other peer, which have the same types: one that the bridge answers, and one that the
/// host carries out.
const SERVICES: [&str; 4] = ["/gazebo/worlds", "/other", "/world/bench/control", "/other/control"];

/// Measures calls of all in turn.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let program = compile(folder)?;
    let partition = format!("bench-{}", std::process::id());
    let _host = host(folder, &partition)?;
    let mut other = Peer::start(&program, &partition)?;
    let mut caller = Peer::start(&program, &partition)?;
    other.command(&json!({"do": "serve", "service": "/other", "answer": "other"}))?;
    let mut medians: [Rounds; 4] = Default::default();
    for _ in 0..ROUNDS {
        let timed = caller.command(&json!({"do": "time_calls", "services": SERVICES, "count": CALLS}))?;
        if timed["answers"] != json!(["data: \"bench\"", "data: \"other\"", "data: true", "data: true"]) {
            return Err(format!("the services answer {timed}").into());
        }
        for (at, rounds) in medians.iter_mut().enumerate() {
            rounds.push(timed["medians_us"][at].as_f64().ok_or("no median")?);
        }
    }
    let [names, their_names, control, their_control] = &medians;
    let (ratio, carried_out) = (names.ratio_to(their_names), control.ratio_to(their_control));
    Ok(Section {
        title: "The bridge to Gazebo",
        method: "A program with ignition-transport 11 of Debian calls two services of a paused run, and two of the same types \
                 of another such program, in turn, 500 times each in a round. The bridge answers `/gazebo/worlds`; the host \
                 carries out `/world/W/control`, on its simulation thread. Figures are the medians of a round. Wall time, on loopback.",
        rows: vec![
            Row::plain("`/gazebo/worlds` of the run", format!("{names:.0} µs")),
            Row::plain("`/gazebo/worlds` of a program of Gazebo's library", format!("{their_names:.0} µs")),
            Row::with_target(
                "ratio of the medians",
                format!("{ratio:.2}"),
                "below 1.5",
                ratio.median() < 1.5,
            ),
            Row::plain("`/world/W/control` of the run", format!("{control:.0} µs")),
            Row::plain(
                "`/world/W/control` of a program of Gazebo's library",
                format!("{their_control:.0} µs"),
            ),
            Row::plain("ratio of the medians", format!("{carried_out:.2}")),
        ],
    })
}

/// Compiles the peer of the tests.
fn compile(folder: &Path) -> Outcome<PathBuf> {
    let flags = Command::new("pkg-config")
        .args(["--cflags", "--libs", "ignition-transport11", "ignition-msgs8"])
        .output()?;
    if !flags.status.success() {
        return Err("Gazebo's libraries are missing (Debian: apt-get install libignition-transport-dev \
                    libignition-msgs-dev)"
            .into());
    }
    let program = folder.join("gz-peer");
    let source = locate::root().join("tests/it/gz/peer.cc");
    let mut compiler = Command::new("c++");
    compiler.args(["-O2", "-o"]).arg(&program).arg(source);
    let status = compiler.args(String::from_utf8(flags.stdout)?.split_whitespace()).status()?;
    if status.success() { Ok(program) } else { Err("the peer cannot be compiled".into()) }
}

/// A paused run with the bridge.
fn host(folder: &Path, partition: &str) -> Outcome<Program> {
    let world = folder.join("world.sdf");
    fs::write(&world, "<sdf version='1.9'><world name='bench'/></sdf>")?;
    let bridge = format!("*=gz:partition={partition};names=ignition;ports={},{}", PORTS[0], PORTS[1]);
    let world = world.display().to_string();
    let arguments =
        ["run", &world, "--http", "off", "--speed", "1", "--start", "paused", "--bridge", &bridge];
    let mut program = Program::start(arguments, folder)?;
    let mut stderr = program.stderr()?;
    // Its output is read and discarded, or the program would block on a full pipe.
    let drain = move || drop(stderr.read_to_end(&mut Vec::new()));
    std::thread::Builder::new().name("output".to_owned()).spawn(drain)?;
    Ok(program)
}

/// A program of Gazebo's library, killed when it goes out of scope.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    fn start(program: &Path, partition: &str) -> Outcome<Self> {
        let mut child = Command::new(program)
            .env("IGN_IP", "127.0.0.1")
            .env("IGN_PARTITION", partition)
            .env("IGN_DISCOVERY_MSG_PORT", PORTS[0])
            .env("IGN_DISCOVERY_SRV_PORT", PORTS[1])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Peer { child, input, output })
    }

    /// Executes a command of those in `peer.cc`.
    fn command(&mut self, command: &Value) -> Outcome<Value> {
        writeln!(self.input, "{command}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let result: Value = serde_json::from_str(&line)?;
        if result.get("error").is_some() { Err(format!("{command}: {result}").into()) } else { Ok(result) }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Both fail if it has ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
