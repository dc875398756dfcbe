//! A client or a host that is killed and comes back: what the other one sees of it.

use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use bridgehead_host::clock;
use serde_json::json;

use super::discovery;
use super::msgs::{LaserScan, Micom, Param};
use super::resets::Told;
use super::sensors::forward;
use super::wire::{Ear, Mouth, decode};
use super::yard::Yard;
use crate::support::eventually;

/// After this long data flow again, each way.
const BACK: Duration = Duration::from_secs(5);

/// What tells the test below that it is a client: the port of the service, and how fast it drives.
const SERVICE: &str = "BRIDGEHEAD_TEST_CLOISIM_SERVICE";
const SPEED: &str = "BRIDGEHEAD_TEST_CLOISIM_SPEED";

/// No test but a program, run by the next one: a client that finds the yard, hears a lidar and drives, until it is
/// killed.
#[test]
#[ignore = "a client for other tests, in a process of its own"]
fn a_client_of_its_own() {
    let [Ok(service), Ok(speed)] = [SERVICE, SPEED].map(env::var) else { return };
    let speed: f64 = speed.parse().expect("a speed");
    let devices = discovery::devices(service.parse().expect("a port"));
    let port = |path: &str| {
        let port = devices.pointer(path).and_then(serde_json::Value::as_u64);
        u16::try_from(port.expect("a port")).expect("a port")
    };
    let lidar =
        devices["robot1"]["LASER"].as_object().and_then(|parts| parts.keys().next()).expect("a lidar");
    let ear = Ear::on(port(&format!("/robot1/LASER/{lidar}/Data")), &format!("robot1{lidar}Data"));
    let mouth = Mouth::on(port("/robot2/MICOM/Micom/Rx"), "robot2MicomRx");
    loop {
        ear.next::<LaserScan>();
        mouth.say(&forward(speed));
        let mut out = std::io::stdout();
        // The test that reads this may be gone.
        if writeln!(out, "heard").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// A client in a process of its own, which does not outlive a test that fails.
struct Client {
    child: Child,
    lines: BufReader<ChildStdout>,
    began: Instant,
}

impl Client {
    fn start(yard: &Yard, speed: f64) -> Self {
        let began = clock::now();
        let mut child = Command::new(env::current_exe().expect("the path of the test program"))
            .args(["--ignored", "--nocapture", "--exact", "cloisim::restarts::a_client_of_its_own"])
            .env(SERVICE, yard.service().to_string())
            .env(SPEED, speed.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the test program starts");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        Client { child, lines, began }
    }

    /// How long it took since the start until it heard something.
    #[track_caller]
    fn hears(&mut self) -> Duration {
        let mut line = String::new();
        while !line.contains("heard") {
            line.clear();
            assert!(self.lines.read_line(&mut line).expect("a line") > 0, "the client has ended");
        }
        self.began.elapsed()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn speed(board: &Micom) -> f64 {
    let twist = board.odom.as_ref().and_then(|odom| odom.twist.as_ref());
    twist.and_then(|twist| twist.linear.as_ref()).map_or(f64::NAN, |linear| linear.x)
}

#[test]
fn a_client_that_is_killed_and_started_again_hears_and_drives_again() {
    let yard = Yard::start();
    let ear = yard.device("robot2", "MICOM").hear("Tx");
    for wanted in [0.3, -0.3, 0.2] {
        let mut client = Client::start(&yard, wanted);
        let heard = client.hears();
        assert!(heard < BACK, "{heard:?} until the client hears");
        ear.until("its speed", |board: &Micom| (speed(board) - wanted).abs() < 0.05);
        let driven = client.began.elapsed();
        assert!(driven < 2 * BACK, "{driven:?} until the robot drives");
        client.child.kill().expect("killed");
        client.child.wait().expect("our child");
        // Whoever is left goes on hearing.
        (0..20).for_each(|_| drop(ear.next_bytes()));
    }
    yard.finish().expect_code(0);
}

#[test]
fn a_client_that_is_stopped_holds_up_nobody() {
    let yard = Yard::start();
    let ear = yard.device("robot2", "MICOM").hear("Tx");
    let mut client = Client::start(&yard, 0.3);
    client.hears();
    signal(&client.child, libc::SIGSTOP);
    let began = clock::now();
    (0..150).for_each(|_| drop(ear.next_bytes()));
    assert!(began.elapsed() < Duration::from_secs(10), "150 messages in {:?}", began.elapsed());
    signal(&client.child, libc::SIGCONT);
    client.hears();
    yard.finish().expect_code(0);
}

#[expect(unsafe_code, reason = "std sends no signals but one")]
fn signal(child: &Child, signal: i32) {
    let id = libc::pid_t::try_from(child.id()).expect("ids of processes are small");
    // SAFETY: kill touches no memory of ours; the id is that of a child that was not collected yet.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

#[test]
fn a_host_that_is_killed_and_started_again_is_heard_and_driven_on_the_same_ports() {
    let yard = Yard::start();
    let before = yard.devices();
    let laser = yard.device("robot1", "LASER");
    let (ear, asker) = (laser.hear("Data"), laser.ask());
    let board = yard.device("robot2", "MICOM");
    let (odometry, mouth) = (board.hear("Tx"), board.speak("Rx"));
    let told = Told::by(&yard);
    ear.next::<LaserScan>();
    asker.ask::<Param>("request_ros2");
    mouth.say_until(&forward(0.3), "it drives", || {
        odometry.try_next().is_some_and(|payload| speed(&decode(&payload)) > 0.2)
    });
    let place = yard.kill();
    while ear.try_next().is_some() || odometry.try_next().is_some() {}
    let mut yard = Yard::start_at(&place);
    let back = clock::now();
    assert_eq!(yard.devices(), before, "the same ports in every run");
    // On the sockets from before, which know nothing of it.
    ear.next::<LaserScan>();
    let time = back.elapsed();
    assert!(time < BACK, "{time:?} until the lidar is heard again");
    mouth.say_until(&forward(0.3), "it drives again", || {
        odometry.try_next().is_some_and(|payload| speed(&decode(&payload)) > 0.2)
    });
    let time = back.elapsed();
    assert!(time < 2 * BACK, "{time:?} until the robot drives again");
    asker.ask::<Param>("request_ros2");
    eventually("it plays", || yard.state() == 1);
    yard.ok("reset", json!({ "then": "keep" }));
    told.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    yard.finish().expect_code(0);
}
