//! The plugins of the library in a worker, and the one instance of the process: makes the calls that the host sends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use bridgehead_abi::bridge::{BridgeConverters, BridgeFactory, BridgeInstance, Channel};
use bridgehead_abi::message::{Qos, TypeDesc};
use bridgehead_abi::{Bytes, Status, Str, bridge as raw, status};
use bridgehead_plugin_api::objects::{BridgeRef, EndpointRef, Offered};

use super::host::INSTANCE_HOST;
use super::model::Model;
use super::registrar::{Creator, RegistrarCell};
use super::{converters, endpoints, link, loops, threads, types};
use crate::call;
use crate::plugin::{Factory, create_instance};
use crate::thread::{Named, lock, spawn};
use crate::worker::wire;
use crate::worker::wire::{Call, Connection, Request, Returned, Role};

/// How often the status of the instance is looked at, to tell the host of a change.
const STATUS_PERIOD: Duration = Duration::from_millis(2);
/// How long threads of the plugin may take to end.
const THREADS_DEADLINE: Duration = Duration::from_secs(2);

/// The functions of the instance, to be called from several threads.
#[derive(Clone, Copy)]
struct Instance {
    raw: BridgeRef,
    plugin: usize,
}

/// The plugins of the library.
pub(super) struct Plugins {
    factories: Vec<Factory>,
    names: Vec<String>,
    converters: Option<&'static BridgeConverters>,
    /// The creators of the plugin that was registered last: a worker registers one.
    creators: Mutex<Vec<Creator>>,
    instance: OnceLock<Instance>,
    model: Model,
    is_destroyed: AtomicBool,
    status_thread: Mutex<Option<Named<()>>>,
    /// The last reading of the status of the instance.
    connection: Mutex<Connection>,
}

impl Plugins {
    pub(super) fn new(
        factories: Vec<Factory>,
        names: Vec<String>,
        converters: Option<&'static BridgeConverters>,
    ) -> Self {
        Plugins {
            factories,
            names,
            converters,
            creators: Mutex::default(),
            instance: OnceLock::new(),
            model: Model::default(),
            is_destroyed: AtomicBool::new(false),
            status_thread: Mutex::default(),
            connection: Mutex::default(),
        }
    }

    fn factory(&self, plugin: u32) -> Option<(&Factory, &str)> {
        Some((self.factories.get(plugin as usize)?, self.names.get(plugin as usize)?))
    }

    fn bridge_factory(&self, plugin: u32) -> Option<(&'static BridgeFactory, &str)> {
        match self.factory(plugin)? {
            (Factory::Bridge(factory), name) => Some((factory, name)),
            _ => None,
        }
    }

    fn instance(&self) -> Option<(&Instance, &str)> {
        let instance = self.instance.get().filter(|_| !self.is_destroyed.load(Ordering::Acquire))?;
        Some((instance, self.names.get(instance.plugin).map_or("", String::as_str)))
    }

    /// Makes a call of the host.
    pub(super) fn make(&'static self, call: &Call<'_>) -> Returned {
        let made = match call {
            Call::Register { plugin } => match self.factory(*plugin) {
                Some((Factory::Model(factory), name)) => Some(Model::register(factory, name)),
                _ => self.register(*plugin, true),
            },
            Call::Validate { plugin, connection } => self.validate(*plugin, connection),
            Call::Converters { id, name } => {
                let owner = self.names.first().map_or("", String::as_str);
                Some(converters::count(owner, self.converters, (id, name)))
            }
            Call::Create { plugin } => match self.factory(*plugin) {
                Some((Factory::Model(factory), name)) => self.model.create(factory, name),
                _ => self.create(*plugin),
            },
            Call::Model(call) => self.model.make(call),
            Call::Connect { .. } | Call::Disconnect | Call::Notice(_) => self.lifecycle(call),
            Call::CreateEndpoint { role, creator, endpoint, channel } => {
                self.create_endpoint(*role, *creator, *endpoint, channel)
            }
            Call::DestroyEndpoint { endpoint } => self.destroy_endpoint(*endpoint),
            Call::Transmit | Call::Receive => self.run_loop(call),
            Call::Destroy => {
                self.destroy();
                Some(status::OK.into())
            }
        };
        made.unwrap_or(REFUSED)
    }

    /// Lets a factory register. What it announces is passed on to the host if `announces`.
    fn register(&self, plugin: u32, announces: bool) -> Option<Returned> {
        let (factory, name) = self.bridge_factory(plugin)?;
        let registrar = Offered::<raw::Registrar, _>::new(RegistrarCell::new(announces));
        // SAFETY: the loader has checked the factory; the registrar lives for the call.
        let register = || unsafe { (factory.register)(registrar.as_raw()) };
        let code = call::during(name, "register", register);
        *lock(&self.creators) = registrar.into_inner().creators.into_inner();
        Some(code.into())
    }

    fn validate(&self, plugin: u32, connection: &str) -> Option<Returned> {
        let (factory, name) = self.bridge_factory(plugin)?;
        // SAFETY: the loader has checked the factory; host and text live for the call.
        let validate = || unsafe { (factory.validate)(&raw const INSTANCE_HOST.abi, Str::new(connection)) };
        Some(call::during(name, "validate", validate).into())
    }

    fn create(&'static self, plugin: u32) -> Option<Returned> {
        let registered = self.register(plugin, false)?;
        if registered.status < status::OK {
            return Some(registered);
        }
        let (factory, name) = self.bridge_factory(plugin)?;
        let host = &raw const INSTANCE_HOST.abi;
        // SAFETY: the loader has checked the factory, whose `create` fills in its argument or fails.
        let created: Result<BridgeInstance, _> =
            unsafe { create_instance(name, &std::sync::Arc::new(()), |out| (factory.create)(host, out)) };
        let raw = match created {
            Ok(raw) => raw,
            Err(crate::plugin::CreateError::Failed(code)) => return Some(code.into()),
            Err(error) => {
                let text = error.to_string();
                link().tell(Request::Explain { caller: wire::Caller::Instance, text: text.as_bytes() });
                return Some(status::INVALID_ARG.into());
            }
        };
        // SAFETY: the struct is checked, and the instance is destroyed last.
        let raw = unsafe { BridgeRef::new(raw) };
        let value = raw.has();
        if self.instance.set(Instance { raw, plugin: plugin as usize }).is_err() {
            return None;
        }
        let watched = spawn("status", || self.watch_status());
        *lock(&self.status_thread) = watched.ok();
        Some(Returned { status: status::OK, value, connection: None })
    }

    /// Tells the host of each change of the instance's status, until it is destroyed.
    fn watch_status(&self) {
        while let Some((instance, _)) = self.instance() {
            let (before, now) = self.read_status(instance);
            if now.status != before.status {
                link().tell(Request::Status(now));
            }
            std::thread::sleep(STATUS_PERIOD);
        }
    }

    /// Reads the status of the instance. Returns the reading before, which any thread may have made, and this one.
    fn read_status(&self, Instance { raw, .. }: &Instance) -> (Connection, Connection) {
        // Locked while it is read, so that the changes are numbered in their order.
        let mut last = lock(&self.connection);
        // The instance is destroyed after the threads that read have ended.
        let now = last.next(raw.status());
        (std::mem::replace(&mut *last, now), now)
    }

    /// `connect`, `disconnect` and `notice`, with the status of the connection after them.
    fn lifecycle(&self, call: &Call<'_>) -> Option<Returned> {
        let (instance, name) = self.instance()?;
        let raw = &instance.raw;
        let make = || match call {
            // This is the main thread of the instance.
            Call::Connect { connection } => raw.connect(connection.as_bytes()),
            // The loops have ended.
            Call::Disconnect => raw.disconnect(),
            Call::Notice(notice) => {
                let notice = raw::Notice {
                    struct_size: raw::Notice::SIZE,
                    kind: notice.kind,
                    scope: notice.scope,
                    reset_epoch: notice.reset_epoch,
                    time_ns: notice.time_ns,
                    ticket: notice.ticket,
                };
                raw.notice(&notice)
            }
            _ => status::UNSUPPORTED,
        };
        let code = call::during(name, call.name(), make);
        let (_, connection) = self.read_status(instance);
        Some(Returned { status: code, value: 0, connection: Some(connection) })
    }

    fn create_endpoint(
        &self,
        role: Role,
        creator: u32,
        number: u32,
        channel: &wire::Channel<'_>,
    ) -> Option<Returned> {
        let (Instance { raw, .. }, name) = self.instance()?;
        let creator = lock(&self.creators).get(creator as usize).copied()?;
        let channel = channel_of(channel);
        // Creator and instance belong together; sinks live until the process ends.
        let create = || match (role, creator) {
            (Role::Publisher, Creator::Publisher(made)) => made.create(raw, &channel),
            (Role::Subscriber, Creator::Subscriber(made)) => {
                made.create(raw, &channel, endpoints::sink::<raw::Sink>(number).lend())
            }
            (Role::Service, Creator::Service(made)) => {
                made.create(raw, &channel, endpoints::sink::<raw::ServiceSink>(number).lend())
            }
            _ => Err(status::UNSUPPORTED),
        };
        Some(match call::during(name, "create (endpoint)", create) {
            Ok(endpoint) => {
                endpoints::add(number, endpoint);
                status::OK.into()
            }
            Err(code) => code.into(),
        })
    }

    fn destroy_endpoint(&self, number: u32) -> Option<Returned> {
        let (_, name) = self.instance()?;
        let endpoint = endpoints::take(number)?;
        destroy_endpoint(name, endpoint);
        Some(status::OK.into())
    }

    fn run_loop(&self, call: &Call<'_>) -> Option<Returned> {
        let (Instance { raw, .. }, name) = self.instance()?;
        let code = match call {
            Call::Transmit => {
                // This is the transmit thread of the instance.
                let code = call::during(name, "tx_run", || raw.tx_run(loops::TX.lend()));
                loops::settle();
                code
            }
            _ => {
                // As above, for the receive thread.
                call::during(name, "rx_run", || raw.rx_run(loops::RX.lend()))
            }
        };
        Some(code.into())
    }

    /// Wakes the loops from calls that block.
    pub(super) fn interrupt(&self) {
        if let Some((instance, _)) = self.instance() {
            instance.raw.interrupt();
        }
    }

    /// Destroys the endpoints and the instance, if that was not done yet. On the main thread.
    pub(super) fn destroy(&self) {
        self.model.destroy();
        let Some((Instance { raw, .. }, name)) = self.instance() else { return };
        endpoints::interrupt_calls();
        threads::join(THREADS_DEADLINE);
        for endpoint in endpoints::take_all() {
            destroy_endpoint(name, endpoint);
        }
        self.is_destroyed.store(true, Ordering::Release);
        if let Some(thread) = lock(&self.status_thread).take() {
            drop(thread.join(THREADS_DEADLINE));
        }
        // SAFETY: the last call of the instance: its loops, endpoints and threads have ended.
        call::during(name, "destroy", || unsafe { raw.destroy() });
    }
}

impl From<Status> for Returned {
    fn from(status: Status) -> Self {
        Returned { status, value: 0, connection: None }
    }
}

fn destroy_endpoint(name: &str, endpoint: EndpointRef) {
    // SAFETY: the plugin has made the endpoint, which is destroyed once.
    call::during(name, "destroy (endpoint)", || unsafe { endpoint.destroy() });
}

/// The channel as the ABI has it. Types are described by the host.
fn channel_of(channel: &wire::Channel<'_>) -> Channel {
    let none = || TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: 0,
        name: Str::EMPTY,
        descriptor_set: Bytes::EMPTY,
        reserved: [0; 2],
    };
    let described = |id: u32| types::described(id).unwrap_or_else(|_| none());
    Channel {
        struct_size: Channel::SIZE,
        reserved: 0,
        vehicle: Str::new(channel.vehicle),
        topic: Str::new(channel.topic),
        bridge_type: Str::new(channel.bridge_type),
        data_type: described(channel.data_type),
        response_type: channel.response_type.map_or_else(none, described),
        qos: Qos {
            struct_size: Qos::SIZE,
            reliability: channel.reliability,
            durability: channel.durability,
            depth: channel.depth,
            reserved: [0; 2],
        },
        encoding: channel.encoding,
        reserved2: 0,
    }
}

/// What a call returns that this process cannot make.
pub(super) const REFUSED: Returned = Returned { status: status::UNSUPPORTED, value: 0, connection: None };
