//! `bridgehead view`: shows a recording in the browser. Main thread.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs as _};
use std::sync::mpsc::channel;

use super::args::ViewArguments;
use super::console::Console;
use super::human::seconds;
use super::{CliError, EXIT_CONFIGURATION, signals};

use crate::recording::{Contents, Recording};
use crate::web::{Page, ViewServer, WebError};

/// Port of a host, which is used if it is free.
const PORT: u16 = 8090;

/// Serves a recording until a signal; returns the exit code.
pub(super) fn view(arguments: &ViewArguments, console: &'static Console) -> u8 {
    match serve(arguments, console) {
        Ok(()) => 0,
        Err(error) => {
            console.line(&error.to_string());
            EXIT_CONFIGURATION
        }
    }
}

fn serve(arguments: &ViewArguments, console: &'static Console) -> Result<(), CliError> {
    let recording = Recording::open(&arguments.file)?;
    let (contents, times) = (recording.contents(), recording.times());
    for problem in &contents.problems {
        log::warn!("{problem}");
    }
    if !contents.has_scene {
        log::warn!(
            "the recording has no scene, so only its messages are shown; `bridgehead run --record FILE.mcap` records both"
        );
    }
    let (ask, asked) = channel();
    // An error is a view that has ended.
    let end = move |_: &'static str| ask.send(()).unwrap_or_default();
    signals::watch(end, |_, _| ())
        .map_err(|source| CliError::System { what: "signals cannot be handled", source })?;
    let server = start(arguments.http.as_deref(), recording)?;
    console.tell(&format!(
        "http://{} shows `{}`: {}; end with Ctrl+C\n",
        server.address(),
        arguments.file.display(),
        summary(&contents, times)
    ));
    if asked.recv().is_err() {
        log::error!("the thread for signals has ended, so the view ends too");
    }
    drop(server);
    Ok(())
}

/// Starts the server at the chosen address; otherwise at the port of a host, or at any port if that one is taken.
fn start(address: Option<&str>, recording: Recording) -> Result<ViewServer, CliError> {
    let page = Page::embedded();
    if let Some(text) = address {
        return Ok(ViewServer::start(resolved(text)?, recording, page)?);
    }
    let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let is_taken =
        std::net::TcpListener::bind(at(PORT)).is_err_and(|error| error.kind() == io::ErrorKind::AddrInUse);
    Ok(ViewServer::start(at(if is_taken { 0 } else { PORT }), recording, page)?)
}

fn resolved(text: &str) -> Result<SocketAddr, WebError> {
    let unknown = |reason: String| WebError::Unknown { address: text.to_owned(), reason };
    let mut found = text.to_socket_addrs().map_err(|error| unknown(error.to_string()))?;
    found.next().ok_or_else(|| unknown("the name has no address".to_owned()))
}

fn summary(contents: &Contents, (begin, end): (u64, u64)) -> String {
    let time = std::time::Duration::from_nanos(end - begin);
    let (messages, topics) = (contents.messages, contents.topics);
    format!("{messages} messages on {topics} topics in {}", seconds(time))
}
