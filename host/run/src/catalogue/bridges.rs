//! Bridges, as the host reports them.

use super::entry::{Entry, entries};

entries! {
    "BH-BRG-001": "A bridge plugin failed while it registered its message types; it is not available."
        => "see the reason given by the plugin; `bridgehead plugin probe FILE` tries it alone";
    "BH-BRG-002": "A library failed while it registered its converters for a bridge; the bridge runs without them."
        => "see the reason given by the plugin";
    "BH-BRG-010": "A bridge does not support the type of a topic; it does not carry this topic."
        => "use a bridge that supports the type, or a plugin with a converter for it";
    "BH-BRG-011": "A bridge refused a topic or a service; the bridge does not carry it."
        => "see the reason given by the bridge";
    "BH-BRG-012": "A bridge did not return in time from the calls that announce its topics; it misses their messages until it does."
        => "look for waits in the bridge's `publisher`, `subscriber` and `service`";
    "BH-BRG-013": "A thread for a bridge could not be started."
        => "check the limit of processes and threads (`ulimit -u`) and the free memory";
    "BH-BRG-014": "A bridge reported a failure while it disconnected; its remaining messages may be lost."
        => "see the reason given by the bridge";
    "BH-BRG-015": "A thread of a bridge did not end in time; the host keeps the memory that the thread may still use until the process ends."
        => "return from the loop when the host interrupts it, and use a timeout for every wait in it";
    "BH-BRG-016": "A bridge does not return from its last calls; the run ends without waiting for it."
        => "use timeouts for the waits in the bridge's `disconnect` and in the destruction of its endpoints";
    "BH-BRG-017": "A loop of a bridge ended by itself; no more messages flow in that direction."
        => "see the reason given by the bridge; a loop returns when it was interrupted, or after `status` says that the connection is lost";
    "BH-BRG-018": "A converter of a plugin failed, and the message was lost; each reason is reported once."
        => "see the reason given by the converter";
    "BH-BRG-019": "A bridge rejected a message, which counts as dropped; each reason is reported once."
        => "see the reason given by the bridge";
    "BH-BRG-020": "No bridge plugin of that name or id is loaded."
        => "check the spelling against `bridgehead plugin list`, or add its folder with `--plugin-path`";
    "BH-BRG-021": "A bridge refuses its connection string."
        => "use the form given in the reason of the bridge";
    "BH-BRG-022": "A pattern of vehicle names is malformed."
        => "write `world`, a vehicle's name, a pattern with `*`, `?`, `[abc]` or `{a,b}`, or `*` for all";
    "BH-BRG-023": "A bridge is requested for vehicles that the world does not have."
        => "use one of the listed names: the vehicles, and all other models that are not static";
    "BH-BRG-024": "An instance of a bridge could not be created."
        => "see the reason given by the bridge";
    "BH-BRG-025": "The operating system refused the thread of a bridge instance."
        => "check the limit of processes and threads (`ulimit -u`) and the free memory";
    "BH-BRG-026": "The safe mode leaves out a bridge that does not come with the program."
        => "run without `--safe-mode` to use the bridges of third parties";
    "BH-BRG-030": "A bridge could not connect, or lost its connection; the run continues unless the bridge is required."
        => "check that the other side runs and that the connection string names it";
    "BH-BRG-031": "A bridge did not answer a lifecycle notice in time."
        => "return from `notice` at once, and do the work in the bridge's own loop";
    "BH-BRG-032": "The queue of a bridge is full, and its `policy` is `error`; messages are lost."
        => "give the bridge a longer queue, or let the simulation wait with `policy = \"block\"`";
    "BH-BRG-033": "A bridge did not acknowledge a reset in time; the run continues."
        => "acknowledge every reset, even if the bridge has nothing to do";
    "BH-BRG-034": "A bridge delivers more messages than the steps of the simulation take: of each bridge, 100,000 wait at most. The oldest ones were dropped, and those for a later step were not accepted."
        => "find out what its peer sends; let the bridge deliver only what is newest";
    "BH-BRG-035": "The `status` of a bridge takes milliseconds. The simulation thread calls it in every step."
        => "let `status` return what a loop has stored; it must not ask the peer";
    "BH-BRG-036": "Messages for a bridge are dropped, because its queue is full: its transmit loop takes none, or takes them too slowly."
        => "look for what the transmit loop waits for; choose another `policy` of the queue, or a lower rate of the topics";
    "BH-BRG-037": "A thread of a bridge has been working for one peer for ten seconds; meanwhile the other peers of the thread wait."
        => "look at what this peer has sent, and for a lock that the work waits for; a bridge of yours does lengthy work on a thread of its own";
    "BH-BRG-038": "The run waits for a bridge, which has not released the next step: its peer has not sent the command for it."
        => "see whether the peer runs and is connected; `step_timeout` and `on_step_timeout` of the bridge say how long a step waits, and what happens then";
    "BH-BRG-039": "A step has waited for a bridge longer than `step_timeout` of the bridge."
        => "see whether the peer runs and is connected, or set `step_timeout` and `on_step_timeout` of the bridge";
    // The bridge `logging`.
    "BH-BRG-110": "The connection string of a log cannot be parsed."
        => "write it in the form that the message shows";
    "BH-BRG-111": "A world file or a client names a log outside the output directory."
        => "write a relative path without `..`, or give the path with `--bridge`";
    "BH-BRG-112": "The log file exists and is not overwritten."
        => "choose another name, or add `;overwrite=true`";
    "BH-BRG-113": "The log file cannot be opened for writing."
        => "check its directory and your permissions there";
    "BH-BRG-114": "Writing a log failed: the file stays complete, further messages are counted as dropped, and the log continues in a new part when the disk allows it."
        => "free some space, or limit the log with `max_size=`";
    "BH-BRG-115": "A log has reached its `max_size`; further messages are counted as dropped."
        => "raise `max_size`, or choose fewer topics";
    "BH-BRG-116": "A log file is already open with other options."
        => "use the same options in every connection to one file";
    "BH-BRG-117": "Messages were not written to a log after its disk failed; the text says how many, and where the log continues."
        => "free some space, or limit the log with `max_size=`";
    // The bridge `replay`.
    "BH-BRG-120": "The connection string of a recording cannot be parsed."
        => "write it in the form that the message shows";
    "BH-BRG-121": "A world file or a client names a recording outside the directory of the world file."
        => "write a relative path without `..`, or give the path with `--bridge`";
    "BH-BRG-122": "A recording cannot be opened."
        => "check the path and your permissions";
    "BH-BRG-123": "A recording cannot be played beyond the given place."
        => "correct the line or the message at that place, or record again";
}
