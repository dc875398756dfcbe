//! Clients that read too slowly or not at all: the memory of the host is bounded, losses are counted and reported to the
//! client that has them, and neither other clients nor the steps of the simulation are affected.

use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;

use super::reader::{Reader, Received};
use super::server::{Kind, Server, Socket};
use super::stage::Stage;
use crate::support::{Setup, eventually, is_loaded, is_long, vehicle, world};

/// Clouds of a million bytes, twenty times a second.
const CLOUD: &str =
    "<plugin filename='cloud' name='cloud'><bytes>1000000</bytes><update_rate>20</update_rate></plugin>";
const TOPIC: &str = "/car1/points";
const TYPE: &str = "sensor_msgs/msg/PointCloud2";
/// The period of the clouds.
const PERIOD_NS: u64 = 50_000_000;
/// Pause of a client that reads one cloud while two are published.
const HALF_SPEED: Duration = Duration::from_millis(100);
/// How far the memory of the host may differ from its size when the queues had become full.
const MEMORY_KIB: u64 = 20_000;
/// A client that does not read is disconnected in this time.
pub(super) const DISCONNECTED: Duration = Duration::from_secs(15);

/// How long clients read slowly.
pub(super) fn duration() -> Duration {
    Duration::from_secs(if is_long() { 60 } else { 6 })
}

fn stage() -> Stage {
    let setup = Setup::new().fixtures(&["cloud"]).in_real_time().longer(duration());
    Stage::start(setup.world(&world(&vehicle("car1", CLOUD))), "backlog_mb=8")
}

#[track_caller]
fn reader(server: Server, pause: Duration) -> Reader {
    Reader::start(server, TOPIC, TYPE, pause)
}

/// Waits while it is checked that the memory of the host does not change.
#[track_caller]
pub(super) fn expect_steady_memory(stage: &Stage, time: Duration, mut each: impl FnMut()) {
    let first = stage.host.process_status("VmRSS");
    let end = clock::now() + time;
    // Wall time: memory is measured in it.
    while clock::now() < end {
        sleep(Duration::from_millis(200));
        let now = stage.host.process_status("VmRSS");
        assert!(now.abs_diff(first) < MEMORY_KIB, "from {first} KiB to {now} KiB");
        each();
    }
}

/// The cost of a step must not depend on slow clients. Returns both costs as text.
#[track_caller]
pub(super) fn expect_equal_costs(quiet: f64, beside: f64) -> String {
    let report = format!("a step costs {quiet:.1} us, beside a slow client {beside:.1} us");
    assert!(beside < 1.5 * quiet + 20.0 || is_loaded(), "{report}");
    report
}

#[track_caller]
fn expect_everything(witness: Reader) {
    let received = witness.finish();
    assert!(received.stamps.len() > 20, "{}", received.stamps.len());
    if is_loaded() {
        return;
    }
    received.expect_complete(PERIOD_NS);
}

/// A client that reads half of what is published for it. Returns what was measured.
#[track_caller]
fn read_at_half_speed(kind: Kind) -> String {
    let stage = stage();
    let server = stage.server(kind);
    let witness = reader(server, Duration::ZERO);
    eventually("clouds arrive", || witness.count() > 5);
    // Wall time: costs of steps are measured in it.
    let quiet = stage.cost_of_steps(|| sleep(duration() / 3));
    let slow = reader(server, HALF_SPEED);
    eventually("the queue is full", || stage.lost(kind) > 5);
    let beside = stage.cost_of_steps(|| expect_steady_memory(&stage, duration(), || ()));
    let costs = expect_equal_costs(quiet, beside);
    // Now it reads everything that still waits, and the last report.
    slow.set_pause(Duration::ZERO);
    eventually("all losses are reported", || slow.received().lost() == stage.lost(kind));
    let slow = slow.finish();
    let losses = expect_loss(kind, &slow);
    expect_everything(witness);
    stage.finish();
    format!("{costs}; {losses}")
}

/// The reports contain each lost cloud once. Returns the numbers as text.
#[track_caller]
fn expect_loss(kind: Kind, slow: &Received) -> String {
    let (missing, lost, received) = (slow.missing(PERIOD_NS), slow.lost(), slow.stamps.len() as u64);
    assert!(slow.end.is_none() && slow.others.is_empty(), "{:?} {:?}", slow.end, slow.others);
    match kind {
        // It sends the time too, which may be lost with the clouds.
        Kind::Foxglove => assert!((missing..=missing + received).contains(&lost), "{slow:?}"),
        Kind::Rosbridge | Kind::Host => assert_eq!(lost, missing, "{slow:?}"),
    }
    // Ten of twenty in each second.
    assert!(missing > 6 * duration().as_secs() || is_loaded(), "{missing} are missing");
    let reports = slow.losses.len();
    format!("{received} clouds received, {missing} missing, {lost} reported in {reports} reports")
}

/// Clients that do not read at all: each is disconnected after some time, and then connects again. Returns what was
/// measured.
#[track_caller]
fn do_not_read(kind: Kind) -> String {
    let stage = stage();
    let server = stage.server(kind);
    let witness = reader(server, Duration::ZERO);
    eventually("clouds arrive", || witness.count() > 5);
    // Wall time: clients that do not read are disconnected after some of it.
    let quiet = stage.cost_of_steps(|| sleep(duration() / 3));
    let mut stalled: Socket = server.subscribe(TOPIC, TYPE);
    eventually("the queue is full", || stage.lost(kind) > 5);
    let mut since = clock::now();
    let beside = stage.cost_of_steps(|| {
        expect_steady_memory(&stage, duration(), || {
            if since.elapsed() > DISCONNECTED {
                (stalled, since) = (server.subscribe(TOPIC, TYPE), clock::now());
            }
        });
    });
    let costs = expect_equal_costs(quiet, beside);
    drop(stalled);
    expect_everything(witness);
    stage.finish();
    costs
}

#[test]
fn a_client_of_foxglove_at_half_speed_loses_half_and_is_told() {
    println!("{}", read_at_half_speed(Kind::Foxglove));
}

#[test]
fn a_client_of_rosbridge_at_half_speed_loses_half_and_is_told() {
    println!("{}", read_at_half_speed(Kind::Rosbridge));
}

#[test]
fn a_client_of_foxglove_that_does_not_read_is_bounded_and_alone() {
    println!("{}", do_not_read(Kind::Foxglove));
}

#[test]
fn a_client_of_rosbridge_that_does_not_read_is_bounded_and_alone() {
    println!("{}", do_not_read(Kind::Rosbridge));
}
