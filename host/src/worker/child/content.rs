//! `bridgehead.description/1`, `bridgehead.scene/1` and `bridgehead.actions/1` in a worker: buffers of the host.

use bridgehead_abi::actions::HostActions;
use bridgehead_abi::description::HostDescription;
use bridgehead_abi::scene::HostScene;
use bridgehead_abi::{Buffer, Host, Status, Str, status};

use super::super::wire::{Answer, Request};
use super::tables::ask_number;
use super::{buffer, link, place};
use crate::guard::host_call;

pub(super) static DESCRIPTION: HostDescription = HostDescription {
    struct_size: HostDescription::SIZE,
    reserved: 0,
    revision: description_revision,
    read: read_description,
};

pub(super) static SCENE: HostScene = HostScene {
    struct_size: HostScene::SIZE,
    reserved: 0,
    revision: scene_revision,
    read: read_scene,
    asset,
    poses,
};

pub(super) static ACTIONS: HostActions =
    HostActions { struct_size: HostActions::SIZE, reserved: 0, read: read_actions };

/// Asks for a buffer, and gives a reference to the plugin.
///
/// # Safety
/// `out` must be memory for a pointer.
unsafe fn ask_buffer(function: &'static str, request: Request<'_>, out: *mut *const Buffer) -> Status {
    // SAFETY: the caller vouches for it.
    if let Err(code) = unsafe { place::check(out, function) } {
        return code;
    }
    link().ask(request, |answer| match answer {
        Answer::Payload(bytes) => {
            // SAFETY: the caller vouches for it; the plugin releases the reference.
            unsafe { out.write(buffer::received(bytes)) };
            status::OK
        }
        other => other.status(),
    })
}

unsafe extern "C" fn description_revision(_: *const Host) -> u64 {
    host_call("description.revision", 0, || ask_number(Request::DescriptionRevision, 0))
}

unsafe extern "C" fn read_description(_: *const Host, out: *mut *const Buffer) -> Status {
    host_call("description.read", status::PANIC, || {
        // SAFETY: plugins pass memory for a pointer.
        unsafe { ask_buffer("description.read", Request::Description, out) }
    })
}

unsafe extern "C" fn read_actions(_: *const Host, out: *mut *const Buffer) -> Status {
    host_call("actions.read", status::PANIC, || {
        // SAFETY: as above.
        unsafe { ask_buffer("actions.read", Request::Actions, out) }
    })
}

unsafe extern "C" fn scene_revision(_: *const Host) -> u64 {
    host_call("scene.revision", 0, || ask_number(Request::SceneRevision, 0))
}

unsafe extern "C" fn read_scene(_: *const Host, out: *mut *const Buffer) -> Status {
    host_call("scene.read", status::PANIC, || {
        // SAFETY: as above.
        unsafe { ask_buffer("scene.read", Request::Scene, out) }
    })
}

unsafe extern "C" fn asset(_: *const Host, hash: Str, out: *mut *const Buffer) -> Status {
    host_call("scene.asset", status::PANIC, || {
        // SAFETY: plugins pass a text valid for this call, and memory for a pointer.
        unsafe {
            let Some(hash) = hash.as_str() else { return status::INVALID_ARG };
            ask_buffer("scene.asset", Request::SceneAsset { hash }, out)
        }
    })
}

unsafe extern "C" fn poses(_: *const Host, timeout_ns: i64, out: *mut *const Buffer) -> Status {
    host_call("scene.poses", status::PANIC, || {
        // SAFETY: as above.
        unsafe { ask_buffer("scene.poses", Request::ScenePoses { timeout_ns }, out) }
    })
}
