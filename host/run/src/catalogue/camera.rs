//! The plugin `camera`.

use super::entry::{Entry, entries};

entries! {
    "BH-DRW-001": "No graphics adapter fits the choice of a camera; the processor draws its images."
        => "install the Vulkan driver of the adapter, or choose `auto` or `processor`";
    "BH-DRW-002": "A graphics adapter refused to work or stopped; the processor draws, or, if images were drawn before, they are made of rays from then on."
        => "see the words of the driver; `bridgehead:adapter` and BRIDGEHEAD_ADAPTER choose another adapter";
    "BH-DRW-003": "An image is larger than the graphics adapter can draw."
        => "make the image smaller";
    "BH-DRW-004": "A texture or a mesh needs more memory of the graphics adapter than it may have."
        => "give the texture fewer pixels, or the mesh fewer triangles";
}
