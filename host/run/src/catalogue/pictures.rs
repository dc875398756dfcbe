//! Pictures of worlds.

use super::entry::{Entry, entries};

entries! {
    "BH-PIC-001": "The file of a picture cannot be written."
        => "name another file, or give `--overwrite`";
    "BH-PIC-002": "The run that makes a picture made none."
        => "see the reason; `bridgehead plugin list` shows whether the plugin `camera` is found";
    "BH-PIC-003": "An option of `world picture` has a wrong value."
        => "write the value as the message says";
}
