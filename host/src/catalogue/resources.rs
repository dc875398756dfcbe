//! Worlds and models by address or as text; loading, unloading and saving the world of a running host.

use super::{Entry, entries};

entries! {
    "BH-RES-001": "A world or model was asked for with neither an address nor a text."
        => "give one of them; an address wins over a text";
    "BH-RES-002": "A world or model is of a format that is not read."
        => "give SDF or URDF; run xacro first, and export other formats as one of the two";
    "BH-RES-003": "The address of a world or model leads to nothing."
        => "check the spelling, or add the folder that holds it to `BRIDGEHEAD_RESOURCE_PATH`";
    "BH-RES-004": "The file of a world or model cannot be read."
        => "check your rights; the file must be UTF-8 text";
    "BH-RES-005": "The text of a world or model cannot be understood."
        => "go to the place that the text names; `bridgehead world check` says the same";
    "BH-RES-006": "A world or model refers to files that are not there."
        => "add the folder that holds them to the search path, or ask for missing files to be ignored";
    "BH-RES-007": "A world or model refers to files that cannot be used."
        => "convert them to a format that is read, or ask for such files to be ignored";
    "BH-RES-008": "A world holds elements that have no effect, and was to be refused for that."
        => "remove them, or ask for the world to be loaded all the same";
    "BH-RES-020": "The world was to be loaded again, and there is none."
        => "load one first";
    "BH-RES-021": "More loads wait than anybody could want."
        => "wait for their answers, then ask again";
    "BH-RES-030": "A bridge of the world does not return while the topics of a world that goes are withdrawn."
        => "look at the bridge; its topics of the next world may be missing";
    "BH-RES-040": "The world was to be saved or changed, and there is none."
        => "load one first";
    "BH-RES-041": "The world was to be saved over a file that is there."
        => "name another file, or ask for it to be written over";
    "BH-RES-042": "The world was to be saved over the file that it comes from, which is its author's."
        => "name another file, or ask for the source to be written over";
    "BH-RES-043": "The points of a road were to be set that the world does not have."
        => "use one of the names that the text lists";
    "BH-RES-044": "A camera or a road was to be put where nothing can be."
        => "give finite numbers, and at least one point for a road";
}
