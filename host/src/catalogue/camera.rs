//! The plugin `camera`, and pictures of worlds.

use super::{Entry, entries};

entries! {
    "BH-DRW-001": "No graphics adapter fits the choice of a camera; its images are made of rays."
        => "install a Vulkan driver, such as `mesa-vulkan-drivers` of Debian, or choose another adapter";
    "BH-DRW-002": "A graphics adapter refused to work or stopped; images are made of rays from then on."
        => "see the words of the driver; `bridgehead:adapter` and BRIDGEHEAD_ADAPTER choose another adapter";
    "BH-DRW-003": "An image is larger than the graphics adapter can draw."
        => "make the image smaller";
    "BH-PIC-001": "The file of a picture cannot be written."
        => "name another file, or give `--overwrite`";
    "BH-PIC-002": "The run that makes a picture made none."
        => "see the reason; `bridgehead plugin list` shows whether the plugin `camera` is found";
}
