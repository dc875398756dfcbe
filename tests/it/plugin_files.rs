//! Tests of plugin files that are changed, damaged and added while the host runs.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{self, CPlugin, Running, Setup, eventually, vehicle, world};

/// The workshop of an author: builds plugins and puts them into the folder of a host.
struct Workshop {
    folder: PathBuf,
    /// Libraries add a line to this file when they are opened.
    marks: PathBuf,
}

impl Workshop {
    fn new(setup: &Setup) -> Self {
        Workshop { folder: setup.plugin_folder(), marks: setup.path("marks") }
    }

    fn library(&self, name: &str) -> PathBuf {
        self.folder.join(format!("lib{name}.so"))
    }

    /// Builds a plugin whose library adds `mark`, and replaces its file as a build tool does.
    fn put(&self, name: &str, mark: &str) {
        let marks = self.marks.display();
        let macros = [
            format!("CONSTRUCTOR=if (system(\"echo {mark} >> {marks}\")) abort()"),
            format!("PLAIN_NAME=\"{name}\""),
            format!("PLAIN_ID=\"org.example.{name}\""),
        ];
        let macros: Vec<&str> = macros.iter().map(String::as_str).collect();
        let built = self.marks.with_file_name("built");
        CPlugin::plain(&built, &macros).build();
        fs::rename(built, self.library(name)).expect("replaced");
    }

    fn marks(&self) -> Vec<String> {
        fs::read_to_string(&self.marks).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

fn car(plugins: &[&str]) -> String {
    let elements = plugins.iter().map(|name| format!("<plugin filename='{name}' name='{name}'/>"));
    world(&vehicle("car1", &elements.collect::<String>()))
}

fn ctl(address: &str, words: &[&str]) -> Output {
    let mut command = Command::new(support::host());
    command.arg("ctl").args(words).env("BRIDGEHEAD_HTTP", address).output().expect("ctl runs")
}

#[track_caller]
fn reload(address: &str) {
    let output = ctl(address, &["reload"]);
    assert!(output.status.success(), "{output:?}");
}

/// Waits until the world runs, and returns the address of the host.
fn started(running: &mut Running) -> String {
    let line = running.wait_for(" serves the control plane");
    let rest = line.split_once("http://").expect("an address").1;
    let address = rest.split_once(' ').expect("an address").0.to_owned();
    eventually("the world runs", || ctl(&address, &["state"]).stdout == b"playing\n");
    address
}

#[test]
fn a_reload_uses_plugin_files_as_they_are_then() {
    let setup = Setup::new();
    let (workshop, world_file) = (Workshop::new(&setup), setup.path("world.sdf"));
    workshop.put("edited", "first");
    let setup = setup.in_real_time().world(&car(&["edited"])).args(["--http", "127.0.0.1:0"]);
    let mut running = setup.start();
    let address = started(&mut running);
    assert_eq!(workshop.marks(), ["first"]);
    reload(&address);
    assert_eq!(workshop.marks(), ["first"], "an unchanged file is not opened again");

    workshop.put("edited", "second");
    let line = running.wait_for("has changed; the run keeps the version it has");
    assert!(line.contains("libedited.so") && line.contains("ctl reload"), "{line}");
    reload(&address);
    running.wait_for("has changed: its new version is used");
    assert_eq!(workshop.marks(), ["first", "second"]);

    fs::write(workshop.library("edited"), "damaged").expect("written");
    reload(&address);
    running.wait_for("BH-PLG-");
    assert_eq!(workshop.marks(), ["first", "second"], "the world has the plugin that worked");

    workshop.put("added", "third");
    fs::write(&world_file, car(&["edited", "added"])).expect("written");
    reload(&address);
    running.wait_for("libadded.so` is new");
    assert_eq!(workshop.marks(), ["first", "second", "third"]);
    running.signal(libc::SIGINT);
    let finished = running.finish().expect_code(0);
    for plugin in ["car1/edited", "car1/added"] {
        assert_eq!(finished.reported("plugins", plugin)["failure"], Value::Null);
    }
}

#[test]
fn a_reload_takes_a_changed_bridge_and_its_types_for_vehicles() {
    let setup = Setup::new().plugins(&["clock"]).fixtures(&["own_type"]);
    let source = support::root().join("plugin-api/examples/c/datagram.c");
    let library = setup.plugin_folder().join("libdatagram.so");
    CPlugin::new(&source, &library).build();
    let peer = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
    peer.set_read_timeout(Some(std::time::Duration::from_secs(30))).expect("a deadline");
    let sdf = world(&vehicle("car1", "<plugin filename='own_type' name='barometer'/>"));
    let bridge = format!("car1=datagram:{}", peer.local_addr().expect("an address"));
    let setup = setup.in_real_time().world(&sdf).bridge(bridge).args(["--http", "127.0.0.1:0"]);
    let mut running = setup.start();
    let address = started(&mut running);
    let receives = || {
        let mut datagram = [0; 65_536];
        let is_pressure = |len: usize, datagram: &[u8]| datagram[..len].starts_with(b"/car1/pressure\0");
        (0..600).any(|_| {
            support::receive_from(&peer, &mut datagram).is_ok_and(|(len, _)| is_pressure(len, &datagram))
        })
    };
    assert!(receives());
    // Another file with the same code.
    CPlugin::new(&source, &library).flags(&["-O2"]).build();
    reload(&address);
    running.wait_for("libdatagram.so` has changed: its new version is used");
    running.wait_for("connected to");
    assert!(receives());
    running.signal(libc::SIGINT);
    let finished = running.finish().expect_code(0);
    assert!(
        finished.result()["errors"].as_array().is_some_and(Vec::is_empty),
        "{:?}",
        finished.result()["errors"]
    );
}
