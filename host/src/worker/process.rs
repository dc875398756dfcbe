//! A worker process as the host sees it: starts it, calls the plugin in it, and ends it if it does not behave.
//!
//! A worker that ends before it was told to is reported once, with the plugin and the call that was running. Calls of a
//! worker that has ended return a failure. Usable from any thread.

use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bridgehead_abi::{Status, status};

use super::desk::{Desk, Outgoing};
use super::end::{await_end, end, how};
use super::endpoint::Numbers;
use super::lane::{LaneSender, LaneSocket, Lost};
use super::launch::{Image, command};
use super::memory::SharedMemory;
use super::wire::{Call, FromWorker, Lane, Loaded, Returned, Signal, ToWorker};
use crate::plugin::{Code, Refusal};
use crate::thread::{lock, spawn};
use crate::watchdog::Counted;
use crate::{call, clock};

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

const INTERRUPT: &str = "interrupt";

/// The lanes on which the host calls.
const CALL_LANES: [Lane; 3] = [Lane::Main, Lane::Transmit, Lane::Receive];

/// A running worker.
pub(super) struct Process {
    /// `car1/udp`, or the name of the library.
    label: String,
    id: u32,
    /// Time in which its threads wait for a processor is no time of its calls.
    _counted: Counted,
    timeout: Duration,
    child: Mutex<Child>,
    lanes: [Mutex<LaneSocket>; CALL_LANES.len()],
    /// The same sockets, to close them while threads wait at the lanes: the worker may have children that keep the other
    /// ends open.
    doors: Vec<UnixStream>,
    /// The calls that are running on the lanes, and `interrupt` last.
    running: [Mutex<Option<&'static str>>; CALL_LANES.len() + 1],
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
        let memory = SharedMemory::create().map_err(|error| {
            Refusal::new(Code::WorkerStart, format!("there is no shared memory for a worker: {error}"))
        })?;
        let memory = Arc::new(memory);
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
            _counted: Counted::new(child.id()),
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
                // Returned instead of reported.
                self.is_closing.store(true, Ordering::Release);
                let is_late = lost == Lost::TimedOut;
                let text = self.lose("loading", &lost);
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
        let deadline = (!call.is_unlimited()).then(|| clock::now() + self.timeout);
        let (Some(socket), Some(running)) = (self.lanes.get(lane.number()), self.running.get(lane.number()))
        else {
            return Err(status::FATAL);
        };
        if let Some(end) = self.end.get() {
            self.desk.reporter().explain(end);
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
            let lost = match served {
                Ok(()) => continue,
                Err(Lost::TimedOut) if !self.has_exited() => continue,
                Err(Lost::TimedOut) => Lost::Ended,
                Err(lost) => lost,
            };
            self.lose(NO_CALL, &lost);
            return;
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

    /// Lets the plugin's `interrupt` run, and waits until it has returned: what is called next comes after it, and its end
    /// is the plugin's last act if it crashes.
    pub(super) fn interrupt(&self) {
        if self.has_ended() {
            return;
        }
        let before = self.desk.interrupts();
        let running = self.running.last();
        running.inspect(|running| *lock(running) = Some(INTERRUPT));
        self.tell(Outgoing::Interrupt);
        let deadline = clock::now() + self.timeout;
        while !self.has_ended() && !self.desk.await_interrupt(before, LOOK) {
            if clock::now() > deadline {
                self.kill(INTERRUPT);
            }
        }
        running.inspect(|running| *lock(running) = None);
    }

    /// Returns true if the process has ended or was ended.
    pub(super) fn has_ended(&self) -> bool {
        self.end.get().is_some()
    }

    /// Ends a process whose call does not return.
    pub(super) fn kill(&self, call: &'static str) {
        self.lose(call, &Lost::TimedOut);
    }

    /// Waits for the end of the process, or enforces it, and reports it, unless it was told to end. Returns the words for
    /// it.
    fn lose(&self, call: &'static str, lost: &Lost) -> String {
        // The first thread that notices waits and reports; the others wait for that thread, so that they report what they
        // could not do because of it after it.
        let mut child = lock(&self.child);
        if let Some(text) = self.end.get() {
            return text.clone();
        }
        let is_expected = self.is_closing.load(Ordering::Acquire);
        let text = self.await_end_of(&mut child, call, lost);
        self.desk.set_status(bridgehead_abi::bridge::STATUS_UNEXPECTEDLY_DISCONNECTED);
        for door in &self.doors {
            // It may be closed already.
            drop(door.shutdown(std::net::Shutdown::Both));
        }
        let text = self.end.get_or_init(|| text).clone();
        if !is_expected {
            self.report(code_of(lost), &text);
        }
        text
    }

    fn report(&self, code: &'static str, text: &str) {
        let reporter = self.desk.reporter();
        reporter.report_error(code, text);
        reporter.explain(text);
    }

    /// Waits for the end of the process, or enforces it, and says how it ended.
    fn await_end_of(&self, child: &mut Child, call: &'static str, lost: &Lost) -> String {
        let worker = self.name();
        let place = self.place(call);
        match lost {
            Lost::Ended => format!("{worker} ended {place} {}", how(await_end(child))),
            Lost::TimedOut => {
                end(child);
                format!("{worker} was ended: it was stuck {place} for {:?}", self.timeout)
            }
            Lost::Garbage(found) => {
                end(child);
                format!("{worker} was ended: it sent what is not part of the protocol {place}: {found}")
            }
        }
    }

    fn name(&self) -> String {
        format!("the worker of `{}` (process {})", self.label, self.id)
    }

    /// Where the plugin is: in the calls that are running, of which one is the cause, or else in `call`.
    fn place(&self, call: &'static str) -> String {
        let running = self.running.iter().filter_map(|running| *lock(running));
        let mut calls: Vec<String> = running.map(|call| format!("`{call}`")).collect();
        if calls.is_empty() && call != NO_CALL {
            calls.push(format!("`{call}`"));
        }
        if calls.is_empty() { "outside of any call".to_owned() } else { format!("in {}", calls.join(" or ")) }
    }

    /// Ends the process: closes the lanes, on which it then runs `deinit`, and waits.
    pub(super) fn close(&self) {
        self.is_closing.store(true, Ordering::Release);
        for lane in &self.lanes {
            lock(lane).sender.close();
        }
        let mut child = lock(&self.child);
        if self.end.get().is_none() {
            let status = await_end(&mut child);
            self.end.get_or_init(|| "it was closed".to_owned());
            if !status.is_some_and(|status| status.success()) {
                let text = format!("{} ended {} instead of by its end", self.name(), how(status));
                self.report(code_of(&Lost::Ended), &text);
            }
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

fn code_of(lost: &Lost) -> &'static str {
    match lost {
        Lost::Ended => "BH-PLG-140",
        Lost::TimedOut => "BH-PLG-141",
        Lost::Garbage(_) => "BH-PLG-142",
    }
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
