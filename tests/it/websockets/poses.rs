//! Readers of poses that read too slowly or not at all, beside one that reads everything.

use std::fmt::Write as _;
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::json;
use socket2::SockRef;

use super::reader::{Reader, Received};
use super::server::{Kind, Server, Socket, send};
use super::stage::Stage;
use super::stalled::{DISCONNECTED, duration, expect_equal_costs, expect_steady_memory};
use crate::support::{Setup, eventually, is_loaded};

/// Boxes that fall for ever, far from each other: every frame contains all of them.
const BODIES: usize = 1000;
/// Requested frames per second.
const RATE: u32 = 60;
/// How old the poses may be that a slow reader gets.
const RECENT_NS: u64 = 1_000_000_000;
/// Bytes that the system keeps for a reader, so that a reader that does not read is noticed soon.
const KEPT: usize = 16 << 10;

#[track_caller]
fn stage() -> Stage {
    let mut boxes = String::new();
    for index in 0..BODIES {
        let (x, y) = (3 * (index % 40), 3 * (index / 40));
        write!(
            boxes,
            "<model name='b{index}'><pose>{x} {y} 0 0 0 0</pose><link name='l'><visual name='v'><geometry><box>
             <size>1 1 1</size></box></geometry></visual></link></model>"
        )
        .expect("a string");
    }
    let sdf =
        format!("<sdf version='1.9'><world name='test'><gravity>0 0 -0.01</gravity>{boxes}</world></sdf>");
    Stage::start(Setup::new().in_real_time().longer(duration()).world(&sdf), "backlog_mb=8")
}

/// Subscribes to poses. The buffer of the connection is small.
#[track_caller]
fn subscribe(server: Server) -> Socket {
    let mut socket = server.connect();
    let stream: &TcpStream = socket.get_ref();
    SockRef::from(stream).set_recv_buffer_size(KEPT).expect("an option");
    send(&mut socket, &json!({"op": "subscribe", "what": "poses", "rate": RATE}));
    socket
}

#[track_caller]
fn reader(server: Server, pause: Duration) -> Reader {
    Reader::of(Kind::Host, subscribe(server), pause)
}

/// Frames that came, and those that were reported as lost, are those that the witness received in the same time.
#[track_caller]
fn expect_account(received: &Received, witness: &Received) -> String {
    let (first, last) = (received.stamps[0], received.stamps[received.stamps.len() - 1]);
    let seen = witness.stamps.iter().filter(|stamp| (first..=last).contains(stamp)).count() as u64;
    let (frames, lost) = (received.stamps.len() as u64, received.lost());
    let due = seen + witness.lost();
    let report = format!("{due} frames due, {frames} received, {lost} reported as lost");
    assert!((frames + lost).abs_diff(due) <= 3 + due / 50 || is_loaded(), "{report}");
    expect_order(received);
    report
}

#[track_caller]
fn expect_order(received: &Received) {
    assert!(received.stamps.is_sorted(), "{:?}", received.stamps);
    assert!(received.end.is_none() && received.others.is_empty(), "{:?} {:?}", received.end, received.others);
}

/// A reader that reads everything loses nothing, unless the machine is busy.
#[track_caller]
fn expect_everything(witness: &Received) {
    expect_order(witness);
    let few = witness.stamps.len() as u64 / 20;
    assert!(witness.lost() <= few || is_loaded(), "{:?}", witness.losses);
}

/// Returns a host, a reader that reads everything, and the cost of a step without another reader.
#[track_caller]
fn begin() -> (Stage, Reader, f64) {
    let stage = stage();
    let witness = reader(stage.server(Kind::Host), Duration::ZERO);
    eventually("poses arrive", || witness.count() > 5);
    // Wall time: costs of steps are measured in it.
    let quiet = stage.cost_of_steps(|| sleep(duration() / 3));
    (stage, witness, quiet)
}

#[test]
fn a_reader_of_poses_at_half_speed_loses_half_and_is_told() {
    let (stage, witness, quiet) = begin();
    let server = stage.server(Kind::Host);
    let slow = reader(server, 2 * Duration::from_secs(1) / RATE);
    eventually("frames are lost", || slow.received().lost() > 5);
    let beside = stage.cost_of_steps(|| expect_steady_memory(&stage, duration(), || ()));
    let (slow, witness) = (slow.finish(), witness.finish());
    let report = format!("{}; {}", expect_equal_costs(quiet, beside), expect_account(&slow, &witness));
    let behind_ns = witness.stamps[witness.stamps.len() - 1] - slow.stamps[slow.stamps.len() - 1];
    assert!(behind_ns < RECENT_NS || is_loaded(), "{behind_ns} ns behind; {report}");
    assert!(slow.lost() > u64::from(RATE / 4) * duration().as_secs() || is_loaded(), "{report}");
    expect_everything(&witness);
    stage.finish();
    println!("{report}");
}

#[test]
fn a_reader_of_poses_that_does_not_read_is_disconnected_and_alone() {
    let (stage, witness, quiet) = begin();
    let server = stage.server(Kind::Host);
    let (mut stalled, mut since) = (subscribe(server), clock::now());
    let beside = stage.cost_of_steps(|| {
        expect_steady_memory(&stage, duration(), || {
            // Wall time: clients that do not read are disconnected after some of it.
            if since.elapsed() > DISCONNECTED {
                (stalled, since) = (subscribe(server), clock::now());
            }
        });
    });
    let report = expect_equal_costs(quiet, beside);
    drop(stalled);
    let witness = witness.finish();
    expect_everything(&witness);
    stage.finish();
    println!("{report}");
}
