//! The WebSocket of a recording: sends what happened between the last position and the present one.
//!
//! A client that reads slowly delays only itself: nothing is queued for it, and it gets what is current when it reads.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use super::app::{Position, ViewApp};
use super::events::{self, HISTORY};
use super::services;
use crate::recording;
use crate::web::connection_slot::ConnectionSlot;
use crate::web::listen::told_to_stop;
use crate::web::message::{self, ClientMessage};
use crate::web::problem::Problem;
use crate::web::scene::{POSES, Poses};
use crate::web::socket::{Gone, LONGEST, MAX, PATIENCE, PROTOCOL, not_upgraded};

/// Interval in which messages of topics without a rate are sent while the recording is played.
const TICK: Duration = Duration::from_millis(20);
/// Default interval of subjects that are asked for.
const PERIOD: Duration = Duration::from_millis(200);
/// Interval of pings, and the longest wait without anything to do.
const ASK: Duration = Duration::from_secs(20);

/// The subject with the position in the recording.
const RECORDING: &str = "recording";
const STATUS: &str = "status";
/// What can be subscribed to.
const KNOWN: &str = "status, recording, poses or topic:/NAME";
/// Subjects of a host that a recording has nothing for. They can be subscribed to, because the page does.
const QUIET: [&str; 4] = ["state", "feedback", "statistics", "log"];

/// `/ws`
pub(super) async fn open(
    State(app): State<Arc<ViewApp>>,
    Extension(slot): Extension<Arc<ConnectionSlot>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    match upgrade {
        Ok(upgrade) => {
            let serve = |socket| async move {
                Client::new(&app, socket, &slot).serve().await;
            };
            upgrade.protocols([PROTOCOL]).max_message_size(LONGEST).max_frame_size(LONGEST).on_upgrade(serve)
        }
        Err(refusal) => not_upgraded(&refusal),
    }
}

/// What a client subscribed to.
struct Subscription {
    subject: Subject,
    /// `None` for every message.
    period: Option<Duration>,
    due: Instant,
    /// The position up to which everything was sent.
    sent: Option<Position>,
}

enum Subject {
    Status,
    Recording,
    Poses,
    /// A topic, and the index of its next message.
    Topic {
        name: String,
        next: usize,
    },
    Quiet,
}

/// One client.
struct Client<'a> {
    app: &'a ViewApp,
    socket: WebSocket,
    slot: &'a ConnectionSlot,
    subscriptions: BTreeMap<String, Subscription>,
    /// The epoch of what the client has.
    epoch: Option<u32>,
    cursor: recording::Poses,
    poses: Poses,
}

impl<'a> Client<'a> {
    fn new(app: &'a ViewApp, socket: WebSocket, slot: &'a ConnectionSlot) -> Self {
        slot.serves_socket(false);
        Client {
            app,
            socket,
            slot,
            subscriptions: BTreeMap::new(),
            epoch: None,
            cursor: recording::Poses::default(),
            poses: Poses::default(),
        }
    }

    async fn serve(mut self) {
        let stop = self.app.stop.clone();
        // An error is a client that is gone.
        if self.converse(stop).await.is_ok() {
            let frame = CloseFrame { code: close_code::AWAY, reason: "the view ended".into() };
            drop(self.write(Message::Close(Some(frame))).await);
        }
    }

    async fn converse(&mut self, mut stop: watch::Receiver<bool>) -> Result<(), Gone> {
        let mut changes = self.app.changed.subscribe();
        let mut heard_at = Instant::now();
        loop {
            let due = self.next_due(heard_at);
            let said = tokio::select! {
                said = self.socket.recv() => Some(said.ok_or(Gone)?.map_err(|_| Gone)?),
                // The sender lives as long as the server.
                _ = changes.changed() => None,
                () = sleep_until(due) => None,
                () = told_to_stop(&mut stop) => return Ok(()),
            };
            if let Some(said) = said {
                heard_at = Instant::now();
                self.hear(said).await?;
                self.slot.serves_socket(!self.subscriptions.is_empty());
            } else if Instant::now().duration_since(heard_at) >= ASK {
                heard_at = Instant::now();
                self.write(Message::Ping(Vec::new().into())).await?;
            }
            self.send_due().await?;
        }
    }

    /// Returns when the next event is due: only what is behind the position is.
    fn next_due(&self, heard_at: Instant) -> Instant {
        let position = self.app.position();
        let behind = self.subscriptions.values().filter(|one| one.sent != Some(position));
        let due = behind.map(|subscription| subscription.due).fold(heard_at + ASK, Instant::min);
        due.max(Instant::now() + Duration::from_millis(1))
    }

    async fn hear(&mut self, said: Message) -> Result<(), Gone> {
        let text = match said {
            Message::Text(text) => text,
            Message::Close(_) => return Err(Gone),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) => {
                return self.send(message::error(message::no_binary(), None)).await;
            }
        };
        let answer = match message::read(&text) {
            Err(problem) => message::error(problem, None),
            Ok(ClientMessage::Unsubscribe { what }) => match self.subscriptions.remove(&what) {
                Some(_) => message::done("unsubscribed", &what),
                None => message::not_subscribed(&what),
            },
            Ok(ClientMessage::Subscribe { what, rate }) => match self.subscribe(&what, rate) {
                Ok(()) => message::done("subscribed", &what),
                Err(problem) => message::error(problem, Some(&what)),
            },
        };
        self.send(answer).await
    }

    fn subscribe(&mut self, what: &str, rate: Option<f64>) -> Result<(), Problem> {
        if self.subscriptions.len() >= MAX && !self.subscriptions.contains_key(what) {
            return Err(message::too_many(MAX));
        }
        let asked = rate.map(|rate| Duration::from_secs_f64(1.0 / rate));
        let (subject, period) = match what {
            STATUS => (Subject::Status, Some(asked.unwrap_or(PERIOD))),
            RECORDING => (Subject::Recording, Some(asked.unwrap_or(PERIOD))),
            POSES => {
                self.poses = Poses::default();
                (Subject::Poses, Some(asked.unwrap_or(crate::web::scene::PERIOD)))
            }
            quiet if QUIET.contains(&quiet) => (Subject::Quiet, Some(ASK)),
            topic => match topic.strip_prefix("topic:") {
                Some(name) if name.starts_with('/') => {
                    let next = self.begin_of(name, asked.is_some());
                    (Subject::Topic { name: name.to_owned(), next }, asked)
                }
                _ => return Err(message::unknown(what, KNOWN)),
            },
        };
        let subscription = Subscription { subject, period, due: Instant::now(), sent: None };
        self.subscriptions.insert(what.to_owned(), subscription);
        Ok(())
    }

    /// Returns the index of the first message that a new subscriber of a topic gets.
    fn begin_of(&self, name: &str, is_paced: bool) -> usize {
        let Some(topic) = self.app.recording.topic(name) else { return 0 };
        let time_ns = self.app.position().time_ns;
        if is_paced {
            return topic.count_at(time_ns).saturating_sub(1);
        }
        time_ns.checked_sub(HISTORY).map_or(0, |from| topic.count_at(from))
    }

    /// Sends what is due.
    async fn send_due(&mut self) -> Result<(), Gone> {
        let now = Instant::now();
        let position = self.app.position();
        if self.epoch.replace(position.epoch).is_some_and(|known| known != position.epoch) {
            self.begin_anew(now);
        }
        let is_due = |one: &Subscription| one.due <= now && one.sent != Some(position);
        let mut due: Vec<String> =
            self.subscriptions.iter().filter(|(_, one)| is_due(one)).map(|(what, _)| what.clone()).collect();
        // The status first: it tells the client that what it has collected is of another time.
        due.sort_by_key(|what| what != STATUS);
        for what in due {
            let Some(subscription) = self.subscriptions.get_mut(&what) else { continue };
            subscription.due = now + subscription.period.unwrap_or(TICK);
            subscription.sent = Some(position);
            match subscription.subject {
                Subject::Status => self.send_status(position).await?,
                Subject::Recording => {
                    let data = services::position_of(self.app, position);
                    self.send(message::event(RECORDING, position.epoch, 0, &data)).await?;
                }
                Subject::Poses => self.send_poses(position).await?,
                Subject::Topic { .. } => self.send_messages(&what, position).await?,
                Subject::Quiet => {}
            }
        }
        Ok(())
    }

    /// After a jump: every subscription begins at the new position.
    fn begin_anew(&mut self, now: Instant) {
        let mut subscriptions = std::mem::take(&mut self.subscriptions);
        for subscription in subscriptions.values_mut() {
            (subscription.due, subscription.sent) = (now, None);
            let is_paced = subscription.period.is_some();
            if let Subject::Topic { name, next } = &mut subscription.subject {
                *next = self.begin_of(name, is_paced);
            }
        }
        self.subscriptions = subscriptions;
    }

    async fn send_status(&mut self, position: Position) -> Result<(), Gone> {
        // It has always the same members, so that it can be written.
        let Ok(data) = self.app.json(&services::status_of(self.app, position)) else { return Ok(()) };
        self.send(message::event(STATUS, position.epoch, 0, &data)).await
    }

    async fn send_poses(&mut self, position: Position) -> Result<(), Gone> {
        let Some(mut block) = self.cursor.at(&self.app.recording, position.time_ns) else { return Ok(()) };
        block.moment.reset_epoch = position.epoch;
        let frame = self.poses.frame(&block, 0);
        self.write(Message::Binary(frame.into())).await
    }

    /// Sends the messages of a topic up to the position: all of them, or the newest one.
    async fn send_messages(&mut self, what: &str, position: Position) -> Result<(), Gone> {
        let app = self.app;
        let Some(Subscription { subject: Subject::Topic { name, next }, period, .. }) =
            self.subscriptions.get_mut(what)
        else {
            return Ok(());
        };
        let Some(topic) = app.recording.topic(name) else { return Ok(()) };
        let end = topic.count_at(position.time_ns);
        let new = topic.entries.get(*next..end).unwrap_or_default();
        *next = end.max(*next);
        let (entries, mut lost) = match period {
            Some(_) => (new.last().map(std::slice::from_ref).unwrap_or_default(), 0),
            None => events::limited(new),
        };
        for entry in entries {
            let context = (position.epoch, std::mem::take(&mut lost));
            if let Some(event) = events::event_of(&app.recording, topic, entry, what, context) {
                self.send(event).await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, text: String) -> Result<(), Gone> {
        self.write(Message::Text(text.into())).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }
}
