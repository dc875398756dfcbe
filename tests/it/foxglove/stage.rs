//! A host with the bridge at an address of its own.

use std::fs;

use super::client::{Client, Kind};
use crate::support::{Finished, Running, Setup, free_port, root, worlds};

/// The mesh of the statue: a triangle.
pub(super) const MESH: &str = "solid statue\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
    endloop\nendfacet\nendsolid statue\n";

/// The plugins of the world with two vehicles.
const PLUGINS: &[&str] = &["clock", "diff_drive", "entities", "imu", "joint_state", "lidar"];

/// A running host.
pub(super) struct Stage {
    pub(super) host: Running,
    pub(super) port: u16,
}

impl Stage {
    /// Starts the world with two vehicles and a statue that is a mesh, in real time.
    #[track_caller]
    pub(super) fn start(options: &str) -> Self {
        let setup = Setup::new().plugins(PLUGINS).in_real_time();
        setup.file("statue.stl", MESH);
        let statue = "<model name='statue'><static>true</static><pose>-4 1 0 0 0 0</pose><link name='body'><visual name='v'>\
             <geometry><mesh><uri>statue.stl</uri><scale>2 2 2</scale></mesh></geometry></visual></link></model>\
             </world>";
        let world = fs::read_to_string(worlds().join("two_vehicles.sdf")).expect("a world");
        let mut stage = Stage::with(setup.world(&world.replace("</world>", statue)), options);
        stage.host.wait_for("car2/foxglove: connected");
        stage
    }

    /// Starts the world W1, paused.
    #[track_caller]
    pub(super) fn of_w1() -> Self {
        let folder = root().join("tests/fixtures/worlds");
        let setup = Setup::new().in_real_time().env("BRIDGEHEAD_RESOURCE_PATH", folder.join("models"));
        Stage::with(setup.run(&folder.join("W1.sdf")).args(["--start", "paused"]), "")
    }

    /// Starts a host with the bridge for the world and all vehicles.
    #[track_caller]
    pub(super) fn with(setup: Setup, options: &str) -> Self {
        let port = free_port();
        let bridge = format!("*=foxglove:127.0.0.1:{port};{options}");
        let mut host = setup.plugins(&["foxglove"]).bridge(bridge).start();
        host.wait_for("world/foxglove: connected");
        Stage { host, port }
    }

    /// The address of the server.
    pub(super) fn address(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }

    /// Connects a client, if its packages are installed.
    #[track_caller]
    pub(super) fn client(&self, kind: Kind) -> Option<Client> {
        Client::start(kind, &self.address())
    }

    /// Ends the host, which must have reported no error.
    #[track_caller]
    pub(super) fn finish(self) -> Finished {
        self.host.signal(libc::SIGTERM);
        let finished = self.host.finish().expect_code(0);
        finished.expect_silence("error");
        finished
    }
}
