//! The end of a worker process: awaited, enforced, and reported.

use std::process::{Child, ExitStatus};
use std::sync::PoisonError;
use std::time::Duration;

use super::{NO_CALL, Process, Stage};
use crate::clock;
use crate::plugin::probe::{kill_group, signal_text};
use crate::thread::lock;
use crate::worker::lane::{LINK_LOST, Lost};

/// Shortest time in which a process must be gone after it has closed its sockets, or was told to end.
const GRACE: Duration = Duration::from_secs(2);

impl Process {
    /// Ends a process whose call does not return.
    pub(in crate::worker) fn kill(&self, call: &'static str) {
        self.lose(call, &Lost::TimedOut);
    }

    /// Waits for the end of the process, or enforces it, and reports it, unless the library is loading. Returns the words
    /// for it. A process that is closed is left to [`Self::close`].
    pub(super) fn lose(&self, call: &'static str, lost: &Lost) -> String {
        // The first thread that notices waits and reports; the others wait for that thread, so that they report what they
        // could not do because of it after it.
        let mut child = lock(&self.child);
        if let Some(text) = self.end.get() {
            return text.clone();
        }
        let stage = *lock(&self.stage);
        if stage == Stage::Closing {
            return format!("{} was told to end", self.name());
        }
        let text = self.await_end_of(&mut child, call, lost);
        let text = self.end.get_or_init(|| text).clone();
        for door in &self.doors {
            // It may be closed already.
            drop(door.shutdown(std::net::Shutdown::Both));
        }
        if stage == Stage::Running {
            self.report(code_of(lost), &text);
        }
        text
    }

    /// Ends the process: closes the lanes, on which it then runs `deinit`, and waits as long as for any call.
    pub(in crate::worker) fn close(&self) {
        *lock(&self.stage) = Stage::Closing;
        for lane in &self.lanes {
            lock(lane).sender.close();
        }
        let mut child = lock(&self.child);
        if self.end.get().is_some() {
            return;
        }
        let status = await_end(&mut child, self.grace());
        self.end.get_or_init(|| "it was closed".to_owned());
        match status {
            Some(status) if status.success() => {}
            Some(_) => {
                let text = format!("{} ended {} instead of by its end", self.name(), how(status));
                self.report(code_of(&Lost::Ended), &text);
            }
            None => {
                let text = format!(
                    "{} was ended: it was not gone {:?} after it was told to end",
                    self.name(),
                    self.grace()
                );
                self.report(code_of(&Lost::TimedOut), &text);
            }
        }
    }

    fn report(&self, code: &'static str, text: &str) {
        let reporter = self.dispatcher.reporter();
        reporter.report_error(code, text);
        reporter.explain(text);
    }

    /// How long the process may take to be gone, also on a busy machine.
    fn grace(&self) -> Duration {
        self.timeout.max(GRACE)
    }

    /// Waits for the end of the process, or enforces it, and says how it ended.
    fn await_end_of(&self, child: &mut Child, call: &'static str, lost: &Lost) -> String {
        let worker = self.name();
        let place = self.place(call);
        match lost {
            Lost::Ended => format!("{worker} ended {place} {}", how(await_end(child, self.grace()))),
            Lost::TimedOut => {
                end(child);
                let is_loading = *lock(&self.stage) == Stage::Loading;
                let limit = if is_loading { self.loading_timeout } else { self.timeout };
                format!("{worker} was ended: it was stuck {place} for {limit:?}")
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
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.end.get().is_none() {
            end(self.child.get_mut().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

fn code_of(lost: &Lost) -> &'static str {
    match lost {
        Lost::Ended => "BH-PLG-140",
        Lost::TimedOut => "BH-PLG-141",
        Lost::Garbage(_) => "BH-PLG-142",
    }
}

/// Waits for a process that has closed its sockets or was told to end; ends it after `time`.
fn await_end(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let deadline = clock::now() + time;
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
        Some(code) if code == i32::from(LINK_LOST) => {
            "because its connection to the host was closed, for example by a plugin that closes descriptors"
                .to_owned()
        }
        Some(code) => format!("by `exit({code})`"),
        None => "in an unknown way".to_owned(),
    })
}
