//! What touches the instance's model.

use bridgehead_abi::extension;
use bridgehead_abi::surroundings as abi;

use crate::error::Result;
use crate::host::{LinkId, extension_handle, text_of};

/// A collision of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CollisionId(pub u32);

/// A collision of the instance's model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// Its handle.
    pub id: CollisionId,
    /// Link that carries it.
    pub link: LinkId,
    /// Name in its link.
    pub name: String,
    /// Name in the world: `car1::chassis::bumper`.
    pub scoped_name: String,
}

/// One point where a collision touched another one during the last step; world frame.
pub type Contact = abi::Contact;

extension_handle! {
    /// What touches the instance's model.
    Contacts, abi::HostContacts, extension::CONTACTS
}

/// A contact before it is written.
const EMPTY: Contact =
    Contact { other: 0, reserved: 0, position: [0.0; 3], normal: [0.0; 3], depth: 0.0, force: [0.0; 3] };

impl Contacts {
    /// The collisions of the model, in document order. `[any]`
    #[must_use]
    pub fn collisions(self) -> Vec<Collision> {
        (0..).map_while(|index| self.collision_at(index)).collect()
    }

    fn collision_at(self, index: u32) -> Option<Collision> {
        let _entered = self.host().enter().ok()?;
        let raw = self.extension.collision(index).ok()?;
        Some(Collision {
            id: CollisionId(raw.collision),
            link: LinkId(raw.link),
            name: text_of(raw.name),
            scoped_name: text_of(raw.scoped_name),
        })
    }

    /// Fills `contacts` with what touched a collision during the last step; the buffer's memory is reused. `[sim]`
    ///
    /// # Errors
    /// Returns an error if the collision is gone or the call comes from another thread.
    pub fn read(self, collision: CollisionId, contacts: &mut Vec<Contact>) -> Result {
        contacts.resize(contacts.capacity().max(8), EMPTY);
        let mut count = self.write(collision, contacts)?;
        if count > contacts.len() {
            contacts.resize(count, EMPTY);
            count = self.write(collision, contacts)?;
        }
        contacts.truncate(count);
        Ok(())
    }

    fn write(self, collision: CollisionId, contacts: &mut [Contact]) -> Result<usize> {
        Ok(self.extension.contacts(collision.0, contacts)? as usize)
    }

    /// Name in the world of any collision, for [`Contact::other`]. `[sim]`
    ///
    /// # Errors
    /// Returns an error if the collision is gone or the call comes from another thread.
    pub fn name(self, collision: CollisionId) -> Result<String> {
        let _entered = self.host().enter()?;
        Ok(text_of(self.extension.name(collision.0)?))
    }
}
