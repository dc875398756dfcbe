//! One connection: reads messages for the protocol and sends what waits, both in one task.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::callback::call;
use crate::link::Link;
use crate::lock::lock;
use crate::outgoing::Step;
use crate::protocol::Protocol;
use crate::report::{Kind, warn};

/// Longest time to wait for the other side after a close frame.
const GRACE: Duration = Duration::from_secs(1);
/// Longest time for what is queued when the server ends.
const LAST: Duration = Duration::from_millis(1500);
/// Pings without an answer, after whose last interval a connection is closed.
const PINGS: u32 = 2;
/// Longest reason of a close frame in bytes.
const LONGEST_REASON: usize = 123;
/// Bytes that are read at once.
const READ_BUFFER: usize = 16 << 10;

/// Close codes of RFC 6455.
const AWAY: u16 = 1001;
const MALFORMED: u16 = 1002;
const TOO_LARGE: u16 = 1009;
const INTERNAL: u16 = 1011;

/// Deadlines of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadlines {
    pub(crate) write: Duration,
    pub(crate) ping: Duration,
}

/// Returns the settings of the library for messages of at most `max_message` bytes.
pub(crate) fn config(max_message: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .max_message_size(Some(max_message))
        .max_frame_size(Some(max_message))
}

/// A client of the protocol, from `opened` to `closed`.
struct Opened<P: Protocol> {
    protocol: Arc<P>,
    client: P::Client,
    link: Link,
}

impl<P: Protocol> Drop for Opened<P> {
    fn drop(&mut self) {
        self.link.end();
        call(&*self.protocol, "the end of a connection", self.link.peer(), |protocol| {
            protocol.closed(&self.client)
        });
    }
}

/// Serves one connection until it ends, or until `stop` is true.
pub(crate) async fn serve<P, S>(
    protocol: Arc<P>,
    socket: WebSocketStream<S>,
    link: Link,
    deadlines: Deadlines,
    stop: watch::Receiver<bool>,
) where
    P: Protocol,
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut end = stop.clone();
    let (sink, stream) = socket.split();
    let last_received = Mutex::new(Instant::now());
    let mut writer = Writer {
        link: link.clone(),
        sink,
        deadlines,
        last_received: &last_received,
        last_ping: Instant::now(),
        unanswered: 0,
        stop,
    };
    let Some(client) = call(&*protocol, "a new connection", link.peer(), |protocol| protocol.opened(&link))
    else {
        return drop(writer.close(INTERNAL, "the bridge failed").await);
    };
    let opened = Opened { protocol, client, link };
    let mut reading = std::pin::pin!(read(&opened, stream, &last_received));
    let mut writing = std::pin::pin!(writer.run(&opened));
    tokio::select! {
        ended = &mut reading => {
            if let Ended::Fault(code, reason) = ended {
                opened.link.close(code, &reason);
                drop(timeout(GRACE, writing).await);
            }
        }
        sent = &mut writing => {
            if sent == Sent::Close {
                drop(timeout(GRACE, reading).await);
            }
        }
        // What is queued is sent before, as far as the other side takes it.
        () = async { stopped(&mut end).await; sleep(LAST).await } => {}
    }
}

/// Why reading ended.
enum Ended {
    /// The other side has closed the connection, or it is lost.
    Gone,
    /// The other side broke a rule.
    Fault(u16, String),
}

/// Reads messages until the connection ends.
async fn read<P, S>(
    opened: &Opened<P>,
    mut stream: SplitStream<WebSocketStream<S>>,
    last_received: &Mutex<Instant>,
) -> Ended
where
    P: Protocol,
    S: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        let message = match stream.next().await {
            Some(Ok(message)) => message,
            Some(Err(error)) => return fault(opened, &error),
            None => return Ended::Gone,
        };
        *lock(last_received) = Instant::now();
        match message {
            Message::Text(text) => receive(opened, |protocol, client| protocol.text(client, &text)),
            Message::Binary(bytes) => receive_binary(opened, bytes),
            Message::Close(_) => {
                // The library answers it when it reads again.
                drop(timeout(GRACE, stream.next()).await);
                return Ended::Gone;
            }
            // The library answers pings.
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
        // Other clients have their turn after each message, and after each part of its work.
        tokio::task::yield_now().await;
        while proceed(opened) {
            tokio::task::yield_now().await;
        }
    }
}

/// Has the protocol continue its work for the last message. Returns true if there is more.
fn proceed<P: Protocol>(opened: &Opened<P>) -> bool {
    let mut has_more = false;
    receive(opened, |protocol, client| has_more = protocol.proceed(client));
    has_more
}

fn receive_binary<P: Protocol>(opened: &Opened<P>, bytes: Bytes) {
    receive(opened, |protocol, client| protocol.binary(client, bytes));
}

/// Calls the protocol with a message, unless the connection is about to be closed.
fn receive<P: Protocol>(opened: &Opened<P>, code: impl FnOnce(&P, &P::Client)) {
    if !opened.link.is_open() {
        return;
    }
    let called =
        call(&*opened.protocol, "a message", opened.link.peer(), |protocol| code(protocol, &opened.client));
    match called {
        Some(()) => opened.link.wake(),
        None => opened.link.close(INTERNAL, "the bridge failed"),
    }
}

fn fault<P: Protocol>(opened: &Opened<P>, error: &Error) -> Ended {
    let (code, text) = match error {
        Error::Capacity(_) => (TOO_LARGE, "the message is over the limit of the server".to_owned()),
        Error::Utf8(_) => (1007, "a text message is not UTF-8".to_owned()),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => return Ended::Gone,
        Error::Protocol(error) => (MALFORMED, error.to_string()),
        _ => return Ended::Gone,
    };
    let peer = opened.link.peer();
    let line = format!("the client {peer} is disconnected: {text}");
    warn(&*opened.protocol, Kind::Fault, &line);
    Ended::Fault(code, text)
}

/// Why sending ended.
#[derive(Debug, PartialEq, Eq)]
enum Sent {
    /// A close frame was sent.
    Close,
    /// The connection is lost.
    Lost,
}

struct Writer<'a, S> {
    link: Link,
    sink: SplitSink<WebSocketStream<S>, Message>,
    deadlines: Deadlines,
    last_received: &'a Mutex<Instant>,
    last_ping: Instant,
    /// Pings since the last message of the other side.
    unanswered: u32,
    stop: watch::Receiver<bool>,
}

/// The connection is lost, or the other side does not read.
struct Lost;

impl<S: AsyncRead + AsyncWrite + Unpin> Writer<'_, S> {
    /// Sends until the connection ends.
    async fn run<P: Protocol>(&mut self, opened: &Opened<P>) -> Sent {
        match self.try_run(opened).await {
            Ok(()) => Sent::Close,
            Err(Lost) => Sent::Lost,
        }
    }

    async fn try_run<P: Protocol>(&mut self, opened: &Opened<P>) -> Result<(), Lost> {
        let mut due = None;
        let link = self.link.clone();
        loop {
            // Also while data waits: a client that reads slowly is not silent.
            self.ask_if_silent(opened).await?;
            match link.take() {
                Some(Step::Poll) => {
                    due = self.poll(opened);
                    // Other clients have their turn, also if the protocol has more to do.
                    tokio::task::yield_now().await;
                    continue;
                }
                Some(Step::ReportLoss(count)) => {
                    self.report_loss(opened, count).await?;
                    continue;
                }
                Some(Step::Send(frame)) => {
                    self.feed(opened, frame.into_message()).await?;
                    continue;
                }
                Some(Step::Close(code, reason)) => return self.close(code, &reason).await,
                None => self.flush(opened).await?,
            }
            let next = due.into_iter().fold(self.next_ping(), Instant::min);
            tokio::select! {
                () = link.changed() => {}
                () = sleep_until(next) => {
                    if due.is_some_and(|due| due <= next) {
                        link.wake();
                    }
                }
                () = stopped(&mut self.stop) => link.finish(AWAY, "the server ends"),
            }
        }
    }

    /// Returns when the other side has been silent for an interval.
    fn next_ping(&self) -> Instant {
        (*lock(self.last_received)).max(self.last_ping) + self.deadlines.ping
    }

    /// Sends a ping if the other side is silent. Closes the connection if it has not answered others.
    async fn ask_if_silent<P: Protocol>(&mut self, opened: &Opened<P>) -> Result<(), Lost> {
        if *lock(self.last_received) > self.last_ping {
            self.unanswered = 0;
        }
        let now = Instant::now();
        if now < self.next_ping() {
            return Ok(());
        }
        if self.unanswered >= PINGS {
            self.link.close(AWAY, "the client does not answer pings");
            return Ok(());
        }
        (self.last_ping, self.unanswered) = (now, self.unanswered + 1);
        self.feed(opened, Message::Ping(Bytes::new())).await
    }

    /// Calls the protocol and returns when it is due again.
    fn poll<P: Protocol>(&self, opened: &Opened<P>) -> Option<Instant> {
        let polled =
            call(&*opened.protocol, "a poll", self.link.peer(), |protocol| protocol.poll(&opened.client));
        match polled {
            Some(due) => due.map(|after| Instant::now() + after),
            None => {
                self.link.close(INTERNAL, "the bridge failed");
                None
            }
        }
    }

    async fn report_loss<P: Protocol>(&mut self, opened: &Opened<P>, count: u64) -> Result<(), Lost> {
        match call(&*opened.protocol, "a report of lost messages", self.link.peer(), |protocol| {
            protocol.lost(&opened.client, count)
        }) {
            Some(Some(frame)) => self.feed(opened, frame.into_message()).await,
            Some(None) => Ok(()),
            None => {
                self.link.close(INTERNAL, "the bridge failed");
                Ok(())
            }
        }
    }

    async fn feed<P: Protocol>(&mut self, opened: &Opened<P>, message: Message) -> Result<(), Lost> {
        let sent = timeout(self.deadlines.write, self.sink.feed(message)).await;
        self.check(opened, sent.is_err(), matches!(sent, Ok(Ok(()))))
    }

    async fn flush<P: Protocol>(&mut self, opened: &Opened<P>) -> Result<(), Lost> {
        let sent = timeout(self.deadlines.write, self.sink.flush()).await;
        self.check(opened, sent.is_err(), matches!(sent, Ok(Ok(()))))
    }

    fn check<P: Protocol>(&self, opened: &Opened<P>, is_late: bool, is_sent: bool) -> Result<(), Lost> {
        if is_late {
            let (peer, seconds) = (self.link.peer(), self.deadlines.write.as_secs_f64());
            let line = format!("the client {peer} is disconnected, because it has not read for {seconds} s");
            warn(&*opened.protocol, Kind::Fault, &line);
        }
        if is_sent { Ok(()) } else { Err(Lost) }
    }

    async fn close(&mut self, code: u16, reason: &str) -> Result<(), Lost> {
        let end = reason.floor_char_boundary(LONGEST_REASON);
        let frame = CloseFrame { code: CloseCode::from(code), reason: reason[..end].into() };
        let sent = timeout(GRACE, self.sink.send(Message::Close(Some(frame)))).await;
        if matches!(sent, Ok(Ok(()))) { Ok(()) } else { Err(Lost) }
    }
}

/// Waits until the server or client ends.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error says that the owner is gone.
    drop(stop.wait_for(|stop| *stop).await);
}
