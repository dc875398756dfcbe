//! A host with the bridge in its own domain.

use serde_json::json;

use super::{Domain, Wire};
use crate::support::{Finished, Served, Setup, eventually, root};

pub(crate) struct Stage {
    // Declared before the domain, so that the host ends before another test can take the domain.
    pub(crate) host: Served,
    pub(crate) domain: Domain,
}

impl Stage {
    /// Starts the world W1, paused, with a bridge with these options.
    #[track_caller]
    pub(crate) fn with(options: &str) -> Self {
        Stage::start(w1(), options)
    }

    /// The same over a transport; `None` if its peers cannot run here.
    #[track_caller]
    pub(crate) fn over(wire: Wire, options: &str) -> Option<Self> {
        Stage::start_over(wire, w1(), options)
    }

    #[track_caller]
    pub(crate) fn start(setup: Setup, options: &str) -> Self {
        Stage::start_over(Wire::Dds, setup, options).expect("a domain of DDS")
    }

    /// Starts this run over a transport; `None` if its peers cannot run here.
    #[track_caller]
    pub(crate) fn start_over(wire: Wire, setup: Setup, options: &str) -> Option<Self> {
        let domain = Domain::over(wire)?;
        let setup = setup.plugins(&[wire.bridge()]).bridge(format!("*={}", domain.bridge(options)));
        Some(Stage { host: Served::start(setup), domain })
    }

    /// Waits until the world is loaded and paused.
    #[track_caller]
    pub(crate) fn paused(self) -> Self {
        eventually("it is paused", || self.host.state() == 2);
        self
    }

    /// Ends the host.
    #[track_caller]
    pub(crate) fn finish(self) -> Finished {
        self.host.ok("set_simulation_state", json!({"state": {"state": 3}}));
        self.host.finish()
    }
}

fn w1() -> Setup {
    let worlds = root().join("tests/fixtures/worlds");
    let setup = Setup::new().in_real_time().env("BRIDGEHEAD_RESOURCE_PATH", worlds.join("models"));
    setup.run(&worlds.join("W1.sdf")).args(["--start", "paused"])
}
