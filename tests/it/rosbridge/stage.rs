//! A host with the bridge at an address of its own.

use super::client::{Client, Kind};
use super::socket::Socket;
use crate::support::{Finished, Served, Setup, free_port, root, worlds};

/// The plugins of the world with two vehicles.
const PLUGINS: &[&str] = &["clock", "diff_drive", "entities", "imu", "joint_state", "lidar"];

/// A running host.
pub(super) struct Stage {
    pub(super) host: Served,
    pub(super) port: u16,
}

impl Stage {
    /// Starts the world with two vehicles in real time.
    #[track_caller]
    pub(super) fn start(options: &str) -> Self {
        Stage::with(two_vehicles(), options)
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
        let bridge = format!("*=rosbridge:127.0.0.1:{port};{options}");
        let host = Served::start(setup.plugins(&["rosbridge"]).bridge(bridge));
        Stage { host, port }
    }

    /// Connects a client, if its packages are installed.
    #[track_caller]
    pub(super) fn client(&self, kind: Kind) -> Option<Client> {
        Client::start(kind, self.port)
    }

    /// Connects a plain WebSocket.
    #[track_caller]
    pub(super) fn socket(&self) -> Socket {
        Socket::connect(self.port)
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

/// The world with two vehicles.
pub(super) fn two_vehicles() -> Setup {
    Setup::new().plugins(PLUGINS).in_real_time().run(&worlds().join("two_vehicles.sdf"))
}
