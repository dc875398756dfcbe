//! Cost of the scene for a run: without a reader, and with one that reads the poses of all bodies 60 times per second.

use std::fmt::Write as _;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use tungstenite::{Message, WebSocket, client};

use crate::Outcome;
use crate::driven::Driven;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::served::Host;

const BODIES: u32 = 1000;
/// Bytes of a frame with all bodies: its head, and 4 bytes of index and 28 of pose for each.
const FRAME: usize = 48 + 32 * BODIES as usize;
/// Pairs of worlds. One of two may be faster all the time, because of where its memory happens to be.
const PAIRS: u32 = 10;
const ROUNDS: u32 = 100;
/// Steps of a round.
const STEPS: u32 = 20;
/// Processes of which each is measured with and without a reader in turns.
const PROCESSES: u32 = 4;
const TURNS: u32 = 40;
/// Duration of a turn: steps of a millisecond in real time.
const TURN: Duration = Duration::from_millis(500);
/// Frames per second.
const RATE: u32 = 60;

/// Measures both.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let unread = unread(folder)?;
    let read = read(folder)?;
    let unread_ratio = unread.with.ratio_to(&unread.without);
    let read_ratio = read.with.ratio_to(&read.without);
    let micros = |rounds: &Rounds| format!("{:.1} µs", rounds.map(|ns| ns / 1e3));
    Ok(Section {
        title: "The scene",
        method: "A thousand boxes fall side by side, one visual each, in steps of a millisecond. Without a reader, the \
                 world is compared with the same world without visuals, in alternating rounds and ten pairs. With a reader, \
                 hosts run in real time, and a client of their WebSocket subscribes to `poses` at 60 frames per second in \
                 every second turn of half a second. All times are processor time of the simulation thread. The bound is \
                 that of the median by the sign test.",
        rows: vec![
            Row::plain("step without visuals", micros(&unread.without)),
            Row::plain("step with visuals that nobody reads", micros(&unread.with)),
            Row::plain("ratio without a reader", format!("{unread_ratio:.3}")),
            bounded("upper 95 % bound of the ratio without a reader", &unread_ratio, "below 1.01", 1.01),
            Row::plain("step in real time without a reader", micros(&read.without)),
            Row::plain("step in real time with a reader", micros(&read.with)),
            Row::plain("frames per second", format!("{:.1}, each of {} kB", read.rate, FRAME / 1000)),
            Row::plain("ratio with a reader", format!("{read_ratio:.3}")),
            bounded("upper 95 % bound of the ratio with a reader", &read_ratio, "below 1.02", 1.02),
        ],
    })
}

fn bounded(what: &str, ratio: &Rounds, text: &'static str, limit: f64) -> Row {
    let bound = ratio.upper_bound();
    Row::with_target(what, format!("{bound:.3}"), text, bound < limit)
}

/// Nanoseconds of steps.
#[derive(Default)]
struct Costs {
    without: Rounds,
    with: Rounds,
    /// Frames per second that the reader got.
    rate: Rounds,
}

/// With and without visuals.
fn unread(folder: &Path) -> Outcome<Costs> {
    let plain = world(&folder.join("plain.sdf"), "")?;
    let visible = world(&folder.join("visible.sdf"), VISUAL)?;
    let mut costs = Costs::default();
    for _ in 0..PAIRS {
        let mut without = Driven::start(plain.clone(), &[], |_| ())?;
        let mut with = Driven::start(visible.clone(), &[], |_| ())?;
        without.steps(STEPS)?;
        with.steps(STEPS)?;
        for _ in 0..ROUNDS {
            costs.without.push_each(without.steps(STEPS)?, STEPS);
            costs.with.push_each(with.steps(STEPS)?, STEPS);
        }
        without.finish()?;
        with.finish()?;
    }
    Ok(costs)
}

/// With and without a reader.
fn read(folder: &Path) -> Outcome<Costs> {
    let world = world(&folder.join("read.sdf"), VISUAL)?;
    let mut costs = Costs::default();
    for _ in 0..PROCESSES {
        let mut host = Host::start(&world, folder, "1")?;
        let mut reader = Reader::connect(&host.address)?;
        for _ in 0..TURNS {
            let unread = host.measure(TURN, || Ok(()))?;
            costs.without.push(unread.cost_ns / unread.steps);
            reader.send("subscribe")?;
            let before = reader.count();
            let read = host.measure(TURN, || Ok(()))?;
            costs.with.push(read.cost_ns / read.steps);
            costs.rate.push((reader.count() - before) as f64 / read.time.as_secs_f64());
            reader.send("unsubscribe")?;
        }
    }
    Ok(costs)
}

pub(crate) const VISUAL: &str =
    "<visual name='look'><geometry><box><size>0.5 0.5 0.5</size></box></geometry></visual>";

/// Writes a world of boxes that fall for ever, two metres apart.
pub(crate) fn world(path: &Path, visual: &str) -> Outcome<PathBuf> {
    let mut text = String::from(
        "<sdf version='1.9'><world name='bench'><physics name='default' type='ignored'>\
         <max_step_size>0.001</max_step_size></physics><gravity>0 0 -0.01</gravity>",
    );
    for index in 0..BODIES {
        let (x, y) = (index % 32 * 2, index / 32 * 2);
        write!(
            text,
            "<model name='box_{index}'><pose>{x} {y} 0 0 0 0</pose><link name='body'>{visual}<collision name='shape'>\
             <geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>"
        )?;
    }
    fs::write(path, text + "</world></sdf>")?;
    Ok(path.to_owned())
}

/// A client that counts frames on a thread of its own.
struct Reader {
    /// The same connection, for requests.
    requests: WebSocket<TcpStream>,
    frames: Arc<AtomicU64>,
}

impl Reader {
    fn connect(address: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address)?;
        let (mut socket, _) = client(format!("ws://{address}/ws"), stream.try_clone()?)?;
        let frames = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&frames);
        let read = move || {
            while let Ok(message) = socket.read() {
                let is_frame =
                    matches!(&message, Message::Binary(frame) if frame.len() >= FRAME - 4 * BODIES as usize);
                counted.fetch_add(u64::from(is_frame), Ordering::Relaxed);
            }
        };
        std::thread::Builder::new().name("reader".to_owned()).spawn(read)?;
        let role = tungstenite::protocol::Role::Client;
        Ok(Reader { requests: WebSocket::from_raw_socket(stream, role, None), frames })
    }

    fn send(&mut self, operation: &str) -> Outcome {
        let request = json!({"op": operation, "what": "poses", "rate": RATE});
        Ok(self.requests.send(Message::text(request.to_string()))?)
    }

    fn count(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }
}
