//! The bridge `foxglove`.

use super::entry::{Entry, entries};

entries! {
    "BH-FOX-001": "The connection string is invalid."
        => "the error shows the expected form and the wrong part";
    "BH-FOX-002": "The server cannot listen, or a client was refused or disconnected."
        => "see the reason; choose another address, or give all instances the same connection string";
    "BH-FOX-003": "A topic or service is not offered."
        => "give one of the two of the same name another name; remove the converter for this bridge";
    "BH-FOX-004": "A message cannot be encoded; logged once per topic."
        => "see the reason; it names the field";
    "BH-FOX-005": "A client sent something that is not of the protocol."
        => "the error shows what was expected and found";
    "BH-FOX-006": "A channel, subscription or service does not exist, or an id is in use."
        => "it may have been withdrawn with its vehicle; use the ids of the last announcement";
    "BH-FOX-007": "A client publishes on a topic that no plugin subscribes to."
        => "the error lists topics; the channel works as soon as a plugin subscribes";
    "BH-FOX-008": "A client publishes another type than that of the topic, or in an unknown encoding."
        => "publish the type that the error names";
    "BH-FOX-009": "A published message cannot be used; reported once per channel for equal reasons."
        => "compare its type with that of the topic";
    "BH-FOX-010": "A call failed: the request is malformed, or the host ended the call."
        => "see the reason";
    "BH-FOX-011": "An asset is not served: neither a marker nor the scene names it, or its file is missing, too large or not a mesh."
        => "add its folder to `assets=` or to `BRIDGEHEAD_RESOURCE_PATH`";
    "BH-FOX-012": "A parameter does not exist or cannot be set."
        => "call a service instead, such as `set_simulation_state`";
    "BH-FOX-013": "A client lost messages, because it reads more slowly than they are published; reported at most every 5 s, to this client only."
        => "subscribe to fewer topics, or raise `backlog=`";
    "BH-FOX-014": "A client exceeds a limit of calls, channels or assets."
        => "wait for responses; close channels";
}
