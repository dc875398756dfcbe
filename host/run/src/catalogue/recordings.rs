//! Recordings that `bridgehead view` shows.

use super::entry::{Entry, entries};

entries! {
    "BH-REC-001": "A recording cannot be read." => "check the path and the permissions";
    "BH-REC-002": "A file is not an MCAP recording."
        => "record a run with `bridgehead run --record FILE.mcap`, or with a logging bridge whose target ends in `.mcap`";
    "BH-REC-003": "A recording has no message that can be shown."
        => "record again; messages must be protobuf with their schemas, as the logging bridge writes them";
    "BH-REC-010": "A recording has no such topic, or no message on it up to the present position."
        => "see `get_topics`, or move to a later position";
    "BH-REC-011": "Steps were requested while the recording is played." => "pause it first";
    "BH-REC-012": "A part of a recording cannot be read; the file was probably changed or truncated meanwhile."
        => "end the view, and open the file again";
    "BH-REC-013": "A request to a recording does not have the form of the service." => "see `bridgehead view` in docs/http.md";
}
