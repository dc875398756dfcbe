//! A publish over the C ABI, compared with the same publish through a trait object within the program.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bridgehead_host::bus::{Bus, Outbox, Outgoing, Publisher, Qos, Role, Topic, TypeRegistry};
use bridgehead_host::clock;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::std_msgs::String as RosString;

use crate::Outcome;
use crate::driven::Driven;
use crate::report::{Row, Section};
use crate::rounds::Rounds;

const ROUNDS: u32 = 15;
/// Publishes in a step.
const COUNT: u32 = 1000;
/// Steps in a round.
const STEPS: u32 = 200;
/// Bytes of a message.
const BYTES: usize = 100;

/// The call that a plugin would make if it were part of the program.
trait Publish {
    fn publish(&self, stamp_ns: i64, payload: &Payload);
}

impl Publish for Publisher {
    fn publish(&self, stamp_ns: i64, payload: &Payload) {
        Publisher::publish(self, stamp_ns, payload.clone()).expect("not too large");
    }
}

/// Measures both in alternating rounds.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let (full, empty) = (world(folder, COUNT)?, world(folder, 0)?);
    let (mut abi, mut within) = (Rounds::default(), Rounds::default());
    for _ in 0..ROUNDS {
        let of_publishing = in_plugin(&full)?.saturating_sub(in_plugin(&empty)?);
        abi.push_each(of_publishing, COUNT);
        within.push_each(in_program()?, COUNT);
    }
    let ratio = abi.ratio_to(&within);
    Ok(Section {
        title: "Publishing",
        method: "A plugin publishes 1000 messages of 100 bytes in each of 200 steps. The cost is the duration of the \
                 plugin call as the host measures it, minus the duration of the same call without messages. \
                 The reference is the same publish through a trait object within the program.",
        rows: vec![
            Row::plain("publish over the ABI", format!("{abi:.1} ns")),
            Row::plain("publish through `dyn` within the program", format!("{within:.1} ns")),
            Row::with_target("ratio", format!("{ratio:.2}"), "below 4", ratio.median() < 4.0),
        ],
    })
}

/// A vehicle with only the plugin `producer`.
fn world(folder: &Path, count: u32) -> Outcome<PathBuf> {
    let mut text = String::from("<sdf version='1.9'><world name='w'><model name='car'><link name='body'/>");
    write!(
        text,
        "<plugin filename='producer' name='producer'><count>{count}</count><bytes>{BYTES}</bytes></plugin></model></world></sdf>"
    )?;
    let path = folder.join(format!("{count}.sdf"));
    fs::write(&path, text)?;
    Ok(path)
}

/// Mean duration of a call of the plugin.
fn in_plugin(world: &Path) -> Outcome<Duration> {
    let mut host = Driven::start(world.to_owned(), &["producer"], |_| ())?;
    host.steps(STEPS)?;
    let result = host.finish()?;
    let timing = &result.plugins.first().ok_or("the plugin was not attached")?.timing;
    Ok(timing.busy / u32::try_from(timing.calls)?)
}

/// Mean duration of the same number of publishes within the program.
fn in_program() -> Outcome<Duration> {
    let outbox = Arc::new(Outbox::new("bench", Arc::default()));
    let publisher: Box<dyn Publish> = black_box(Box::new(Publisher::new(topic()?, Arc::clone(&outbox))));
    let payload = Payload::from_vec(vec![0; BYTES]);
    let mut drained: Vec<Outgoing> = Vec::new();
    let mut took = Duration::ZERO;
    for step in 0..STEPS {
        let start = clock::now();
        for _ in 0..COUNT {
            publisher.publish(i64::from(step), &payload);
        }
        took += start.elapsed();
        outbox.drain_into(&mut drained);
        drained.clear();
    }
    Ok(took / STEPS)
}

fn topic() -> Outcome<Arc<Topic>> {
    let data_type =
        TypeRegistry::default().register(RosString::FULL_NAME, RosString::DESCRIPTOR_SET, "bench")?;
    Ok(Bus::default().open("", "load", &data_type, Qos::default(), Role::Publisher, "bench")?)
}
