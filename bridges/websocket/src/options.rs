//! The options of a server, with the keys of connection strings that set them.

use std::net::SocketAddr;
use std::time::Duration;

use crate::error::OptionError;
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

/// Smallest limit of the size of a message.
const LEAST_MESSAGE: usize = 1 << 10;
/// Largest limit of the size of a message: 1 GiB.
const MOST_MESSAGE: usize = 1 << 30;
/// Most clients that can be configured: each needs a file descriptor.
const MOST_CLIENTS: usize = 10_000;
/// Most frames of a backlog.
const MOST_FRAMES: usize = 1_000_000;

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

    /// Sets the option of a key in a connection string. Returns false if the key belongs to no option of the server.
    ///
    /// | key | meaning | default |
    /// |---|---|---|
    /// | `token` | the secret that clients must send | none |
    /// | `origins` | origins of web pages that may connect, separated by commas, or `*` | those of this machine |
    /// | `backlog` | most data frames that wait for one client | 1000 |
    /// | `backlog_mb` | most megabytes that wait for one client | 32 |
    /// | `max_message` | largest message of a client in bytes | 10000000 |
    /// | `clients` | most clients at one time | 64 |
    ///
    /// # Errors
    /// Returns an error that shows the value and what was expected.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, OptionError> {
        match key {
            "token" => self.token = Some(token(value)?),
            "origins" => self.origins = Origins::parse(value)?,
            "backlog" => {
                let expected = "a number of frames from 1 to 1000000";
                self.backlog.frames = number(key, value, 1, MOST_FRAMES, expected)?;
            }
            "backlog_mb" => {
                let expected = "a number of megabytes from 1 to 1024";
                self.backlog.bytes = number(key, value, 1, 1024, expected)? << 20;
            }
            "max_message" => {
                let expected = "a number of bytes from 1024 to 1073741824";
                self.max_message = number(key, value, LEAST_MESSAGE, MOST_MESSAGE, expected)?;
            }
            "clients" => {
                let expected = "a number of clients from 1 to 10000";
                self.max_clients = number(key, value, 1, MOST_CLIENTS, expected)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn token(value: &str) -> Result<String, OptionError> {
    let is_visible = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic());
    if is_visible {
        return Ok(value.to_owned());
    }
    let found = if value.is_empty() { "" } else { "a secret with other characters" };
    let expected = "a secret of visible ASCII characters without spaces";
    Err(OptionError { key: "token".to_owned(), expected, found: found.to_owned() })
}

fn number(
    key: &str,
    value: &str,
    least: usize,
    most: usize,
    expected: &'static str,
) -> Result<usize, OptionError> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| OptionError { key: key.to_owned(), expected, found: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> ServerOptions {
        ServerOptions::new("127.0.0.1:9090".parse().expect("an address"), "test")
    }

    #[test]
    fn keys_set_options() {
        let mut options = options();
        let keys = [
            ("token", "s3cret"),
            ("origins", "https://a.example"),
            ("backlog", "7"),
            ("backlog_mb", "2"),
            ("max_message", "2048"),
            ("clients", "3"),
        ];
        for (key, value) in keys {
            assert_eq!(options.set(key, value), Ok(true), "{key}");
        }
        assert_eq!(options.set("other", "1"), Ok(false));
        assert_eq!(options.token.as_deref(), Some("s3cret"));
        assert_eq!(options.backlog, Backlog { frames: 7, bytes: 2 << 20 });
        assert_eq!((options.max_message, options.max_clients), (2048, 3));
    }

    #[test]
    fn a_wrong_value_is_shown_with_what_is_expected() {
        let error = options().set("clients", "0").expect_err("too few");
        assert_eq!(error.to_string(), "`clients=` must be a number of clients from 1 to 10000, found `0`");
        for (key, value) in [("backlog", "-1"), ("max_message", "9e9"), ("backlog_mb", ""), ("origins", "x")]
        {
            assert!(options().set(key, value).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn a_wrong_token_is_not_shown() {
        let error = options().set("token", "a b").expect_err("a space");
        assert!(!error.to_string().contains("a b"), "{error}");
        assert!(options().set("token", "").is_err());
    }
}
