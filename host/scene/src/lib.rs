//! What a world looks like: its visuals, lights and materials as one message, and the meshes and textures they need.
//!
//! | items | purpose |
//! |---|---|
//! | [`Parts`], [`WorldPart`], [`ModelPart`] | what a world and its models look like, as resolved from their files |
//! | [`describe`] | makes the message of parts, and reads the files that it needs |
//! | [`Library`] | the meshes and textures that were read, by the hash of their content |
//! | [`shape`], [`diffuse`] | what a visual looks like without files, for markers |
//! | [`message`] | poses and vectors as messages, for every part of the host |
//!
//! Parts are made on the simulation thread, and cost a copy of the elements. Everything that reads files or takes long
//! happens in [`describe`], on the thread of a reader. A file that cannot be read is one warning, and what needs it is
//! left out: the text of the warning has a code `BH-MSH-nnn`.

mod describe;
mod geometry;
mod library;
mod light;
mod material;
pub mod message;
mod named;
mod part;
#[cfg(test)]
mod tests;

pub use describe::describe;
pub use geometry::{Shape, shape};
pub use library::{Asset, Library};
pub use material::diffuse;
pub use part::{ModelPart, Parts, WorldPart};
