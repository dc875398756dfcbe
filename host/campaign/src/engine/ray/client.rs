//! Requests to the Jobs API of Ray, one at a time. Errors are sentences for the caller, who knows what was asked.

use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body, Error, Timeout};

use super::ENGINE;
use crate::CampaignError;

/// Address of the dashboard that `ray start --head` starts.
const DEFAULT_ADDRESS: &str = "http://127.0.0.1:8265";
/// The environment variables that name another address: that of Ray's commands for jobs, and that of the dashboard.
const ADDRESS_VARIABLES: [&str; 2] = ["RAY_API_SERVER_ADDRESS", "RAY_DASHBOARD_ADDRESS"];

/// Where Ray looks for its token, in this order.
const TOKEN: &str = "RAY_AUTH_TOKEN";
const TOKEN_PATH: &str = "RAY_AUTH_TOKEN_PATH";
const TOKEN_FILE: &str = ".ray/auth_token";

/// Longest time to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// Longest time of a request; a busy head needs seconds to start a job.
const LIMIT: Duration = Duration::from_secs(60);
/// Largest response that is read, in bytes.
const LONGEST: u64 = 16 << 20;
/// Longest part of a response in a message, in characters.
const SHOWN: usize = 200;

/// Sends requests to one address.
#[derive(Debug)]
pub struct Client {
    address: String,
    token: Option<Token>,
    agent: Agent,
}

#[derive(Debug)]
struct Token {
    text: String,
    /// Where it was found.
    source: String,
}

/// A response.
pub(super) struct Answer {
    pub(super) status: u16,
    text: String,
    json: Value,
}

impl Client {
    /// Creates a client for this address, for that of the environment, or for Ray on this machine. Nothing is sent.
    ///
    /// # Errors
    /// Returns an error if the address is malformed.
    pub fn new(address: Option<&str>) -> Result<Self, CampaignError> {
        let given = address.map(str::to_owned).or_else(address_of_environment);
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // A proxy of the environment is for the web, not for a cluster.
            .proxy(None)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(LIMIT))
            .build();
        let address = checked(given.as_deref().unwrap_or(DEFAULT_ADDRESS))?;
        Ok(Client { address, token: Token::find(), agent: bridgehead_http_client::agent(config) })
    }

    /// Returns the address, which begins with `http://`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the version of Ray.
    ///
    /// # Errors
    /// Returns an error if Ray cannot be reached, or requires a token.
    pub fn version(&self) -> Result<String, CampaignError> {
        let answer = self.get("/api/version").map_err(|reason| self.unreachable(reason))?;
        self.accepted(&answer)?;
        let version = answer.text_of("ray_version").map(str::to_owned);
        version.ok_or_else(|| self.unreachable(format!("another program responds: {}", answer.said())))
    }

    /// Sends GET.
    pub(super) fn get(&self, path: &str) -> Result<Answer, String> {
        let request = self.agent.get(self.url(path));
        read(match self.authorization() {
            Some(token) => request.header("authorization", token).call(),
            None => request.call(),
        })
    }

    /// Sends POST with JSON.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Answer, String> {
        let request = self.agent.post(self.url(path)).header("content-type", "application/json");
        read(match self.authorization() {
            Some(token) => request.header("authorization", token).send(body.to_string()),
            None => request.send(body.to_string()),
        })
    }

    /// Checks that Ray did not ask for a token.
    ///
    /// # Errors
    /// Returns an error if it did.
    pub(super) fn accepted(&self, answer: &Answer) -> Result<(), CampaignError> {
        if !matches!(answer.status, 401 | 403) {
            return Ok(());
        }
        let sent = match &self.token {
            Some(token) => format!("the token of {} was sent", token.source),
            None => "no token was sent".to_owned(),
        };
        Err(CampaignError::EngineDenied {
            engine: ENGINE,
            address: self.address.clone(),
            reason: answer.said(),
            sent,
            advice: "the token of the cluster in `RAY_AUTH_TOKEN`, in the file that `RAY_AUTH_TOKEN_PATH` names, or in `~/.ray/auth_token`",
        })
    }

    pub(super) fn unreachable(&self, reason: String) -> CampaignError {
        unreachable(&self.address, reason)
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    fn authorization(&self) -> Option<String> {
        self.token.as_ref().map(|token| format!("Bearer {}", token.text))
    }
}

/// Returns true if the environment names an address of Ray.
#[must_use]
pub fn is_address_set() -> bool {
    address_of_environment().is_some()
}

fn address_of_environment() -> Option<String> {
    let value = |name: &&str| env::var(name).ok().filter(|value| !value.is_empty());
    ADDRESS_VARIABLES.iter().find_map(value)
}

impl Token {
    /// Finds the token as Ray does.
    fn find() -> Option<Self> {
        if env::var("RAY_AUTH_MODE").is_ok_and(|mode| mode.eq_ignore_ascii_case("disabled")) {
            return None;
        }
        if let Ok(text) = env::var(TOKEN) {
            return Token::of(&text, format!("`{TOKEN}`"));
        }
        let path = match env::var_os(TOKEN_PATH) {
            Some(path) => PathBuf::from(path),
            None => PathBuf::from(env::var_os("HOME")?).join(TOKEN_FILE),
        };
        Token::of(&fs::read_to_string(&path).ok()?, format!("`{}`", path.display()))
    }

    fn of(text: &str, source: String) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Token { text: text.to_owned(), source })
    }
}

impl Answer {
    /// Returns a text of the response.
    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        self.json[name].as_str()
    }

    /// Returns the response as a part of a sentence. Of a traceback, only the last line is the error; Ray adds one with a
    /// full stop.
    pub(super) fn said(&self) -> String {
        let mut lines = self.text.lines().filter(|line| line.contains(char::is_alphanumeric));
        let line = if self.status >= 400 { lines.next_back() } else { lines.next() };
        let line: String = line.unwrap_or_default().trim().chars().take(SHOWN).collect();
        format!("HTTP {}, `{line}`", self.status)
    }
}

fn read(outcome: Result<Response<Body>, Error>) -> Result<Answer, String> {
    let mut response = outcome.map_err(|error| sentence(&error))?;
    let status = response.status().as_u16();
    let text = response.body_mut().with_config().limit(LONGEST).read_to_string();
    let text = text.map_err(|error| sentence(&error))?;
    let json = serde_json::from_str(&text).unwrap_or(Value::Null);
    Ok(Answer { status, text, json })
}

fn sentence(error: &Error) -> String {
    match error {
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => format!("no connection within {CONNECT:?}"),
        Error::Timeout(_) => format!("no response within {LIMIT:?}"),
        Error::HostNotFound => "the host name is unknown".to_owned(),
        Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// Returns an address with its scheme and without a slash at the end.
fn checked(address: &str) -> Result<String, CampaignError> {
    let bare = match address.split_once("://") {
        Some(("http", bare)) => bare,
        None => address,
        Some((scheme, _)) => {
            let reason = format!("`{scheme}://` is not supported, only `http://`");
            return Err(unreachable(address, reason));
        }
    };
    let bare = bare.trim_end_matches('/');
    if bare.is_empty() || bare.contains(char::is_whitespace) {
        return Err(unreachable(address, "it names no host".to_owned()));
    }
    Ok(format!("http://{bare}"))
}

fn unreachable(address: &str, reason: String) -> CampaignError {
    CampaignError::EngineUnreachable {
        engine: ENGINE,
        address: address.to_owned(),
        reason,
        advice: "`ray start --head` on this machine, `--engine-address` or `RAY_API_SERVER_ADDRESS` for another one",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_no_scheme_and_no_slash() {
        for (given, used) in [
            ("127.0.0.1:8265", "http://127.0.0.1:8265"),
            ("http://head:8265/", "http://head:8265"),
            ("http://proxy/ray/", "http://proxy/ray"),
        ] {
            assert_eq!(checked(given).expect(given), used);
        }
        for (given, why) in [
            ("https://head:8265", "`https://` is not supported"),
            ("ray://head:10001", "`ray://` is not supported"),
            ("http://", "names no host"),
            ("a b", "names no host"),
        ] {
            let error = checked(given).expect_err(given).to_string();
            assert!(error.contains(why) && error.contains(given), "{error}");
        }
    }

    #[test]
    fn the_last_line_of_a_traceback_is_shown() {
        let answer = |status, text: &str| Answer { status, text: text.to_owned(), json: Value::Null };
        let traceback = "Traceback (most recent call last):\n  File \"a.py\"\nValueError: it is bad\n\n.";
        assert_eq!(answer(500, traceback).said(), "HTTP 500, `ValueError: it is bad`");
        assert_eq!(answer(200, "<html>\n</html>").said(), "HTTP 200, `<html>`");
        assert_eq!(answer(204, "").said(), "HTTP 204, ``");
    }
}
