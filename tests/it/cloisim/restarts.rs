//! Tests of a client or a host that is killed and started again: the other side receives and sends again.

use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::discovery;
use super::msgs::{LaserScan, Micom, Param};
use super::resets::ResetListener;
use super::sensors::forward;
use super::wire::{Publisher, Subscriber, decode};
use super::yard::Yard;
use crate::support::{eventually, prompt};

/// Within this time each direction works again.
const RECOVERY: Duration = Duration::from_secs(5);

/// Variables that make the test below a client: the port of the service, and the speed of the robot.
const SERVICE: &str = "BRIDGEHEAD_TEST_CLOISIM_SERVICE";
const SPEED: &str = "BRIDGEHEAD_TEST_CLOISIM_SPEED";

/// A program rather than a test, run by the tests below: a client that finds the yard, receives scans of a lidar and
/// drives until it is killed.
#[test]
#[ignore = "a client for other tests, in its own process"]
fn a_client_in_its_own_process() {
    let [Ok(service), Ok(speed)] = [SERVICE, SPEED].map(env::var) else { return };
    let speed: f64 = speed.parse().expect("a speed");
    let devices = discovery::devices(service.parse().expect("a port"));
    let port = |path: &str| {
        let port = devices.pointer(path).and_then(serde_json::Value::as_u64);
        u16::try_from(port.expect("a port")).expect("a port")
    };
    let lidar =
        devices["robot1"]["LASER"].as_object().and_then(|parts| parts.keys().next()).expect("a lidar");
    let subscriber =
        Subscriber::on(port(&format!("/robot1/LASER/{lidar}/Data")), &format!("robot1{lidar}Data"));
    let publisher = Publisher::on(port("/robot2/MICOM/Micom/Rx"), "robot2MicomRx");
    loop {
        subscriber.next::<LaserScan>();
        publisher.send(&forward(speed));
        let mut out = std::io::stdout();
        // The test that reads this may have ended.
        if writeln!(out, "received").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// A client in its own process, which is killed even if the test fails.
struct Client {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Client {
    fn start(yard: &Yard, speed: f64) -> Self {
        let mut child = Command::new(env::current_exe().expect("the path of the test program"))
            .args(["--ignored", "--nocapture", "--exact", "cloisim::restarts::a_client_in_its_own_process"])
            .env(SERVICE, yard.service().to_string())
            .env(SPEED, speed.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the test program starts");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        Client { child, lines }
    }

    /// Waits until the client receives a scan.
    #[track_caller]
    fn wait_for_scan(&mut self) {
        let mut line = String::new();
        while !line.contains("received") {
            line.clear();
            assert!(self.lines.read_line(&mut line).expect("a line") > 0, "the client has ended");
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Speed of a vehicle forwards, m/s.
pub(super) fn speed(board: &Micom) -> f64 {
    let twist = board.odom.as_ref().and_then(|odom| odom.twist.as_ref());
    twist.and_then(|twist| twist.linear.as_ref()).map_or(f64::NAN, |linear| linear.x)
}

#[test]
fn a_client_that_is_killed_and_started_again_receives_and_drives_again() {
    let yard = Yard::start();
    let subscriber = yard.device("robot2", "MICOM").subscriber("Tx");
    for wanted in [0.3, -0.3, 0.2] {
        // Wall time: users wait for it.
        let mut client = prompt("the robot drives", 2 * RECOVERY, || {
            let client = prompt("the client receives a scan", RECOVERY, || {
                let mut client = Client::start(&yard, wanted);
                client.wait_for_scan();
                client
            });
            subscriber.until("its speed", |board: &Micom| (speed(board) - wanted).abs() < 0.05);
            client
        });
        client.child.kill().expect("killed");
        client.child.wait().expect("our child");
        // The other subscriber still receives.
        (0..20).for_each(|_| drop(subscriber.next_bytes()));
    }
    yard.finish().expect_code(0);
}

#[test]
fn a_stopped_client_does_not_delay_other_clients() {
    let yard = Yard::start();
    let subscriber = yard.device("robot2", "MICOM").subscriber("Tx");
    let mut client = Client::start(&yard, 0.3);
    client.wait_for_scan();
    signal(&client.child, libc::SIGSTOP);
    // Wall time: messages that are delayed arrive too, but later.
    prompt("150 messages", Duration::from_secs(10), || {
        (0..150).for_each(|_| drop(subscriber.next_bytes()));
    });
    signal(&client.child, libc::SIGCONT);
    client.wait_for_scan();
    yard.finish().expect_code(0);
}

#[expect(unsafe_code, reason = "std sends no signals but one")]
fn signal(child: &Child, signal: i32) {
    let id = libc::pid_t::try_from(child.id()).expect("ids of processes are small");
    // SAFETY: kill touches no memory of ours; the id is that of a child that was not collected yet.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

#[test]
fn a_host_that_is_killed_and_started_again_serves_the_same_ports() {
    let yard = Yard::start();
    let before = yard.devices();
    let laser = yard.device("robot1", "LASER");
    let (subscriber, requester) = (laser.subscriber("Data"), laser.requester());
    let board = yard.device("robot2", "MICOM");
    let (odometry, publisher) = (board.subscriber("Tx"), board.publisher("Rx"));
    let listener = ResetListener::connect(&yard);
    subscriber.next::<LaserScan>();
    requester.ask::<Param>("request_ros2");
    publisher.send_until(&forward(0.3), "it drives", || {
        odometry.try_next().is_some_and(|payload| speed(&decode(&payload)) > 0.2)
    });
    let place = yard.kill();
    while subscriber.try_next().is_some() || odometry.try_next().is_some() {}
    let mut yard = Yard::start_at(&place);
    // Wall time: users wait for it.
    prompt("the robot drives again", 2 * RECOVERY, || {
        prompt("a scan is received again", RECOVERY, || {
            assert_eq!(yard.devices(), before, "the same ports in every run");
            // On the sockets from before, which reconnect on their own.
            subscriber.next::<LaserScan>();
        });
        publisher.send_until(&forward(0.3), "it drives again", || {
            odometry.try_next().is_some_and(|payload| speed(&decode(&payload)) > 0.2)
        });
    });
    requester.ask::<Param>("request_ros2");
    eventually("it plays", || yard.state() == 1);
    yard.ok("reset", json!({ "then": "keep" }));
    listener.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    yard.finish().expect_code(0);
}
