//! Host objects in the hands of the SDK: what safe plugin code can do wrong must not touch freed memory.

use std::sync::{Arc, Mutex};

use bridgehead_abi::model::ModelInstance;
use bridgehead_abi::status;
use bridgehead_plugin_api::host::{HostHandle, Publisher, Qos, Service, Subscription};
use bridgehead_plugin_api::hosting::FUNCTIONS;
use bridgehead_plugin_api::messages::std_msgs::Bool;
use bridgehead_plugin_api::messages::std_srvs::{SetBoolRequest, SetBoolResponse};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope};
use bridgehead_plugin_api::{Error, Flow, Result, export, hosting};

use super::context::params::ParamsView;
use super::{Context, Owner, Shared};
use crate::call;
use crate::world::Attachment;

/// What an instance leaves behind.
struct Kept {
    host: HostHandle,
    publisher: Publisher<Bool>,
    subscription: Subscription<Bool>,
    service: Service<SetBoolRequest, SetBoolResponse>,
}

/// Handles by the name of the vehicle.
static KEPT: Mutex<Vec<(String, Kept)>> = Mutex::new(Vec::new());

/// A plugin that hands out all it has.
struct Leaky;

impl ModelPlugin for Leaky {
    const PHASES: Phases = Phases::NONE;
    fn awake(host: HostHandle) -> Result<Self> {
        let kept = Kept {
            host,
            publisher: host.bus()?.advertise("out", Qos::latched())?,
            subscription: host.bus()?.subscribe("in", Qos::default())?,
            service: host.services()?.advertise("enable")?,
        };
        let vehicle = host.model()?.attachment()?.vehicle;
        KEPT.lock().map_err(|_| Error::new("poisoned"))?.push((vehicle, kept));
        Ok(Leaky)
    }
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }
}

/// A context and an instance that has it, awake.
fn awake(shared: &Arc<Shared>, vehicle: &str) -> (Arc<Context>, ModelInstance, Kept) {
    let attachment = Attachment { vehicle: vehicle.to_owned(), ..Attachment::default() };
    let label = format!("{vehicle}/leaky");
    let context = Context::new(Owner::Model, label, Arc::clone(shared), ParamsView::default(), attachment);
    let mut instance = std::mem::MaybeUninit::uninit();
    // SAFETY: the callers keep the context as long as the instance; `instance` is writable, and `create` fills it.
    let instance: ModelInstance = unsafe {
        let factory = export::model_factory::<Leaky>();
        assert_eq!((factory.create)(context.host(), instance.as_mut_ptr()), status::OK);
        instance.assume_init()
    };
    // SAFETY: the instance is alive.
    let code = call::during(&context.label, "awake", || unsafe { (instance.awake)(instance.ctx) });
    assert_eq!(code, status::OK);
    let mut kept = KEPT.lock().expect("kept");
    let place = kept.iter().position(|(known, _)| known == vehicle).expect("awake ran");
    (context, instance, kept.remove(place).1)
}

#[test]
fn handles_that_outlive_the_host_object_answer() {
    let shared = Shared::new(0);
    let (context, instance, mut kept) = awake(&shared, "car1");
    let params = kept.host.params().expect("offered");
    let clock = kept.host.clock().expect("offered");
    assert!(kept.publisher.has_listeners());
    kept.publisher.publish(0, &Bool { data: true }).expect("the instance is there");
    // SAFETY: the last call on the instance.
    unsafe { (instance.destroy)(instance.ctx) };
    shared.services.clear();
    let freed = Arc::downgrade(&context);
    drop(context);
    assert!(freed.upgrade().is_none(), "the host object is freed");

    let error = kept.publisher.publish(0, &Bool { data: true }).expect_err("gone");
    assert_eq!(error.status(), status::WRONG_STATE);
    assert!(!kept.publisher.has_listeners());
    assert!(kept.subscription.take().is_none() && kept.service.take().is_none());
    assert!(kept.host.log().is_err() && params.text("x").is_none() && clock.read().is_paused);
    kept.host.explain("from beyond");
}

#[test]
fn an_instance_goes_while_a_thread_of_its_own_publishes() {
    let shared = Shared::new(0);
    for _ in 0..50 {
        let (context, instance, kept) = awake(&shared, "car2");
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| while kept.publisher.publish(0, &Bool { data: true }).is_ok() {});
            }
            // SAFETY: the last call on the instance. The threads are none of the host's.
            unsafe { (instance.destroy)(instance.ctx) };
            drop(context);
        });
        shared.services.clear();
    }
}

#[test]
fn garbage_of_a_worker_is_refused_or_does_no_harm() {
    let attachment = Attachment { vehicle: "car1".to_owned(), ..Attachment::default() };
    let label = "car1/garbage".to_owned();
    let context = Context::new(Owner::Model, label, Shared::new(0), ParamsView::default(), attachment);
    let mut state = 1_u64;
    let mut random = move || {
        // An LCG, with the constants of Knuth's MMIX.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut refused = 0;
    // The scene waits for threads that are not here.
    let functions =
        FUNCTIONS.iter().copied().flatten().filter(|function| !function.name.starts_with("scene."));
    for function in functions {
        for round in 0..300 {
            // Small numbers are lengths and counts that may fit, others are not.
            let words =
                (0..random() % 24).map(|_| if round % 2 == 0 { random() % 64 } else { random() << 31 });
            let mut bytes: Vec<u8> = words.flat_map(u64::to_ne_bytes).collect();
            bytes.truncate(bytes.len().saturating_sub((random() % 9) as usize));
            refused += usize::from(hosting::serve(&*context, function, &bytes).is_err());
        }
    }
    assert!(refused > 1000, "{refused}");
}
