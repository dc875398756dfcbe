//! How a run is steered and watched from outside: the HTTP server, what clients may do, keys of the terminal, and how
//! long a state of the lifecycle may last. Plain values, usable from any thread.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use bridgehead_lifecycle::{StartIn, State};

use crate::watchdog::Mode;

use super::{Code, ConfigError};

/// Where the HTTP server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpAddress {
    /// There is none.
    Off,
    /// `host:port`; port 0 is one that is free.
    At(String),
}

/// A text that is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// `[http]`: the server for clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpConfig {
    /// Where it listens.
    pub address: HttpAddress,
    /// What clients must say to be let in.
    pub token: Option<Secret>,
    /// The file that holds it, instead.
    pub token_file: Option<PathBuf>,
    /// Longest body of a request, bytes.
    pub body_limit: usize,
    /// Most connections at a time.
    pub connections: usize,
}

impl Default for HttpConfig {
    fn default() -> Self {
        HttpConfig {
            address: HttpAddress::At(String::from("127.0.0.1:8090")),
            token: None,
            token_file: None,
            body_limit: 1 << 20,
            connections: 64,
        }
    }
}

impl HttpConfig {
    /// The token: as given, or the text of its file without blanks around it.
    ///
    /// # Errors
    /// The file cannot be read, or holds nothing.
    pub fn token(&self) -> Result<Option<Secret>, ConfigError> {
        let Some(path) = &self.token_file else { return Ok(self.token.clone()) };
        let refuse = |why: &str| {
            let found =
                format!("the token of the HTTP server cannot be read from `{}`: {why}", path.display());
            ConfigError::new(Code::TokenInvalid, found)
        };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(&error.to_string()))?;
        match text.trim() {
            "" => Err(refuse("the file is empty")),
            token => Ok(Some(Secret(token.to_owned()))),
        }
    }

    pub(super) fn contradiction(&self) -> Option<ConfigError> {
        let both = self.token.is_some() && self.token_file.is_some();
        let found = "`http.token` and `http.token_file` are both given";
        if both { Some(ConfigError::new(Code::TokenInvalid, found)) } else { self.token().err() }
    }
}

/// `[control]`: what clients may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlConfig {
    /// Whether a stopped run may be paused without having played.
    pub pause_from_stopped: bool,
    /// The state that a world loaded by a client ends in: stopped or paused.
    pub load_ends_in: StartIn,
    /// Whether clients may end the program.
    pub allow_quit: bool,
    /// Name of the frame that poses are given in.
    pub frame: String,
}

impl Default for ControlConfig {
    fn default() -> Self {
        ControlConfig {
            pause_from_stopped: false,
            load_ends_in: StartIn::Stopped,
            allow_quit: true,
            frame: String::from("world"),
        }
    }
}

/// `[keyboard]`: keys that steer a run from its terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyboardConfig {
    /// Plays a stopped run.
    pub stopped_to_playing: char,
    /// Goes on after a pause.
    pub paused_to_playing: char,
    /// Pauses.
    pub playing_to_paused: char,
    /// Ends the run and the program.
    pub quit: char,
}

impl Default for KeyboardConfig {
    fn default() -> Self {
        KeyboardConfig { stopped_to_playing: 'r', paused_to_playing: 'r', playing_to_paused: 'p', quit: 'q' }
    }
}

impl KeyboardConfig {
    /// Keys that would mean two things in one state. Stopping and pausing need no key for themselves.
    pub(super) fn contradiction(&self) -> Option<ConfigError> {
        let others = [
            ("stopped_to_playing", self.stopped_to_playing),
            ("paused_to_playing", self.paused_to_playing),
            ("playing_to_paused", self.playing_to_paused),
        ];
        let (name, key) = others.into_iter().find(|(_, key)| *key == self.quit)?;
        let found = format!("`keyboard.quit` and `keyboard.{name}` are the same key, `{key}`");
        Some(ConfigError::new(Code::KeyInvalid, found).hint("give each a key of its own"))
    }
}

/// `[watchdog]`: how long a state of the lifecycle may last, and what happens when it lasts longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchdogConfig {
    /// What happens then.
    pub mode: Mode,
    /// By the name of the key; `None` is for ever.
    timeouts: BTreeMap<&'static str, Option<Duration>>,
}

/// The keys of timeouts, what each is for, and its default in seconds. The first is for states without one.
pub(super) const TIMEOUTS: &[(&str, u64, &str)] = &[
    ("timeout", 90, "how long a state may last that has no key here"),
    ("connect", 300, "how long the bridges of the vehicles may take to connect"),
    ("abort", 90, "how long giving up a run may take"),
    ("stop", 300, "how long stopping the plugins may take"),
    ("disconnect", 600, "how long disconnecting the bridges may take"),
];

impl Default for WatchdogConfig {
    fn default() -> Self {
        let timeouts = TIMEOUTS.iter().map(|(key, seconds, _)| (*key, Some(Duration::from_secs(*seconds))));
        WatchdogConfig { mode: Mode::Log, timeouts: timeouts.collect() }
    }
}

impl WatchdogConfig {
    pub(super) fn new(mode: Mode, given: &BTreeMap<&'static str, Option<Duration>>) -> Self {
        let mut config = WatchdogConfig { mode, ..WatchdogConfig::default() };
        config.timeouts.extend(given);
        config
    }

    /// The timeouts, by the name of their key.
    pub(super) fn timeouts(&self) -> impl Iterator<Item = (&'static str, Option<Duration>)> {
        self.timeouts.iter().map(|(key, timeout)| (*key, *timeout))
    }

    /// How long a state may last; `None` is for ever, as in the states that wait for somebody.
    #[must_use]
    pub fn limit(&self, state: State) -> Option<Duration> {
        let key = match state {
            State::NoWorld | State::Pause | State::Stopped => return None,
            State::Connect => "connect",
            State::Abort => "abort",
            State::Stop => "stop",
            State::Disconnect => "disconnect",
            State::Loading
            | State::Start
            | State::StepBegin
            | State::StepSimulator
            | State::StepController
            | State::StepEnd
            | State::Resume
            | State::Success
            | State::Fail
            | State::Reset
            | State::Quitting
            | State::Probe => "timeout",
        };
        self.timeouts.get(key).copied().flatten()
    }
}
