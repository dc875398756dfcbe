//! Worlds and models by address or as text; loading, unloading and saving the world of a running host.

use super::entry::{Entry, entries};

entries! {
    "BH-RES-001": "A request for a world or model has neither an address nor a text."
        => "give one of them; an address overrides a text";
    "BH-RES-002": "A world or model has an unsupported format."
        => "give SDF, URDF or xacro; export other formats as one of them";
    "BH-RES-003": "No file exists at the address of a world or model."
        => "check the spelling, or add the folder that contains it to `BRIDGEHEAD_RESOURCE_PATH`";
    "BH-RES-004": "The file of a world or model cannot be read."
        => "check your permissions; the file must be UTF-8 text";
    "BH-RES-005": "The text of a world or model has errors."
        => "see the place that the message names; `bridgehead world check` reports the same errors";
    "BH-RES-006": "A world or model refers to files that do not exist."
        => "add the folder that contains them to the search path, or request that missing files are ignored";
    "BH-RES-007": "A world or model refers to files that cannot be used."
        => "convert them to a supported format, or request that such files are ignored";
    "BH-RES-008": "A world contains elements without effect, and the request does not accept them."
        => "remove them, or request that the world is loaded anyway";
    "BH-RES-020": "The world cannot be reloaded because no world is loaded."
        => "load a world first";
    "BH-RES-021": "Too many loads are waiting."
        => "wait for their responses, then try again";
    "BH-RES-022": "The load of a world was interrupted by `abort`, `quit` or a signal."
        => "load the world again";
    "BH-RES-023": "The host panicked while it read or built a world."
        => "report the defect with the world";
    "BH-RES-024": "The operating system cannot create the thread that reads a world."
        => "raise the limit on threads or processes";
    "BH-RES-030": "A bridge does not return while the topics of the unloaded world are withdrawn."
        => "check the bridge; its topics of the next world may be missing";
    "BH-RES-040": "The world cannot be saved or changed because no world is loaded."
        => "load a world first";
    "BH-RES-041": "The file to save the world to exists."
        => "name another file, or request that it is overwritten";
    "BH-RES-042": "The file to save the world to is the file that it was loaded from."
        => "name another file, or request that the source is overwritten";
    "BH-RES-043": "The world does not have the road whose points are set."
        => "use one of the listed names";
    "BH-RES-044": "The pose of a camera or the points of a road are invalid."
        => "give finite numbers within 1e7 m, and at least one point for a road";
    "BH-RES-045": "The path of a world to save leads out of the output folder."
        => "give a relative path without `..`; `--output` chooses the folder";
    "BH-RES-046": "The file to overwrite is not a world."
        => "name another file";
    "BH-RES-047": "The file to overwrite is not a snapshot." => "name another file";
    "BH-RES-048": "A snapshot cannot be made or written."
        => "see the reason: the folder, the disk, or a part of the world that has no state as bytes";
}
