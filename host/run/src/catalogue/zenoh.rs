//! BH-ZEN: the bridges to Zenoh.

use super::entry::{Entry, entries};

entries! {
    "BH-ZEN-001": "The connection string is invalid."
        => "the error shows the expected form and the wrong part";
    "BH-ZEN-002": "A session of Zenoh cannot be opened, for example because another program listens at an address of `listen=`, or a client finds no router."
        => "see the reason; give free addresses in `listen=`, or the address of a router in `connect=`";
    "BH-ZEN-003": "Zenoh does not declare an endpoint, or does not take a message; the topic or service is not bridged, or the message is lost."
        => "see the reason; report it with the log of the level debug";
    "BH-ZEN-004": "No router of Zenoh answers: nodes do not find this one before one runs."
        => "start `ros2 run rmw_zenoh_cpp rmw_zenohd`, give its address in `connect=`, or let the run be the router by `mode=router`";
    "BH-ZEN-005": "Another node of the domain publishes `/clock` or offers a service of the same name; each session is reported once."
        => "give one of the two another `domain=`, or attach the bridge once";
    "BH-ZEN-006": "A service of the same name is already offered by this node."
        => "attach one bridge to the world, or give the service another name";
    "BH-ZEN-007": "Another run uses the same prefix in `zenoh_plain`: messages and answers of both come at the same keys."
        => "give one of them another `prefix=`";
    "BH-ZEN-008": "Zenoh cannot express the name of a topic or service as a key; it is not bridged."
        => "give it a name without empty parts and without `*`, `$`, `#` and `?`";
    "BH-ZEN-009": "A message of a peer is ignored: it is not of the type of its topic, or in an unknown encoding."
        => "see the reason; `PREFIX/@topics` lists the types";
    "BH-ZEN-010": "A message of the run is not sent, because it is not of the type of its topic."
        => "correct the plugin that publishes it";
    "BH-ZEN-011": "A call or question is refused; the reply says why."
        => "see the reason; `PREFIX/@services` lists the types of requests";
}
