//! Draws the scene of a world without a window, on a GPU or on the processor.
//!
//! [`Renderer`] has the device, if there is one, and the scene; a [`Target`] has the images of one camera. Colour is sRGB, depth is in
//! metres along the optical axis, and each pixel has the number of the visual that it shows. Positions are
//! relative to the camera, so that a world of kilometres loses nothing to 32-bit numbers.
//!
//! The model of light, in linear colours: a surface has the brightness `diffuse × ambient light of the scene ÷ π`, plus
//! for each light `strength × (diffuse × cosine + highlight)`, plus what it emits. So a white surface that faces a light of
//! strength 1 is white. The ambient colour of a material is not used: the present renderer of Gazebo, whose images these
//! resemble, ignores it too. Strengths and colours of lights are linear factors; colours of materials are sRGB.

mod batch;
mod camera;
mod choice;
mod content;
mod device;
mod error;
mod frame;
mod geometry;
mod lights;
mod material;
mod processor;
mod renderer;
mod shadow;
mod shapes;
#[cfg(test)]
#[path = "../../../../tests/it/support/skip.rs"]
mod skip;
mod stage;
mod store;
mod target;
#[cfg(test)]
mod tests;
mod textures;
mod words;

pub use batch::placement;
pub use camera::{Placement, View};
pub use choice::Choice;
pub use device::adapter_names;
pub use error::RenderError;
pub use renderer::Renderer;
pub use stage::Stage;
pub use target::{Images, Target, Wanted};
