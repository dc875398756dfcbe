//! Cost of the page for a run that it shows, its own script, and the time to its first picture.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::Outcome;
use crate::locate;
use crate::poses::{self, VISUAL};
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::served::{Host, Measured};

/// Pairs of hosts, and in each the turns in which the page shows the one and the other.
const PAIRS: u32 = 3;
const TURNS: u32 = 12;
/// Duration of a turn: steps of a millisecond in real time.
const TURN: Duration = Duration::from_millis(1500);
/// Starts of the demo and of a static server.
const STARTS: u32 = 9;

/// Measures all.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let mut browser = Browser::start()?;
    let shown = shown(folder, &mut browser)?;
    let (first, reference) = first_pictures(folder, &mut browser)?;
    let ratio = shown.with.ratio_to(&shown.without);
    let bound = ratio.upper_bound();
    let micros = |rounds: &Rounds| format!("{:.1} µs", rounds.map(|ns| ns / 1e3));
    let script = shown.script.median();
    let start = first.median() / reference.median();
    Ok(Section {
        title: "The page",
        method: "Two hosts run a thousand separated moving boxes each, in real time with steps of a millisecond. Chromium \
                 with software drawing shows the page of one of them at 640 by 360 pixels without shadows, then that of \
                 the other, in turns of one and a half seconds, so that the machine has the same load in each. Compared is \
                 the processor time of the simulation thread of a host while its page is open and while it is not. The bound \
                 is that of the median by the sign test. The script is that of the page for a frame of poses and a drawing, \
                 wall time on the busy machine. The first picture is timed from the start of `bridgehead run` with the demo, \
                 beside the start of Python's `http.server` with a page of as many bytes that draws a rectangle, in turns; \
                 the browser is started before.",
        rows: vec![
            Row::plain("step in real time without the page", micros(&shown.without)),
            Row::plain("step in real time with the page", micros(&shown.with)),
            Row::plain("ratio", format!("{ratio:.3}")),
            Row::with_target(
                "upper 95 % bound of the ratio",
                format!("{bound:.3}"),
                "below 1.02",
                bound < 1.02,
            ),
            Row::with_target(
                "script per drawing",
                format!("{:.2} ms", shown.script),
                "below 10 ms",
                script < 10.0,
            ),
            Row::plain("drawings per second", format!("{:.1}", shown.frames)),
            Row::plain(
                "bytes per second to the page",
                format!("{:.0} kB", shown.bytes.map(|bytes| bytes / 1e3)),
            ),
            Row::plain("from `run` to the first picture", format!("{first:.0} ms")),
            Row::plain(
                "from the start of a static server to the first picture",
                format!("{reference:.0} ms"),
            ),
            Row::with_target("ratio of the medians", format!("{start:.2}"), "at most 3", start <= 3.0),
        ],
    })
}

/// Nanoseconds of steps, and what the page reports.
#[derive(Default)]
struct Shown {
    without: Rounds,
    with: Rounds,
    script: Rounds,
    frames: Rounds,
    bytes: Rounds,
}

fn shown(folder: &Path, browser: &mut Browser) -> Outcome<Shown> {
    let world = poses::world(&folder.join("page.sdf"), VISUAL)?;
    let mut shown = Shown::default();
    for _ in 0..PAIRS {
        let mut hosts = [Host::start(&world, folder, "1")?, Host::start(&world, folder, "1")?];
        for _ in 0..TURNS {
            let mut costs = [[0.0; 2]; 2];
            for (on, turn) in costs.iter_mut().enumerate() {
                let [one, other] = &mut hosts;
                let address = if on == 0 { &one.address } else { &other.address };
                browser.ask(&json!(["show", address]))?;
                let mut second = None;
                let first = one.measure(TURN, || {
                    second = Some(other.measure(TURN, || Ok(()))?);
                    Ok(())
                })?;
                let second = second.ok_or("the other host was not measured")?;
                *turn = [first, second].map(|of: Measured| of.cost_ns / of.steps);
                let report = browser.ask(&json!(["measure"]))?;
                if report["size"] != json!([640, 360]) {
                    return Err(format!("the view has another size: {report}").into());
                }
                let number = |name: &str| report[name].as_f64().ok_or("the page has drawn nothing");
                shown.script.push(number("script_ms")?);
                shown.frames.push(number("frames")?);
                shown.bytes.push(number("bytes")?);
            }
            let [[one_with, other_without], [one_without, other_with]] = costs;
            shown.with.push(one_with);
            shown.without.push(one_without);
            shown.with.push(other_with);
            shown.without.push(other_without);
        }
    }
    Ok(shown)
}

/// Milliseconds to the first picture of the demo, and of a static page.
fn first_pictures(folder: &Path, browser: &mut Browser) -> Outcome<(Rounds, Rounds)> {
    browser.ask(&json!(["static", folder]))?;
    let program = locate::target()?.join("bridgehead");
    let world = locate::root().join("worlds/two_vehicles.sdf");
    let (mut ours, mut theirs) = (Rounds::default(), Rounds::default());
    for _ in 0..STARTS {
        let run =
            json!(["first", folder, program, "run", world, "--http", "127.0.0.1:0", "--output", folder]);
        let times = browser.ask(&run)?;
        ours.push(times["ours"].as_f64().ok_or("no time")?);
        theirs.push(times["theirs"].as_f64().ok_or("no time")?);
    }
    Ok((ours, theirs))
}

/// `host/page/test/bench.mjs`, which drives Chromium.
struct Browser {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Browser {
    fn start() -> Outcome<Self> {
        let page = locate::root().join("host/page");
        if !page.join("node_modules").is_dir() || fs::read_dir(page.join("dist"))?.count() < 6 {
            return Err("the page is not built: run `bash host/page/build.sh`".into());
        }
        let mut command = Command::new("node");
        command.arg(page.join("test/bench.mjs")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().ok_or("no output")?);
        Ok(Browser { process, requests, answers })
    }

    fn ask(&mut self, request: &Value) -> Outcome<Value> {
        let requests = self.requests.as_mut().ok_or("no input")?;
        writeln!(requests, "{request}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line)?;
        match answer.get("error") {
            Some(error) => Err(format!("{request}: {error}").into()),
            None => Ok(answer),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The script ends with its input.
        self.requests = None;
        _ = self.process.wait();
    }
}
