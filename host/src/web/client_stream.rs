//! The byte stream of one connection: ends if the client does not read for too long, or if its slot is needed.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::{Instant, Sleep, sleep};

use super::connection_slot::ConnectionSlot;

/// Longest time in which a client reads nothing of what is sent to it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The stream of a connection, which reports its progress to the slot of the connection.
pub(super) struct ClientStream {
    stream: TcpStream,
    slot: Arc<ConnectionSlot>,
    /// `None` once it was received.
    dismissed: Option<oneshot::Receiver<()>>,
    /// Ends the connection while `is_blocked`.
    deadline: Pin<Box<Sleep>>,
    is_blocked: bool,
}

impl ClientStream {
    pub(super) fn new(
        stream: TcpStream,
        slot: Arc<ConnectionSlot>,
        dismissed: oneshot::Receiver<()>,
    ) -> Self {
        let deadline = Box::pin(sleep(PATIENCE));
        ClientStream { stream, slot, dismissed: Some(dismissed), deadline, is_blocked: false }
    }

    /// Returns an error if the connection was told to end; otherwise this wakes the task.
    fn check(&mut self, context: &mut Context<'_>) -> Result<()> {
        if let Some(dismissed) = &mut self.dismissed
            && Pin::new(dismissed).poll(context).is_ready()
        {
            self.dismissed = None;
        }
        match self.dismissed {
            Some(_) => Ok(()),
            None => Err(Error::new(ErrorKind::ConnectionAborted, "other clients need its slot")),
        }
    }

    /// Passes on the result of a write, and ends the connection if it waits for too long.
    fn written(&mut self, context: &mut Context<'_>, written: Poll<Result<usize>>) -> Poll<Result<usize>> {
        if written.is_ready() {
            self.is_blocked = false;
            self.slot.sent();
            return written;
        }
        if !std::mem::replace(&mut self.is_blocked, true) {
            self.deadline.as_mut().reset(Instant::now() + PATIENCE);
            self.slot.blocked();
        }
        let late = || Error::new(ErrorKind::TimedOut, "the client does not read");
        self.deadline.as_mut().poll(context).map(|()| Err(late()))
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        self.check(context)?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.slot.received();
        }
        read
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
