//! Panics inside of host functions, provoked, and the rule that every such function is guarded.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use bridgehead_abi::host::{HostBus, Loan};
use bridgehead_abi::{Host, Message, Str, extension, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::Message as _;
use bridgehead_plugin_api::messages::std_msgs::Bool;

use super::context::params::ParamsView;
use super::context::{Context, Owner};
use super::shared::Shared;
use crate::call;
use crate::guard::strike::struck;
use crate::world::Attachment;

/// A model plugin's context, its bus table, a publisher and a subscription.
struct Stage {
    context: Arc<Context>,
    bus: &'static HostBus,
    publisher: *mut std::ffi::c_void,
    subscription: *mut std::ffi::c_void,
}

impl Stage {
    fn new() -> Self {
        let shared = Shared::new(0);
        shared.types.register(Bool::FULL_NAME, Bool::DESCRIPTOR_SET, "test").expect("registered");
        let attachment = Attachment { vehicle: "car1".to_owned(), ..Attachment::default() };
        let label = "car1/imu".to_owned();
        let context = Context::new(Owner::Model, label, shared, ParamsView::default(), attachment);
        let host: *const Host = context.host();
        let [mut publisher, mut subscription] = [std::ptr::null_mut(); 2];
        let qos = bridgehead_abi::message::Qos {
            struct_size: bridgehead_abi::message::Qos::SIZE,
            reliability: 0,
            durability: 0,
            depth: 0,
            reserved: [0; 2],
        };
        let (topic, name) = (Str::new("x"), Str::new(Bool::FULL_NAME));
        // SAFETY: the host object is alive, the extension is a bus, and all arguments live for the calls.
        let bus = unsafe {
            let bus: &'static HostBus = &*((*host).get_extension)(host, Str::new(extension::BUS)).cast();
            call::during("car1/imu", "awake", || {
                assert_eq!(
                    (bus.advertise)(host, topic, name, &raw const qos, &raw mut publisher),
                    status::OK
                );
                assert_eq!(
                    (bus.subscribe)(host, topic, name, &raw const qos, &raw mut subscription),
                    status::OK
                );
            });
            bus
        };
        Stage { context, bus, publisher, subscription }
    }
}

#[test]
fn a_panic_in_the_bus_is_a_status() {
    let stage = Stage::new();
    let (bus, publisher) = (stage.bus, stage.publisher);
    let payload = Payload::from_vec(Vec::new());
    let mut loan = Loan {
        struct_size: Loan::SIZE,
        reserved: 0,
        data: std::ptr::null_mut(),
        capacity: 0,
        ctx: std::ptr::null_mut(),
    };
    let mut message = std::mem::MaybeUninit::<Message>::zeroed();
    // SAFETY: the caller sets the size of the memory for a result.
    unsafe { (&raw mut (*message.as_mut_ptr()).struct_size).write(Message::SIZE) };
    // SAFETY: handles are the instance's own; payload, loan and message live for the calls.
    unsafe {
        let publish = || (bus.publish)(publisher, 0, payload.as_raw());
        assert_eq!(struck("bus.publish", publish), status::PANIC);
        assert_eq!(publish(), status::OK, "the next call is served");
        assert_eq!(struck("bus.loan", || (bus.loan)(publisher, 8, &raw mut loan)), status::PANIC);
        assert!(loan.ctx.is_null(), "nothing was lent");
        assert_eq!((bus.loan)(publisher, 8, &raw mut loan), status::OK);
        assert_eq!(struck("bus.commit", || (bus.commit)(publisher, 0, &raw mut loan, 0)), status::PANIC);
        assert_eq!((bus.commit)(publisher, 0, &raw mut loan, 0), status::OK);
        assert_eq!(
            struck("bus.take", || (bus.take)(stage.subscription, message.as_mut_ptr())),
            status::PANIC
        );
        assert_eq!(struck("bus.listeners", || (bus.listeners)(publisher)), 0);
    }
    let mut waiting = Vec::new();
    stage.context.outbox.drain_into(&mut waiting);
    assert_eq!(waiting.len(), 2);
}

#[test]
fn a_panic_names_the_plugin_that_called() {
    assert_eq!(
        call::during("car1/imu", "sample", call::current_call).as_deref(),
        Some("`sample` of plugin `car1/imu`")
    );
    let stage = Stage::new();
    let (bus, publisher, payload) = (stage.bus, stage.publisher, Payload::from_vec(Vec::new()));
    // SAFETY: as above.
    let publish = || unsafe { (bus.publish)(publisher, 0, payload.as_raw()) };
    let status = call::during("car1/imu", "sample", || struck("bus.publish", publish));
    assert_eq!((status, call::current_call()), (status::PANIC, None));
}

/// Functions with a C ABI that no plugin calls.
const NOT_CALLED_BY_PLUGINS: &[&str] =
    &["on_signal", "on_stray", "on_exit", "in_parent", "in_child", "nothing"];

/// Every function with a C ABI that a text defines, with the first line of code in its body. Types of functions have
/// no name and are none.
fn c_functions(text: &str) -> Vec<(&str, &str)> {
    let heads = text.split("extern \"C\" fn ").skip(1);
    let functions = heads.filter_map(|rest| {
        let name = rest.split(['(', '<']).next()?;
        let body = rest.split_once('{')?.1;
        let first = body.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("//"))?;
        (!name.is_empty()).then_some((name, first))
    });
    functions.collect()
}

#[test]
fn every_function_that_plugins_call_is_guarded() {
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = ["src", "bus/src", "loader/src", "run/src", "runtime/src", "world/src"]
        .map(|part| host.join(part))
        .into();
    let (mut unguarded, mut guarded) = (Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let path = entry.display().to_string();
            if !path.ends_with(".rs") || path.ends_with("/tests.rs") || path.contains("/tests/") {
                continue;
            }
            let text = fs::read_to_string(&entry).expect("a text");
            for (name, first) in c_functions(&text) {
                if first.starts_with("host_call(") {
                    guarded += 1;
                } else if !NOT_CALLED_BY_PLUGINS.contains(&name) {
                    unguarded.push(format!("{path}: `{name}` begins with `{first}`"));
                }
            }
        }
    }
    assert!(unguarded.is_empty(), "the body of a host function is `host_call(…)`:\n{}", unguarded.join("\n"));
    // Those that are declared in `hosting` and `objects` are guarded there.
    assert!(guarded > 12, "the functions were found: {guarded}");
}

#[test]
fn a_function_without_a_guard_is_found() {
    let text = "type F = unsafe extern \"C\" fn(u8);\nunsafe extern \"C\" fn bare(x: u8) -> u8 {\n    // x\n    x\n}\n";
    assert_eq!(c_functions(text), [("bare", "x")]);
}
