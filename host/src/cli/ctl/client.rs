//! Sends requests to a host over HTTP, one at a time, and checks the responses. Main thread.

use std::io::ErrorKind;
use std::time::Duration;

use serde_json::Value;
use ureq::http::Response;
use ureq::typestate::WithoutBody;
use ureq::{Agent, Body, Error, RequestBuilder, Timeout};

use super::error::CtlError;
use crate::cli::human::one_line;

/// Default address of a host.
pub(super) const DEFAULT_ADDRESS: &str = "127.0.0.1:8090";
/// Longest time to connect; a running host accepts at once.
const CONNECT: Duration = Duration::from_secs(5);
/// Largest response that is read, in bytes.
const LONGEST: u64 = 256 << 20;

/// A host, by its address.
pub(super) struct Client {
    /// `HOST:PORT`.
    pub(super) address: String,
    pub(super) token: Option<String>,
    timeout: Duration,
    agent: Agent,
}

impl Client {
    /// Creates a client for a host at an address, which may begin with `http://`. Nothing is sent.
    ///
    /// # Errors
    /// Returns an error if the address is malformed, or the token is empty.
    pub(super) fn new(address: &str, token: Option<&str>, timeout: Duration) -> Result<Self, CtlError> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // A proxy of the environment is for the web, not for a local host.
            .proxy(None)
            .timeout_connect(Some(CONNECT.min(timeout)))
            .timeout_global(Some(timeout))
            .build();
        let address = checked(address)?.to_owned();
        if token.is_some_and(|token| token.trim().is_empty()) {
            return Err(CtlError::EmptyToken);
        }
        Ok(Client {
            address,
            token: token.map(str::to_owned),
            timeout,
            agent: bridgehead_http_client::agent(config),
        })
    }

    /// Calls a service and returns any response.
    ///
    /// # Errors
    /// Returns an error if the host cannot be reached, or another program responds.
    pub(super) fn post(&self, service: &str, request: &Value) -> Result<Answer, CtlError> {
        let url = self.url(service);
        let request_builder = self.agent.post(&url).header("content-type", "application/json");
        let sent = match self.authorization() {
            Some(token) => request_builder.header("authorization", token).send(request.to_string()),
            None => request_builder.send(request.to_string()),
        };
        self.answer(sent)
    }

    /// Sends GET to a path below `/api`.
    ///
    /// # Errors
    /// Returns an error if the host cannot be reached, or another program responds.
    pub(super) fn get(&self, path: &str) -> Result<Answer, CtlError> {
        self.without_body(path, |url| self.agent.get(url))
    }

    /// Sends DELETE to a path below `/api`.
    ///
    /// # Errors
    /// Returns an error if the host cannot be reached, or another program responds.
    pub(super) fn delete(&self, path: &str) -> Result<Answer, CtlError> {
        self.without_body(path, |url| self.agent.delete(url))
    }

    fn without_body(
        &self,
        path: &str,
        begin: impl FnOnce(String) -> RequestBuilder<WithoutBody>,
    ) -> Result<Answer, CtlError> {
        let mut request = begin(self.url(path));
        if let Some(token) = self.authorization() {
            request = request.header("authorization", token);
        }
        self.answer(request.call())
    }

    /// Returns the authorization header, if there is a token.
    pub(super) fn authorization(&self) -> Option<String> {
        self.token.as_ref().map(|token| format!("Bearer {token}"))
    }

    fn url(&self, path: &str) -> String {
        let gap = if path.is_empty() { "" } else { "/" };
        format!("http://{}/api{gap}{}", self.address, escaped(path))
    }

    fn answer(&self, outcome: Result<Response<Body>, Error>) -> Result<Answer, CtlError> {
        let mut response = outcome.map_err(|error| self.failure(error))?;
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(LONGEST).read_to_string();
        let text = text.map_err(|error| self.failure(error))?;
        match serde_json::from_str(&text) {
            Ok(json @ Value::Object(_)) => Ok(Answer { status, text, json }),
            _ => {
                Err(self
                    .other_program(format!("it responded with HTTP {status} and `{}`", one_line(&text, 80))))
            }
        }
    }

    /// Returns the error for another program at the address.
    pub(super) fn other_program(&self, why: impl Into<String>) -> CtlError {
        CtlError::OtherProgram { address: self.address.clone(), why: why.into() }
    }

    pub(super) fn unreachable(&self, why: impl Into<String>) -> CtlError {
        CtlError::Unreachable { address: self.address.clone(), why: why.into() }
    }

    /// Returns the error for a failed connection.
    fn failure(&self, error: Error) -> CtlError {
        use ErrorKind as Kind;
        match error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                self.unreachable(format!("no connection within {:?}", CONNECT.min(self.timeout)))
            }
            Error::Timeout(_) => self.late(),
            Error::Io(error) if matches!(error.kind(), Kind::TimedOut | Kind::WouldBlock) => self.late(),
            Error::Io(error)
                if matches!(error.kind(), Kind::ConnectionReset | Kind::BrokenPipe | Kind::UnexpectedEof) =>
            {
                self.other_program(format!("the connection broke: {error}"))
            }
            Error::Io(error) => self.unreachable(error.to_string()),
            Error::HostNotFound => self.unreachable("the host name is unknown"),
            Error::ConnectionFailed => self.unreachable("the connection failed"),
            Error::BadUri(_) | Error::Http(_) => {
                CtlError::Address { address: self.address.clone(), why: "it cannot be used in a request" }
            }
            other => self.other_program(other.to_string()),
        }
    }

    fn late(&self) -> CtlError {
        CtlError::Late { address: self.address.clone(), timeout: format!("{:?}", self.timeout) }
    }
}

/// Returns `HOST:PORT` without the additions of browsers.
fn checked(address: &str) -> Result<&str, CtlError> {
    let wrong = |why| CtlError::Address { address: address.to_owned(), why };
    if address.starts_with("https://") {
        return Err(wrong("hosts use HTTP without TLS"));
    }
    let bare = address.strip_prefix("http://").unwrap_or(address).trim_end_matches('/');
    let Some((host, port)) = bare.rsplit_once(':') else { return Err(wrong("the port is missing")) };
    if host.is_empty() || host.contains(['/', '@', '?', '#', ' ']) {
        return Err(wrong("the host name or address is missing"));
    }
    match port.parse::<u16>() {
        Ok(port) if port > 0 => Ok(bare),
        _ => Err(wrong("the port is not a number from 1 to 65535")),
    }
}

/// Returns a path as part of a URL.
fn escaped(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/?=&".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// A JSON response.
#[derive(Debug)]
pub(super) struct Answer {
    /// HTTP status.
    pub(super) status: u16,
    /// The text as received.
    pub(super) text: String,
    /// The same as an object.
    pub(super) json: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_may_be_those_of_a_browser() {
        for (given, used) in [
            ("127.0.0.1:8090", "127.0.0.1:8090"),
            ("http://localhost:1/", "localhost:1"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(checked(given).ok(), Some(used));
        }
    }

    #[test]
    fn what_is_no_address_is_named() {
        for (given, why) in [
            ("https://localhost:1", "without TLS"),
            ("localhost", "port is missing"),
            (":80", "address is missing"),
            ("a/b:80", "address is missing"),
            ("localhost:0", "not a number"),
            ("localhost:x", "not a number"),
            ("localhost:70000", "not a number"),
            ("", "port is missing"),
        ] {
            let error = checked(given).expect_err(given);
            assert!(error.to_string().contains(why), "{error}");
            assert_eq!(error.exit_code(), 1);
        }
    }

    #[test]
    fn paths_are_escaped() {
        assert_eq!(escaped("car1/get x%\n"), "car1/get%20x%25%0A");
    }
}
