//! The ids by which the layers above know the parts of the physics.
//!
//! Each is an index that is never given twice in one [`super::Physics`], so an id of a removed part finds nothing.

use serde::{Deserialize, Serialize};

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

            /// The id of the next part of a table of this length.
            pub(super) fn next(length: usize) -> Self {
                Self(u32::try_from(length).unwrap_or(u32::MAX))
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
