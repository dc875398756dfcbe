//! `bridgehead view`: shows a recording in the browser. Main thread.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::channel;
use std::time::Duration;

use super::args::ViewArguments;
use super::console::Console;
use super::error::CliError;
use super::human::seconds;
use super::printed::EXIT_CONFIGURATION;
use super::signals;
use crate::config::DEFAULT_ADDRESS;
use crate::recording::{Contents, Recording};
use crate::web::{Page, ViewServer, WebError, resolve};

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
    let server = ViewServer::start(listen(arguments.http.as_deref())?, recording, Page::embedded())?;
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

/// Listens at the chosen address; otherwise at that of a host, or at any port if that one is taken.
fn listen(chosen: Option<&str>) -> Result<TcpListener, WebError> {
    let Some(text) = chosen else {
        return match ViewServer::bind(DEFAULT_ADDRESS) {
            Err(WebError::Bind { source, .. }) if source.kind() == io::ErrorKind::AddrInUse => {
                ViewServer::bind(SocketAddr::new(DEFAULT_ADDRESS.ip(), 0))
            }
            bound => bound,
        };
    };
    ViewServer::bind(resolve(text)?)
}

fn summary(contents: &Contents, (begin, end): (u64, u64)) -> String {
    let time = Duration::from_nanos(end - begin);
    let (messages, topics) = (contents.messages, contents.topics);
    format!("{messages} messages on {topics} topics in {}", seconds(time))
}
