//! A bridge instance whose plugin runs in a worker: the functions of [`BridgeInstance`], each of which is a call to the
//! worker.
//!
//! If the worker ends, the instance is disconnected, as if its peer had gone. The next `connect` starts another worker and
//! makes the endpoints again.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};

use bridgehead_abi::bridge::{self as raw, BridgeInstance, Notice, RxContext, TxContext};
use bridgehead_abi::{Host, Status, Str, status};

use super::desk::Desk;
use super::endpoint::Made;
use super::forward::HostObject;
use super::library::IsolatedPlugin;
use super::process::Process;
use super::wire::{self, Call, Has, Lane};
use crate::api::Context;
use crate::guard::host_call;
use crate::thread::lock;

/// An instance.
pub(super) struct Isolated {
    plugin: IsolatedPlugin,
    label: String,
    pub(super) desk: Arc<Desk>,
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
    let desk = Desk::new(object.clone(), Some(object));
    let (process, returned) = match plugin.start(&label, &desk) {
        Ok(started) => started,
        Err(code) => return code,
    };
    let has = |bit: u32| returned.value & bit != 0;
    let instance = Arc::new(Isolated {
        plugin: plugin.clone(),
        label,
        desk,
        process: Mutex::new(process),
        endpoints: Mutex::default(),
        next_endpoint: AtomicU32::new(0),
    });
    let functions = BridgeInstance {
        struct_size: BridgeInstance::SIZE,
        reserved: 0,
        ctx: Arc::into_raw(instance).cast_mut().cast(),
        connect,
        disconnect,
        status: status_of,
        tx_run: has(Has::TX).then_some(tx_run),
        rx_run: has(Has::RX).then_some(rx_run),
        // Always there: a loop may wait for the worker.
        interrupt: Some(interrupt),
        notice: has(Has::NOTICE).then_some(notice),
        get_extension,
        destroy,
    };
    // SAFETY: the caller vouches for the memory.
    unsafe { out.write(functions) };
    status::OK
}

impl Isolated {
    /// # Safety
    /// `ctx` must be that of an instance that is alive.
    unsafe fn of<'a>(ctx: *mut c_void) -> &'a Self {
        // SAFETY: the caller vouches for it.
        unsafe { &*ctx.cast::<Isolated>() }
    }

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
        let (process, _) = self.plugin.start(&self.label, &self.desk)?;
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
            self.desk.remove(number);
        }
        code
    }

    /// Runs a loop. A worker that ends in it has not delivered its last message.
    fn run_loop(&self, lane: Lane, call: Call<'_>) -> Status {
        match self.process().call(lane, call) {
            Ok(returned) => returned.status,
            Err(code) => {
                if lane == Lane::Transmit {
                    self.desk.reject_taken();
                }
                code
            }
        }
    }
}

unsafe extern "C" fn connect(ctx: *mut c_void, connection: Str) -> Status {
    host_call("worker.connect", status::PANIC, || {
        // SAFETY: the host passes its instance, and a text valid for the call.
        let (instance, connection) = unsafe { (Isolated::of(ctx), connection.as_str()) };
        let Some(connection) = connection else { return status::INVALID_ARG };
        match instance.revive() {
            Ok(()) => instance.call(Call::Connect { connection }),
            Err(code) => code,
        }
    })
}

unsafe extern "C" fn disconnect(ctx: *mut c_void) -> Status {
    host_call("worker.disconnect", status::PANIC, || {
        // SAFETY: the host passes its instance.
        let instance = unsafe { Isolated::of(ctx) };
        let process = instance.process();
        if instance.desk.has_loops() {
            // The host has waited for them; they end with the worker.
            process.kill("interrupt");
        }
        if process.has_ended() { status::OK } else { instance.call(Call::Disconnect) }
    })
}

unsafe extern "C" fn status_of(ctx: *mut c_void) -> u32 {
    host_call("worker.status", raw::STATUS_UNEXPECTEDLY_DISCONNECTED, || {
        // SAFETY: as above.
        unsafe { Isolated::of(ctx) }.process().status()
    })
}

unsafe extern "C" fn tx_run(ctx: *mut c_void, tx: *const TxContext) -> Status {
    host_call("worker.tx_run", status::PANIC, || {
        // SAFETY: as above; the context is valid for the call.
        let instance = unsafe { Isolated::of(ctx) };
        instance.desk.set_tx(tx);
        let code = instance.run_loop(Lane::Transmit, Call::Transmit);
        instance.desk.set_tx(std::ptr::null());
        code
    })
}

unsafe extern "C" fn rx_run(ctx: *mut c_void, rx: *const RxContext) -> Status {
    host_call("worker.rx_run", status::PANIC, || {
        // SAFETY: as above; the context is valid for the call.
        let instance = unsafe { Isolated::of(ctx) };
        instance.desk.set_rx(rx);
        let code = instance.run_loop(Lane::Receive, Call::Receive);
        instance.desk.set_rx(std::ptr::null());
        code
    })
}

unsafe extern "C" fn interrupt(ctx: *mut c_void) {
    host_call("worker.interrupt", (), || {
        // SAFETY: as above.
        unsafe { Isolated::of(ctx) }.process().interrupt();
    })
}

unsafe extern "C" fn notice(ctx: *mut c_void, notice: *const Notice) -> Status {
    host_call("worker.notice", status::PANIC, || {
        // SAFETY: as above; the notice is valid for the call.
        let (instance, notice) = unsafe { (Isolated::of(ctx), &*notice) };
        if instance.process().has_ended() {
            return status::OK;
        }
        instance.call(Call::Notice(wire::Notice {
            kind: notice.kind,
            scope: notice.scope,
            reset_epoch: notice.reset_epoch,
            time_ns: notice.time_ns,
            ticket: notice.ticket,
        }))
    })
}

unsafe extern "C" fn get_extension(_: *mut c_void, _: Str) -> *const c_void {
    host_call("worker.get_extension", std::ptr::null(), std::ptr::null)
}

unsafe extern "C" fn destroy(ctx: *mut c_void) {
    host_call("worker.destroy", (), || {
        // SAFETY: the host destroys the instance that `create` gave away, once.
        let instance = unsafe { Arc::from_raw(ctx.cast::<Isolated>()) };
        let process = instance.process();
        if !process.has_ended() {
            // A failure has been reported.
            _ = process.call(Lane::Main, Call::Destroy);
        }
        process.close();
    })
}
