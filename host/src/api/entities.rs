//! `bridgehead.entities/1`: every model of the world as plugins look at it.

use bridgehead_abi::surroundings::{ENTITY_SPAWNED, ENTITY_STATIC, Entity, HostEntities};
use bridgehead_abi::{Host, Status, Str, status};

use super::context::{lend, read};
use super::model::raw_pose;
use super::scope::answer;
use crate::guard::host_call;
use crate::world::EntityState;

pub(super) static TABLE: HostEntities =
    HostEntities { struct_size: HostEntities::SIZE, reserved: 0, at, find, find_link };

unsafe extern "C" fn at(_: *const Host, index: u32, out: *mut Entity) -> Status {
    host_call("entities.at", status::PANIC, || {
        // SAFETY: `out` is writable.
        unsafe { answer(out, |world| world.entities().nth(index as usize).map(|entity| raw_entity(&entity))) }
    })
}

unsafe extern "C" fn find(_: *const Host, name: Str, out: *mut Entity) -> Status {
    host_call("entities.find", status::PANIC, || {
        // SAFETY: the name is valid for this call and `out` is writable.
        unsafe {
            answer(out, |world| {
                let name = read(name)?;
                world.entities().find(|entity| entity.model.name == name).map(|entity| raw_entity(&entity))
            })
        }
    })
}

unsafe extern "C" fn find_link(_: *const Host, name: Str, out: *mut u32) -> Status {
    host_call("entities.find_link", status::PANIC, || {
        // SAFETY: the name is valid for this call and `out` is writable.
        unsafe { answer(out, |world| world.find_link(read(name)?)) }
    })
}

fn raw_entity(entity: &EntityState<'_>) -> Entity {
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    let [box_min, box_max] = entity.bounds.map(|corner| corner.to_array());
    Entity {
        struct_size: Entity::SIZE,
        flags: bit(entity.model.is_static, ENTITY_STATIC) | bit(entity.model.is_spawned, ENTITY_SPAWNED),
        id: entity.id,
        // The name lives in the world's table, which changes at a step boundary only.
        name: lend(&entity.model.name),
        pose: raw_pose(&entity.pose),
        linear: entity.linear.to_array(),
        angular: entity.angular.to_array(),
        box_min,
        box_max,
    }
}
