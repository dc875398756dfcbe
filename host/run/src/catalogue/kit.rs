//! New plugins, and their validation.

use super::entry::{Entry, entries};

entries! {
    "BH-KIT-001": "The name of a new plugin cannot be used."
        => "begin with a small letter; use small letters, digits and underscores";
    "BH-KIT-002": "The id of a new plugin is no reverse domain name."
        => "write at least two words with dots between them, for example `org.example.sensor.radar`";
    "BH-KIT-003": "The folder of a new plugin cannot be written."
        => "name a folder that does not exist, with `--path`";
    "BH-KIT-004": "The folder that `--sdk` names has no crates for plugins."
        => "name the folder `plugin-api` of the sources, or the folder `share/bridgehead/sdk` of an installation";
    "BH-KIT-005": "The report of a validation cannot be written."
        => "name another file with `--junit`";
    "BH-KIT-006": "A new plugin in Rust needs the SDK, and no SDK was found beside the program."
        => "give the SDK with `--sdk`: the folder `plugin-api` of the sources, or the folder `share/bridgehead/sdk` of an installation";
}
