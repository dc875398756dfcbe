//! The worker's side: a process that opens one library, makes the calls that the host sends, and passes the calls of the
//! plugin on to the host.
//!
//! The main thread makes lifecycle calls and all calls of model plugins, two threads run the loops of a bridge, and one
//! receives what is not answered. The process ends when the host closes the lane of the main thread, or ends itself, which
//! one more thread notices.

use std::ffi::{OsStr, OsString};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::lane::{LaneSocket, Lost};
use super::memory::SharedMemory;
use super::wire::{Finding, FromWorker, Lane, Loaded, Request, Signal};
use crate::plugin::{Factory, Library, Linkage, Refusal, open_copy};
use crate::thread::spawn;
use crate::{call, crash};
use host::WorkerHosts;
use instance::Plugins;
use link::{LINK, Link, link};

mod buffer;
mod bus;
mod converters;
mod encodings;
mod endpoints;
mod host;
mod instance;
mod link;
mod loops;
mod model;
mod objects;
mod registrar;
mod remote;
mod tables;
mod threads;
mod types;

/// The hidden argument that makes a process a worker.
pub const ARGUMENT: &str = "--worker";

/// How often a worker looks whether its host has ended.
const LOOK: Duration = Duration::from_millis(500);

/// What a worker was started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerRequest {
    descriptors: Vec<RawFd>,
    label: String,
    level: log::LevelFilter,
    /// Limits of memory and of open files.
    limits: [Option<u64>; 2],
    path: PathBuf,
    copy: PathBuf,
}

/// Returns the request in the arguments of this process, if it is a worker. Call it before anything else.
#[must_use]
pub fn request(arguments: impl IntoIterator<Item = OsString>) -> Option<WorkerRequest> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next()? != OsStr::new(ARGUMENT) {
        return None;
    }
    let numbers = arguments.next()?;
    let descriptors: Option<Vec<RawFd>> =
        numbers.to_str()?.split(',').map(|number| number.parse().ok()).collect();
    Some(WorkerRequest {
        descriptors: descriptors?,
        label: arguments.next()?.to_string_lossy().into_owned(),
        level: arguments.next()?.to_str()?.parse().ok()?,
        limits: limits_of(arguments.next()?.to_str()?)?,
        path: arguments.next()?.into(),
        copy: arguments.next()?.into(),
    })
}

/// Reads `BYTES,FILES`, with `-` for no limit.
fn limits_of(text: &str) -> Option<[Option<u64>; 2]> {
    let (memory, files) = text.split_once(',')?;
    let limit = |text: &str| if text == "-" { Some(None) } else { text.parse().ok().map(Some) };
    Some([limit(memory)?, limit(files)?])
}

/// Works for the host until it ends the connection. Returns the exit code.
#[must_use]
pub fn run(request: &WorkerRequest) -> u8 {
    let host = parent_id();
    // Before code of the plugin runs, which may hang.
    if spawn("host", move || leave_with(host)).is_err() {
        return 1;
    }
    confine(request.limits);
    let Some((connected, main, transmit, receive, signals)) = connect(&request.descriptors) else { return 1 };
    if LINK.set(connected).is_err() {
        return 1;
    }
    call::keep(crash::give_up);
    call::check_every_call();
    log::set_max_level(request.level);
    drop(log::set_logger(&host::ForwardingLog));
    link().adopt(Lane::Main, main);
    match load(&request.path, &request.copy) {
        Ok((library, plugins)) => {
            let plugins: &'static Plugins = Box::leak(Box::new(plugins));
            let started = start_threads(plugins, (transmit, receive, signals));
            if started.is_err() {
                return 1;
            }
            serve(Lane::Main, plugins);
            plugins.destroy();
            library.end();
            0
        }
        Err(refusal) => {
            let text = refusal.code.to_string();
            let finding = finding(&refusal, &text);
            drop(link().send(Lane::Main, &FromWorker::Loaded(Loaded::Refused(finding))));
            0
        }
    }
}

/// Limits what this process may use.
fn confine([memory, files]: [Option<u64>; 2]) {
    for (resource, limit) in [(Resource::Data, memory), (Resource::Nofile, files)] {
        let Some(most) = limit else { continue };
        if let Err(error) = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }) {
            log::warn!("a limit of the worker is not set: {error}");
        }
    }
}

/// Takes the descriptors that the host has left open: a socket for each lane, the one of the signals, and the memory.
fn connect(descriptors: &[RawFd]) -> Option<(Link, LaneSocket, LaneSocket, LaneSocket, LaneSocket)> {
    let mut owned = descriptors.iter().map(|descriptor| {
        // SAFETY: the host has left these open for this process, which takes each once; programs that it starts do not
        // get them.
        unsafe {
            libc::fcntl(*descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
            OwnedFd::from_raw_fd(*descriptor)
        }
    });
    let mut socket = || LaneSocket::new(UnixStream::from(owned.next()?)).ok();
    let (main, transmit, receive) = (socket()?, socket()?, socket()?);
    let (others, signals) = (socket()?, socket()?);
    let memory = SharedMemory::map(owned.next()?).ok()?;
    Some((Link::new(others, memory), main, transmit, receive, signals))
}

/// Loads the library and tells the host.
fn load(path: &Path, copy: &Path) -> Result<(EndingLibrary, Plugins), Refusal> {
    let Linkage { library, factories, warnings } = open_copy(path, copy, &mut WorkerHosts)?;
    let flags = factories.iter().map(|factory| match factory {
        Factory::Bridge(factory) => factory.flags,
        Factory::Model(_) | Factory::Unknown => 0,
    });
    let codes: Vec<String> = warnings.iter().map(|warning| warning.code.to_string()).collect();
    let warnings = warnings.iter().zip(&codes).map(|(warning, code)| finding(warning, code)).collect();
    let ready = Loaded::Ready { flags: flags.collect(), warnings };
    if link().send(Lane::Main, &FromWorker::Loaded(ready)).is_err() {
        crash::leave(0);
    }
    let names = library.metadata().plugins.iter().map(|plugin| plugin.name.clone()).collect();
    let plugins = Plugins::new(factories, names, library.converters());
    Ok((EndingLibrary(library), plugins))
}

/// The library of this process, whose `deinit` is called at its end.
struct EndingLibrary(Library);

impl EndingLibrary {
    fn end(mut self) {
        self.0.deinit();
    }
}

fn finding<'a>(refusal: &'a Refusal, code: &'a str) -> Finding<'a> {
    Finding { code, text: &refusal.text, details: refusal.details.iter().map(String::as_str).collect() }
}

/// Starts the threads of the loops and of the signals.
fn start_threads(
    plugins: &'static Plugins,
    (transmit, receive, signals): (LaneSocket, LaneSocket, LaneSocket),
) -> std::io::Result<()> {
    for (lane, name, socket) in [(Lane::Transmit, "tx", transmit), (Lane::Receive, "rx", receive)] {
        drop(spawn(name, move || {
            link().adopt(lane, socket);
            serve(lane, plugins);
        })?);
    }
    // Not closed before the process ends: what is missing of its descriptors is what a plugin has closed.
    let mut signals = ManuallyDrop::new(signals);
    drop(spawn("signals", move || {
        while let Ok(signal) = signals.receiver.receive::<Signal<'_>>(None) {
            match signal {
                Signal::Interrupt => {
                    plugins.interrupt();
                    link().tell(Request::Interrupted);
                }
                Signal::Reply { call, status, response } => endpoints::reply(call, status, response),
            }
        }
    })?);
    Ok(())
}

/// Ends this process when the host has ended, whatever the plugin does. A signal at the death of the
/// parent (`PR_SET_PDEATHSIG`) would come at the end of the thread that has started this process.
fn leave_with(host: u32) {
    while parent_id() == host {
        std::thread::sleep(LOOK);
    }
    crash::leave(1);
}

/// Makes the calls that come on a lane, until the host closes it.
fn serve(lane: Lane, plugins: &'static Plugins) {
    loop {
        let returned = link().next_call(lane, |call| plugins.make(&call));
        let sent = returned.and_then(|returned| link().send(lane, &FromWorker::Returned(returned)));
        if let Err(lost) = sent {
            if lane == Lane::Main && lost != Lost::Ended {
                log::error!("the host has sent what is not part of the protocol: {lost:?}");
            }
            return;
        }
    }
}
