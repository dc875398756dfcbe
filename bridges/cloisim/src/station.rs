//! A device that is served: its ports, and what turns messages into what they send.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use crate::codes::{NO_PORT, SOCKET, STRANGER};
use crate::convert::command::{BoardCommand, board, joints};
use crate::convert::{Converter, Unfit, converter};
use crate::device::{Device, Key, Kind, Slot};
use crate::info::Wish;
use crate::member::{Members, lock};
use crate::outlet::{Outlet, Post};
use crate::ports::{Owner, Ports};
use crate::socket::{Ask, Backend, BindError, Bound};
use crate::tag::tag;
use crate::tally::{Tally, so_often};

/// Messages that may wait for a slow client.
const DEPTH: i32 = 1000;
/// The same where a message can be a megabyte.
const DEPTH_OF_LARGE: i32 = 8;
/// How often, and after which pause, a port of our own that was just given up is tried again.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// What ports are opened with.
pub(crate) struct Workshop<'a> {
    pub(crate) backend: &'a dyn Backend,
    pub(crate) ports: &'a Mutex<Ports>,
    pub(crate) range: &'a RangeInclusive<u16>,
    pub(crate) members: &'a Arc<Members>,
}

/// What the threads behind the ports share.
struct State {
    device: RwLock<Device>,
    converter: Mutex<Box<dyn Converter>>,
    /// What was said once is not said again.
    has_complained: Mutex<bool>,
    /// Questions that were not understood.
    puzzles: Tally,
}

/// A device that is served.
pub(crate) struct Station {
    state: Arc<State>,
    ports: Vec<(Key, u16)>,
    outlets: Vec<(Key, Arc<Outlet>)>,
    /// Dropping them ends their service.
    _bound: Vec<Bound>,
    /// The port that asks, until somebody takes it.
    asker: Mutex<Option<Box<dyn Ask>>>,
    /// Lost messages that were told of.
    reported: AtomicU64,
}

impl Station {
    /// Opens the ports of a device; `None`, with the reason in the log, where one of them cannot be had.
    pub(crate) fn open(device: &Device, workshop: &Workshop<'_>) -> Option<Arc<Self>> {
        let state = Arc::new(State {
            device: RwLock::new(device.clone()),
            converter: Mutex::new(converter(device)),
            has_complained: Mutex::new(false),
            puzzles: Tally::default(),
        });
        let mut station = Station {
            state,
            ports: Vec::new(),
            outlets: Vec::new(),
            _bound: Vec::new(),
            asker: Mutex::default(),
            reported: AtomicU64::new(0),
        };
        for key in device.keys {
            if let Err(error) = station.open_port(device, *key, workshop) {
                log::error!("{} of {} cannot be served: {error}", device.parts, device.model);
                return None;
            }
        }
        let ports: Vec<String> =
            station.ports.iter().map(|(key, port)| format!("{} {port}", key.name())).collect();
        log::info!("{} {} of {}: {}", device.kind.name(), device.parts, device.model, ports.join(", "));
        Some(Arc::new(station))
    }

    fn open_port(&mut self, device: &Device, key: Key, workshop: &Workshop<'_>) -> Result<(), String> {
        let owner = Owner::of(device, key);
        let exhausted = || {
            let (first, last) = (workshop.range.start(), workshop.range.end());
            format!("no port from {first} to {last} is left; give ports= a larger range [{NO_PORT}]")
        };
        let mut port = lock(workshop.ports).give(&owner, workshop.range).ok_or_else(exhausted)?;
        loop {
            match self.try_port(device, key, port, workshop) {
                Ok(()) => {
                    self.ports.push((key, port));
                    return Ok(());
                }
                Err(BindError::Failed(error)) => return Err(format!("port {port}: {error} [{SOCKET}]")),
                Err(BindError::Taken) => {
                    let next = lock(workshop.ports).replace(&owner, workshop.range).ok_or_else(exhausted)?;
                    log::error!(
                        "port {port} for {owner} is taken by another program; {next} is used instead. Clients that \
                         remember the old one must be started again [BH-CLO-003]"
                    );
                    port = next;
                }
            }
        }
    }

    /// Binds a port. One that was ours a moment ago may need that moment.
    fn try_port(
        &mut self,
        device: &Device,
        key: Key,
        port: u16,
        workshop: &Workshop<'_>,
    ) -> Result<(), BindError> {
        let mut tries = TRIES;
        loop {
            match self.bind(device, key, port, workshop) {
                Err(BindError::Taken) if tries > 0 && is_ours(port) => {
                    tries -= 1;
                    std::thread::sleep(PAUSE);
                }
                other => {
                    if other.is_ok() {
                        lock(&OURS).insert(port);
                    }
                    return other;
                }
            }
        }
    }

    fn bind(
        &mut self,
        device: &Device,
        key: Key,
        port: u16,
        workshop: &Workshop<'_>,
    ) -> Result<(), BindError> {
        let (backend, tag) = (workshop.backend, tag(&device.hash_key(key)));
        match key {
            Key::Clock | Key::Data | Key::Tx | Key::Tf => {
                let is_large = matches!(device.kind, Kind::DepthCamera | Kind::Laser);
                let socket = backend.publish(port, if is_large { DEPTH_OF_LARGE } else { DEPTH })?;
                let (state, members) = (Arc::clone(&self.state), Arc::clone(workshop.members));
                let idle = move || {
                    let now = members.clock().map_or(0, |clock| clock.time_ns);
                    lock(&state.converter).idle(key, now)
                };
                self.outlets.push((key, Arc::new(Outlet::new(tag, socket, Box::new(idle)))));
            }
            Key::Info => {
                let state = Arc::clone(&self.state);
                let answerer = move |request: &[u8]| state.answer(request);
                self._bound.push(backend.answer(port, tag, Box::new(answerer))?);
            }
            Key::Rx => {
                let (state, members) = (Arc::clone(&self.state), Arc::clone(workshop.members));
                let hearer = move |command: &[u8]| state.hear(command, &members);
                self._bound.push(backend.hear(port, tag, Box::new(hearer))?);
            }
            Key::Control => *lock(&self.asker) = Some(backend.ask(port)?),
        }
        Ok(())
    }

    /// The device.
    pub(crate) fn device(&self) -> Device {
        self.state.device.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its ports, in the order of their keys.
    pub(crate) fn ports(&self) -> &[(Key, u16)] {
        &self.ports
    }

    /// Its ports that send.
    pub(crate) fn outlets(&self) -> impl Iterator<Item = &Arc<Outlet>> {
        self.outlets.iter().map(|(_, outlet)| outlet)
    }

    /// The port that asks; once.
    pub(crate) fn take_asker(&self) -> Option<Box<dyn Ask>> {
        lock(&self.asker).take()
    }

    /// The device is the same, but what is known of it has changed.
    pub(crate) fn update(&self, device: &Device) {
        let mut known = self.state.device.write().unwrap_or_else(PoisonError::into_inner);
        if known.form != device.form {
            *lock(&self.state.converter) = converter(device);
        }
        if *known != *device {
            known.clone_from(device);
        }
    }

    /// Takes a message of ours and sends what comes of it.
    pub(crate) fn take(&self, slot: Slot, message: &[u8], post: &Post) -> Result<(), Unfit> {
        let outputs = lock(&self.state.converter).take(slot, message)?;
        outputs.iter().for_each(|(key, payload)| self.send(*key, payload, post));
        Ok(())
    }

    /// Sends a payload.
    pub(crate) fn send(&self, key: Key, payload: &[u8], post: &Post) {
        if let Some((_, outlet)) = self.outlets.iter().find(|(own, _)| *own == key) {
            post.send(outlet, payload);
        }
    }

    /// Messages lost on the way to its clients since this was asked last.
    pub(crate) fn newly_lost(&self) -> u64 {
        let lost = self.outlets.iter().map(|(_, outlet)| outlet.lost()).sum::<u64>();
        lost.saturating_sub(self.reported.fetch_max(lost, Ordering::Relaxed))
    }

    /// Forgets what was latched: a reset.
    pub(crate) fn forget(&self) {
        lock(&self.state.converter).forget();
    }
}

/// Ports that sockets of this process had.
static OURS: Mutex<std::collections::BTreeSet<u16>> = Mutex::new(std::collections::BTreeSet::new());

fn is_ours(port: u16) -> bool {
    lock(&OURS).contains(&port)
}

impl State {
    fn answer(&self, request: &[u8]) -> Vec<u8> {
        let (answer, wish) = self.device.read().unwrap_or_else(PoisonError::into_inner).info.answer(request);
        match wish {
            Wish::Nothing => {}
            Wish::ResetOdometry => lock(&self.converter).reset_odometry(),
            Wish::Puzzled => self.puzzle(),
        }
        answer
    }

    /// Says, now and then, that questions are not understood.
    fn puzzle(&self) {
        if let Some(count) = self.puzzles.count() {
            let device = self.device.read().unwrap_or_else(PoisonError::into_inner);
            log::warn!(
                "a question to {} of {} is not understood and was answered with an error{} [{STRANGER}]",
                device.parts,
                device.model,
                so_often(count)
            );
        }
    }

    /// Takes a command of a client.
    fn hear(&self, command: &[u8], members: &Members) {
        let (kind, topic) = {
            let device = self.device.read().unwrap_or_else(PoisonError::into_inner);
            (device.kind, device.command.clone())
        };
        let problem = match (kind, &topic) {
            (_, None) => Some("nothing here takes commands".to_owned()),
            (Kind::JointControl, Some(topic)) => match joints(command) {
                Ok(mut told) => {
                    let converter = lock(&self.converter);
                    told.name.iter_mut().for_each(|name| *name = converter.own_name(name));
                    drop(converter);
                    deliver(members, topic, &told)
                }
                Err(error) => Some(format!("it is no JointCmd_V: {error}")),
            },
            (_, Some(topic)) => match board(command) {
                Ok(BoardCommand::Move(twist)) => deliver(members, topic, &twist),
                Ok(BoardCommand::Set(names)) => Some(format!("nothing here has {}", names.join(", "))),
                Err(error) => Some(format!("it is no Twist, Joystick or Param: {error}")),
            },
        };
        if let Some(problem) = problem {
            self.complain(&problem);
        }
    }

    /// Says once that a command could not be used.
    fn complain(&self, problem: &str) {
        if !std::mem::replace(&mut *lock(&self.has_complained), true) {
            let device = self.device.read().unwrap_or_else(PoisonError::into_inner);
            log::warn!(
                "a command for {} of {} is ignored, and so is every further one like it: {problem} [BH-CLO-008]",
                device.parts,
                device.model
            );
        }
    }
}

fn deliver(
    members: &Members,
    topic: &str,
    message: &impl bridgehead_plugin_api::messages::Message,
) -> Option<String> {
    match members.deliver(topic, message) {
        Ok(true) => None,
        Ok(false) => Some(format!("nobody listens to {topic}")),
        Err(error) => Some(error.to_string()),
    }
}
