//! Sinks of the host in the hands of the SDK.

use std::sync::{Mutex, PoisonError};

use bridgehead_plugin_api::host::{HostHandle, Qos};
use bridgehead_plugin_api::messages::{Message as _, std_msgs};
use bridgehead_plugin_api::objects::BridgeRef;
use bridgehead_plugin_api::{Payload, Result, bridge as sdk, export};

use super::*;
use crate::api::shared::Shared;
use crate::bridge::registry::table_of;
use crate::bus::{Role, TypeRegistry};
use crate::guard::strike::struck;

/// Sinks that outlive their endpoints, by topic or service.
static KEPT: Mutex<Vec<(String, Kept)>> = Mutex::new(Vec::new());

enum Kept {
    Topic(sdk::Sink),
    Service(sdk::ServiceSink),
}

/// A bridge that keeps its sinks outside of its endpoints.
struct Hoarder;

fn keep(channel: &sdk::Channel<'_>, sink: Kept) {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push((channel.topic().to_owned(), sink));
}

impl sdk::Bridge for Hoarder {
    type Connection = String;
    type Publisher = ();
    type Subscriber = ();
    const LOOPS: sdk::Loops = sdk::Loops { transmit: false, receive: false };

    fn register(registrar: &mut sdk::Registrar<'_, Self>) -> Result {
        registrar.add_subscriber(sdk::ANY_TYPE)?;
        registrar.add_service(sdk::ANY_TYPE, sdk::ANY_TYPE)
    }
    fn create(_: HostHandle) -> Result<Self> {
        Ok(Hoarder)
    }
    fn connect(&self, _: String) -> Result {
        Ok(())
    }
    fn disconnect(&self) -> Result {
        Ok(())
    }
    fn status(&self) -> sdk::BridgeStatus {
        sdk::BridgeStatus::Connected
    }
    fn publisher(&self, _: &sdk::Channel<'_>) -> Result {
        Ok(())
    }
    fn subscriber(&self, channel: &sdk::Channel<'_>, sink: sdk::Sink) -> Result {
        keep(channel, Kept::Topic(sink));
        Ok(())
    }
    fn service(&self, channel: &sdk::Channel<'_>, sink: sdk::ServiceSink) -> Result {
        keep(channel, Kept::Service(sink));
        Ok(())
    }
}

/// An instance with its context, and the endpoints of what `shared` has for the vehicle `vehicle`.
struct Stage {
    maker: EndpointContext,
    _context: Arc<Context>,
    endpoints: Endpoints,
}

impl Stage {
    fn new(shared: &Arc<Shared>, vehicle: &str) -> Self {
        let factory = export::bridge_factory::<Hoarder>();
        let attachment = crate::world::Attachment { vehicle: vehicle.to_owned(), ..Default::default() };
        let owner = crate::api::Owner::Bridge(0);
        let label = format!("{vehicle}/hoarder");
        let context = Context::new(owner, label, Arc::clone(shared), Default::default(), attachment);
        let mut instance = std::mem::MaybeUninit::uninit();
        // SAFETY: the context lives longer than the instance; `instance` is writable.
        let code = unsafe { (factory.create)(context.host(), instance.as_mut_ptr()) };
        assert_eq!(code, status::OK);
        let maker = EndpointContext {
            // SAFETY: `create` filled it.
            instance: unsafe { BridgeRef::new(instance.assume_init()) },
            table: Arc::new(table_of(&factory).expect("a table")),
            shared: Arc::clone(shared),
            bridge: 0,
            bridge_name: "hoarder".to_owned(),
            vehicle: vehicle.to_owned(),
            label: format!("{vehicle}/hoarder"),
        };
        let mut endpoints = Endpoints::default();
        assert!(endpoints.sync(&maker).problems.is_empty());
        Stage { maker, _context: context, endpoints }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        drop(std::mem::take(&mut self.endpoints));
        // SAFETY: the last call on the instance, whose endpoints are destroyed.
        unsafe { self.maker.instance.destroy() };
    }
}

fn bools(types: &TypeRegistry) -> Arc<crate::bus::RegisteredType> {
    types.register(std_msgs::Bool::FULL_NAME, std_msgs::Bool::DESCRIPTOR_SET, "test").expect("registered")
}

fn kept(name: &str) -> Kept {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let place = kept.iter().position(|(known, _)| known == name).expect("a sink");
    kept.remove(place).1
}

#[test]
fn a_sink_that_outlives_its_endpoint_refuses() {
    let shared = Shared::new(0);
    let bools = bools(&shared.types);
    shared.bus.open("car1", "go", &bools, Qos::default(), Role::Subscriber, "test").expect("a topic");
    shared.services.advertise("car1", "enable", Arc::clone(&bools), bools).expect("a name");
    let stage = Stage::new(&shared, "car1");
    let (Kept::Topic(sink), Kept::Service(service)) = (kept("/car1/go"), kept("/car1/enable")) else {
        panic!("sinks of the wrong kind")
    };
    let payload = Payload::from_vec(Vec::new());
    sink.deliver(&payload).expect("the endpoint is there");
    service.call(&payload, |_| ()).expect("the endpoint is there");
    drop(stage);
    assert_eq!(sink.deliver(&payload).expect_err("destroyed").status(), status::WRONG_STATE);
    assert_eq!(service.call(&payload, |_| ()).expect_err("destroyed").status(), status::WRONG_STATE);
    let mut arrivals = Vec::new();
    shared.inbox.latch(0, &mut arrivals);
    assert_eq!(arrivals.len(), 1);
    shared.services.clear();
}

#[test]
fn a_panic_in_deliver_or_call_is_a_status() {
    let shared = Shared::new(0);
    let bools = bools(&shared.types);
    shared.bus.open("car3", "go", &bools, Qos::default(), Role::Subscriber, "test").expect("a topic");
    shared.services.advertise("car3", "enable", Arc::clone(&bools), bools).expect("a name");
    let stage = Stage::new(&shared, "car3");
    let (Kept::Topic(sink), Kept::Service(service)) = (kept("/car3/go"), kept("/car3/enable")) else {
        panic!("sinks of the wrong kind")
    };
    let payload = Payload::from_vec(Vec::new());
    let error = struck("sink.deliver", || sink.deliver(&payload)).expect_err("it panicked");
    assert_eq!((error.status(), error.text()), (status::PANIC, "deliver returned PANIC"));
    sink.deliver(&payload).expect("the next one is taken");
    let refused =
        struck("service_sink.call", || service.call(&payload, |_| panic!("no reply to a refused call")));
    assert_eq!(refused.expect_err("it panicked").status(), status::PANIC);
    drop(stage);
    shared.services.clear();
}

#[test]
fn endpoints_go_while_other_threads_deliver() {
    let shared = Shared::new(0);
    let bools = bools(&shared.types);
    shared.bus.open("car2", "go", &bools, Qos::default(), Role::Subscriber, "test").expect("a topic");
    for _ in 0..50 {
        let stage = Stage::new(&shared, "car2");
        let Kept::Topic(sink) = kept("/car2/go") else { panic!("a sink of the wrong kind") };
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| while sink.deliver(&Payload::from_vec(Vec::new())).is_ok() {});
            }
            drop(stage);
        });
        shared.inbox.clear();
    }
}
