//! Access control: who may connect to a server.
//!
//! Any web page that a user opens can open WebSockets to servers of the user's machine, so the origin of a page is
//! checked. A server that other machines can reach also requires a token.

use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::options::ServerOptions;
use crate::protocol::{Negotiation, Protocol};

/// Why a client is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) text: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Refusal { status, text: text.into() }
    }

    /// Returns the response of the handshake.
    pub(crate) fn response(&self) -> ErrorResponse {
        let mut response = ErrorResponse::new(Some(format!("{}\n", self.text)));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        let length = HeaderValue::from(self.text.len() + 1);
        headers.insert(header::CONTENT_LENGTH, length);
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Checks a handshake, and returns the subprotocol of the connection.
pub(crate) fn admit<P: Protocol>(
    options: &ServerOptions,
    protocol: &P,
    request: &Request,
) -> Result<Option<String>, Refusal> {
    check_origin(options, protocol, request.headers())?;
    check_token(options, request)?;
    negotiate(protocol, request.headers())
}

/// Adds the subprotocol to the response.
pub(crate) fn name_subprotocol(response: &mut Response, subprotocol: Option<&str>) {
    if let Some(value) = subprotocol.and_then(|name| HeaderValue::from_str(name).ok()) {
        response.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, value);
    }
}

fn check_origin<P: Protocol>(
    options: &ServerOptions,
    protocol: &P,
    headers: &HeaderMap,
) -> Result<(), Refusal> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    if options.origins.allow(origin) || protocol.allows_origin(origin) {
        return Ok(());
    }
    let text = format!("pages of `{origin}` may not connect; add it to `origins=` of the bridge");
    Err(Refusal::new(StatusCode::FORBIDDEN, text))
}

fn check_token(options: &ServerOptions, request: &Request) -> Result<(), Refusal> {
    let Some(token) = &options.token else { return Ok(()) };
    let given = bearer(request.headers()).or_else(|| in_query(request.uri().query().unwrap_or_default()));
    match given {
        Some(given) if is_equal(given.as_bytes(), token.as_bytes()) => Ok(()),
        Some(_) => Err(Refusal::new(StatusCode::UNAUTHORIZED, "the token is wrong")),
        None => {
            let text = "a token is required, as `Authorization: Bearer` or as `?token=` in the address";
            Err(Refusal::new(StatusCode::UNAUTHORIZED, text))
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let (scheme, token) = text(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

fn in_query(query: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == "token").map(|(_, value)| value.into_owned())
}

fn negotiate<P: Protocol>(protocol: &P, headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let lines = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|line| line.to_str().ok());
    let offered: Vec<&str> =
        lines.flat_map(|line| line.split(',')).map(str::trim).filter(|name| !name.is_empty()).collect();
    match protocol.negotiate(&offered) {
        Negotiation::Plain => Ok(None),
        Negotiation::Use(name) => Ok(Some(name)),
        Negotiation::Refuse(text) => Err(Refusal::new(StatusCode::BAD_REQUEST, text)),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Compares in constant time.
fn is_equal(given: &[u8], token: &[u8]) -> bool {
    let differences = given.iter().zip(token).fold(0, |sum, (a, b)| std::hint::black_box(sum | (a ^ b)));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::link::Link;

    struct App;

    impl Protocol for App {
        type Client = ();

        fn negotiate(&self, offered: &[&str]) -> Negotiation {
            match offered {
                [] => Negotiation::Refuse("offer one".to_owned()),
                offered if offered.contains(&"v1") => Negotiation::Use("v1".to_owned()),
                _ => Negotiation::Plain,
            }
        }
        fn allows_origin(&self, origin: &str) -> bool {
            origin == "https://app.example"
        }
        fn opened(&self, _: &Link) {}
        fn text(&self, (): &(), _: &str) {}
        fn binary(&self, (): &(), _: Bytes) {}
    }

    fn check(token: Option<&str>, uri: &str, headers: &[(&str, &str)]) -> Result<Option<String>, u16> {
        let mut options = ServerOptions::new("127.0.0.1:1".parse().expect("an address"), "test");
        options.token = token.map(str::to_owned);
        let mut request = Request::builder().uri(uri).header("Sec-WebSocket-Protocol", "v0, v1");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).expect("a request");
        admit(&options, &App, &request).map_err(|refusal| refusal.status.as_u16())
    }

    #[test]
    fn programs_and_allowed_pages_may_connect() {
        let v1 = Ok(Some("v1".to_owned()));
        assert_eq!(check(None, "/", &[]), v1);
        assert_eq!(check(None, "/", &[("Origin", "https://app.example")]), v1);
        assert_eq!(check(None, "/", &[("Origin", "http://localhost:3000")]), v1);
        assert_eq!(check(None, "/", &[("Origin", "http://evil.example")]), Err(403));
        assert_eq!(check(None, "/", &[("Origin", "null")]), Err(403));
    }

    #[test]
    fn a_token_is_accepted_in_the_header_or_the_query() {
        let v1 = Ok(Some("v1".to_owned()));
        let token = Some("s3cr+t");
        assert_eq!(check(token, "/", &[]), Err(401));
        assert_eq!(check(token, "/", &[("Authorization", "bearer s3cr+t")]), v1);
        assert_eq!(check(token, "/?a=1&token=s3cr%2Bt", &[]), v1);
        for wrong in ["/?token=", "/?token=s3cr", "/?token=s3cr+t", "/?token=s3cr%2Bt1"] {
            assert_eq!(check(token, wrong, &[]), Err(401), "{wrong}");
        }
        assert_eq!(check(token, "/?token=s3cr%2Bt", &[("Authorization", "Bearer x")]), Err(401));
    }

    #[test]
    fn the_protocol_chooses_a_subprotocol() {
        let offered = |header: Option<&str>| {
            let request = header
                .into_iter()
                .fold(Request::builder(), |request, names| request.header("Sec-WebSocket-Protocol", names));
            negotiate(&App, request.body(()).expect("a request").headers())
        };
        assert_eq!(offered(Some("v0,v1")), Ok(Some("v1".to_owned())));
        assert_eq!(offered(Some("v0")), Ok(None));
        assert_eq!(offered(None), Err(Refusal::new(StatusCode::BAD_REQUEST, "offer one")));
    }
}
