//! A WebSocket: sends the subscribed messages to a client, until the client or the server ends.
//!
//! One task serves one client, alternating between reading and writing. Messages of the run go through the
//! [`Mailbox`], so a slow client delays only itself.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::status;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use super::app::App;
use super::connection_slot::ConnectionSlot;
use super::endpoint::Endpoint;
use super::listen::told_to_stop;
use super::log_lines::{LOG, LogReader};
use super::mailbox::{FEEDBACK, Mailbox, MailboxObserver, Named, STATE, Update};
use super::message::{ClientMessage, Writer};
use super::pace::Pace;
use super::problem::Problem;
use super::scene::{POSES, Poses};
use super::{call, log_lines, message, scene};

/// Largest message of a client.
pub(super) const LONGEST: usize = 64 << 10;
/// Longest time to send one message to a client.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// Interval of pings to a silent client, and the longest silence.
const ASK: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);
/// Largest number of subscriptions of one client.
pub(super) const MAX: usize = 64;
/// Default rate of polled subjects.
const PERIOD: Duration = Duration::from_secs(1);

/// The subprotocol of clients that name one, as browsers must that send a token.
pub(super) const PROTOCOL: &str = "bridgehead";

/// What can be subscribed to.
const KNOWN: &str = "state, feedback, status, statistics, poses, log or topic:/NAME";

/// Polled subjects, and the services that return them.
const LOOKED_UP: [(&str, &str); 2] = [("status", "get_status"), ("statistics", "get_statistics")];

/// `/ws`
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Extension(slot): Extension<Arc<ConnectionSlot>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    match upgrade {
        Ok(upgrade) => {
            let serve = |socket| async move {
                Client::new(&app, socket, slot).serve().await;
            };
            let upgrade = upgrade.protocols([PROTOCOL]);
            upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).on_upgrade(serve)
        }
        Err(refusal) => not_upgraded(&refusal),
    }
}

/// The response to a request that does not begin a WebSocket.
pub(super) fn not_upgraded(refusal: &WebSocketUpgradeRejection) -> Response {
    let problem = Problem::new(StatusCode::UPGRADE_REQUIRED, "BH-WEB-050", refusal.body_text());
    problem.header(axum::http::header::UPGRADE, "websocket").into_response()
}

/// One client.
struct Client<'a> {
    app: &'a App,
    socket: WebSocket,
    slot: Arc<ConnectionSlot>,
    mailbox: Arc<Mailbox>,
    writer: Writer,
    /// Whether events are put into the mailbox.
    is_listening: bool,
    /// The poses that the client has, if it subscribed to them.
    poses: Option<Poses>,
    /// How far the client has read the log.
    log: LogReader,
    /// Subscriptions with a rate.
    paced: BTreeMap<Arc<str>, Pace>,
    heard_at: Instant,
    asked_at: Instant,
}

/// The client has disconnected.
pub(super) struct Gone;

impl<'a> Client<'a> {
    fn new(app: &'a App, socket: WebSocket, slot: Arc<ConnectionSlot>) -> Self {
        let now = Instant::now();
        slot.serves_socket(false);
        Client {
            app,
            socket,
            slot,
            mailbox: Arc::default(),
            writer: Writer::default(),
            is_listening: false,
            poses: None,
            log: LogReader::default(),
            paced: BTreeMap::new(),
            heard_at: now,
            asked_at: now,
        }
    }

    async fn serve(mut self) {
        let mut stop = self.app.stop.clone();
        // An error is a client that is gone, which is no update.
        if self.converse(&mut stop).await.is_ok() {
            let frame = CloseFrame { code: close_code::AWAY, reason: "the run ended".into() };
            drop(self.write(Message::Close(Some(frame))).await);
        }
    }

    /// Serves the client until the server stops.
    async fn converse(&mut self, stop: &mut watch::Receiver<bool>) -> Result<(), Gone> {
        loop {
            let due = self.next_due();
            let said = tokio::select! {
                said = self.socket.recv() => Some(said.ok_or(Gone)?.map_err(|_| Gone)?),
                () = self.mailbox.filled() => None,
                () = sleep_until(due) => None,
                () = told_to_stop(stop) => return self.send_waiting().await,
            };
            if let Some(said) = said {
                self.heard_at = Instant::now();
                self.hear(said).await?;
                self.slot.serves_socket(self.subscriptions() > 0);
            }
            self.send_waiting().await?;
            self.send_due().await?;
            self.ask_after().await?;
        }
    }

    /// Returns the time of the next action without an event.
    fn next_due(&self) -> Instant {
        let is_there = |(what, pace): &(&Arc<str>, &Pace)| pace.is_polled || self.mailbox.has_newer(what);
        let paced = self.paced.iter().filter(is_there).map(|(_, pace)| pace.due);
        paced.fold(self.asked_at.max(self.heard_at) + ASK, Instant::min)
    }

    async fn hear(&mut self, said: Message) -> Result<(), Gone> {
        let text = match said {
            Message::Text(text) => text,
            Message::Close(_) => return Err(Gone),
            // The library answers pings; a pong says that the client is there, which is noted.
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) => {
                return self.send(message::error(message::no_binary(), None)).await;
            }
        };
        match message::read(&text) {
            Err(problem) => self.send(message::error(problem, None)).await,
            Ok(ClientMessage::Unsubscribe { what }) => {
                let was_wanted = self.mailbox.unwant(&what) | self.paced.remove(&*what).is_some();
                let answer = if was_wanted {
                    message::done("unsubscribed", &what)
                } else {
                    message::not_subscribed(&what)
                };
                self.send(answer).await
            }
            Ok(ClientMessage::Subscribe { what, rate }) => match self.subscribe(&what, rate) {
                Ok(()) => self.send(message::done("subscribed", &what)).await,
                Err(problem) => self.send(message::error(problem, Some(&what))).await,
            },
        }
    }

    fn subscribe(&mut self, what: &str, rate: Option<f64>) -> Result<(), Problem> {
        let name: Arc<str> = Arc::from(what);
        let period = rate.map(|rate| Duration::from_secs_f64(1.0 / rate));
        // Subscribed anew, it begins anew: the rate may be another.
        let is_known = self.mailbox.unwant(what) | self.paced.remove(what).is_some();
        if !is_known && self.subscriptions() >= MAX {
            return Err(message::too_many(MAX));
        }
        if let Some((_, service)) = LOOKED_UP.iter().find(|(known, _)| *known == what) {
            let service = Some(self.service(service)?);
            let (period, due) = (period.unwrap_or(PERIOD), Instant::now());
            self.paced.insert(name, Pace { period, due, is_polled: true, service });
            return Ok(());
        }
        if what == POSES {
            let (period, due) = (period.unwrap_or(scene::PERIOD), Instant::now());
            self.paced.insert(name, Pace { period, due, is_polled: true, service: None });
            self.poses = Some(Poses::default());
            return Ok(());
        }
        if what == LOG {
            let (period, due) = (period.unwrap_or(log_lines::PERIOD), Instant::now());
            self.paced.insert(name, Pace { period, due, is_polled: true, service: None });
            self.log = LogReader::default();
            return Ok(());
        }
        match what.strip_prefix("topic:") {
            Some(topic) if topic.starts_with('/') => {
                let number = self.mailbox.want(&name, period.is_some());
                self.app.control.observe(topic, Box::new(MailboxObserver::new(&self.mailbox, &name, number)));
            }
            _ if what == FEEDBACK => {
                self.mailbox.want(&name, period.is_some());
                self.listen();
            }
            _ if what == STATE => {
                self.listen();
                self.begin_state(&name, period.is_some())?;
            }
            _ => return Err(message::unknown(what, KNOWN)),
        }
        if let Some(period) = period {
            self.paced.insert(name, Pace { period, due: Instant::now(), is_polled: false, service: None });
        }
        Ok(())
    }

    fn subscriptions(&self) -> usize {
        self.mailbox.count() + self.paced.values().filter(|pace| pace.is_polled).count()
    }

    /// Subscribes the mailbox to events.
    fn listen(&mut self) {
        if !std::mem::replace(&mut self.is_listening, true) {
            let mailbox = Arc::downgrade(&self.mailbox);
            let hear = move |event: &_| mailbox.upgrade().inspect(|mailbox| mailbox.hear(event)).is_some();
            self.app.control.listen(Box::new(hear));
        }
    }

    /// Starts with the current state. It is read on the simulation thread, like its changes, so no change is missed
    /// or out of order.
    fn begin_state(&self, name: &Arc<str>, at_a_rate: bool) -> Result<(), Problem> {
        let service = self.service("get_status")?;
        let (mailbox, name) = (Arc::clone(&self.mailbox), Arc::clone(name));
        let number = mailbox.expect(&name, at_a_rate);
        let begin = move |outcome, response: Option<Payload>| {
            if let (status::OK, Some(response)) = (outcome, response) {
                mailbox.begin(&name, number, Update::Status(response));
            }
        };
        service.point.call(Payload::from_vec(Vec::new()), Box::new(begin));
        Ok(())
    }

    fn service(&self, declared: &str) -> Result<Arc<Endpoint>, Problem> {
        let found = self.app.endpoints.all().find(|endpoint| endpoint.declared.name == declared);
        found.cloned().ok_or_else(|| {
            let message = format!("this host does not offer `{declared}`, which it takes");
            Problem::new(StatusCode::NOT_FOUND, "BH-WEB-055", message)
        })
    }

    /// Sends the messages of the queue.
    async fn send_waiting(&mut self) -> Result<(), Gone> {
        let (queue, mut lost) = self.mailbox.take();
        for named in queue {
            if let Some(text) = self.text_of(&named, lost) {
                lost = 0;
                self.send(text).await?;
            }
        }
        Ok(())
    }

    /// Returns a message as text; `None` for messages from before the last reset.
    fn text_of(&mut self, named: &Named, lost: u64) -> Option<String> {
        let (now, _) = self.app.control.shared().clock.read();
        match &named.1 {
            Update::Message(_, delivery) if delivery.reset_epoch != now.reset_epoch => None,
            _ => self.writer.write(named, lost),
        }
    }

    /// Sends the due messages of subscriptions with a rate.
    async fn send_due(&mut self) -> Result<(), Gone> {
        let now = Instant::now();
        let due: Vec<Arc<str>> =
            self.paced.iter().filter(|(_, pace)| pace.due <= now).map(|(what, _)| Arc::clone(what)).collect();
        for what in due {
            if &*what == POSES {
                self.send_poses().await?;
                continue;
            }
            if &*what == LOG {
                self.send_log(now).await?;
                continue;
            }
            let service = self.paced.get(&what).and_then(|pace| pace.service.clone());
            let text = match service {
                Some(service) => {
                    let text = look_up(self.app, &what, &service).await;
                    self.postpone_frames(now);
                    Some(text)
                }
                None => self.mailbox.take_newest(&what).and_then(|named| self.text_of(&named, 0)),
            };
            if let (Some(text), Some(pace)) = (text, self.paced.get_mut(&what)) {
                pace.due = now + pace.period;
                self.send(text).await?;
            }
        }
        Ok(())
    }

    /// Sends the poses after the step that is running.
    async fn send_poses(&mut self) -> Result<(), Gone> {
        let (begin, Some(poses)) = (Instant::now(), &mut self.poses) else { return Ok(()) };
        let frame = poses.next(self.app).await;
        self.postpone_frames(begin);
        if let Some(pace) = self.paced.get_mut(POSES) {
            pace.due += pace.period;
        }
        match frame {
            Some(frame) => self.write(Message::Binary(frame.into())).await,
            None => Ok(()),
        }
    }

    /// Postpones the frames that became due since `begin`, while the run did not answer: the client did not miss them.
    fn postpone_frames(&mut self, begin: Instant) {
        if let Some(pace) = self.paced.get_mut(POSES) {
            pace.postpone(begin, Instant::now());
        }
    }

    /// Leaves out the frames of poses that are late by more than a period, because the client did not read.
    fn skip_frames(&mut self) {
        if let (Some(pace), Some(poses)) = (self.paced.get_mut(POSES), &mut self.poses) {
            poses.lose(pace.skip(Instant::now()));
        }
    }

    /// Sends the new lines of the log.
    async fn send_log(&mut self, now: Instant) -> Result<(), Gone> {
        if let Some(pace) = self.paced.get_mut(LOG) {
            pace.due = now + pace.period;
        }
        for event in self.log.next(self.app) {
            self.send(event).await?;
        }
        Ok(())
    }

    /// Sends a ping to a silent client.
    async fn ask_after(&mut self) -> Result<(), Gone> {
        let now = Instant::now();
        if now.duration_since(self.heard_at) >= SILENCE {
            return Err(Gone);
        }
        if now.duration_since(self.asked_at.max(self.heard_at)) >= ASK {
            self.asked_at = now;
            return self.write(Message::Ping(Vec::new().into())).await;
        }
        Ok(())
    }

    async fn send(&mut self, text: String) -> Result<(), Gone> {
        self.write(Message::Text(text.into())).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => {
                self.skip_frames();
                Ok(())
            }
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }
}

async fn look_up(app: &App, what: &str, service: &Endpoint) -> String {
    match call::call(service, "{}").await {
        Ok((_, json)) => {
            let (now, _) = app.control.shared().clock.read();
            message::event(what, now.reset_epoch, 0, &String::from_utf8_lossy(&json))
        }
        Err(problem) => message::error(problem, Some(what)),
    }
}
