//! How a run is controlled and watched from outside: the HTTP server, what clients may do, keys of the terminal, and how
//! long a state of the lifecycle may last. Plain values, usable from any thread.

use crate::config::value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use bridgehead_files::{MAX_OF_TEXT, read_text};
use bridgehead_lifecycle::{StartIn, State};

use super::code::Code;
use super::error::ConfigError;
use super::http::{DEFAULT_ADDRESS, HttpAddress, Secret};
use super::key::{flag, without};
use super::kind::{ADDRESS, BOOLEAN, BYTES, KEY, PATH, SECRET, TEXT, choice, whole};
use super::section::{held, initial, section};
use crate::watchdog::Mode;
use crate::world::names::NameStyle;

section! {
    /// `[http]`: the server for clients.
    #[derive(Clone, Debug, PartialEq, Eq)]
    HttpConfig, HttpSettings, http {
        /// Address of the server for clients, or `off`; port 0 picks a free port
        address: HttpAddress = HttpAddress::At(DEFAULT_ADDRESS.to_string()), ADDRESS,
            flag("--http", "HOST:PORT").repeatable();
        /// Token that clients must send; use `token_file` to keep it out of this file
        token: Secret, SECRET, without("none");
        /// File that contains the token and nothing else
        token_file: PathBuf, PATH, without("none");
        /// Largest body of a request
        body_limit: usize = 1 << 20, BYTES;
        /// Largest number of connections at the same time
        connections: usize = 64, whole::<_, 1, 10_000>();
    }
    also {}
}

impl HttpConfig {
    /// Returns the token: as given, or the text of its file without whitespace around it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is empty.
    pub fn token(&self) -> Result<Option<Secret>, ConfigError> {
        let Some(path) = &self.token_file else { return Ok(self.token.clone()) };
        let refuse = |why: &str| {
            let found =
                format!("the token of the HTTP server cannot be read from `{}`: {why}", path.display());
            ConfigError::new(Code::TokenInvalid, found)
        };
        let text = read_text(path, MAX_OF_TEXT).map_err(|error| refuse(&error.to_string()))?;
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

section! {
    /// `[control]`: what clients may do.
    #[derive(Clone, Debug, PartialEq, Eq)]
    ControlConfig, ControlSettings, control {
        /// Whether a stopped run may be paused before it has played
        pause_from_stopped: bool = false, BOOLEAN;
        /// State of a world that a client has loaded
        load_ends_in: StartIn = StartIn::Stopped, choice!(value::LOAD_ENDS);
        /// Whether clients may end the program
        allow_quit: bool = true, BOOLEAN;
        /// Name of the frame that poses are given in
        frame: String = String::from("world"), TEXT;
    }
    also {}
}

section! {
    /// `[names]`: how topics are named.
    #[derive(Clone, Debug, PartialEq, Eq)]
    NamesConfig, NamesSettings, names {
        /// Style of topics: `bridgehead`, such as `/robot/cmd_vel`, or `gazebo`, such as `/model/robot/cmd_vel`, with `/clock` in every run ([table](porting-from-gazebo.md#topics))
        style: NameStyle = NameStyle::Bridgehead, choice!(value::NAME_STYLES), flag("--names", "STYLE");
    }
    also {}
}

section! {
    /// `[keyboard]`: keys that control a run from its terminal.
    #[derive(Clone, Debug, PartialEq, Eq)]
    KeyboardConfig, KeyboardSettings, keyboard {
        /// Plays a stopped run
        stopped_to_playing: char = 'r', KEY;
        /// Resumes after a pause
        paused_to_playing: char = 'r', KEY;
        /// Pauses
        playing_to_paused: char = 'p', KEY;
        /// Ends the run and the program
        quit: char = 'q', KEY;
    }
    also {}
}

impl KeyboardConfig {
    /// Returns an error if a key has two meanings in one state. Playing and pausing may share a key.
    pub(super) fn contradiction(&self) -> Option<ConfigError> {
        let others = [
            ("stopped_to_playing", self.stopped_to_playing),
            ("paused_to_playing", self.paused_to_playing),
            ("playing_to_paused", self.playing_to_paused),
        ];
        let (name, key) = others.into_iter().find(|(_, key)| *key == self.quit)?;
        let found = format!("`keyboard.quit` and `keyboard.{name}` are the same key, `{key}`");
        Some(ConfigError::new(Code::KeyInvalid, found).hint("use two different keys"))
    }
}

section! {
    /// `[watchdog]`: how long a state of the lifecycle may last, and what happens when it lasts longer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    WatchdogConfig, WatchdogSettings, watchdog {
        /// What happens when a state lasts too long: nothing, a line in the log, the end of the run with exit code 16, or the end of the process by SIGABRT
        mode: Mode = Mode::Log, choice!(value::WATCH_MODES);
    }
    also {
        /// By the name of the key; `None` is no limit.
        timeouts: BTreeMap<&'static str, Option<Duration>> = default_timeouts();
    }
}

/// Keys of timeouts, each with its default in seconds and its meaning. The first is for states without a key of their own.
pub(super) const TIMEOUTS: &[(&str, u64, &str)] = &[
    ("timeout", 90, "Limit of every state that has no key here"),
    ("connect", 300, "Limit for connecting the bridges of the vehicles"),
    ("abort", 90, "Limit for aborting a run"),
    ("stop", 300, "Limit for stopping the plugins"),
    ("disconnect", 600, "Limit for disconnecting the bridges"),
];

/// Returns the timeouts that apply if the configuration gives none.
pub(super) fn default_timeouts() -> BTreeMap<&'static str, Option<Duration>> {
    TIMEOUTS.iter().map(|(key, seconds, _)| (*key, Some(Duration::from_secs(*seconds)))).collect()
}

impl WatchdogConfig {
    /// Returns how long a state may last; `None` is no limit, as in states that wait for a request.
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
