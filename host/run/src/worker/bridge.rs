//! A bridge instance whose plugin runs in a worker: each of its functions is a call to the worker.
//!
//! If the worker ends, the instance is disconnected, as if its peer had gone. The next `connect` starts another worker and
//! makes the endpoints again.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};

use bridgehead_abi::bridge::{BridgeInstance, Notice};
use bridgehead_abi::{Host, Status, status};
use bridgehead_plugin_api::objects::{BridgeObject, BridgeRef, RxRef, TxRef, bridge_has};

use super::dispatcher::Dispatcher;
use super::forward::HostObject;
use super::made::Made;
use super::plugin::{IsolatedPlugin, end};
use super::process::Process;
use super::wire;
use super::wire::{Call, Lane};
use crate::api::context::Context;
use crate::api::hosting::host_object;
use crate::guard::host_call;
use crate::thread::lock;

/// An instance.
pub(super) struct Isolated {
    plugin: IsolatedPlugin,
    label: String,
    /// Which optional functions the plugin has.
    has: u32,
    pub(super) dispatcher: Arc<Dispatcher>,
    process: Mutex<Arc<Process>>,
    pub(super) endpoints: Mutex<BTreeMap<u32, Made>>,
    pub(super) next_endpoint: AtomicU32,
}

/// Makes an instance in a worker of its own.
///
/// # Safety
/// `host` must be valid until the instance is destroyed, and `out` memory for the result.
pub(super) unsafe fn create(plugin: &IsolatedPlugin, host: *const Host, out: *mut BridgeInstance) -> Status {
    // SAFETY: the caller vouches for the object.
    let (context, object) = unsafe { (Context::from_host(host), HostObject::of_instance(host)) };
    let label = context.label.clone();
    let dispatcher = Dispatcher::new(object.clone(), Some(object));
    let (process, returned) = match plugin.start(&label, &dispatcher) {
        Ok(started) => started,
        Err(code) => return code,
    };
    let instance = Arc::new(Isolated {
        plugin: plugin.clone(),
        label,
        // Always there: a loop may wait for the worker.
        has: returned.value | bridge_has::interrupt,
        dispatcher,
        process: Mutex::new(process),
        endpoints: Mutex::default(),
        next_endpoint: AtomicU32::new(0),
    });
    // SAFETY: the caller vouches for the memory.
    unsafe { out.write(BridgeRef::table_of(instance)) };
    status::OK
}

impl Isolated {
    pub(super) fn process(&self) -> Arc<Process> {
        Arc::clone(&lock(&self.process))
    }

    /// Makes a lifecycle call, and takes note of the status of the connection after it.
    fn call(&self, call: Call<'_>) -> Status {
        let process = self.process();
        match process.call(Lane::Main, call) {
            Ok(returned) => {
                returned.connection.inspect(|connection| process.update_status(*connection));
                returned.status
            }
            Err(code) => code,
        }
    }

    /// Starts another worker if the last one has ended, and makes the endpoints again.
    fn revive(&self) -> Result<(), Status> {
        if !self.process().has_ended() {
            return Ok(());
        }
        let (process, _) = self.plugin.start(&self.label, &self.dispatcher)?;
        log::info!(target: &self.label, "another worker process was started");
        for (number, made) in &*lock(&self.endpoints) {
            let returned = process.call(Lane::Main, made.call(*number))?;
            if returned.status < status::OK {
                let reason = status::name(returned.status);
                log::warn!(target: &self.label, "{} is not available in the new worker ({reason})", made.topic);
            }
        }
        *lock(&self.process) = process;
        Ok(())
    }

    /// Makes an endpoint. Its sink, if it has one, was added under its number.
    pub(super) fn make(&self, number: u32, made: Made) -> Status {
        let code = match self.process().call(Lane::Main, made.call(number)) {
            Ok(returned) => returned.status,
            Err(code) => code,
        };
        if code >= status::OK {
            lock(&self.endpoints).insert(number, made);
        } else {
            self.dispatcher.remove(number);
        }
        code
    }

    /// Runs a loop. A worker that ends in it has not delivered its last message.
    fn run_loop(&self, lane: Lane, call: Call<'_>) -> Status {
        match self.process().call(lane, call) {
            Ok(returned) => returned.status,
            Err(code) => {
                if lane == Lane::Transmit {
                    self.dispatcher.reject_taken();
                }
                code
            }
        }
    }
}

host_object!(Isolated, |instance| Some(&instance.label));

impl BridgeObject for Isolated {
    fn connect(&self, connection: &[u8]) -> Status {
        let Ok(connection) = std::str::from_utf8(connection) else { return status::INVALID_ARG };
        match self.revive() {
            Ok(()) => self.call(Call::Connect { connection }),
            Err(code) => code,
        }
    }

    fn disconnect(&self) -> Status {
        let process = self.process();
        if self.dispatcher.has_loops() {
            // The host has waited for them; they end with the worker.
            process.kill("interrupt");
        }
        if process.has_ended() { status::OK } else { self.call(Call::Disconnect) }
    }

    fn status(&self) -> u32 {
        self.process().status()
    }

    fn tx_run(&self, tx: TxRef<'_>) -> Status {
        self.dispatcher.tx.during(tx.as_raw(), || self.run_loop(Lane::Transmit, Call::Transmit))
    }

    fn rx_run(&self, rx: RxRef<'_>) -> Status {
        self.dispatcher.rx.during(rx.as_raw(), || self.run_loop(Lane::Receive, Call::Receive))
    }

    fn interrupt(&self) {
        self.process().interrupt();
    }

    fn notice(&self, notice: &Notice) -> Status {
        if self.process().has_ended() {
            return status::OK;
        }
        self.call(Call::Notice(wire::Notice {
            kind: notice.kind,
            scope: notice.scope,
            reset_epoch: notice.reset_epoch,
            time_ns: notice.time_ns,
            ticket: notice.ticket,
        }))
    }

    fn get_extension(&self, _: &[u8]) -> *const c_void {
        std::ptr::null()
    }

    fn has(&self) -> u32 {
        self.has
    }

    fn destroy(self: Arc<Self>) {
        host_call("bridge.destroy", (), || end(&self.process()));
    }
}
