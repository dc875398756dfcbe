//! A large message to several bridges, compared with a small one.

use std::fs;
use std::path::{Path, PathBuf};

use bridgehead_host::bus::{Limits, Overflow};
use bridgehead_host::config::{BridgeRequest, RequestOrigin};

use crate::Outcome;
use crate::driven::Driven;
use crate::report::{Row, Section};
use crate::rounds::Rounds;

const ROUNDS: u32 = 15;
const STEPS: u32 = 500;
/// Bytes of the small and of the large message.
const SIZES: [u32; 2] = [1_000, 1_000_000];
/// A message in memory of a plugin is copied if it is not larger, so that nobody can change it.
const PAGE: u32 = 4_000;
/// Messages in a step.
const COUNT: u32 = 4;

/// Measures 0, 1, 2 and 4 bridges, small and large messages in alternating rounds.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let mut rows = Vec::new();
    for bridges in [0, 1, 2, 4] {
        let [small, large, copied] = measure(folder, bridges)?;
        let figure = format!("{large:.0} ns; 1 kB: {small:.0} ns");
        let plural = if bridges == 1 { "" } else { "s" };
        rows.push(Row::plain(format!("message of 1 MB to {bridges} bridge{plural}"), figure));
        if bridges > 0 {
            let what = format!("copied messages of 1 MB, {bridges} bridge{plural}");
            rows.push(Row::with_target(what, format!("{:.0}", copied.most()), "0", copied.most() == 0.0));
        }
    }
    Ok(Section {
        title: "Fan-out",
        method: "A plugin publishes the same four messages in each step. The bridges accept them and check the \
                 addresses of the bytes. The time is the processor time of all threads per message, including the rest \
                 of the step.",
        rows,
    })
}

/// Nanoseconds of a small and of a large message, and how many large messages were copied.
fn measure(folder: &Path, bridges: u32) -> Outcome<[Rounds; 3]> {
    let mut hosts = Vec::new();
    for bytes in SIZES {
        let out = folder.join(format!("{bridges}_{bytes}"));
        fs::create_dir(&out)?;
        hosts.push((start(&out, bridges, bytes)?, out));
    }
    let mut times = [Rounds::default(), Rounds::default()];
    for _ in 0..ROUNDS {
        for ((host, _), times) in hosts.iter_mut().zip(&mut times) {
            times.push_each(host.steps(STEPS)?, STEPS * COUNT);
        }
    }
    let mut copied = Rounds::default();
    for ((host, out), bytes) in hosts.into_iter().zip(SIZES) {
        let messages = host.step() * u64::from(COUNT);
        host.finish()?;
        for bridge in 0..bridges {
            let copies = copies(&out.join(bridge.to_string()), messages)?;
            if bytes > PAGE {
                copied.push(copies);
            }
        }
    }
    let [small, large] = times;
    Ok([small, large, copied])
}

fn start(out: &Path, bridges: u32, bytes: u32) -> Outcome<Driven> {
    let mut host = Driven::start(world(out, bytes)?, &["producer", "consumer"], |config| {
        for bridge in 0..bridges {
            let connection = out.join(bridge.to_string()).display().to_string();
            let mut request = BridgeRequest::new("car", "consumer", &connection, RequestOrigin::CommandLine);
            request.queue = Some(Limits { overflow: Overflow::Block, ..Limits::default() });
            config.bridges.push(request);
        }
    })?;
    host.steps(STEPS)?;
    Ok(host)
}

fn world(out: &Path, bytes: u32) -> Outcome<PathBuf> {
    let path = out.join("world.sdf");
    let text = format!(
        "<sdf version='1.9'><world name='w'><model name='car'><link name='body'/><plugin filename='producer' name='producer'>\
         <count>{COUNT}</count><bytes>{bytes}</bytes></plugin></model></world></sdf>"
    );
    fs::write(&path, text)?;
    Ok(path)
}

/// Reads the count of copies that the bridge wrote. The bridge must have received all messages, or the figure would
/// mean nothing.
fn copies(path: &Path, messages: u64) -> Outcome<f64> {
    let (taken, copied) = counts(path)?;
    if taken < messages {
        return Err(format!("a bridge received {taken} of {messages} messages").into());
    }
    Ok(copied)
}

/// Reads how many messages a bridge has received, and how many of them were copied.
pub(crate) fn counts(path: &Path) -> Outcome<(u64, f64)> {
    let text = fs::read_to_string(path)?;
    let counts = text.trim().strip_prefix("taken=").and_then(|rest| rest.split_once(" copied="));
    let (taken, copied) = counts.ok_or_else(|| format!("the bridge wrote `{text}`"))?;
    Ok((taken.parse()?, copied.parse()?))
}
