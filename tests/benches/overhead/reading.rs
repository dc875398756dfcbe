//! Cost for a run if a client reads the states of all entities over HTTP, a hundred times per second.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;

use crate::Outcome;
use crate::client::Client;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::served::Host;

const ENTITIES: usize = 1000;
/// Pairs of processes. One of two may be faster all the time, because of where its memory happens to be.
const PAIRS: u32 = 10;
/// Turns of each of the two processes of a pair. The speed of a machine changes within seconds: a turn is short, and is
/// compared only with the adjacent turn of the other process.
const TURNS: u32 = 50;
/// How often the client reads.
const PERIOD: Duration = Duration::from_millis(10);
/// Duration of a turn.
const TURN: Duration = Duration::from_millis(100);

/// Measures runs with and without a reading client in turns; the other process of the pair is stopped meanwhile. They
/// are two processes, because a host that was read once keeps computing accelerations for later reads.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let world = write_world(folder)?;
    let (mut quiet, mut read) = (Speeds::default(), Speeds::default());
    let mut reads = Reads::default();
    for _ in 0..PAIRS {
        let mut unread_host = Host::start(&world, folder, "unlimited")?;
        unread_host.hold()?;
        let mut read_host = Host::start(&world, folder, "unlimited")?;
        let mut states = Client::connect(&read_host.address, "get_entities_states")?;
        read_host.hold()?;
        for _ in 0..TURNS {
            turn(&mut unread_host, &mut quiet, || Ok(()))?;
            turn(&mut read_host, &mut read, || reads.of_a_turn(&mut states))?;
            Reads::check(&states)?;
        }
    }
    let ratio = quiet.per_second.ratio_to(&read.per_second);
    let [quiet_cost, read_cost] = [&quiet, &read].map(|speeds| speeds.cost.map(|ns| ns / 1e3));
    let cost_ratio = read_cost.ratio_to(&quiet_cost);
    Ok(Section {
        title: "Reading over HTTP",
        method: "A world of a thousand boxes that lie on the ground and stay awake, stepped as fast as possible. \
                 A client requests the states of all of them a hundred times per second with \
                 `POST /api/get_entities_states` over one connection, and receives the complete answers. The process \
                 alternates in turns of 0.1 s with a second process without a client: each turn is compared with the \
                 adjacent turn of the other process, and after 50 turns two new processes replace them. Wall time, \
                 and processor time of the simulation thread alone.",
        rows: vec![
            Row::plain("steps per second, without a client", format!("{:.0}", quiet.per_second)),
            Row::plain("steps per second, read at 100 Hz", format!("{:.0}", read.per_second)),
            Row::plain("reads answered", format!("{} of {}, {}", reads.answered, reads.due, reads.size())),
            Row::with_target(
                "ratio of the times of a step",
                format!("{ratio:.3}"),
                "below 1.05",
                ratio.median() < 1.05,
            ),
            Row::plain("processor time of a step, without a client", format!("{quiet_cost:.0} µs")),
            Row::plain("processor time of a step, read at 100 Hz", format!("{read_cost:.0} µs")),
            Row::plain("ratio of the processor times", format!("{cost_ratio:.3}")),
        ],
    })
}

/// Lets a stopped process run for a turn, and calls `meanwhile` during it.
fn turn(host: &mut Host, speeds: &mut Speeds, meanwhile: impl FnOnce() -> Outcome) -> Outcome {
    host.go_on()?;
    let measured = host.measure(TURN, meanwhile)?;
    speeds.per_second.push(measured.steps / measured.time.as_secs_f64());
    speeds.cost.push(measured.cost_ns / measured.steps);
    host.hold()
}

/// A field of boxes on the ground, kept awake, so that every step costs the same.
fn write_world(folder: &Path) -> Outcome<PathBuf> {
    let mut text = String::from(
        r#"<sdf version="1.9"><world name="bench"><physics name="default" type="ignored"><max_step_size>0.001</max_step_size></physics>
<model name="ground"><static>true</static><link name="surface"><collision name="plane">
<geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>"#,
    );
    let side = (1..).find(|side| side * side >= ENTITIES).unwrap_or(1);
    // The ground is one of the thousand entities.
    for index in 1..ENTITIES {
        let (x, y) = (index % side * 2, index / side * 2);
        write!(
            text,
            r#"
<model name="box_{index}"><pose>{x} {y} 0.25 0 0 0</pose><allow_auto_disable>false</allow_auto_disable><link name="body"><inertial><mass>1</mass></inertial>
<collision name="shape"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>"#
        )?;
    }
    text.push_str("</world></sdf>");
    let path = folder.join("boxes.sdf");
    fs::write(&path, text)?;
    Ok(path)
}

/// Speeds of runs.
#[derive(Default)]
struct Speeds {
    /// Steps per second.
    per_second: Rounds,
    /// Nanoseconds of processor time of the simulation thread, by step.
    cost: Rounds,
}

/// The reads of all turns.
#[derive(Default)]
struct Reads {
    due: u32,
    answered: u32,
    /// Bytes of the last answer.
    length: usize,
}

impl Reads {
    /// Reads until a turn is over. A late read does not delay the following ones.
    fn of_a_turn(&mut self, states: &mut Client) -> Outcome {
        let begin = clock::now();
        for turn in 0.. {
            let due = PERIOD * turn;
            if due >= TURN {
                break;
            }
            sleep(due.saturating_sub(begin.elapsed()));
            self.due += 1;
            // A read that is late by more than a period is skipped.
            if begin.elapsed() < due + PERIOD {
                self.length = states.ask()?.len();
                self.answered += 1;
            }
        }
        Ok(())
    }

    /// Checks the last answer of a turn while nothing is measured: a real client would decode answers on another
    /// machine.
    fn check(client: &Client) -> Outcome {
        let states = std::str::from_utf8(client.answer())?.matches("\"orientation\"").count();
        if states != ENTITIES {
            return Err(format!("an answer has {states} states instead of {ENTITIES}").into());
        }
        Ok(())
    }

    fn size(&self) -> String {
        format!("each of {} kB", self.length / 1000)
    }
}
