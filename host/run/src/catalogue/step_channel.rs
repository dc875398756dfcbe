//! The step channel: its socket, and the requests of its client.

use super::entry::{Entry, entries};

entries! {
    "BH-STP-001": "Another run serves the socket of the step channel."
        => "give this run another path";
    "BH-STP-002": "The path of the step channel is a file that is no socket."
        => "give another path, or remove the file";
    "BH-STP-003": "The operating system cannot create the socket of the step channel."
        => "check that its folder exists and can be written to, and that the path is shorter than 108 bytes";
    "BH-STP-010": "A client connects to the step channel while another one is connected."
        => "close the other connection first, or start a host for each client";
    "BH-STP-011": "A connection to the step channel does not begin with its greeting."
        => "send the greeting of docs/step-channel.md first";
    "BH-STP-012": "A client has another version of the step channel."
        => "use a client and a host of the same release";
    "BH-STP-013": "A frame of the step channel is too long; the connection is closed."
        => "check that the length is little-endian and counts the body only";
    "BH-STP-014": "A frame of the step channel has a kind that does not exist; the connection is closed."
        => "check the header: the length, then the kind";
    "BH-STP-015": "The body of a frame of the step channel is not that of its kind."
        => "compare it with docs/step-channel.md";
    "BH-STP-020": "A line of a declaration is not one of the forms."
        => "write it as the message shows, with one tab between two words";
    "BH-STP-021": "A declaration names an entity, link, joint or topic that does not exist."
        => "use one of the names in the message; joints and links are named `model::joint`";
    "BH-STP-022": "A declaration names a field that a message does not have, or that has no number."
        => "use one of the fields in the message; an array of any length needs the most elements to read";
    "BH-STP-023": "A declaration has too many values."
        => "read fewer elements of arrays";
    "BH-STP-024": "A step is requested before something is declared."
        => "send a declaration first; it may be empty";
    "BH-STP-025": "A request of the step channel needs a world, and none is loaded."
        => "load a world first";
    "BH-STP-030": "A step has another number of values than its commands."
        => "give as many values as actions are declared, or none to send no command";
    "BH-STP-031": "A value of a command does not fit its field."
        => "give a whole number in the range of the type for a field of integers";
    "BH-STP-032": "Steps and snapshots of the step channel need a paused simulation."
        => "start the run with `--start paused`, or request a reset, which pauses";
    "BH-STP-033": "The client has kept no snapshot of this name."
        => "keep one first; snapshots belong to a connection";
    "BH-STP-034": "The client keeps too many snapshots."
        => "forget some of them";
    "BH-STP-035": "The state of the run cannot be kept."
        => "see the reason in the message";
}
