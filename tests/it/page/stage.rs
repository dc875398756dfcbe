//! A host with the world of the demo at a fixed address, which scripts can restart.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ExitStatus, Output};
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use super::browser::Script;
use super::has_page;
use crate::http::Client;
use crate::support::{Running, Setup, free_port, missing, worlds};

/// The token of the host. It has characters that a subprotocol cannot have.
pub(super) const TOKEN: &str = "s?3>cret";

const PLUGINS: &[&str] = &["clock", "diff_drive", "imu", "joint_state", "lidar", "logging"];
/// The colour of the crate in the world, and a red that no light makes another colour.
const CRATE: (&str, &str) = ("0.7 0.5 0.3 1", "0.9 0.02 0.02 1");
/// A model that can be spawned.
const PARCEL: &str = "<sdf version='1.9'><model name='parcel'><link name='body'><pose>0 0 0.2 0 0 0</pose>
    <collision name='c'><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision>
    <visual name='v'><geometry><box><size>0.4 0.4 0.4</size></box></geometry></visual></link></model></sdf>";
/// Longest silence of a script. Each of its waits has a deadline of its own, so their sum, which a busy machine makes
/// long, needs none.
const SILENCE: Duration = Duration::from_secs(500);
/// Longest life of a host.
const LIFE: Duration = Duration::from_secs(1800);

/// A running host.
pub(super) struct Stage {
    port: u16,
    token: Option<&'static str>,
    running: Option<Running>,
    model: String,
}

/// What happens while a script runs.
enum Event {
    /// The script waits until the host has been restarted: until this connection is closed.
    Restart(TcpStream),
    /// The script has written a line.
    Line(String),
    /// The script has ended; its standard output has come as lines.
    End(std::io::Result<Output>),
}

impl Stage {
    /// Starts a host. If it was built without the page, the test is skipped.
    #[track_caller]
    pub(super) fn with_page(token: Option<&'static str>) -> Option<Self> {
        let stage = Stage::start(token);
        if has_page(&stage.client()) {
            return Some(stage);
        }
        missing("the host was built without the page; `bash tests/run.sh` builds it");
        None
    }

    /// Starts a host, which requires the token if one is given.
    #[track_caller]
    pub(super) fn start(token: Option<&'static str>) -> Self {
        let mut stage = Stage { port: free_port(), token, running: None, model: String::new() };
        stage.begin();
        stage
    }

    fn begin(&mut self) {
        let world = std::fs::read_to_string(worlds().join("two_vehicles.sdf")).expect("the demo");
        assert!(world.contains(CRATE.0), "the crate has another colour");
        let setup = Setup::new().plugins(PLUGINS).in_real_time().longer(LIFE);
        let model = setup.file("parcel.sdf", PARCEL);
        self.model = format!("file://{}", model.display());
        let mut setup = setup.world(&world.replacen(CRATE.0, CRATE.1, 1));
        if let Some(token) = self.token {
            setup = setup.env("BRIDGEHEAD_HTTP_TOKEN", token);
        }
        let mut running = setup.arg("--http").arg(format!("127.0.0.1:{}", self.port)).start();
        running.wait_for("car2/logging: connected");
        self.running = Some(running);
    }

    fn end(&mut self) {
        let running = self.running.take().expect("a running host");
        running.signal(libc::SIGINT);
        running.finish().expect_code(0);
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The address of a model that can be spawned.
    pub(super) fn model(&self) -> &str {
        &self.model
    }

    /// A client without the token.
    pub(super) fn client(&self) -> Client {
        Client::at(([127, 0, 0, 1], self.port).into())
    }

    /// Runs a script to its end, and restarts the host as often as it asks for that.
    #[track_caller]
    pub(super) fn run(&mut self, script: Script) -> (ExitStatus, String) {
        let door = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = door.local_addr().expect("an address");
        let restart = format!("bash -c 'cat </dev/tcp/127.0.0.1/{}'", address.port());
        let mut command = script.env("BRIDGEHEAD_PAGE_RESTART", restart).command();
        let child = command.spawn().expect("node");
        let (sender, events) = channel();
        let watcher = sender.clone();
        let accept = move || {
            let requests = door.incoming().map_while(Result::ok);
            // Until nobody receives them.
            requests.map_while(|stream| sender.send(Event::Restart(stream)).ok()).for_each(drop);
        };
        Builder::new().spawn(move || watch(child, &watcher)).expect("a thread");
        Builder::new().spawn(accept).expect("a thread");
        let mut text = String::new();
        loop {
            match events.recv_timeout(SILENCE).expect("the script goes on") {
                Event::Line(line) => text = text + &line + "\n",
                Event::Restart(stream) => {
                    self.end();
                    self.begin();
                    drop(stream);
                }
                Event::End(output) => {
                    drop(events);
                    // Ends the thread that accepts.
                    drop(TcpStream::connect(address));
                    let output = output.expect("the output of node");
                    return (output.status, text + &String::from_utf8_lossy(&output.stderr));
                }
            }
        }
    }

    /// Ends the host.
    pub(super) fn finish(mut self) {
        self.end();
    }
}

/// Sends the lines of the standard output of a script, and at last how it has ended.
fn watch(mut child: Child, events: &Sender<Event>) {
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let read = {
        let events = events.clone();
        move || lines.for_each(|line| drop(events.send(Event::Line(line))))
    };
    let reader = Builder::new().spawn(read).expect("a thread");
    let output = child.wait_with_output();
    drop(reader.join());
    drop(events.send(Event::End(output)));
}
