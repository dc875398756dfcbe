//! The ids by which the layers above know the parts of the physics.
//!
//! Each is a number that is never given twice in one [`super::Physics`], so an id of a removed part finds nothing.

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
    /// A model: links and joints that came and go together.
    ModelId;
    /// A link.
    LinkId;
    /// A joint.
    JointId;
    /// A collision shape of a link.
    CollisionId;
}
