//! `bridgehead.entities/1`: every model of the world as plugins look at it.

use bridgehead_abi::surroundings::{ENTITY_SPAWNED, ENTITY_STATIC, Entity, HostEntities};
use bridgehead_abi::{Host, Status, Str, status};

use super::caller::{caller, check_out, check_pointer, checked, text};
use super::context::lend;
use super::model::raw_pose;
use super::scope::answer;
use crate::guard::host_call;
use crate::world::EntityState;

pub(super) static TABLE: HostEntities =
    HostEntities { struct_size: HostEntities::SIZE, reserved: 0, at, find, find_link };

unsafe extern "C" fn at(host: *const Host, index: u32, out: *mut Entity) -> Status {
    host_call("entities.at", status::PANIC, || {
        let context = caller!(host, "entities.at");
        // SAFETY: `out` is memory for a result.
        unsafe {
            checked!(check_out(&context.label, out, "entities.at"));
            answer(&context.label, "entities.at", out, |world| {
                world.entities().nth(index as usize).map(|entity| raw_entity(&entity))
            })
        }
    })
}

unsafe extern "C" fn find(host: *const Host, name: Str, out: *mut Entity) -> Status {
    host_call("entities.find", status::PANIC, || {
        let context = caller!(host, "entities.find");
        // SAFETY: the name is valid for this call and `out` is memory for a result.
        unsafe {
            checked!(check_out(&context.label, out, "entities.find"));
            let name = checked!(text(&context.label, name, "entities.find"));
            answer(&context.label, "entities.find", out, |world| {
                world.entities().find(|entity| entity.model.name == name).map(|entity| raw_entity(&entity))
            })
        }
    })
}

unsafe extern "C" fn find_link(host: *const Host, name: Str, out: *mut u32) -> Status {
    host_call("entities.find_link", status::PANIC, || {
        let context = caller!(host, "entities.find_link");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "entities.find_link"));
        // SAFETY: the name is valid for this call and `out` is writable.
        unsafe {
            let name = checked!(text(&context.label, name, "entities.find_link"));
            answer(&context.label, "entities.find_link", out, |world| world.find_link(name))
        }
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
