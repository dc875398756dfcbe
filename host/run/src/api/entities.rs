//! `bridgehead.entities/1`: every model of the world as plugins look at it.

use bridgehead_abi::surroundings::{ENTITY_SPAWNED, ENTITY_STATIC, Entity};
use bridgehead_abi::{Status, Str};
use bridgehead_plugin_api::hosting::EntitiesHost;

use super::context::Context;
use super::model::raw_pose;
use super::scope::look;
use crate::world::EntityState;

impl EntitiesHost for Context {
    fn at(&self, index: u32) -> Result<Entity, Status> {
        look(|world| world.entities().nth(index as usize).map(|entity| raw_entity(&entity)))
    }

    fn find(&self, name: &str) -> Result<Entity, Status> {
        look(|world| {
            world.entities().find(|entity| entity.model.name == name).map(|entity| raw_entity(&entity))
        })
    }

    fn find_link(&self, name: &str) -> Result<u32, Status> {
        look(|world| world.find_link(name))
    }
}

fn raw_entity(entity: &EntityState<'_>) -> Entity {
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    let [box_min, box_max] = entity.bounds.map(|corner| corner.to_array());
    Entity {
        struct_size: Entity::SIZE,
        flags: bit(entity.model.is_static, ENTITY_STATIC) | bit(entity.model.is_spawned, ENTITY_SPAWNED),
        id: entity.id,
        // The name lives in the world's table, which changes at a step boundary only.
        name: Str::new(&entity.model.name),
        pose: raw_pose(&entity.pose),
        linear: entity.linear.to_array(),
        angular: entity.angular.to_array(),
        box_min,
        box_max,
    }
}
