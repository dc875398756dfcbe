//! The ids of models, links, joints and collisions.
//!
//! An id is never issued twice in one [`super::Physics`], so that the id of a removed part is not found.

use serde::{Deserialize, Serialize};

use crate::table::Id;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub(super) u32);

        impl $name {
            /// The number behind the id.
            #[must_use]
            pub fn index(self) -> u32 {
                self.0
            }
        }

        impl Id for $name {
            fn from_number(number: u32) -> Self {
                Self(number)
            }

            fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}

ids! {
    /// A model: links and joints that were added together.
    ModelId;
    /// A link.
    LinkId;
    /// A joint.
    JointId;
    /// A collision shape of a link.
    CollisionId;
}
