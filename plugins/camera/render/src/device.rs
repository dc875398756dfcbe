//! Draws on a graphics device, or with a software driver for one, through Vulkan.

mod adapter;
mod buffer;
mod passes;
mod pipelines;
mod renderer;
mod shadow_maps;
mod store;
mod target;

pub use adapter::adapter_names;
pub(crate) use renderer::{Content, Renderer};
pub(crate) use target::Target;
