//! `bridgehead.world-edit/1`: changes of what the world consists of, made before physics of the next step.

use bridgehead_abi::surroundings::{HostWorldEdit, SPAWN_RENAME, SpawnSpec};
use bridgehead_abi::{Host, Status, status};
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::caller::{caller, check_pointer, checked, text, wrong_thread};
use super::{Context, scope};
use crate::guard::host_call;
use crate::world::{CommandError, Spawn, World};

pub(super) static TABLE: HostWorldEdit =
    HostWorldEdit { struct_size: HostWorldEdit::SIZE, reserved: 0, spawn, remove, attach, detach };

/// Makes a change; explains a refusal.
fn change<T>(
    context: &Context,
    function: &str,
    ask: impl FnOnce(&mut World) -> Result<T, CommandError>,
    take: impl FnOnce(T),
) -> Status {
    match scope::with(ask) {
        None => wrong_thread(&context.label, function),
        Some(Ok(value)) => {
            take(value);
            status::OK
        }
        Some(Err(error)) => {
            context.refuse(error.to_string());
            status::INVALID_ARG
        }
    }
}

unsafe extern "C" fn spawn(host: *const Host, spec: *const SpawnSpec, out: *mut u64) -> Status {
    host_call("world_edit.spawn", status::PANIC, || {
        let context = caller!(host, "world_edit.spawn");
        checked!(check_pointer(&context.label, spec, "specification", "world_edit.spawn"));
        checked!(check_pointer(&context.label, out.cast_const(), "result", "world_edit.spawn"));
        // SAFETY: plugins pass a specification and texts valid for this call; `out` is writable.
        unsafe {
            let spec = &*spec;
            let sdf = checked!(text(&context.label, spec.sdf, "world_edit.spawn"));
            let name = checked!(text(&context.label, spec.name, "world_edit.spawn"));
            let spawn = Spawn {
                sdf,
                name,
                may_rename: spec.flags & SPAWN_RENAME != 0,
                pose: Pose {
                    position: DVec3::from_array(spec.pose.position),
                    rotation: DQuat::from_array(spec.pose.orientation).normalize(),
                },
            };
            change(context, "world_edit.spawn", |world| world.spawn(&spawn), |entity| out.write(entity))
        }
    })
}

unsafe extern "C" fn remove(host: *const Host, entity: u64) -> Status {
    host_call("world_edit.remove", status::PANIC, || {
        let context = caller!(host, "world_edit.remove");
        change(context, "world_edit.remove", |world| world.remove(entity), |()| ())
    })
}

unsafe extern "C" fn attach(host: *const Host, parent_link: u32, child_link: u32, out: *mut u64) -> Status {
    host_call("world_edit.attach", status::PANIC, || {
        let context = caller!(host, "world_edit.attach");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "world_edit.attach"));
        let attach = |world: &mut World| world.attach(parent_link, child_link);
        // SAFETY: `out` is writable.
        change(context, "world_edit.attach", attach, |bond| unsafe { out.write(bond) })
    })
}

unsafe extern "C" fn detach(host: *const Host, bond: u64) -> Status {
    host_call("world_edit.detach", status::PANIC, || {
        let context = caller!(host, "world_edit.detach");
        change(context, "world_edit.detach", |world| world.detach(bond), |()| ())
    })
}
