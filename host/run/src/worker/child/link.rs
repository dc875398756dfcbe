//! The connection to the host: one socket for each lane, and which lane a thread uses.
//!
//! A thread that serves a lane makes its requests on that lane, while it makes a call; all other threads share one.

use std::cell::Cell;
use std::sync::{Mutex, OnceLock};

use crate::thread::lock;
use crate::worker::lane::{LINK_LOST, LaneSocket, Lost};
use crate::worker::memory::{SMALLEST, SharedMemory};
use crate::worker::wire::{Answer, Bytes, Call, FromWorker, Lane, Request, ToWorker};
use crate::{call, crash};

thread_local! {
    /// The lane of this thread.
    static LANE: Cell<Lane> = const { Cell::new(Lane::Others) };
}

/// All sockets, and the shared memory.
pub(super) struct Link {
    /// The sockets of the lanes, in their order; `None` until the thread of a lane has adopted it.
    lanes: [Mutex<Option<LaneSocket>>; Lane::ALL.len()],
    pub(super) memory: SharedMemory,
}

impl Link {
    pub(super) fn new(others: LaneSocket, memory: SharedMemory) -> Self {
        let lanes = [Mutex::new(None), Mutex::new(None), Mutex::new(None), Mutex::new(Some(others))];
        Link { lanes, memory }
    }

    /// Makes a lane that of this thread.
    pub(super) fn adopt(&self, lane: Lane, socket: LaneSocket) {
        if let Some(place) = self.lanes.get(lane.number()) {
            *lock(place) = Some(socket);
        }
        LANE.set(lane);
    }

    /// Runs `act` with the socket of a lane.
    fn with<T>(&self, lane: Lane, act: impl FnOnce(&mut LaneSocket) -> Result<T, Lost>) -> Result<T, Lost> {
        let place = self.lanes.get(lane.number()).ok_or(Lost::Ended)?;
        act(lock(place).as_mut().ok_or(Lost::Ended)?)
    }

    /// Sends a value on a lane.
    pub(super) fn send(&self, lane: Lane, value: &FromWorker<'_>) -> Result<(), Lost> {
        self.with(lane, |socket| socket.sender.send(value))
    }

    /// Waits for the next call on a lane, and makes it. The lane is free for requests while the call runs, because the call
    /// is copied.
    pub(super) fn next_call<T>(&self, lane: Lane, make: impl FnOnce(Call<'_>) -> T) -> Result<T, Lost> {
        let bytes = self.with(lane, |socket| socket.receiver.receive_bytes(None).map(<[u8]>::to_vec))?;
        match postcard::from_bytes::<ToWorker<'_>>(&bytes) {
            Ok(ToWorker::Call(call)) => Ok(make(call)),
            Ok(ToWorker::Answer(answer)) => Err(Lost::Garbage(format!("an answer to nothing: {answer:?}"))),
            Err(error) => Err(Lost::Garbage(error.to_string())),
        }
    }

    /// Asks the host, on the lane of this thread. `read` must not make a request.
    ///
    /// Without a host there is nothing left to do, so the process ends.
    pub(super) fn ask<T>(&self, request: Request<'_>, read: impl FnOnce(Answer<'_>) -> T) -> T {
        // The sockets are those of the parent: a child that the plugin has forked has no say in the run.
        if call::is_child() {
            crash::leave(LINK_LOST);
        }
        let asked = self.with(LANE.get(), |socket| {
            let LaneSocket { sender, receiver } = socket;
            sender.send(&FromWorker::Request(request))?;
            match receiver.receive::<ToWorker<'_>>(None)? {
                ToWorker::Answer(answer) => Ok(read(answer)),
                ToWorker::Call(call) => Err(Lost::Garbage(format!("a call instead of an answer: {call:?}"))),
            }
        });
        asked.unwrap_or_else(|_| crash::leave(LINK_LOST))
    }

    /// Tells the host something whose answer says nothing. On return the host has taken note of it.
    pub(super) fn tell(&self, request: Request<'_>) {
        self.ask(request, |_| ());
    }

    /// Asks the host with a payload: in the shared memory if it is large.
    pub(super) fn ask_with<T>(
        &self,
        bytes: &[u8],
        request: impl for<'a> FnOnce(Bytes<'a>) -> Request<'a>,
        read: impl FnOnce(Answer<'_>) -> T,
    ) -> T {
        let lane = LANE.get();
        // The slot belongs to the lane, which other threads may share.
        let _shared = (lane == Lane::Others && bytes.len() >= SMALLEST).then(|| lock(&OTHERS_SLOT));
        let payload = match (bytes.len() >= SMALLEST).then(|| self.memory.put(lane, bytes)) {
            Some(Ok(slot)) => Bytes::Shared { slot, len: bytes.len() as u64 },
            Some(Err(_)) | None => Bytes::Inline(bytes),
        };
        self.ask(request(payload), read)
    }
}

/// Held while the slot of [`Lane::Others`] is in use.
static OTHERS_SLOT: Mutex<()> = Mutex::new(());

/// The connection to the host.
pub(super) static LINK: OnceLock<Link> = OnceLock::new();

/// The connection to the host; it exists before any code of the plugin runs.
pub(super) fn link() -> &'static Link {
    LINK.get().unwrap_or_else(|| crash::leave(1))
}
