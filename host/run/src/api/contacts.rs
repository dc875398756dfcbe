//! `bridgehead.contacts/1`: what touches the instance's model.

use bridgehead_abi::surroundings::{CollisionInfo, Contact};
use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::hosting::ContactsHost;

use super::context::Context;
use super::scope::look;

impl ContactsHost for Context {
    fn collision(&self, index: u32) -> Result<CollisionInfo, Status> {
        let collision = self.attachment.collisions.get(index as usize).ok_or(status::NOT_FOUND)?;
        Ok(CollisionInfo {
            struct_size: CollisionInfo::SIZE,
            collision: collision.collision,
            link: collision.link,
            reserved: 0,
            // The texts live as long as the context.
            name: Str::new(&collision.name),
            scoped_name: Str::new(&collision.scoped_name),
        })
    }

    fn contacts(&self, collision: u32, out: &mut [Contact]) -> Result<u32, Status> {
        let mut found = 0;
        let mut free = out.iter_mut();
        look(|world| {
            world.contacts(collision, |contact| {
                if let Some(out) = free.next() {
                    *out = Contact {
                        other: contact.other,
                        reserved: 0,
                        position: contact.position.to_array(),
                        normal: contact.normal.to_array(),
                        depth: contact.depth,
                        force: contact.force.to_array(),
                    };
                }
                found += 1;
            })
        })?;
        Ok(found)
    }

    fn name(&self, collision: u32) -> Result<Str, Status> {
        // The name lives in the world's table, which only grows.
        look(|world| world.collision_name(collision).map(Str::new))
    }
}
