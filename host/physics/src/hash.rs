//! A hash of the state: equal for equal runs, different for different runs.
//!
//! FNV-1a with 64 bits, over the words of the state instead of its bytes: for every link in the order of its
//! id, the id, the pose of its body, and the linear and angular velocity of the body, bit by bit. The
//! positions of joints follow from the poses. Not a cryptographic hash.

use super::id::LinkId;
use super::world::Physics;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Physics {
    /// Returns the hash of the whole state, for comparing runs.
    pub fn state_hash(&self) -> u64 {
        self.links.ids().filter_map(|id| self.link_words(id)).flatten().fold(OFFSET, mix)
    }

    fn link_words(&self, id: LinkId) -> Option<impl Iterator<Item = u64>> {
        let body = self.link(id)?.body;
        let (pose, [linear, angular]) = (self.world.pose(body), self.world.velocity(body));
        let vectors = [pose.translation, linear, angular];
        let numbers =
            vectors.into_iter().flat_map(|vector| vector.to_array()).chain(pose.rotation.to_array());
        // A zero has a sign, which depends on the machine if it is the greater of two zeros.
        let words = numbers.map(|number| (number + 0.0).to_bits());
        Some(std::iter::once(u64::from(id.0)).chain(words))
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    // A plain FNV step over a whole word leaves the high bits of the word in the high bits of the hash; folding them
    // down first lets every bit reach every other.
    let word = word ^ (word >> 32);
    (hash ^ word).wrapping_mul(PRIME) ^ (hash >> 29)
}
