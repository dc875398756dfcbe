//! `bridgehead.scene/1` of a test: an empty scene without nodes.

use bridgehead_abi::scene::{HostScene, ScenePoses};
use bridgehead_abi::{Buffer, Host, Status, Str, status};

use crate::messages::bridgehead_simulation_interfaces::Scene;
use crate::messages::prost::Message as _;
use crate::payload::Payload;

pub(super) static TABLE: HostScene =
    HostScene { struct_size: HostScene::SIZE, reserved: 0, revision, read, asset, poses };

/// The scene never changes.
const REVISION: u64 = 1;

unsafe extern "C" fn revision(_: *const Host) -> u64 {
    REVISION
}

unsafe extern "C" fn read(_: *const Host, out: *mut *const Buffer) -> Status {
    let scene = Scene { revision: REVISION, ..Scene::default() };
    // SAFETY: `out` is writable; the reference is the caller's from here on.
    unsafe { out.write(Payload::from_vec(scene.encode_to_vec()).into_raw()) };
    status::OK
}

unsafe extern "C" fn asset(_: *const Host, _: Str, _: *mut *const Buffer) -> Status {
    status::NOT_FOUND
}

unsafe extern "C" fn poses(_: *const Host, _: i64, out: *mut *const Buffer) -> Status {
    let head = ScenePoses { revision: REVISION, step: 0, time_ns: 0, reset_epoch: 0, count: 0 };
    let mut bytes = vec![0; size_of::<ScenePoses>()];
    // SAFETY: the bytes are as many as the struct has; `out` is writable, and the reference is the caller's.
    unsafe {
        bytes.as_mut_ptr().cast::<ScenePoses>().write_unaligned(head);
        out.write(Payload::from_vec(bytes).into_raw());
    }
    status::OK
}
