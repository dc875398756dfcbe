//! The table of names of sensors and plugins in other simulators' world files, with their counterparts.
//!
//! [`names`] is the only source for dispatch, for `docs/names.md` and for the tests. Callers pass in which plugins are
//! loaded. Plain values, any thread.

mod companion;
mod element;
mod inventory;
mod lookup;
mod name;
mod ros;
mod spelling;
pub(super) mod style;
mod table;
mod translate;
mod unsupported;

pub use companion::{implement, join};
pub use element::{parts, translated};
pub use lookup::{Resolution, elsewhere, file, resolve, sensor_type};
pub use name::{Change, Family, Name, Parameter, Part, Provider, RosTopic, Translation};
pub use style::{GAZEBO_TOPICS, GazeboTopic, NameStyle};
pub use table::names;
pub use translate::ElementContext;
pub use unsupported::{NO_COUNTERPART, NOT_FOUND, Reason, UnsupportedName, UnsupportedNames};

#[cfg(test)]
mod tests;
