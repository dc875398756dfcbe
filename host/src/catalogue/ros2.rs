//! The bridge `ros2`.

use super::{Entry, entries};

entries! {
    "BH-ROS-001": "The connection string of the bridge to ROS 2 cannot be understood."
        => "write it in the form that the text shows; an empty one is all defaults";
    "BH-ROS-002": "DDS could not do something; the text says what."
        => "see the reason; where the domain cannot be joined, choose another with `domain=`";
    "BH-ROS-003": "A variable of ROS has a value that it cannot have."
        => "correct it, unset it, or give its part in the connection string";
    "BH-ROS-004": "`ROS_STATIC_PEERS` is set, and has no effect."
        => "let multicast through to the peers, or run them on this machine";
    "BH-ROS-005": "There is no interface of that name or address."
        => "take one of those that the text lists";
    "BH-ROS-006": "Messages of a type cannot be sent in ROS."
        => "see the reason, and correct the annotations of the type";
    "BH-ROS-007": "A message cannot be sent."
        => "see the reason, and the plugin that publishes it";
    "BH-ROS-008": "A message that came in cannot be used."
        => "see the reason, and compare the publisher's type with that of the topic";
    "BH-ROS-009": "The other side of a topic asks for more, or offers less, than this one: neither hears anything."
        => "ask for best effort there, or give `sensors=reliable`; publish commands with a reliable publisher";
    "BH-ROS-101": "A service has a name that ROS 2 does not take."
        => "give it another name, or a rule in `remap=`";
    "BH-ROS-102": "The two types of a service are not the halves of a service of ROS."
        => "name them `package/srv/Name_Request` and `package/srv/Name_Response`";
    "BH-ROS-103": "A service is offered in the domain already."
        => "attach one bridge to the world, or give the service another name";
    "BH-ROS-104": "A request cannot be understood; its client is told so."
        => "compare the client's type with the one the text names; with `mapping=cyclone` and `mapping=fastdds` only clients of that kind are understood";
    "BH-ROS-105": "A reply is lost: nobody reads it, or readers do not keep up."
        => "see whether the client still runs";
    "BH-ROS-106": "A call came to nothing: the host ended it without a response."
        => "see the reason; the run may be over, or the plugin gone";
}
