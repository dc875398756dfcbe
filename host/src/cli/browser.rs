//! Opens a page in the browser of the user. Main thread.

use std::net::SocketAddr;
use std::process::{Command, Stdio};

use crate::thread;

/// The program that opens an address as the user has chosen.
const OPENER: &str = "xdg-open";

/// Opens the page of a server, or says why not. The run goes on in either case.
pub(super) fn open(server: Option<SocketAddr>) {
    let Some(address) = server else {
        return log::warn!("no page is opened: this run has no HTTP server");
    };
    let page = format!("http://{address}");
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !has_display {
        return log::info!("there is no display here; open {page} in a browser");
    }
    let mut opener = Command::new(OPENER);
    opener.arg(&page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match opener.spawn() {
        Ok(mut child) => {
            // Some openers last as long as the browser.
            drop(thread::spawn("browser", move || drop(child.wait())));
        }
        Err(error) => log::info!("open {page} in a browser; `{OPENER}` cannot be started: {error}"),
    }
}
