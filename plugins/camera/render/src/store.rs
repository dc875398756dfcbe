//! Where triangles and textures are kept: on a device, or in the memory of the process.

use std::sync::Arc;

use bridgehead_mesh::image::Pixels;

use crate::shapes::Triangles;
use crate::textures::MAPS;

/// Keeps triangles and textures in the form in which they are drawn.
pub(crate) trait Store {
    /// Triangles.
    type Mesh;
    /// A texture with its smaller copies.
    type Texture;
    /// The textures of a material, in the order of [`crate::textures::maps_of`].
    type Maps;

    /// Returns the largest number of bytes of the corners, or of the indices, of one mesh.
    fn most_bytes(&self) -> u64;

    /// Returns the largest width and height of a texture, pixels.
    fn longest_side(&self) -> u32;

    fn mesh(&self, triangles: Triangles) -> Self::Mesh;

    /// `levels` are the image and its smaller copies, each half as wide and high as the one before. If `is_color`, its
    /// numbers are sRGB.
    fn texture(&self, levels: Vec<Pixels>, is_color: bool) -> Self::Texture;

    fn maps(&self, textures: &[Arc<Self::Texture>; MAPS]) -> Self::Maps;
}
