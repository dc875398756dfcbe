//! `bridgehead.scene/1`: what the world looks like.

use std::sync::mpsc::sync_channel;
use std::time::Duration;

use bridgehead_abi::scene::HostScene;
use bridgehead_abi::{Buffer, Host, Status, Str, status};
use bridgehead_plugin_api::Payload;

use super::caller::{caller, check_pointer, checked, text};
use super::scope;
use crate::guard::host_call;

pub(super) static TABLE: HostScene =
    HostScene { struct_size: HostScene::SIZE, reserved: 0, revision, read, asset, poses };

unsafe extern "C" fn revision(host: *const Host) -> u64 {
    host_call("scene.revision", 0, || caller!(host, "scene.revision", 0).shared.scene.revision())
}

unsafe extern "C" fn read(host: *const Host, out: *mut *const Buffer) -> Status {
    host_call("scene.read", status::PANIC, || {
        let context = caller!(host, "scene.read");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "scene.read"));
        if scope::is_open() {
            context.refuse("`scene.read` waits for files: call it on a thread of your own".to_owned());
            return status::WRONG_THREAD;
        }
        let (sender, receiver) = sync_channel(1);
        // An error is a caller that waits no longer.
        context.shared.scene.read(move |payload| drop(sender.send(payload)));
        let Ok(payload) = receiver.recv() else { return status::INTERRUPTED };
        // SAFETY: `out` is writable.
        unsafe { give(payload, out) }
    })
}

unsafe extern "C" fn asset(host: *const Host, hash: Str, out: *mut *const Buffer) -> Status {
    host_call("scene.asset", status::PANIC, || {
        let context = caller!(host, "scene.asset");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "scene.asset"));
        // SAFETY: plugins pass a text valid for this call.
        let hash = checked!(unsafe { text(&context.label, hash, "scene.asset") });
        let Some(asset) = context.shared.scene.asset(hash) else { return status::NOT_FOUND };
        // SAFETY: `out` is writable.
        unsafe { give(Payload::from_vec(asset.bytes.to_vec()), out) }
    })
}

unsafe extern "C" fn poses(host: *const Host, timeout_ns: i64, out: *mut *const Buffer) -> Status {
    host_call("scene.poses", status::PANIC, || {
        let context = caller!(host, "scene.poses");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "scene.poses"));
        let shared = &context.shared;
        let here = scope::with(|world| shared.scene.block(Some(world), shared.clock.read().0).bytes);
        let payload = here.or_else(|| {
            let time = Duration::from_nanos(u64::try_from(timeout_ns).unwrap_or(0));
            let block = shared.scene.poses.wait(time, || shared.requests.wake())?;
            Some(block.bytes.clone())
        });
        match payload {
            // SAFETY: `out` is writable.
            Some(payload) => unsafe { give(payload, out) },
            None => status::TIMEOUT,
        }
    })
}

/// Gives a reference to the caller.
///
/// # Safety
/// `out` must be writable.
unsafe fn give(payload: Payload, out: *mut *const Buffer) -> Status {
    // SAFETY: the caller vouches for it.
    unsafe { out.write(crate::bus::give(payload)) };
    status::OK
}
