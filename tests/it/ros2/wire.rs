//! The two transports by which ROS 2 reaches other nodes, for scenarios that hold for both.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use crate::support::{Python, free_port};

/// A transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Dds,
    Zenoh,
}

impl Wire {
    /// The bridge that speaks it.
    pub(crate) fn bridge(self) -> &'static str {
        match self {
            Wire::Dds => "ros2",
            Wire::Zenoh => "zenoh",
        }
    }
}

/// Makes tests of scenarios, which are functions of a [`Wire`]: one for each transport.
macro_rules! over_each_transport {
    ($($scenario:ident),+ $(,)?) => {
        mod over_dds {
            $(#[test]
            fn $scenario() {
                super::$scenario(crate::ros2::Wire::Dds);
            })+
        }
        mod over_zenoh {
            $(#[test]
            fn $scenario() {
                super::$scenario(crate::ros2::Wire::Zenoh);
            })+
        }
    };
}
pub(super) use over_each_transport;

/// A router of Zenoh, to which the nodes of a test connect. Ends when it goes out of scope.
#[derive(Debug)]
pub(crate) struct Router {
    process: Child,
    endpoint: String,
}

impl Router {
    /// Starts a router; `None` without Zenoh for Python, see [`Python::with`].
    #[track_caller]
    pub(crate) fn start() -> Option<Self> {
        Router::start_at(&format!("tcp/127.0.0.1:{}", free_port()))
    }

    /// Starts a router at an endpoint.
    #[track_caller]
    pub(crate) fn start_at(endpoint: &str) -> Option<Self> {
        let mut command = Python::with(MODULES)?.script("zenoh/peer/router.py");
        command.arg(endpoint).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("python starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("a line");
        assert_eq!(line, "{\"ready\": true}\n");
        Some(Router { process, endpoint: endpoint.to_owned() })
    }

    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

impl Drop for Router {
    fn drop(&mut self) {
        // Both fail if it has ended.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// What a peer needs of Python.
pub(super) const MODULES: &str = "zenoh.ext, rosbags.typesys, xxhash";
