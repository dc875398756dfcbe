//! The bridge to ROS 2 with a peer that uses another DDS implementation: duration of a call, losses of a stream, and
//! processor time.
//!
//! The peer is Cyclone DDS under Python, as in the tests. Calls are compared with calls between two such peers.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::Value;

use crate::program::Program;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::{Outcome, locate};

const ROUNDS: u32 = 5;
/// Calls in a round.
pub(crate) const CALLS: usize = 2_000;
/// Clouds of points: bytes of their data, how many per second, and how many are waited for.
const STREAMS: [(&str, u32, u32, u32); 3] =
    [("64 B", 64, 1000, 3000), ("1 MB", 1_000_000, 30, 150), ("1 MB", 1_000_000, 100, 500)];
/// How long an idle run is measured.
const IDLE: Duration = Duration::from_secs(10);
/// How long a run is given to become idle.
const WARM_UP: Duration = Duration::from_secs(2);

/// Measures calls, streams, and an idle run.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    fs::copy(locate::plugin("cloud")?, folder.join("libcloud.so"))?;
    let mut rows = calls(folder)?;
    for stream in STREAMS {
        for is_reliable in [true, false] {
            rows.push(receive(folder, stream, is_reliable)?);
        }
    }
    let [with, without] = [true, false].map(|has_bridge| idle(folder, has_bridge));
    rows.push(Row::plain("processor time of a paused run with the bridge", with?));
    rows.push(Row::plain("processor time of a paused run without the bridge", without?));
    Ok(Section {
        title: "The bridge to ROS 2",
        method: "The peer is Cyclone DDS 11 under Python, on loopback. It calls `get_simulation_state` repeatedly, \
                 of the bridge and of a Cyclone DDS server, in alternating rounds of 2000 calls; the time is from the \
                 request to the reply. Then it receives point clouds that a plugin publishes in real time; lost \
                 clouds are those between the first and the last that did not arrive. Wall time, and processor time \
                 of all threads of the program as a share of wall time.\n\n\
                 Before the bridge was written, the same was measured with RustDDS alone, on a machine of this kind: \
                 calls from Cyclone DDS 11 in 114 µs, 99 of 100 within 217 µs; 5000 of 5000 samples of 64 B at 1000 per \
                 second with 7 % of a core; 1 MB at 30 per second with 7 to 9 % reliable and 2 to 4 % best effort, \
                 without loss with Fast DDS, while Cyclone DDS 0.10 received none; 0.0 to 0.4 % if idle.",
        rows,
    })
}

/// Times of calls in nanoseconds, in ascending order.
#[derive(Default)]
pub(crate) struct Calls(Vec<u64>);

impl Calls {
    /// Reads a list of nanoseconds in JSON.
    pub(crate) fn read(text: &str, count: usize) -> Outcome<Self> {
        let mut times: Vec<u64> = serde_json::from_str(text)?;
        if times.len() != count {
            return Err(format!("{} of {count} calls were answered", times.len()).into());
        }
        times.sort_unstable();
        Ok(Calls(times))
    }

    /// In microseconds.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index of a short list"
        )]
        let index = ((self.0.len().saturating_sub(1)) as f64 * share) as usize;
        #[expect(clippy::cast_precision_loss, reason = "below a minute")]
        self.0.get(index).map_or(f64::NAN, |ns| *ns as f64 / 1e3)
    }
}

fn calls(folder: &Path) -> Outcome<Vec<Row>> {
    let (ours, theirs) = (domain(0), domain(1));
    let _host = start(folder, "", Some(ours), &["--start", "paused"])?;
    let mut server = Script::start(&["answer", &theirs.to_string()])?;
    server.line()?;
    // Medians and tails of each round.
    let mut figures: [[Rounds; 2]; 2] = Default::default();
    for _ in 0..ROUNDS {
        for (domain, figures) in [ours, theirs].into_iter().zip(&mut figures) {
            let calls = ask(domain)?;
            for (figures, share) in figures.iter_mut().zip([0.5, 0.99]) {
                figures.push(calls.quantile(share));
            }
        }
    }
    let [[median, tail], [their_median, their_tail]] = &figures;
    Ok(vec![
        Row::plain("call of a service, median", format!("{median:.0} µs")),
        Row::plain("call of a service, 99 of 100 calls within", format!("{tail:.0} µs")),
        Row::plain("call of a Cyclone DDS server, median", format!("{their_median:.0} µs")),
        Row::plain("call of a Cyclone DDS server, 99 of 100 calls within", format!("{their_tail:.0} µs")),
        Row::plain("ratio of the medians", format!("{:.2}", median.ratio_to(their_median))),
    ])
}

pub(crate) fn ask(domain: u16) -> Outcome<Calls> {
    let mut client = Script::start(&["ask", &domain.to_string(), &CALLS.to_string()])?;
    Calls::read(&client.line()?, CALLS)
}

/// How much of a stream arrives, and the processor time that the program spends on it.
fn receive(
    folder: &Path,
    (size, bytes, rate, count): (&str, u32, u32, u32),
    is_reliable: bool,
) -> Outcome<Row> {
    let domain = domain(0);
    let texts = locate::root().join("plugin-api/messages/tests/golden");
    let arguments = [
        domain.to_string(),
        "rt/vehicle/points".to_owned(),
        count.to_string(),
        is_reliable.to_string(),
        texts.display().to_string(),
    ];
    let mut peer = Script::start_of("tests/it/ros2/peer/stream.py", &arguments)?;
    peer.line()?;
    let plugin = format!(
        "<plugin filename='cloud' name='cloud'><bytes>{bytes}</bytes><update_rate>{rate}</update_rate>\
         <reliable>{is_reliable}</reliable></plugin>"
    );
    let host = start(folder, &plugin, Some(domain), &[])?;
    let begin = clock::now();
    let found: Value = serde_json::from_str(&peer.line()?)?;
    let share = host.cpu()?.as_secs_f64() / begin.elapsed().as_secs_f64();
    let received = found["received"].as_u64().unwrap_or(0);
    let lost = found["missing"].as_array().map_or(0, Vec::len) as u64;
    if found["torn"] != 0 {
        return Err(format!("clouds arrived corrupted: {found}").into());
    }
    let quality = if is_reliable { "reliable" } else { "best effort" };
    let what = format!("clouds of {size}, {rate} per second, {quality}");
    let seconds = found["seconds"].as_f64().unwrap_or(f64::NAN);
    let mut figure = format!("{received} in {seconds:.1} s, {lost} lost");
    write!(figure, "; {:.0} % of a core", share * 100.0)?;
    Ok(Row::plain(what, figure))
}

/// Share of a core that a paused run takes.
fn idle(folder: &Path, has_bridge: bool) -> Outcome<String> {
    let host = start(folder, "", has_bridge.then(|| domain(0)), &["--start", "paused"])?;
    sleep(WARM_UP);
    let (begin, before) = (clock::now(), host.cpu()?);
    sleep(IDLE);
    let share = (host.cpu()? - before).as_secs_f64() / begin.elapsed().as_secs_f64();
    Ok(format!("{:.2} % of a core", share * 100.0))
}

/// A run of one vehicle in real time.
pub(crate) fn start(folder: &Path, plugin: &str, domain: Option<u16>, more: &[&str]) -> Outcome<Program> {
    let world = folder.join("world.sdf");
    fs::write(
        &world,
        format!(
            "<sdf version='1.9'><world name='bench'><physics name='default' type='ignored'>\
             <max_step_size>0.001</max_step_size></physics><gravity>0 0 0</gravity>\
             <model name='vehicle'><link name='body'/>{plugin}</model></world></sdf>"
        ),
    )?;
    let (world, folder_text) = (world.display().to_string(), folder.display().to_string());
    let mut arguments = vec!["run", &world, "--http", "off", "--speed", "1", "--plugin-path", &folder_text];
    let bridge = domain.map(bridge);
    arguments.extend(bridge.iter().flat_map(|bridge| ["--bridge", bridge]));
    arguments.extend(more);
    let mut program = Program::start(arguments, folder)?;
    let mut stderr = program.stderr()?;
    // Its output is read and discarded, or the program would block on a full pipe.
    let drain = move || drop(stderr.read_to_end(&mut Vec::new()));
    std::thread::Builder::new().name("output".to_owned()).spawn(drain)?;
    Ok(program)
}

fn bridge(domain: u16) -> String {
    format!("*=ros2:domain={domain};interface=lo")
}

/// A domain that is unlikely to be in use. Domains above 100 have ports in the range that the system assigns.
pub(crate) fn domain(offset: u32) -> u16 {
    u16::try_from((std::process::id() * 2 + offset) % 100).unwrap_or(0)
}

/// A script of the peer, killed when it goes out of scope.
pub(crate) struct Script(Child);

impl Script {
    fn start(arguments: &[&str]) -> Outcome<Self> {
        Script::start_of("tests/benches/overhead/ros2.py", arguments)
    }

    pub(crate) fn start_of(script: &str, arguments: &[impl AsRef<std::ffi::OsStr>]) -> Outcome<Self> {
        let python = locate::target()?.parent().ok_or("no target folder")?.join("bench-py/bin/python");
        let child = Command::new(python)
            .arg(locate::root().join(script))
            .args(arguments)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        Ok(Script(child))
    }

    /// The next line of its output.
    pub(crate) fn line(&mut self) -> Outcome<String> {
        let output = self.0.stdout.as_mut().ok_or("no output")?;
        let mut line = String::new();
        // One byte at a time is fast enough, and a buffer would swallow the next line.
        BufReader::with_capacity(1, output).read_line(&mut line)?;
        if line.is_empty() { Err("the peer closed its output".into()) } else { Ok(line) }
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        // Both fail if it has ended.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
