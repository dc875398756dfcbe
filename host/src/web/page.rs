//! The page: files that the build embedded into the host, for browsers.
//!
//! They are the same for every run and contain nothing of it, so a client needs no token for them. They are stored
//! compressed. A host that was built without them serves one line of text instead, which says how to get them.

use std::io::{self, Read as _};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use flate2::read::GzDecoder;

use super::problem::typed;
use crate::checksum;

/// The files that the build script found: name and compressed content.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The path of the page itself.
const ROOT: &str = "/";
/// The file at that path.
const INDEX: &str = "index.html";

/// What the page may load: nothing from other origins, and no script or style inside of its HTML. No other page may
/// contain it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Response of a host without the page.
const ABSENT: &str = "[BH-WEB-015] this build of the host contains no page; run `bash host/page/build.sh` and \
    `cargo build` in the repository\n";

/// The files of the page; none if the host was built without it.
#[derive(Clone, Debug, Default)]
pub struct Page(Arc<[PageFile]>);

/// A file of the page.
#[derive(Debug)]
struct PageFile {
    pub(super) path: String,
    content_type: &'static str,
    gzip: &'static [u8],
    /// Identifies the content, in hexadecimal digits.
    tag: String,
}

impl Page {
    /// Returns the page that the build embedded.
    #[must_use]
    pub fn embedded() -> Self {
        Page::of(EMBEDDED)
    }

    /// Returns a page of these files: name and content, compressed by gzip.
    #[must_use]
    pub fn of(files: &[(&str, &'static [u8])]) -> Self {
        Page(files.iter().map(|(name, gzip)| PageFile::new(name, gzip)).collect())
    }

    /// Returns true if there is a page.
    #[must_use]
    pub fn is_there(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the routes of its files.
    pub(super) fn routes<S>(&self) -> Router<S>
    where
        Page: FromRef<S>,
        S: Clone + Send + Sync + 'static,
    {
        let files = self.paths().filter(|path| *path != ROOT);
        files.fold(Router::new(), |router, path| router.route(path, get(file))).route(ROOT, get(file))
    }

    /// Returns the paths of its files.
    fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|file| file.path.as_str())
    }

    /// Returns true if everybody may read what is at a path.
    pub(super) fn is_open(&self, path: &str) -> bool {
        path == ROOT || self.find(path).is_some()
    }

    fn find(&self, path: &str) -> Option<&PageFile> {
        self.0.iter().find(|file| file.path == path)
    }
}

impl PageFile {
    fn new(name: &str, gzip: &'static [u8]) -> Self {
        let path = if name == INDEX { ROOT.to_owned() } else { format!("/{name}") };
        let tag = format!("{:032x}", checksum::of(gzip.iter().copied()));
        PageFile { path, content_type: content_type(name), gzip, tag }
    }

    /// Returns the content for a client, and its entity tag: the compressed content has another one.
    fn content(&self, accepts_gzip: bool) -> io::Result<(Bytes, String)> {
        if accepts_gzip {
            return Ok((Bytes::from_static(self.gzip), format!("\"{}-gzip\"", self.tag)));
        }
        let mut plain = Vec::new();
        GzDecoder::new(self.gzip).read_to_end(&mut plain)?;
        Ok((plain.into(), format!("\"{}\"", self.tag)))
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// A file of the page, or what to do to get one.
async fn file(State(page): State<Page>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(file) = page.find(uri.path()) else {
        return typed(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", ABSENT);
    };
    let accepts_gzip = accepts_gzip(&headers);
    match file.content(accepts_gzip) {
        Ok((content, tag)) => response(file, content, &tag, accepts_gzip, &headers),
        Err(error) => {
            log::error!("the embedded file `{}` cannot be decompressed: {error}", file.path);
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn response(file: &PageFile, content: Bytes, tag: &str, is_gzip: bool, headers: &HeaderMap) -> Response {
    let is_known = is_known(headers, tag);
    let mut response = if is_known { Body::empty() } else { Body::from(content) }.into_response();
    let fields = response.headers_mut();
    for (name, value) in common() {
        fields.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(tag) = HeaderValue::from_str(tag) {
        fields.insert(header::ETAG, tag);
    }
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type));
    if is_gzip {
        fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// Returns the header fields of all files. A browser asks each time whether its copy is current: the host may be a newer
/// one.
fn common() -> [(HeaderName, &'static str); 5] {
    [
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "accept-encoding"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ]
}

/// Returns the elements of a header field that is a list.
fn elements(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// Returns true if the client decompresses gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    elements(headers, header::ACCEPT_ENCODING).any(|element| {
        let (name, weight) = element.split_once(';').unwrap_or((element, ""));
        let weight = weight.trim().strip_prefix("q=").map(str::parse::<f64>);
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight| weight.is_ok_and(|q| q > 0.0))
    })
}

/// Returns true if the client has the content with this tag.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    elements(headers, header::IF_NONE_MATCH)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), value.parse().expect("a value"))).collect()
    }

    #[test]
    fn only_clients_that_accept_gzip_get_it() {
        let accepts = |values: &[&str]| accepts_gzip(&headers(&header::ACCEPT_ENCODING, values));
        for yes in ["gzip", "GZIP", "br, gzip", "deflate,gzip;q=0.5", "gzip ; q=1"] {
            assert!(accepts(&[yes]), "{yes}");
        }
        assert!(accepts(&["br", "gzip"]), "in the second of two fields");
        for no in ["", "br", "identity", "gzip;q=0", "gzip;q=0.0", "gzip;q=x", "xgzip"] {
            assert!(!accepts(&[no]), "{no}");
        }
        assert!(!accepts(&[]));
    }

    #[test]
    fn a_tag_is_known_in_every_form_that_clients_send() {
        let known = |value| is_known(&headers(&header::IF_NONE_MATCH, &[value]), "\"a\"");
        for yes in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
            assert!(known(yes), "{yes}");
        }
        for no in ["\"b\"", "a", "\"a-gzip\"", ""] {
            assert!(!known(no), "{no}");
        }
    }

    #[test]
    fn the_embedded_page_is_complete_or_absent() {
        let page = Page::embedded();
        let paths: Vec<&str> = page.paths().collect();
        if page.is_there() {
            let all = ["/", "/page.js", "/page.css", "/favicon.svg", "/errors.json", "/licences.txt"];
            assert_eq!(paths, all);
            let (index, _) = page.find("/").expect("the page").content(false).expect("text");
            assert!(index.starts_with(b"<!doctype html>"));
        }
        assert!(page.is_open("/"), "it says how to get the page");
        for guarded in ["/api", "/ws", "/metrics", "/index.html", "//", "", "/page.js/", "/.gitkeep"] {
            assert!(!page.is_open(guarded), "{guarded}");
        }
    }
}
