//! The bridge `ros2`.

use super::entry::{Entry, entries};

entries! {
    "BH-ROS-001": "The connection string of the ROS 2 bridge cannot be parsed."
        => "write it in the form that the message shows; an empty one means all defaults";
    "BH-ROS-002": "A DDS operation failed; the message names it."
        => "see the reason; if the domain cannot be joined, choose another with `domain=`";
    "BH-ROS-003": "A ROS environment variable has an invalid value."
        => "correct it, unset it, or set the value in the connection string";
    "BH-ROS-004": "`ROS_STATIC_PEERS` is set, and has no effect."
        => "allow multicast to the peers, or run them on this machine";
    "BH-ROS-005": "There is no network interface with that name or address."
        => "use one of the listed interfaces";
    "BH-ROS-006": "Messages of a type cannot be sent in ROS."
        => "see the reason, and correct the annotations of the type";
    "BH-ROS-007": "A message cannot be sent."
        => "see the reason, and the plugin that publishes it";
    "BH-ROS-008": "A received message cannot be used."
        => "see the reason, and compare the publisher's type with that of the topic";
    "BH-ROS-009": "The quality of service of the two sides of a topic is incompatible: no messages are exchanged."
        => "let the subscriber request best effort, or set `sensors=reliable`; publish commands with a reliable publisher";
    "BH-ROS-010": "A datagram exceeds a limit of the DDS bridge; it is dropped or shortened."
        => "find the sender by its address; limit who can reach the ports of the domain, for example with `interface=`";
    "BH-ROS-011": "The library of the ROS 2 bridge was linked without the guard of its sockets."
        => "build it with `ld` or `lld`, and without options that discard the linker arguments of its `build.rs`";
    "BH-ROS-012": "Another participant of the DDS domain, such as a second host, offers a service of this host or publishes `/clock` too."
        => "give one of them another `domain=` or ROS_DOMAIN_ID";
    "BH-ROS-101": "A service has a name that ROS 2 does not allow."
        => "give it another name, or a rule in `remap=`";
    "BH-ROS-102": "The two types of a service are not the request and response of a ROS service."
        => "name them `package/srv/Name_Request` and `package/srv/Name_Response`";
    "BH-ROS-103": "A service is already offered in the domain."
        => "attach one bridge to the world, or give the service another name";
    "BH-ROS-104": "A request is malformed; the error is reported to its client."
        => "compare the client's type with the type in the message; `mapping=cyclone` and `mapping=fastdds` support only clients of that kind";
    "BH-ROS-105": "A reply is lost: no client reads it, or the readers are too slow."
        => "check whether the client still runs";
    "BH-ROS-106": "A call failed: the host ended it without a response."
        => "see the reason; the run may have ended, or the plugin may have been removed";
}
