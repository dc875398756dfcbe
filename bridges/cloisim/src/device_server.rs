//! Serves one device: its ports, and the conversion of its messages and commands.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use prost::Message as _;

use crate::codes::{NO_PORT, SOCKET_FAILED, UNSUPPORTED_INPUT};
use crate::control::Command;
use crate::convert::command::{BoardCommand, board, joints};
use crate::convert::{ConversionError, Converter, converter};
use crate::device::{Device, Key, Kind, Module, Slot};
use crate::info::{InfoOutcome, error_reply};
use crate::lock::lock;
use crate::member::Members;
use crate::msgs::Param;
use crate::ports::{Owner, Ports};
use crate::publish_port::{PublishLoop, PublishPort};
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::socket::{Backend, BindError, BoundPort, RequestPort, SocketError};
use crate::tag::tag;

/// ZeroMQ's limit of messages queued for a slow client.
const DEPTH: i32 = 1000;
/// The same limit for devices whose messages can reach a megabyte.
const LARGE_MESSAGE_DEPTH: i32 = 8;
/// Number of retries, and the delay between them, for a port that this process has just released.
const TRIES: u32 = 20;
const RETRY_DELAY: Duration = Duration::from_millis(25);

/// What opening a port needs.
pub(crate) struct PortContext<'a> {
    pub(crate) backend: &'a dyn Backend,
    pub(crate) ports: &'a Mutex<Ports>,
    pub(crate) range: &'a RangeInclusive<u16>,
    pub(crate) members: &'a Arc<Members>,
}

/// Why a port of a device cannot be opened.
enum OpenError {
    NoPortLeft(RangeInclusive<u16>),
    Socket { port: u16, error: SocketError },
}

impl OpenError {
    fn code(&self) -> &'static str {
        match self {
            OpenError::NoPortLeft(_) => NO_PORT,
            OpenError::Socket { .. } => SOCKET_FAILED,
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::NoPortLeft(range) => {
                let (first, last) = (range.start(), range.end());
                write!(f, "no port from {first} to {last} is left; give ports= a larger range")
            }
            OpenError::Socket { port, error } => write!(f, "port {port}: {error}"),
        }
    }
}

/// State that the threads behind the ports share.
struct State {
    device: RwLock<Device>,
    converter: Mutex<Box<dyn Converter>>,
    /// True after the first ignored command, which is logged once.
    has_logged_ignored_command: Mutex<bool>,
    /// Info requests that were not understood.
    misunderstood_requests: RepeatCounter,
}

/// A served device.
pub(crate) struct DeviceServer {
    state: Arc<State>,
    ports: Vec<(Key, u16)>,
    publish_ports: Vec<(Key, Arc<PublishPort>)>,
    /// Dropping them closes the ports.
    _bound: Vec<BoundPort>,
    /// The request port, until it is taken.
    request_port: Mutex<Option<Box<dyn RequestPort>>>,
    /// Lost messages that were already reported.
    reported: AtomicU64,
}

impl DeviceServer {
    /// Opens the ports of a device. Returns `None`, with the reason in the log, if one of them cannot be opened.
    pub(crate) fn open(device: &Device, context: &PortContext<'_>) -> Option<Arc<Self>> {
        let state = Arc::new(State {
            device: RwLock::new(device.clone()),
            converter: Mutex::new(converter(device)),
            has_logged_ignored_command: Mutex::new(false),
            misunderstood_requests: RepeatCounter::default(),
        });
        let mut device_server = DeviceServer {
            state,
            ports: Vec::new(),
            publish_ports: Vec::new(),
            _bound: Vec::new(),
            request_port: Mutex::default(),
            reported: AtomicU64::new(0),
        };
        for key in &device.keys {
            if let Err(error) = device_server.open_port(device, *key, context) {
                let code = error.code();
                log::error!("[{code}] {} of {} cannot be served: {error}", device.parts, device.model);
                return None;
            }
        }
        let ports: Vec<String> =
            device_server.ports.iter().map(|(key, port)| format!("{} {port}", key.name())).collect();
        log::info!("{} {} of {}: {}", device.kind.name(), device.parts, device.model, ports.join(", "));
        Some(Arc::new(device_server))
    }

    fn open_port(&mut self, device: &Device, key: Key, context: &PortContext<'_>) -> Result<(), OpenError> {
        let owner = Owner::of(device, key);
        let no_port_left = || OpenError::NoPortLeft(context.range.clone());
        let mut port = lock(context.ports).assign(&owner, context.range).ok_or_else(no_port_left)?;
        loop {
            match self.try_port(device, key, port, context) {
                Ok(()) => {
                    self.ports.push((key, port));
                    return Ok(());
                }
                Err(BindError::Failed(error)) => {
                    return Err(OpenError::Socket { port, error });
                }
                Err(BindError::Taken) => {
                    let next = lock(context.ports).replace(&owner, context.range).ok_or_else(no_port_left)?;
                    log::error!(
                        "[BH-CLO-003] port {port} for {owner} is taken by another program; {next} is used instead. \
                         Clients that still use the old port must be restarted"
                    );
                    port = next;
                }
            }
        }
    }

    /// Binds a port. Retries if this process has just released it.
    fn try_port(
        &mut self,
        device: &Device,
        key: Key,
        port: u16,
        context: &PortContext<'_>,
    ) -> Result<(), BindError> {
        let mut tries = TRIES;
        loop {
            match self.bind(device, key, port, context) {
                Err(BindError::Taken) if tries > 0 && was_bound_here(port) => {
                    tries -= 1;
                    std::thread::sleep(RETRY_DELAY);
                }
                other => {
                    if other.is_ok() {
                        lock(&PORTS_OF_PROCESS).insert(port);
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
        context: &PortContext<'_>,
    ) -> Result<(), BindError> {
        let (backend, tag) = (context.backend, tag(&device.hash_key(key)));
        match key {
            Key::Clock | Key::Data | Key::Tx | Key::Tf | Key::ModuleData(_) => {
                let depth = if has_large_messages(device.kind, key) { LARGE_MESSAGE_DEPTH } else { DEPTH };
                let socket = backend.publish(port, depth)?;
                let (state, members) = (Arc::clone(&self.state), Arc::clone(context.members));
                let idle = move || {
                    let now = members.clock().map_or(0, |clock| clock.time_ns);
                    lock(&state.converter).idle(key, now)
                };
                self.publish_ports.push((key, Arc::new(PublishPort::new(tag, socket, Box::new(idle)))));
            }
            Key::Info | Key::ModuleInfo(_) => {
                let state = Arc::clone(&self.state);
                let handler = move |request: &[u8]| state.answer(key, request);
                self._bound.push(backend.open_reply_port(port, tag, Box::new(handler))?);
            }
            Key::Rx => {
                let (state, members) = (Arc::clone(&self.state), Arc::clone(context.members));
                let handler = move |command: &[u8]| state.take_command(command, &members);
                self._bound.push(backend.open_command_port(port, tag, Box::new(handler))?);
            }
            Key::Control if device.kind != Kind::World => {
                let (state, members) = (Arc::clone(&self.state), Arc::clone(context.members));
                let handler = move |request: &[u8]| state.serve(request, &members);
                self._bound.push(backend.open_reply_port(port, tag, Box::new(handler))?);
            }
            Key::Control => *lock(&self.request_port) = Some(backend.open_request_port(port)?),
        }
        Ok(())
    }

    /// Returns the device.
    pub(crate) fn device(&self) -> Device {
        self.state.device.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns its ports in the order of their keys.
    pub(crate) fn ports(&self) -> &[(Key, u16)] {
        &self.ports
    }

    /// Returns its publish ports.
    pub(crate) fn publish_ports(&self) -> impl Iterator<Item = &Arc<PublishPort>> {
        self.publish_ports.iter().map(|(_, publish_port)| publish_port)
    }

    /// Takes the request port; `None` after the first call.
    pub(crate) fn take_request_port(&self) -> Option<Box<dyn RequestPort>> {
        lock(&self.request_port).take()
    }

    /// Updates the description of the device, whose identity is unchanged.
    pub(crate) fn update(&self, device: &Device) {
        let mut known = self.state.device.write().unwrap_or_else(PoisonError::into_inner);
        if known.config != device.config {
            *lock(&self.state.converter) = converter(device);
        }
        if *known != *device {
            known.clone_from(device);
        }
    }

    /// Converts a message of the host and sends the result.
    pub(crate) fn convert_and_send(
        &self,
        slot: Slot,
        message: &[u8],
        publish_loop: &PublishLoop,
    ) -> Result<(), ConversionError> {
        let outputs = lock(&self.state.converter).convert(slot, message)?;
        outputs.iter().for_each(|(key, payload)| self.send(*key, payload, publish_loop));
        Ok(())
    }

    /// Queues a payload on the port with that key.
    pub(crate) fn send(&self, key: Key, payload: &[u8], publish_loop: &PublishLoop) {
        if let Some((_, publish_port)) = self.publish_ports.iter().find(|(own, _)| *own == key) {
            publish_loop.send(publish_port, payload);
        }
    }

    /// Returns the messages lost to clients since the last call.
    pub(crate) fn take_unreported_losses(&self) -> u64 {
        let lost = self.publish_ports.iter().map(|(_, publish_port)| publish_port.lost()).sum::<u64>();
        lost.saturating_sub(self.reported.fetch_max(lost, Ordering::Relaxed))
    }

    /// Drops latched messages after a reset.
    pub(crate) fn clear(&self) {
        lock(&self.state.converter).clear();
    }
}

/// Returns true for images and scans.
fn has_large_messages(kind: Kind, key: Key) -> bool {
    let is_image = matches!(
        kind,
        Kind::Camera | Kind::DepthCamera | Kind::SegmentCamera | Kind::MultiCamera | Kind::Laser
    );
    is_image || (kind == Kind::RealSense && key != Key::ModuleData(Module::Imu))
}

/// Ports that sockets of this process have bound before.
static PORTS_OF_PROCESS: Mutex<std::collections::BTreeSet<u16>> =
    Mutex::new(std::collections::BTreeSet::new());

fn was_bound_here(port: u16) -> bool {
    lock(&PORTS_OF_PROCESS).contains(&port)
}

impl State {
    fn answer(&self, key: Key, request: &[u8]) -> Vec<u8> {
        let (answer, outcome) =
            self.device.read().unwrap_or_else(PoisonError::into_inner).info_of(key).answer(request);
        match outcome {
            InfoOutcome::Answered => {}
            InfoOutcome::ResetOdometry => lock(&self.converter).reset_odometry(),
            InfoOutcome::NotUnderstood => self.log_misunderstood_request(),
        }
        answer
    }

    /// Serves a request on the Control port.
    fn serve(&self, request: &[u8], members: &Members) -> Vec<u8> {
        let request = Param::decode(request).ok();
        let served = request.and_then(|request| lock(&self.converter).serve(&request));
        let Some(served) = served else {
            self.log_misunderstood_request();
            return error_reply("the request is not a Param");
        };
        let topic = self.device.read().unwrap_or_else(PoisonError::into_inner).command.clone();
        let mut is_delivered = true;
        for command in &served.commands {
            let problem = match command {
                Command::Elevator(command) => deliver(members, topic.as_deref().unwrap_or_default(), command),
                Command::Goal(topic, goal) => deliver(members, topic, goal),
            };
            if let Some(problem) = problem {
                is_delivered = false;
                self.log_ignored_command(&problem);
            }
        }
        served.reply.message(is_delivered).encode_to_vec()
    }

    /// Logs, at powers of ten, that a request was not understood.
    fn log_misunderstood_request(&self) {
        if let Some(count) = self.misunderstood_requests.record() {
            let device = self.device.read().unwrap_or_else(PoisonError::into_inner);
            log::warn!(
                "[{UNSUPPORTED_INPUT}] a request to {} of {} is not understood; it was answered with an error{}",
                device.parts,
                device.model,
                times_so_far(count)
            );
        }
    }

    /// Handles a command of a client.
    fn take_command(&self, command: &[u8], members: &Members) {
        let (kind, topic) = {
            let device = self.device.read().unwrap_or_else(PoisonError::into_inner);
            (device.kind, device.command.clone())
        };
        let problem = match (kind, &topic) {
            (_, None) => Some("the device takes no commands".to_owned()),
            (Kind::JointControl, Some(topic)) => match joints(command) {
                Ok(mut commands) => {
                    let converter = lock(&self.converter);
                    commands.name.iter_mut().for_each(|name| *name = converter.host_joint_name(name));
                    drop(converter);
                    deliver(members, topic, &commands)
                }
                Err(error) => Some(format!("it is not a JointCmd_V: {error}")),
            },
            (_, Some(topic)) => match board(command) {
                Ok(BoardCommand::Move(twist)) => deliver(members, topic, &twist),
                Ok(BoardCommand::Set(names)) => {
                    Some(format!("no plugin here has the parameters {}", names.join(", ")))
                }
                Err(error) => Some(format!("it is not a Twist, Joystick or Param: {error}")),
            },
        };
        if let Some(problem) = problem {
            self.log_ignored_command(&problem);
        }
    }

    /// Logs the first command that cannot be used.
    fn log_ignored_command(&self, problem: &str) {
        if !std::mem::replace(&mut *lock(&self.has_logged_ignored_command), true) {
            let device = self.device.read().unwrap_or_else(PoisonError::into_inner);
            log::warn!(
                "[BH-CLO-008] a command for {} of {} is ignored, and so are further ones like it: {problem}",
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
        Ok(false) => Some(format!("no plugin subscribes to {topic}")),
        Err(error) => Some(error.to_string()),
    }
}
