//! `bridgehead.world-edit/1`: changes of what the world consists of, made before physics of the next step.

use bridgehead_abi::surroundings::SPAWN_RENAME;
use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::hosting;
use bridgehead_plugin_api::hosting::WorldEditHost;

use super::context::Context;
use super::model::pose_of;
use super::scope::within;
use crate::world::{CommandError, Spawn, World};

impl Context {
    /// Makes a change; explains a refusal.
    fn change<T>(&self, ask: impl FnOnce(&mut World) -> Result<T, CommandError>) -> Result<T, Status> {
        within(ask)?.map_err(|error| {
            self.refuse(error.to_string());
            status::INVALID_ARG
        })
    }
}

impl WorldEditHost for Context {
    fn spawn(&self, spawn: hosting::Spawn<'_>) -> Result<u64, Status> {
        let spawn = Spawn {
            sdf: spawn.sdf,
            name: spawn.name,
            may_rename: spawn.flags & SPAWN_RENAME != 0,
            pose: pose_of(&spawn.pose),
        };
        self.change(|world| world.spawn(&spawn))
    }

    fn remove(&self, entity: u64) -> Result<(), Status> {
        self.change(|world| world.remove(entity))
    }

    fn attach(&self, parent_link: u32, child_link: u32) -> Result<u64, Status> {
        self.change(|world| world.attach(parent_link, child_link))
    }

    fn detach(&self, bond: u64) -> Result<(), Status> {
        self.change(|world| world.detach(bond))
    }
}
