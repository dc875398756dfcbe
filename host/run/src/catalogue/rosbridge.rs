//! The bridge `rosbridge`.

use super::entry::{Entry, entries};

entries! {
    "BH-RBR-001": "The connection string is invalid."
        => "the error shows the expected form and the wrong part";
    "BH-RBR-002": "The server cannot listen, for example because another program uses the address."
        => "see the reason; choose another address";
    "BH-RBR-003": "A client is refused or disconnected; one line of each kind every ten seconds."
        => "see the reason";
    "BH-RBR-004": "A type is not valid in ROS."
        => "correct its annotations";
    "BH-RBR-005": "A message of the run cannot be encoded; logged once per topic."
        => "see the reason";
    "BH-RBR-006": "A client, or the server, reads too slowly and has lost messages."
        => "subscribe with `throttle_rate` or `cbor`, or raise `backlog=`";
    "BH-RBR-007": "The rosbridge server cannot be reached, or reports an error."
        => "start it, or correct its address; the bridge tries again";
    "BH-RBR-008": "Another instance offers a service of this name on the same server."
        => "attach one bridge to the world, or give the service another name";
    "BH-RBR-101": "A request is not an operation of rosbridge, or lacks a member."
        => "see the reason";
    "BH-RBR-102": "A topic, service or action does not exist."
        => "ask `/rosapi/topics` or `/rosapi/services` for the names";
    "BH-RBR-103": "A type is not that of the topic or action, or another client offers the same name."
        => "use the type in the message";
    "BH-RBR-104": "A message or request is not of its type."
        => "correct the field that the message names";
    "BH-RBR-105": "A client exceeds a limit."
        => "see the limits in the README of the bridge";
    "BH-RBR-106": "The run ended a call without a response, or the time-out of the call has passed."
        => "see the reason; the run may have ended";
    "BH-RBR-107": "The bridge does not support an operation, or the run cannot use what a client offers."
        => "see the operations in the README of the bridge";
}
