//! Which web pages may connect.
//!
//! Any page that a user opens can open WebSockets to servers of the user's machine, and browsers send the origin of the
//! page with the handshake. Other programs send none.

use std::net::IpAddr;

/// Origins that may connect, besides those of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origins {
    /// None.
    #[default]
    Local,
    /// Every origin.
    All,
    /// These, such as `https://app.foxglove.dev`.
    List(Vec<String>),
}

impl Origins {
    /// Parses `*`, or origins separated by commas. Returns `None` if a part is not an origin.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Origins::All);
        }
        let parts: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
        parts.iter().all(|part| is_origin(part)).then_some(Origins::List(parts))
    }

    /// Returns true if a page of this origin may connect.
    #[must_use]
    pub fn allow(&self, origin: &str) -> bool {
        match self {
            Origins::All => true,
            Origins::Local => is_local(origin),
            Origins::List(list) => {
                is_local(origin) || list.iter().any(|listed| listed.eq_ignore_ascii_case(origin))
            }
        }
    }
}

/// `null` is the origin of pages that are local files.
fn is_origin(text: &str) -> bool {
    let has_host = |(_, host): (&str, &str)| !host.is_empty() && !host.contains('/');
    text == "null" || text.split_once("://").is_some_and(has_host)
}

/// Returns true if a server of this machine has sent the page.
fn is_local(origin: &str) -> bool {
    let Some((_, place)) = origin.split_once("://") else { return false };
    let host = match place.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => place,
    };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_machine_may_connect() {
        for origin in [
            "http://localhost",
            "http://localhost:3000",
            "https://127.0.0.1:8080",
            "http://[::1]:1",
            "app://LOCALHOST",
        ] {
            assert!(Origins::Local.allow(origin), "{origin}");
        }
        for origin in
            ["null", "http://localhost.evil.example", "http://10.0.0.1", "localhost", "", "http://evil:80"]
        {
            assert!(!Origins::Local.allow(origin), "{origin}");
        }
    }

    #[test]
    fn listed_pages_may_connect_and_no_others() {
        let list = Origins::parse("https://a.example, http://b.example:8080").expect("origins");
        assert!(list.allow("https://A.example") && list.allow("http://b.example:8080"));
        assert!(list.allow("http://localhost:1"));
        assert!(!list.allow("http://a.example") && !list.allow("http://b.example"));
        assert!(Origins::parse("*").expect("origins").allow("null"));
        assert!(Origins::parse("null").expect("origins").allow("null"));
        for wrong in ["", "a.example", "https://", "https://a.example/path", "https://a.example,"] {
            assert!(Origins::parse(wrong).is_none(), "{wrong}");
        }
    }
}
