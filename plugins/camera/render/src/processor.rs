//! Draws on the processor, without a driver: the same images on every machine.
//!
//! Triangles are cut at the planes of the camera ([`clip`]), become runs of pixels row by row ([`raster`]), and four
//! neighbours of a run get their colours at once ([`shade`]). The formulas are those of the shader of the devices,
//! `device/shader.wgsl`, with three differences: the buffer of a pixel has the inverse of its depth, which is linear in
//! the image and exact enough near and far; the position of a pixel follows from its depth; and positions in textures
//! and their scale are exact instead of differences between neighbours.
//!
//! [`Renderer::draw`] only collects what an image needs, so that the cameras of a process draw at the same time, each on
//! the thread that reads its image.

mod clip;
mod facet;
mod functions;
mod job;
mod lanes;
mod mapped;
mod raster;
mod renderer;
mod samples;
mod shade;
mod shadow_map;
mod sky;
mod srgb;
mod store;
mod sunlit;
mod target;
mod texture;

pub(crate) use renderer::Renderer;
pub(crate) use store::Memory;
pub(crate) use target::{NAME, Target};
