//! A worker process as the host sees it: starts it, calls the plugin in it, and ends it if it does not behave.
//!
//! A worker that ends before it was told to is reported once, with the plugin and the call that was running. Calls of a
//! worker that has ended return a failure. Usable from any thread.

use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bridgehead_abi::{Status, bridge as raw, status};

use super::connection::LastConnection;
use super::dispatcher::{Dispatcher, Outgoing};
use super::lane::{LaneSender, LaneSocket, Lost};
use super::launch::{Image, command};
use super::made::Numbers;
use super::memory::SharedMemory;
use super::wire::{Call, Connection, FromWorker, Lane, Loaded, Returned, Signal, ToWorker};
use crate::plugin::{Code, Refusal};
use crate::thread::{lock, spawn};
use crate::watchdog::Counted;
use crate::{call, clock};

mod end;

#[cfg(test)]
mod tests;

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
    /// For each call.
    timeout: Duration,
    loading_timeout: Duration,
    child: Mutex<Child>,
    lanes: [Mutex<LaneSocket>; CALL_LANES.len()],
    /// The same sockets, to close them while threads wait at the lanes: the worker may have children that keep the other
    /// ends open.
    doors: Vec<UnixStream>,
    /// The calls that are running on the lanes, and `interrupt` last.
    running: [Mutex<Option<&'static str>>; CALL_LANES.len() + 1],
    outgoing: Sender<Outgoing>,
    memory: SharedMemory,
    dispatcher: Arc<Dispatcher>,
    /// Why it has ended.
    end: OnceLock<String>,
    stage: Mutex<Stage>,
    connection: LastConnection,
}

/// Decides what the end of a worker means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It loads the library: its end is returned instead of reported.
    Loading,
    /// Its end is reported.
    Running,
    /// It was told to end: only an end in another way is reported.
    Closing,
}

impl Process {
    /// Starts a worker and waits until it has loaded the library.
    ///
    /// # Errors
    /// Returns an error if the process cannot be started, or if the library is refused, crashes or does not finish loading.
    pub(super) fn start(
        image: &Image,
        label: &str,
        dispatcher: Arc<Dispatcher>,
    ) -> Result<(Arc<Self>, LoadedLibrary), Refusal> {
        let failed =
            |error: std::io::Error| Refusal::new(Code::WorkerStart, format!("no worker process: {error}"));
        let memory = SharedMemory::create().map_err(|error| {
            Refusal::new(Code::WorkerStart, format!("there is no shared memory for a worker: {error}"))
        })?;
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
        let process =
            Self::new(label, child, ours, (dispatcher, memory), [image.limits.time, image.loading()])
                .map_err(failed)?;
        let loaded = process.await_library()?;
        Ok((process, loaded))
    }

    /// Starts the threads for a process that has the other ends of the sockets: those of the lanes, and that of the signals.
    fn new(
        label: &str,
        child: Child,
        ours: Vec<UnixStream>,
        (dispatcher, memory): (Arc<Dispatcher>, SharedMemory),
        [timeout, loading_timeout]: [Duration; 2],
    ) -> std::io::Result<Arc<Self>> {
        let (outgoing, to_send) = channel();
        let doors: std::io::Result<Vec<UnixStream>> =
            ours.iter().take(CALL_LANES.len()).map(UnixStream::try_clone).collect();
        let doors = doors?;
        let mut sockets = ours.into_iter().map(LaneSocket::new);
        let mut next = || sockets.next().unwrap_or_else(|| Err(std::io::ErrorKind::NotFound.into()));
        let lanes = [next()?, next()?, next()?].map(Mutex::new);
        let (others, signals) = (next()?, next()?);
        let process = Arc::new(Process {
            label: label.to_owned(),
            id: child.id(),
            _counted: Counted::new(child.id()),
            timeout,
            loading_timeout,
            child: Mutex::new(child),
            lanes,
            doors,
            running: Default::default(),
            outgoing,
            memory,
            dispatcher,
            end: OnceLock::new(),
            stage: Mutex::new(Stage::Loading),
            connection: LastConnection::default(),
        });
        process.start_threads(others, signals.sender, to_send)?;
        Ok(process)
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
        let deadline = clock::now() + self.loading_timeout;
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
            Ok(Ok(loaded)) => {
                *lock(&self.stage) = Stage::Running;
                Ok(loaded)
            }
            Ok(Err(refusal)) => {
                self.close();
                Err(refusal)
            }
            Err(lost) => {
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
            self.dispatcher.reporter().explain(end);
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
                    let parts = (&self.memory, &self.outgoing, &self.connection);
                    let answer = self.dispatcher.answer::<Numbers>(&request, lane, parts);
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
        let before = self.dispatcher.interrupts();
        let running = self.running.last();
        running.inspect(|running| *lock(running) = Some(INTERRUPT));
        self.tell(Outgoing::Interrupt);
        let deadline = clock::now() + self.timeout;
        while !self.has_ended() && !self.dispatcher.await_interrupt(before, LOOK) {
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

    /// The status of the connection. What was read before the process ended counts no longer.
    pub(super) fn status(&self) -> u32 {
        if self.has_ended() { raw::STATUS_UNEXPECTEDLY_DISCONNECTED } else { self.connection.status() }
    }

    pub(super) fn update_status(&self, connection: Connection) {
        self.connection.update(connection);
    }
}

fn refusal_of(finding: &super::wire::Finding<'_>) -> Refusal {
    let code = Code::parse(finding.code).unwrap_or(Code::WorkerStart);
    let details = finding.details.iter().map(|line| (*line).to_owned()).collect();
    Refusal::new(code, finding.text.to_owned()).with_details(details)
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
