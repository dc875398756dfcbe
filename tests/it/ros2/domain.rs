//! Domains for tests that run at the same time, in one process or in several.

use std::fs::{self, File};
use std::net::UdpSocket;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU16, Ordering};

use super::wire::{Router, Wire};
use crate::support::Setup;

/// Domains above have ports in the range that the system assigns automatically.
const LAST: u16 = 100;

/// The domain of nodes over Zenoh, each of which has a router of its own.
const OVER_ZENOH: u16 = 7;

/// Where the next search begins.
static NEXT: AtomicU16 = AtomicU16::new(0);

/// A domain that no other test uses during the lifetime of this value.
#[derive(Debug)]
pub(crate) struct Domain {
    number: u16,
    transport: Transport,
}

#[derive(Debug)]
enum Transport {
    /// Locked; the system releases the lock even if the test crashes.
    Dds(#[expect(dead_code, reason = "locked as long as it is open")] File),
    Zenoh {
        endpoint: String,
        #[expect(dead_code, reason = "it runs as long as the domain is in use")]
        router: Option<Router>,
    },
}

impl Domain {
    /// Finds a free domain over this transport; `None` if its peers cannot run here, which skips the test.
    #[track_caller]
    pub(crate) fn over(wire: Wire) -> Option<Self> {
        match wire {
            Wire::Dds => Some(Domain::free()),
            Wire::Zenoh => {
                let router = Router::start()?;
                let endpoint = router.endpoint().to_owned();
                Some(Domain {
                    number: OVER_ZENOH,
                    transport: Transport::Zenoh { endpoint, router: Some(router) },
                })
            }
        }
    }

    /// A domain whose nodes find each other through a router at this endpoint, which somebody else starts.
    pub(crate) fn with_router_of_another(endpoint: &str) -> Self {
        let endpoint = endpoint.to_owned();
        Domain { number: OVER_ZENOH, transport: Transport::Zenoh { endpoint, router: None } }
    }

    /// Returns the name and the connection string of a bridge, with more options.
    pub(crate) fn bridge(&self, options: &str) -> String {
        format!("{}:{}", self.wire().bridge(), self.connection(options))
    }

    /// Returns the connection string of a bridge, with more options.
    pub(crate) fn connection(&self, options: &str) -> String {
        let number = self.number;
        match &self.transport {
            Transport::Dds(_) => format!("domain={number};interface=lo;{options}"),
            Transport::Zenoh { endpoint, .. } => {
                format!("connect={endpoint};listen=tcp/127.0.0.1:0;domain={number};{options}")
            }
        }
    }

    /// Attaches a bridge whose settings come from the environment variables of ROS as far as there are such.
    pub(crate) fn attach_by_environment(&self, setup: Setup, of: &str) -> Setup {
        let setup = setup.env("ROS_DOMAIN_ID", self.number.to_string());
        match &self.transport {
            Transport::Dds(_) => setup.env("ROS_LOCALHOST_ONLY", "1").bridge(format!("{of}=ros2:")),
            Transport::Zenoh { endpoint, .. } => setup.bridge(format!("{of}=zenoh:connect={endpoint}")),
        }
    }

    fn wire(&self) -> Wire {
        match &self.transport {
            Transport::Dds(_) => Wire::Dds,
            Transport::Zenoh { .. } => Wire::Zenoh,
        }
    }

    /// Where the router of nodes over Zenoh listens.
    pub(crate) fn endpoint(&self) -> Option<&str> {
        match &self.transport {
            Transport::Dds(_) => None,
            Transport::Zenoh { endpoint, .. } => Some(endpoint),
        }
    }

    /// Finds a free domain of DDS.
    #[track_caller]
    pub(crate) fn free() -> Self {
        let seed = std::process::id() % u32::from(LAST + 1);
        let first = NEXT.fetch_add(1, Ordering::Relaxed) + u16::try_from(seed).expect("below a hundred");
        let numbers = (0..=LAST).map(|offset| first.wrapping_add(offset) % (LAST + 1));
        let mut free = numbers.filter_map(Domain::take).filter(Domain::is_unused);
        free.next().expect("a free domain of DDS")
    }

    pub(crate) fn number(&self) -> u16 {
        self.number
    }

    fn take(number: u16) -> Option<Self> {
        let path = folder().join(format!("{number}.lock"));
        let lock = File::create(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        lock.try_lock().ok().map(|()| Domain { number, transport: Transport::Dds(lock) })
    }

    /// Whether the ports of the first participants of the domain are free.
    fn is_unused(&self) -> bool {
        let base = 7400 + 250 * self.number;
        (0..4).all(|index| UdpSocket::bind(("0.0.0.0", base + 10 + 2 * index)).is_ok())
    }
}

/// The folder of locks, shared by all test runs on this machine.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join("bridgehead-dds-domains");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}
