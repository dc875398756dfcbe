//! A host with both bridges at addresses of their own, and HTTP.

use std::fs;

use serde_json::{Value, json};

use super::server::{Kind, Server};
use crate::support::{Served, Setup, free_port};

/// A running host.
pub(super) struct Stage {
    pub(super) host: Served,
    foxglove: u16,
    rosbridge: u16,
}

impl Stage {
    /// Starts a host with both bridges for the world and all vehicles, with these options of the servers.
    #[track_caller]
    pub(super) fn start(setup: Setup, options: &str) -> Self {
        let (foxglove, rosbridge) = (free_port(), free_port());
        let setup = setup
            .plugins(&["foxglove", "rosbridge"])
            .bridge(format!("*=foxglove:127.0.0.1:{foxglove};{options}"))
            .bridge(format!("*=rosbridge:127.0.0.1:{rosbridge};{options}"));
        Stage { host: Served::start(setup), foxglove, rosbridge }
    }

    /// One of its servers.
    #[track_caller]
    pub(super) fn server(&self, kind: Kind) -> Server {
        let port = match kind {
            Kind::Foxglove => self.foxglove,
            Kind::Rosbridge => self.rosbridge,
            Kind::Host => {
                self.host.address().rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port")
            }
        };
        Server { kind, port }
    }

    /// The messages that slow clients of a bridge have lost, as the statistics of the host say.
    #[track_caller]
    pub(super) fn lost(&self, kind: Kind) -> u64 {
        let name = match kind {
            Kind::Foxglove => "foxglove",
            Kind::Rosbridge => "rosbridge",
            Kind::Host => return 0,
        };
        let bridges = self.host.ok("get_bridges", json!({}));
        let bridges = bridges["bridges"].as_array().expect("a list");
        let of_kind = bridges.iter().filter(|bridge| bridge["bridge"] == name);
        of_kind.filter_map(|bridge: &Value| bridge["lost"].as_u64()).sum()
    }

    /// Processor time of the simulation thread for each step while `body` runs, in microseconds.
    #[track_caller]
    pub(super) fn cost_of_steps(&self, body: impl FnOnce()) -> f64 {
        let (first_step, first_ns) = self.cost();
        body();
        let (last_step, last_ns) = self.cost();
        assert!(last_step > first_step + 100, "{} steps", last_step - first_step);
        (last_ns - first_ns) as f64 / (last_step - first_step) as f64 / 1000.0
    }

    /// Steps so far, and the processor time of the simulation thread in nanoseconds.
    #[track_caller]
    fn cost(&self) -> (i64, u64) {
        let id = self.host.id();
        let text = fs::read_to_string(format!("/proc/{id}/task/{id}/schedstat")).expect("statistics");
        let busy_ns = text.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
        (self.host.status("step"), busy_ns)
    }

    /// Ends the host, which must have reported no error. Returns the lines of its output.
    #[track_caller]
    pub(super) fn finish(self) -> Vec<String> {
        self.host.signal(libc::SIGTERM);
        let finished = self.host.finish().expect_code(0);
        finished.expect_silence("error");
        finished.to_string().lines().map(str::to_owned).collect()
    }
}
