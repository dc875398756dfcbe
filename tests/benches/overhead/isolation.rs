//! Messages to a bridge in a worker process, compared with one in the process of the host and with a plain socket.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bridgehead_host::bus::{Limits, Overflow};
use bridgehead_host::clock;
use bridgehead_host::config::{BridgeRequest, RequestOrigin};

use crate::driven::Driven;
use crate::fan_out::counts;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::{Outcome, cpu};

const ROUNDS: u32 = 15;
/// Bytes of a small message, and of what the plain sockets exchange.
const SMALL: usize = 100;
const LARGE: usize = 1_000_000;
/// Small messages in each step: the rest of the step must not matter.
const COUNT: u32 = 50;
const STEPS: u32 = 100;
/// Exchanges over the plain sockets in each round.
const EXCHANGES: u32 = 5000;
/// Large messages that a camera of a usual size sends in a second.
const RATE: f64 = 100.0;

/// Measures small and large messages, with the bridge in either place, in alternating rounds.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let mut ping_pong = PingPong::start()?;
    let mut none = Measured::start(folder, "none", Bridge::None, SMALL, COUNT)?;
    let mut plain = Measured::start(folder, "plain", Bridge::Plain, SMALL, COUNT)?;
    let mut isolated = Measured::start(folder, "isolated", Bridge::Isolated, SMALL, COUNT)?;
    let mut large_plain = Measured::start(folder, "large_plain", Bridge::Plain, LARGE, 1)?;
    let mut large_isolated = Measured::start(folder, "large_isolated", Bridge::Isolated, LARGE, 1)?;
    let mut exchanged = Rounds::default();
    for _ in 0..ROUNDS {
        exchanged.push_each(ping_pong.exchange()?, EXCHANGES);
        for host in [&mut none, &mut plain, &mut isolated, &mut large_plain, &mut large_isolated] {
            host.measure()?;
        }
    }
    // What the bridge costs: the rest of the step is the same without one.
    let cost = |host: &Measured| host.each.minus(&none.each);
    let ratio = cost(&isolated).ratio_to(&exchanged);
    let slowest = large_isolated.rate.least();
    let mut rows = vec![
        Row::plain("request and answer over a plain socket", format!("{exchanged:.0} ns")),
        Row::plain("message of 100 bytes to a bridge in the process", format!("{:.0} ns", cost(&plain))),
        Row::plain("message of 100 bytes to a bridge in a worker", format!("{:.0} ns", cost(&isolated))),
        Row::with_target("ratio to the plain socket", format!("{ratio:.2}"), "below 5", ratio.median() < 5.0),
        Row::plain("message of 1 MB to a bridge in the process", format!("{:.0} ns", large_plain.each)),
        Row::plain("message of 1 MB to a bridge in a worker", format!("{:.0} ns", large_isolated.each)),
        Row::with_target(
            "messages of 1 MB to a bridge in a worker, in a second of real time",
            format!("{:.0}", large_isolated.rate),
            "100 in every round",
            slowest >= RATE,
        ),
    ];
    let mut lost = 0;
    for host in [none, plain, isolated, large_plain, large_isolated] {
        lost += host.finish()?;
    }
    rows.push(Row::with_target("messages that were lost", lost.to_string(), "0", lost == 0));
    Ok(Section {
        title: "A bridge in a worker process",
        method: "A plugin publishes 50 messages of 100 bytes, or one of 1 MB, in each step; the bridge accepts them. \
                 The time is the processor time of host and worker together for each message, without what a step takes \
                 that has no bridge. The reference is a thread that answers 100 bytes with 100 bytes over a pair of Unix \
                 sockets.",
        rows,
    })
}

/// Where the bridge runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bridge {
    None,
    Plain,
    Isolated,
}

/// A host with a plugin that publishes, and figures of its rounds.
struct Measured {
    host: Driven,
    counts: Option<PathBuf>,
    count: u32,
    /// Nanoseconds of a message.
    each: Rounds,
    /// Messages in a second of real time.
    rate: Rounds,
}

impl Measured {
    fn start(folder: &Path, name: &str, bridge: Bridge, bytes: usize, count: u32) -> Outcome<Self> {
        let folder = folder.join(name);
        fs::create_dir(&folder)?;
        let counts = folder.join("counts");
        let mut host = Driven::start(world(&folder, bytes, count)?, &["producer", "consumer"], |config| {
            if bridge == Bridge::None {
                return;
            }
            let connection = counts.display().to_string();
            let mut request = BridgeRequest::new("car", "consumer", &connection, RequestOrigin::CommandLine);
            request.queue = Some(Limits { overflow: Overflow::Block, ..Limits::default() });
            request.is_isolated = bridge == Bridge::Isolated;
            config.bridges.push(request);
        })?;
        host.steps(STEPS)?;
        let counts = (bridge != Bridge::None).then_some(counts);
        Ok(Measured { host, counts, count, each: Rounds::default(), rate: Rounds::default() })
    }

    fn measure(&mut self) -> Outcome {
        let (began, before) = (clock::now(), cpu::children());
        let own = self.host.steps(STEPS)?;
        let workers = cpu::children().saturating_sub(before);
        let messages = STEPS * self.count;
        self.rate.push(f64::from(messages) / began.elapsed().as_secs_f64());
        self.each.push_each(own + workers, messages);
        Ok(())
    }

    /// Ends the run. Returns how many messages the bridge did not receive.
    fn finish(self) -> Outcome<u64> {
        let messages = self.host.step() * u64::from(self.count);
        self.host.finish()?;
        match self.counts {
            Some(path) => Ok(messages.saturating_sub(counts(&path)?.0)),
            None => Ok(0),
        }
    }
}

fn world(folder: &Path, bytes: usize, count: u32) -> Outcome<PathBuf> {
    let path = folder.join("world.sdf");
    let text = format!(
        "<sdf version='1.9'><world name='w'><model name='car'><link name='body'/><plugin filename='producer' name='producer'>\
         <count>{count}</count><bytes>{bytes}</bytes></plugin></model></world></sdf>"
    );
    fs::write(&path, text)?;
    Ok(path)
}

/// Two ends of a socket, of which a thread answers on the other one.
struct PingPong {
    stream: UnixStream,
}

impl PingPong {
    fn start() -> Outcome<Self> {
        let (stream, mut other) = UnixStream::pair()?;
        std::thread::Builder::new().name("answers".to_owned()).spawn(move || {
            let mut bytes = [0; SMALL];
            while other.read_exact(&mut bytes).and_then(|()| other.write_all(&bytes)).is_ok() {}
        })?;
        Ok(PingPong { stream })
    }

    /// Returns the processor time of both threads.
    fn exchange(&mut self) -> Outcome<Duration> {
        let before = cpu::process();
        let mut bytes = [0; SMALL];
        for _ in 0..EXCHANGES {
            self.stream.write_all(&bytes)?;
            self.stream.read_exact(&mut bytes)?;
        }
        Ok(cpu::process().saturating_sub(before))
    }
}
