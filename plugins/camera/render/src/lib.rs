//! Draws the scene of a world without a window, on a GPU or, with Mesa's software driver, on the processor.
//!
//! [`Renderer`] has the device and the scene; a [`Target`] has the images of one camera. Colour is sRGB, depth is in
//! metres along the optical axis, and each pixel has the number of the visual that it shows. Positions reach the device
//! relative to the camera, so that a world of kilometres loses nothing to 32-bit numbers.
//!
//! The model of light, in linear colours: a surface has the brightness `diffuse × ambient light of the scene ÷ π`, plus
//! for each light `strength × (diffuse × cosine + highlight)`, plus what it emits. So a white surface that faces a light of
//! strength 1 is white. The ambient colour of a material is not used: the present renderer of Gazebo, whose images these
//! resemble, ignores it too. Strengths and colours of lights are linear factors; colours of materials are sRGB.

mod adapter;
mod batch;
mod buffer;
mod camera;
mod content;
mod error;
mod frame;
mod geometry;
mod lights;
mod material;
mod passes;
mod pipelines;
mod renderer;
mod shadow;
mod shadow_maps;
mod shapes;
#[cfg(test)]
#[path = "../../../../tests/it/support/skip.rs"]
mod skip;
mod stage;
mod target;
#[cfg(test)]
mod tests;
mod textures;
mod words;

pub use adapter::{Choice, adapter_names};
pub use batch::placement;
pub use camera::{Placement, View};
pub use error::RenderError;
pub use renderer::Renderer;
pub use stage::Stage;
pub use target::{Images, Target, Wanted};
