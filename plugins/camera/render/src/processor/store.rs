//! Triangles and textures in the memory of the process.

use std::sync::Arc;

use bridgehead_mesh::image::Pixels;

use super::texture::Texture;
use crate::shapes::Triangles;
use crate::store::Store;
use crate::textures::MAPS;

/// Keeps triangles and textures as they are.
pub(crate) struct Memory;

impl Store for Memory {
    type Mesh = Triangles;
    type Texture = Texture;
    type Maps = [Arc<Texture>; MAPS];

    fn most_bytes(&self) -> u64 {
        1 << 30
    }

    fn longest_side(&self) -> u32 {
        1 << 14
    }

    fn mesh(&self, triangles: Triangles) -> Triangles {
        triangles
    }

    fn texture(&self, levels: Vec<Pixels>, is_color: bool) -> Texture {
        Texture::new(levels, is_color)
    }

    fn maps(&self, textures: &[Arc<Texture>; MAPS]) -> Self::Maps {
        textures.clone()
    }
}
