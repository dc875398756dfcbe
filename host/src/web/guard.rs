//! Access control.
//!
//! Any web page that a user opens can send requests to servers on the user's machine. Three rules reject them:
//! requests to a loopback server must name the loopback in the `Host` header (a foreign name that resolves to it is
//! rejected), requests that change something, make the host read files or open a WebSocket must not have another origin,
//! and responses have no headers that allow another origin to read them. A server that other machines can reach also
//! requires a token.

use axum::http::{HeaderMap, Method, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::problem::Problem;
use crate::config::Secret;

/// Who may send a request to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Everybody who reaches the server: the page, which asks for the token.
    Everybody,
    /// Clients with the token, if the server has one.
    Clients,
}

/// The rules of one server.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    pub(super) token: Option<Secret>,
    pub(super) is_loopback: bool,
}

impl Guard {
    /// Checks whether a request is allowed.
    pub(super) fn check(&self, method: &Method, headers: &HeaderMap, access: Access) -> Result<(), Problem> {
        self.check_host(headers)?;
        match access {
            Access::Everybody => {}
            Access::Clients => self.check_token(headers)?,
        }
        let is_harmless = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        if is_harmless && !headers.contains_key(header::UPGRADE) { Ok(()) } else { check_origin(headers) }
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), Problem> {
        if !self.is_loopback {
            return Ok(());
        }
        let named = text(headers, header::HOST).unwrap_or_default();
        if is_loopback(without_port(named)) {
            return Ok(());
        }
        let message = format!("the request is for the host `{named}`, which is not this machine");
        Err(Problem::new(StatusCode::FORBIDDEN, "BH-WEB-010", message))
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(Secret(token)) = &self.token else { return Ok(()) };
        let (bearer, protocol) = (bearer(headers), protocol_token(headers));
        let is_right = bearer.is_some_and(|given| is_equal(given.as_bytes(), token.as_bytes()))
            || protocol.is_some_and(|given| is_equal(given.as_bytes(), encoded(token).as_bytes()));
        if is_right {
            return Ok(());
        }
        let message =
            if bearer.or(protocol).is_some() { "the token is wrong" } else { "a token is required" };
        let problem = Problem::new(StatusCode::UNAUTHORIZED, "BH-WEB-012", message);
        Err(problem.header(header::WWW_AUTHENTICATE, "Bearer realm=\"bridgehead\""))
    }
}

/// Refuses requests of pages of another origin, also those that browsers send without `Origin`: for an image or a link,
/// for example, they say only in `Sec-Fetch-Site` that another page asked for it. `none` is the user.
pub(super) fn check_page(headers: &HeaderMap) -> Result<(), Problem> {
    check_origin(headers)?;
    match headers.get("sec-fetch-site").map(|site| site.to_str().unwrap_or_default()) {
        None | Some("same-origin" | "none") => Ok(()),
        Some(site) => Err(refused(&format!("another origin (`{site}`)"))),
    }
}

/// Refuses requests from pages of another origin. Clients other than browsers send no `Origin`.
fn check_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    let own = text(headers, header::HOST).unwrap_or_default();
    let is_own = origin.split_once("://").is_some_and(|(_, place)| place.eq_ignore_ascii_case(own));
    if is_own && !own.is_empty() {
        return Ok(());
    }
    Err(refused(&format!("`{origin}`")))
}

fn refused(origin: &str) -> Problem {
    let message = format!("pages of {origin} may not send this request");
    Problem::new(StatusCode::FORBIDDEN, "BH-WEB-011", message)
}

/// Returns the token in the header `Authorization`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Returns the encoded token among the subprotocols of a WebSocket: a browser cannot set other headers of it.
fn protocol_token(headers: &HeaderMap) -> Option<&str> {
    if !headers.contains_key(header::UPGRADE) {
        return None;
    }
    let values = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).into_iter();
    let names = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    names.map(str::trim).find_map(|name| name.strip_prefix("token."))
}

/// Returns a token in the form of a subprotocol: base64url without padding.
fn encoded(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(token)
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_address = bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_address || host.eq_ignore_ascii_case("localhost")
}

/// Compares in constant time.
fn is_equal(given: &[u8], token: &[u8]) -> bool {
    let differences = given.iter().zip(token).fold(0, |sum, (a, b)| std::hint::black_box(sum | (a ^ b)));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn check(guard: &Guard, method: &Method, headers: &[(HeaderName, &str)]) -> u16 {
        let pairs = headers.iter().map(|(name, value)| (name.clone(), value.parse().expect("a value")));
        match guard.check(method, &pairs.collect(), Access::Clients) {
            Ok(()) => 200,
            Err(problem) => problem.status().as_u16(),
        }
    }

    fn local() -> Guard {
        Guard { token: None, is_loopback: true }
    }

    #[test]
    fn a_server_on_the_loopback_answers_to_its_names_alone() {
        for name in
            ["localhost", "localhost:8090", "LOCALHOST:1", "127.0.0.1:8090", "127.1.2.3", "[::1]:8090"]
        {
            assert_eq!(check(&local(), &Method::GET, &[(header::HOST, name)]), 200, "{name}");
        }
        for name in ["evil.example", "evil.example:8090", "localhost.evil.example", "", "10.0.0.1", "[::2]:1"]
        {
            assert_eq!(check(&local(), &Method::GET, &[(header::HOST, name)]), 403, "{name}");
        }
        assert_eq!(check(&local(), &Method::GET, &[]), 403);
    }

    #[test]
    fn pages_of_other_origins_change_nothing() {
        let from = |method: &Method, origin: &str, more: &[(HeaderName, &str)]| {
            let own = [(header::HOST, "localhost:8090"), (header::ORIGIN, origin)];
            check(&local(), method, &[&own, more].concat())
        };
        for origin in
            ["http://evil.example", "null", "http://localhost:3000", "http://localhost", "localhost:8090"]
        {
            assert_eq!(from(&Method::POST, origin, &[]), 403, "{origin}");
            assert_eq!(from(&Method::DELETE, origin, &[]), 403, "{origin}");
            assert_eq!(from(&Method::GET, origin, &[]), 200, "{origin}");
            assert_eq!(from(&Method::GET, origin, &[(header::UPGRADE, "websocket")]), 403, "{origin}");
        }
        assert_eq!(from(&Method::POST, "http://localhost:8090", &[]), 200);
    }

    #[test]
    fn pages_of_other_origins_cannot_make_the_host_read_files() {
        let from = |more: &[(HeaderName, &str)]| {
            let own = [&[(header::HOST, "localhost:8090")], more].concat();
            let pairs = own.iter().map(|(name, value)| (name.clone(), value.parse().expect("a value")));
            check_page(&pairs.collect()).map_or_else(|problem| problem.status().as_u16(), |()| 200)
        };
        let site = |name: &'static str| (HeaderName::from_static("sec-fetch-site"), name);
        assert_eq!(from(&[]), 200, "clients other than browsers");
        assert_eq!(from(&[site("none")]), 200, "the address bar");
        assert_eq!(from(&[site("same-origin")]), 200);
        assert_eq!(from(&[site("same-origin"), (header::ORIGIN, "http://localhost:8090")]), 200);
        assert_eq!(from(&[(header::ORIGIN, "http://evil.example")]), 403);
        assert_eq!(from(&[(header::ORIGIN, "null")]), 403);
        for other in ["cross-site", "same-site", "", "NONE"] {
            assert_eq!(from(&[site(other)]), 403, "an image of {other}");
        }
    }

    #[test]
    fn a_token_is_asked_for_where_there_is_one() {
        let guard = Guard { token: Some(Secret("s3cret".to_owned())), is_loopback: false };
        let given = |text: &str| check(&guard, &Method::GET, &[(header::AUTHORIZATION, text)]);
        assert_eq!(check(&guard, &Method::GET, &[]), 401);
        assert_eq!(given("Bearer s3cret"), 200);
        assert_eq!(given("bearer s3cret"), 200);
        for wrong in ["Bearer s3cre", "Bearer s3cret1", "Bearer ", "Basic s3cret", "s3cret", "Bearer S3cret"]
        {
            assert_eq!(given(wrong), 401, "{wrong}");
        }
    }

    #[test]
    fn a_websocket_may_carry_the_token_as_a_subprotocol() {
        let guard = Guard { token: Some(Secret("s?3>cret".to_owned())), is_loopback: false };
        let upgrade = (header::UPGRADE, "websocket");
        let offered = |protocols| (header::SEC_WEBSOCKET_PROTOCOL, protocols);
        let given = |protocols| check(&guard, &Method::GET, &[upgrade.clone(), offered(protocols)]);
        assert_eq!(given("bridgehead, token.cz8zPmNyZXQ"), 200);
        assert_eq!(given("token.cz8zPmNyZXQ,bridgehead"), 200);
        for wrong in [
            "bridgehead",
            "token.",
            "token.cz8zPmNyZXQ=",
            "token.s?3>cret",
            "cz8zPmNyZXQ",
            "token.cz8zPmNyZXR",
        ] {
            assert_eq!(given(wrong), 401, "{wrong}");
        }
        let plain = [offered("token.cz8zPmNyZXQ")];
        assert_eq!(check(&guard, &Method::GET, &plain), 401, "a request that opens no WebSocket");
        let both = [upgrade.clone(), offered("bridgehead"), (header::AUTHORIZATION, "Bearer s?3>cret")];
        assert_eq!(check(&guard, &Method::GET, &both), 200);
    }
}
