//! The options of a server, with the keys of connection strings that set them.

use std::net::SocketAddr;
use std::time::Duration;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::connection::{Key, Options};

use crate::origin::Origins;

/// Bounds of the frames that wait for one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Most data frames; of more, the oldest are dropped.
    pub frames: usize,
    /// Most bytes of data frames. One frame may be larger if nothing else waits.
    pub bytes: usize,
}

impl Default for Backlog {
    fn default() -> Self {
        Backlog { frames: 1000, bytes: 32 << 20 }
    }
}

/// Options of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerOptions {
    /// Where it listens.
    pub address: SocketAddr,
    /// Name of its thread; 15 bytes are shown.
    pub name: String,
    /// The secret that clients must send; required for addresses that other machines can reach.
    pub token: Option<String>,
    /// Which web pages may connect, besides those of this machine.
    pub origins: Origins,
    /// Bounds of the data that waits for one client.
    pub backlog: Backlog,
    /// Bounds of the replies that wait for one client, who is disconnected beyond them.
    pub replies: Backlog,
    /// Largest message of a client in bytes.
    pub max_message: usize,
    /// Most clients at one time; more are refused with status 503.
    pub max_clients: usize,
    /// Longest time until the handshake of a connection is complete.
    pub handshake_deadline: Duration,
    /// Longest time to send one frame.
    pub write_deadline: Duration,
    /// Interval of pings to a silent client, which is disconnected after three intervals.
    pub ping_interval: Duration,
}

/// Key of the secret.
const TOKEN: Key = Key::token(
    "Secret that clients must send, as `Authorization: Bearer SECRET` or as `?token=SECRET` in the address; required for \
     an address that other machines can reach.",
);
const BACKLOG: Key = Key::new(
    "backlog",
    "a number of messages from 1 to 1000000",
    "1000",
    "Most messages that wait for one client; of more, the oldest are dropped.",
);
const BACKLOG_MB: Key = Key::new(
    "backlog_mb",
    "a number of megabytes from 1 to 1024",
    "32",
    "Most megabytes that wait for one client.",
);
const MAX_MESSAGE: Key = Key::new(
    "max_message",
    "a number of bytes from 1024 to 1073741824",
    "10000000",
    "Largest message of a client in bytes.",
);

/// Keys of the options of a client.
pub const CLIENT_KEYS: &[Key] = &[TOKEN, BACKLOG, BACKLOG_MB, MAX_MESSAGE];

/// Returns the keys of the options of a server, with the defaults that a bridge has of its own.
#[must_use]
pub const fn server_keys(
    origins: &'static str,
    backlog: &'static str,
    max_message: &'static str,
) -> [Key; 6] {
    let origins = Key::new(
        "origins",
        "`*`, or origins such as https://app.example.org, separated by commas",
        origins,
        "Web pages that may connect, besides those of this machine; `*` for all.",
    );
    let clients = Key::new(
        "clients",
        "a number of clients from 1 to 10000",
        "64",
        "Most clients at one time; more are refused with status 503.",
    );
    [TOKEN, origins, BACKLOG.or(backlog), BACKLOG_MB, MAX_MESSAGE.or(max_message), clients]
}

impl ServerOptions {
    /// Returns the default options of a server at `address`, whose thread is called `name`.
    #[must_use]
    pub fn new(address: SocketAddr, name: &str) -> Self {
        ServerOptions {
            address,
            name: name.to_owned(),
            token: None,
            origins: Origins::default(),
            backlog: Backlog::default(),
            replies: Backlog { frames: 10_000, bytes: 64 << 20 },
            max_message: 10_000_000,
            max_clients: 64,
            handshake_deadline: Duration::from_secs(10),
            write_deadline: Duration::from_secs(10),
            ping_interval: Duration::from_secs(20),
        }
    }

    /// Takes the options that a connection string gives ([`server_keys`]).
    ///
    /// # Errors
    /// Returns an error that shows the value and what was expected.
    pub fn take(&mut self, options: &Options<'_>) -> Result {
        self.token = options.secret("token")?;
        if let Some(origins) = options.read("origins", Origins::parse)? {
            self.origins = origins;
        }
        let limits = Limits::read(options)?;
        limits.set(&mut self.backlog, &mut self.max_message);
        if let Some(clients) = options.number("clients", 1..=10_000)? {
            self.max_clients = clients;
        }
        Ok(())
    }
}

/// Limits of messages, of servers and clients alike.
pub(crate) struct Limits {
    frames: Option<usize>,
    megabytes: Option<usize>,
    max_message: Option<usize>,
}

impl Limits {
    pub(crate) fn read(options: &Options<'_>) -> Result<Self> {
        Ok(Limits {
            frames: options.number("backlog", 1..=1_000_000)?,
            megabytes: options.number("backlog_mb", 1..=1024)?,
            max_message: options.number("max_message", 1 << 10..=1 << 30)?,
        })
    }

    /// Sets what is given.
    pub(crate) fn set(&self, backlog: &mut Backlog, max_message: &mut usize) {
        backlog.frames = self.frames.unwrap_or(backlog.frames);
        backlog.bytes = self.megabytes.map_or(backlog.bytes, |megabytes| megabytes << 20);
        *max_message = self.max_message.unwrap_or(*max_message);
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::connection::Form;

    use super::*;

    static FORM: Form = Form {
        code: "WS-1",
        target: None,
        keys: &[&server_keys("none", "1000", "10000000")],
        example: "backlog=1",
    };

    fn taken(text: &str) -> Result<ServerOptions> {
        let mut options = ServerOptions::new("127.0.0.1:9090".parse().expect("an address"), "test");
        options.take(&FORM.read(text)?)?;
        Ok(options)
    }

    #[test]
    fn keys_set_options() {
        let text = "token=s3cret;origins=https://a.example;backlog=7;backlog_mb=2;max_message=2048;clients=3";
        let options = taken(text).expect("right");
        assert_eq!(options.token.as_deref(), Some("s3cret"));
        assert!(options.origins.allow("https://a.example"));
        assert_eq!(options.backlog, Backlog { frames: 7, bytes: 2 << 20 });
        assert_eq!((options.max_message, options.max_clients), (2048, 3));
    }

    #[test]
    fn the_documented_defaults_are_those_of_the_options() {
        let options = taken("").expect("right");
        let written = taken("backlog=1000;backlog_mb=32;max_message=10000000;clients=64").expect("right");
        assert_eq!(options, written);
    }

    #[test]
    fn a_wrong_value_is_shown_with_what_is_expected() {
        for wrong in ["clients=0", "backlog=-1", "max_message=9e9", "backlog_mb=", "origins=x"] {
            let error = taken(wrong).expect_err(wrong).to_string();
            let (key, value) = wrong.split_once('=').expect("a value");
            assert!(error.contains(&format!("`{key}=` must be ")) && error.contains(value), "{error}");
        }
    }

    #[test]
    fn a_wrong_token_is_not_shown() {
        let error = taken("token=a b").expect_err("a space").to_string();
        assert!(!error.contains("a b"), "{error}");
        assert!(taken("token=").is_err());
    }
}
