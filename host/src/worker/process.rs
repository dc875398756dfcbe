//! A worker process as the host sees it: starts it, calls the plugin in it, and ends it if it does not behave.
//!
//! A worker that ends before it was told to is reported once, with the plugin and the call that was running. Calls of a
//! worker that has ended return a failure. Usable from any thread.

use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bridgehead_abi::{Status, status};

use super::desk::{Desk, Outgoing};
use super::endpoint::Numbers;
use super::lane::{LaneSender, LaneSocket, Lost};
use super::launch::{Image, command};
use super::memory::SharedMemory;
use super::wire::{Call, FromWorker, Lane, Loaded, Returned, Signal, ToWorker};
use crate::plugin::probe::{kill_group, signal_text};
use crate::plugin::{Code, Refusal};
use crate::thread::{lock, spawn};
use crate::{call, clock};

/// How long a process may take to be gone after it has closed its sockets, or was told to end.
const GRACE: Duration = Duration::from_secs(2);

/// How often a worker is looked at that sends nothing.
const LOOK: Duration = Duration::from_millis(200);
/// Stands for a call if none is running.
const NO_CALL: &str = "";

/// What a library in a worker is like.
#[derive(Clone, Debug)]
pub(super) struct LoadedLibrary {
    pub(super) flags: Vec<u32>,
    pub(super) warnings: Vec<Refusal>,
}

/// The lanes on which the host calls.
const CALL_LANES: [Lane; 3] = [Lane::Main, Lane::Transmit, Lane::Receive];

/// A running worker.
pub(super) struct Process {
    /// `car1/udp`, or the name of the library.
    label: String,
    id: u32,
    timeout: Duration,
    child: Mutex<Child>,
    lanes: [Mutex<LaneSocket>; CALL_LANES.len()],
    /// The same sockets, to close them while threads wait at the lanes: the worker may have children that keep the other
    /// ends open.
    doors: Vec<UnixStream>,
    /// The calls that are running.
    running: [Mutex<Option<&'static str>>; CALL_LANES.len()],
    outgoing: Sender<Outgoing>,
    memory: Arc<SharedMemory>,
    desk: Arc<Desk>,
    /// Why it has ended.
    end: OnceLock<String>,
    /// True once it was told to end.
    is_closing: AtomicBool,
}

impl Process {
    /// Starts a worker and waits until it has loaded the library.
    ///
    /// # Errors
    /// Returns an error if the process cannot be started, or if the library is refused, crashes or does not finish loading.
    pub(super) fn start(
        image: &Image,
        label: &str,
        desk: Arc<Desk>,
    ) -> Result<(Arc<Self>, LoadedLibrary), Refusal> {
        let failed =
            |error: std::io::Error| Refusal::new(Code::WorkerStart, format!("no worker process: {error}"));
        let memory = Arc::new(SharedMemory::create().map_err(failed)?);
        let mut ours = Vec::new();
        let mut theirs = Vec::new();
        for _ in 0..=Lane::ALL.len() {
            let (our, their) = UnixStream::pair().map_err(failed)?;
            ours.push(our);
            theirs.push(their);
        }
        let inherited: Vec<RawFd> =
            theirs.iter().map(|socket| socket.as_raw_fd()).chain([memory.descriptor()]).collect();
        let mut command = command(image, label, inherited);
        let child = call::starting_program(|| command.spawn()).map_err(failed)?;
        drop(theirs);
        let (outgoing, to_send) = channel();
        let doors: std::io::Result<Vec<UnixStream>> =
            ours.iter().take(CALL_LANES.len()).map(UnixStream::try_clone).collect();
        let doors = doors.map_err(failed)?;
        let mut sockets = ours.into_iter().map(LaneSocket::new);
        let mut next =
            || sockets.next().unwrap_or_else(|| Err(std::io::ErrorKind::NotFound.into())).map_err(failed);
        let lanes = [next()?, next()?, next()?].map(Mutex::new);
        let (others, signals) = (next()?, next()?);
        let process = Arc::new(Process {
            label: label.to_owned(),
            id: child.id(),
            timeout: image.limits.time,
            child: Mutex::new(child),
            lanes,
            doors,
            running: Default::default(),
            outgoing,
            memory,
            desk,
            end: OnceLock::new(),
            is_closing: AtomicBool::new(false),
        });
        process.start_threads(others, signals.sender, to_send).map_err(failed)?;
        let loaded = process.await_library()?;
        Ok((process, loaded))
    }

    /// Starts the thread that answers requests of the plugin's own threads, and the one that sends signals.
    fn start_threads(
        self: &Arc<Self>,
        others: LaneSocket,
        signals: LaneSender,
        to_send: Receiver<Outgoing>,
    ) -> std::io::Result<()> {
        signals.limit(self.timeout)?;
        let (served, sent) = (Arc::clone(self), Arc::downgrade(self));
        drop(spawn(format!("worker:{}", self.label), move || served.serve_others(others))?);
        drop(spawn(format!("signal:{}", self.label), move || {
            if let Err(lost) = send_signals(signals, &to_send)
                && let Some(process) = sent.upgrade()
            {
                process.lose(NO_CALL, &lost);
            }
        })?);
        Ok(())
    }

    fn await_library(&self) -> Result<LoadedLibrary, Refusal> {
        let deadline = clock::now() + self.timeout;
        let Some(lane) = self.lanes.first() else { return Err(self.refusal()) };
        let loaded = self.converse(&mut lock(lane), Lane::Main, Some(deadline), |message| match message {
            FromWorker::Loaded(Loaded::Ready { flags, warnings }) => {
                let warnings = warnings.iter().map(refusal_of).collect();
                Some(Ok(LoadedLibrary { flags, warnings }))
            }
            FromWorker::Loaded(Loaded::Refused(finding)) => Some(Err(refusal_of(&finding))),
            _ => None,
        });
        match loaded {
            Ok(Ok(loaded)) => Ok(loaded),
            Ok(Err(refusal)) => {
                self.close();
                Err(refusal)
            }
            Err(lost) => {
                self.is_closing.store(true, Ordering::Release);
                let is_late = lost == Lost::TimedOut;
                let (text, _) = self.bury("loading", &lost);
                let code = if is_late { Code::TimedOut } else { Code::Crashed };
                Err(Refusal::new(code, text))
            }
        }
    }

    fn refusal(&self) -> Refusal {
        Refusal::new(Code::WorkerStart, format!("the worker of `{}` has ended", self.label))
    }

    /// Makes a call and returns what the plugin returns. While it runs, its requests are answered on this thread.
    ///
    /// # Errors
    /// FATAL if the worker ends before the call returns, or does not return it in time; both are reported.
    pub(super) fn call(&self, lane: Lane, call: Call<'_>) -> Result<Returned, Status> {
        let is_loop = matches!(call, Call::Transmit | Call::Receive);
        let deadline = (!is_loop).then(|| clock::now() + self.timeout);
        let (Some(socket), Some(running)) = (self.lanes.get(lane.number()), self.running.get(lane.number()))
        else {
            return Err(status::FATAL);
        };
        if self.end.get().is_some() {
            return Err(status::FATAL);
        }
        let mut socket = lock(socket);
        *lock(running) = Some(call.name());
        let sent = socket.sender.send(&ToWorker::Call(call));
        let returned = sent.and_then(|()| {
            self.converse(&mut socket, lane, deadline, |message| match message {
                FromWorker::Returned(returned) => Some(returned),
                _ => None,
            })
        });
        let returned = returned.map_err(|lost| {
            self.lose(call.name(), &lost);
            status::FATAL
        });
        *lock(running) = None;
        returned
    }

    /// Answers requests until `take` accepts a message.
    fn converse<T>(
        &self,
        socket: &mut LaneSocket,
        lane: Lane,
        deadline: Option<Instant>,
        take: impl Fn(FromWorker<'_>) -> Option<T>,
    ) -> Result<T, Lost> {
        let LaneSocket { sender, receiver } = socket;
        loop {
            match receiver.receive::<FromWorker<'_>>(deadline)? {
                FromWorker::Request(request) => {
                    let means = (&*self.memory, &self.outgoing);
                    let answer = self.desk.answer::<Numbers>(&request, lane, means);
                    sender.send(&ToWorker::Answer(answer))?;
                }
                other => {
                    let text = format!("{other:?}");
                    return take(other).ok_or(Lost::Garbage(text));
                }
            }
        }
    }

    /// Answers the requests of the plugin's own threads, until the worker ends.
    fn serve_others(&self, mut socket: LaneSocket) {
        loop {
            let deadline = clock::now() + LOOK;
            let served: Result<(), Lost> = self.converse(&mut socket, Lane::Others, Some(deadline), |_| None);
            match served {
                Err(Lost::TimedOut) if !self.has_exited() => {}
                Err(Lost::TimedOut) => return self.lose(NO_CALL, &Lost::Ended),
                Err(lost) => return self.lose(NO_CALL, &lost),
                Ok(()) => {}
            }
        }
    }

    /// Returns true if the process is gone, although its sockets may be open.
    fn has_exited(&self) -> bool {
        self.has_ended() || !matches!(lock(&self.child).try_wait(), Ok(None))
    }

    /// Tells the plugin something that it does not answer.
    pub(super) fn tell(&self, outgoing: Outgoing) {
        // If the worker has ended, there is nobody to tell.
        drop(self.outgoing.send(outgoing));
    }

    /// Returns true if the process has ended or was ended.
    pub(super) fn has_ended(&self) -> bool {
        self.end.get().is_some()
    }

    /// Ends a process whose call does not return.
    pub(super) fn kill(&self, call: &'static str) {
        self.lose(call, &Lost::TimedOut);
    }

    /// Ends the process if it is still there, and reports it, unless it was told to end.
    fn lose(&self, call: &'static str, lost: &Lost) {
        let (text, is_first) = self.bury(call, lost);
        if !is_first || self.is_closing.load(Ordering::Acquire) {
            return;
        }
        let reporter = self.desk.reporter();
        reporter.report_error(self.code(lost), &text);
        reporter.explain(&text);
    }

    fn code(&self, lost: &Lost) -> &'static str {
        match lost {
            Lost::Ended => "BH-PLG-140",
            Lost::TimedOut => "BH-PLG-141",
            Lost::Garbage(_) => "BH-PLG-142",
        }
    }

    /// Waits for the end of the process, or enforces it. Returns the words for it, and whether this is the first call.
    fn bury(&self, call: &'static str, lost: &Lost) -> (String, bool) {
        // The first thread that notices waits for the process; the others wait for that thread.
        let mut child = lock(&self.child);
        if let Some(text) = self.end.get() {
            return (text.clone(), false);
        }
        let worker = format!("the worker of `{}` (process {})", self.label, self.id);
        let place = match self.running_call().unwrap_or(call) {
            NO_CALL => "outside of any call".to_owned(),
            call => format!("in `{call}`"),
        };
        let text = match lost {
            Lost::Ended => format!("{worker} ended {place} {}", how(await_end(&mut child))),
            Lost::TimedOut => {
                end(&mut child);
                format!("{worker} was ended: it was stuck {place} for {:?}", self.timeout)
            }
            Lost::Garbage(found) => {
                end(&mut child);
                format!("{worker} was ended: it sent what is not part of the protocol {place}: {found}")
            }
        };
        self.desk.set_status(bridgehead_abi::bridge::STATUS_UNEXPECTEDLY_DISCONNECTED);
        for door in &self.doors {
            // It may be closed already.
            drop(door.shutdown(std::net::Shutdown::Both));
        }
        (self.end.get_or_init(|| text).clone(), true)
    }

    /// The call that is running; a lifecycle call first, then the loops.
    fn running_call(&self) -> Option<&'static str> {
        self.running.iter().find_map(|running| *lock(running))
    }

    /// Ends the process: closes the lanes, on which it then runs `deinit`, and waits.
    pub(super) fn close(&self) {
        self.is_closing.store(true, Ordering::Release);
        for lane in &self.lanes {
            lock(lane).sender.close();
        }
        let mut child = lock(&self.child);
        if self.end.get().is_none() {
            _ = await_end(&mut child);
            self.end.get_or_init(|| "it was closed".to_owned());
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.end.get().is_none() {
            end(self.child.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner));
        }
    }
}

fn refusal_of(finding: &super::wire::Finding<'_>) -> Refusal {
    let code = Code::parse(finding.code).unwrap_or(Code::WorkerStart);
    let details = finding.details.iter().map(|line| (*line).to_owned()).collect();
    Refusal::new(code, finding.text.to_owned()).with_details(details)
}

/// Waits for a process that has closed its sockets or was told to end; ends it after a while.
fn await_end(child: &mut Child) -> Option<ExitStatus> {
    let deadline = clock::now() + GRACE;
    while clock::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return None,
        }
    }
    end(child);
    None
}

/// Ends a process and those that it has started.
fn end(child: &mut Child) {
    if matches!(child.try_wait(), Ok(None)) {
        kill_group(child.id());
    }
    if let Err(error) = child.kill().and_then(|()| child.wait().map(drop)) {
        log::warn!("worker process {} could not be ended: {error}", child.id());
    }
}

/// How a process ended, for messages.
fn how(status: Option<ExitStatus>) -> String {
    let Some(status) = status else { return "after it had closed its sockets".to_owned() };
    signal_text(status).unwrap_or_else(|| match status.code() {
        Some(code) => format!("by `exit({code})`"),
        None => "in an unknown way".to_owned(),
    })
}

/// Sends what needs no answer, until nobody is left who could say something.
fn send_signals(mut sender: LaneSender, to_send: &Receiver<Outgoing>) -> Result<(), Lost> {
    for outgoing in to_send {
        match outgoing {
            Outgoing::Interrupt => sender.send(&Signal::Interrupt)?,
            Outgoing::Reply { call, status, response } => {
                sender.send(&Signal::Reply { call, status, response: response.as_deref() })?;
            }
        }
    }
    Ok(())
}
