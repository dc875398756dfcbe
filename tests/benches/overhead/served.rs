//! A host in a process of its own that serves HTTP, and what its steps cost.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::ChildStderr;
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::Value;

use crate::Outcome;
use crate::client::Client;
use crate::program::Program;

/// How long a run lasts before it is measured.
const WARM_UP: Duration = Duration::from_millis(500);
/// How long anything may take before the benchmark gives up.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the benchmark looks whether the run has begun.
const PERIOD: Duration = Duration::from_millis(10);

/// A process that runs a world.
pub(crate) struct Host {
    program: Program,
    /// Address of its HTTP server.
    pub(crate) address: String,
    status: Client,
}

/// What a host did in some time.
pub(crate) struct Measured {
    /// Number of steps.
    pub(crate) steps: f64,
    /// Processor time of the simulation thread in nanoseconds.
    pub(crate) cost_ns: f64,
    /// Wall time.
    pub(crate) time: Duration,
}

impl Host {
    /// Starts it at a speed, such as `unlimited`, and waits until it takes steps.
    pub(crate) fn start(world: &Path, folder: &Path, speed: &str) -> Outcome<Self> {
        let arguments = ["run", "--http", "127.0.0.1:0", "--speed", speed].map(OsStr::new);
        let mut program = Program::start(arguments.into_iter().chain([world.as_os_str()]), folder)?;
        let stderr = program.stderr()?;
        let address = address(stderr)?;
        let status = Client::connect(&address, "get_status")?;
        let mut host = Host { program, address, status };
        host.wait_for_steps()?;
        Ok(host)
    }

    fn wait_for_steps(&mut self) -> Outcome {
        let begin = clock::now();
        while self.steps()? == 0.0 {
            if begin.elapsed() > PATIENCE {
                return Err("the run did not begin".into());
            }
            sleep(PERIOD);
        }
        sleep(WARM_UP);
        Ok(())
    }

    /// Measures for a time, and calls `meanwhile` during it.
    pub(crate) fn measure(
        &mut self,
        time: Duration,
        meanwhile: impl FnOnce() -> Outcome,
    ) -> Outcome<Measured> {
        let (begin, steps, cost_ns) = (clock::now(), self.steps()?, self.cost_ns()?);
        meanwhile()?;
        sleep(time.saturating_sub(begin.elapsed()));
        let (steps, cost_ns) = (self.steps()? - steps, self.cost_ns()? - cost_ns);
        Ok(Measured { steps, cost_ns, time: begin.elapsed() })
    }

    /// Stops the process until [`Self::go_on`].
    pub(crate) fn hold(&self) -> Outcome {
        self.program.signal(libc::SIGSTOP)
    }

    /// Lets a stopped process go on.
    pub(crate) fn go_on(&self) -> Outcome {
        self.program.signal(libc::SIGCONT)
    }

    /// Processor time of the simulation thread, which is the first of the process.
    fn cost_ns(&self) -> Outcome<f64> {
        let id = self.program.id();
        let text = fs::read_to_string(format!("/proc/{id}/task/{id}/schedstat"))?;
        Ok(text.split(' ').next().ok_or("no time in schedstat")?.parse()?)
    }

    fn steps(&mut self) -> Outcome<f64> {
        let status: Value = serde_json::from_slice(self.status.ask()?)?;
        Ok(status["status"]["step"].as_f64().ok_or("no step in the status")?)
    }
}

/// The address in the log line about the HTTP server. Later output is read and discarded.
fn address(stderr: ChildStderr) -> Outcome<String> {
    let mut lines = BufReader::new(stderr);
    let mut output = String::new();
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Err(format!("the program does not serve HTTP: {output}").into());
        }
        if let Some((address, _)) = line.split_once("http://").and_then(|(_, rest)| rest.split_once(' ')) {
            let address = address.to_owned();
            let rest = move || drop(lines.read_to_end(&mut Vec::new()));
            std::thread::Builder::new().name("output".to_owned()).spawn(rest)?;
            return Ok(address);
        }
        output += &line;
    }
}
