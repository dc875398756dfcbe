//! Pictures and maps of worlds.

use super::entry::{Entry, entries};

entries! {
    "BH-PIC-001": "The file of a picture cannot be written."
        => "name another file, or give `--overwrite`";
    "BH-PIC-002": "The run that makes a picture made none."
        => "see the reason; `bridgehead plugin list` shows whether the plugin `camera` is found";
    "BH-PIC-003": "An option of `world picture` has a wrong value."
        => "write the value as the message says";
    "BH-PIC-004": "No model of the world is at the height of a map, so it has no extent."
        => "give another `--height`, or name the area with `--area`";
    "BH-PIC-005": "A map has too many cells."
        => "give a smaller `--area`, or larger cells with `--resolution`";
    "BH-PIC-006": "A map names a model that the world does not have."
        => "see `bridgehead world print` for the names";
    "BH-PIC-007": "The point from which a map is filled is not a free cell of it."
        => "give the place of the robot to `--from`";
    "BH-PIC-008": "An option of `world map` has a wrong value."
        => "write the value as the message says";
    "BH-PIC-009": "A file of a map cannot be written."
        => "name another file that ends in `.yaml`, or give `--overwrite`";
}
