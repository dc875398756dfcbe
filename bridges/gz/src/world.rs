//! What tools expect of a world without being asked, on threads of the instance that is attached to the world: its services,
//! its clock and its statistics on `gz-world`, what it looks like and its poses on `gz-scene` ([`scene`]).
//!
//! Nothing is computed for a topic that nobody receives.

mod appearance;
mod look;
mod poses;
mod scene;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread::sleep;
use std::time::Duration;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Clock, ClockReading, Description, HostHandle, Threads};
use bridgehead_plugin_api::messages::prost::Message as _;

use self::scene::ScenePublisher;
use crate::connection::Connection;
use crate::msgs as gz;
use crate::name::as_topic;
use crate::node::{Node, Offer, Topic};
use crate::service::{Desk, RunServices, offers};
use crate::wall_clock;

/// Time between two turns: poses have 60 Hz in Gazebo.
const TURN: Duration = Duration::from_millis(16);
/// Turns between two statistics, which have about 10 Hz in Gazebo.
const STATISTICS: u64 = 6;

/// Held as long as the threads shall run.
#[derive(Debug)]
pub(crate) struct Running(Arc<AtomicBool>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Starts the threads.
///
/// # Errors
/// Returns an error if the host lacks something, or makes no thread.
pub(crate) fn start(host: HostHandle, node: &Arc<Node>, services: &Arc<RunServices>) -> Result<Arc<Running>> {
    let running = Arc::new(Running(Arc::default()));
    let desk = Desk { services: Arc::clone(services), ..Desk::default() };
    let mut scene = ScenePublisher::new(host.description()?, host.scene()?, node, desk.clone());
    let mut world = WorldPublisher {
        clock: host.clock()?,
        description: host.description()?,
        node: Arc::downgrade(node),
        desk,
        revision: 0,
        turns: 0,
        shown: None,
    };
    spawn(
        host,
        "gz-world",
        &running,
        move |must_end| {
            if must_end { world.withdraw() } else { world.turn() }
        },
    )?;
    spawn(
        host,
        "gz-scene",
        &running,
        move |must_end| {
            if must_end { scene.withdraw() } else { scene.turn() }
        },
    )?;
    Ok(running)
}

/// Starts a thread that calls a function again and again, and a last time at its end.
fn spawn(
    host: HostHandle,
    name: &str,
    running: &Running,
    mut turn: impl FnMut(bool) + Send + 'static,
) -> Result {
    let ends = Arc::clone(&running.0);
    host.threads()?.spawn(name, move |threads: Threads| {
        while !threads.should_stop() && !ends.load(Ordering::Acquire) {
            turn(false);
            sleep(TURN);
        }
        turn(true);
    })
}

struct WorldPublisher {
    clock: Clock,
    description: Description,
    /// Not held: the node ends with the connection.
    node: Weak<Node>,
    desk: Desk,
    /// Revision of the description that was read last.
    revision: u64,
    turns: u64,
    shown: Option<ShownWorld>,
}

/// The topics and services of one world.
struct ShownWorld {
    name: String,
    clocks: [Arc<Topic>; 2],
    statistics: [Arc<Topic>; 2],
    offers: Vec<Arc<Offer>>,
    started: std::time::Instant,
}

impl ShownWorld {
    fn new(connection: &Connection, name: &str, desk: &Desk) -> Option<Self> {
        let topic = |name: &str, kind: &str| {
            let type_name = connection.generation.type_name(kind);
            Some(Topic::spare(connection.partition.qualify(name)?, type_name))
        };
        let of_world = |last: &str| format!("/world/{name}/{last}");
        Some(ShownWorld {
            clocks: [topic("/clock", "Clock")?, topic(&of_world("clock"), "Clock")?],
            statistics: [topic("/stats", "WorldStatistics")?, topic(&of_world("stats"), "WorldStatistics")?],
            offers: offers(connection, name, desk),
            name: name.to_owned(),
            started: wall_clock::now(),
        })
    }

    fn topics(&self) -> impl Iterator<Item = &Arc<Topic>> {
        self.clocks.iter().chain(&self.statistics)
    }
}

impl WorldPublisher {
    fn turn(&mut self) {
        let Some(node) = self.node.upgrade() else { return };
        self.follow(&node);
        self.turns += 1;
        let turns = self.turns;
        let reading = self.clock.read();
        let Some(shown) = &mut self.shown else { return };
        let publish = |topics: &[Arc<Topic>], bytes: &[u8]| {
            for topic in topics.iter().filter(|topic| topic.is_wanted()) {
                node.publish(topic, bytes.to_vec());
            }
        };
        if shown.clocks.iter().any(|topic| topic.is_wanted()) {
            publish(&shown.clocks, &clock(&reading, shown.started.elapsed()).encode_to_vec());
        }
        if turns.is_multiple_of(STATISTICS) && shown.statistics.iter().any(|topic| topic.is_wanted()) {
            publish(&shown.statistics, &statistics(&reading, shown.started.elapsed()).encode_to_vec());
        }
    }

    /// Advertises the topics of another world once one is loaded.
    fn follow(&mut self, node: &Node) {
        let revision = self.description.revision();
        if revision == self.revision && self.shown.is_some() {
            return;
        }
        let Ok(description) = self.description.read() else { return };
        self.revision = revision;
        let name = as_topic(&description.world);
        if self.shown.as_ref().is_some_and(|shown| shown.name == name) || name.is_empty() {
            return;
        }
        self.withdraw();
        self.shown = ShownWorld::new(node.connection(), &name, &self.desk);
        if let Some(shown) = &self.shown {
            shown.topics().for_each(|topic| node.advertise(topic));
            shown.offers.iter().for_each(|offer| node.offer(offer));
        }
    }

    fn withdraw(&mut self) {
        let Some(shown) = self.shown.take() else { return };
        if let Some(node) = self.node.upgrade() {
            shown.topics().for_each(|topic| node.withdraw(topic));
            shown.offers.iter().for_each(|offer| node.retract(offer));
        }
    }
}

fn ns(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

fn clock(reading: &ClockReading, real: Duration) -> gz::Clock {
    gz::Clock {
        header: None,
        system: Some(gz::Time::from_ns(wall_clock::since_epoch_ns())),
        real: Some(gz::Time::from_ns(ns(real))),
        sim: Some(gz::Time::from_ns(reading.time_ns)),
    }
}

fn statistics(reading: &ClockReading, real: Duration) -> gz::WorldStatistics {
    gz::WorldStatistics {
        header: Some(gz::Header::at(reading.time_ns)),
        sim_time: Some(gz::Time::from_ns(reading.time_ns)),
        real_time: Some(gz::Time::from_ns(ns(real))),
        paused: reading.is_paused,
        iterations: reading.step,
        real_time_factor: reading.real_time_factor,
        step_size: Some(gz::Time::from_ns(reading.step_width_ns)),
        ..gz::WorldStatistics::default()
    }
}
