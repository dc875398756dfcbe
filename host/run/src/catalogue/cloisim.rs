//! The bridge `cloisim`.

use super::entry::{Entry, entries};

entries! {
    "BH-CLO-001": "The connection string of a CLOiSim service cannot be parsed."
        => "write it in the form that the message shows; an empty one means all defaults";
    "BH-CLO-002": "The address at which clients look up devices cannot be used."
        => "end the program that uses it, or choose another address; clients read `CLOISIM_SERVICE_PORT`";
    "BH-CLO-003": "A port for a device is used by another program; the next free port is used instead."
        => "end the other program, or set `ports=` to an unused range";
    "BH-CLO-004": "No port is left for a device."
        => "set `ports=` to a larger range";
    "BH-CLO-005": "`backend=zeromq` is allowed on loopback addresses only."
        => "use `backend=libzmq`, or `bind=127.0.0.1`";
    "BH-CLO-006": "This build of the bridge has no libzmq."
        => "build it with its feature `libzmq`, or use `backend=zeromq`";
    "BH-CLO-007": "The world has a CLOiSim device that no plugin serves; clients do not find it."
        => "load a plugin that serves it, or remove it from the world";
    "BH-CLO-008": "A command of a client cannot be used."
        => "see the reason; boards accept Twist and Joystick, joints accept JointCmd_V";
    "BH-CLO-009": "A client did not confirm that it carried out a reset."
        => "see the log of the client; its services may need more than five seconds in total";
    "BH-CLO-010": "A message, or the description of the world, cannot be used for clients of CLOiSim."
        => "see the reason, and the plugin that publishes it";
    "BH-CLO-011": "A CLOiSim service is already open with other options."
        => "use the same options in every connection to one service";
    "BH-CLO-012": "A socket or a thread of a CLOiSim service failed."
        => "see the reason given by the operating system";
    "BH-CLO-013": "A CLOiSim service or one of its ports received an invalid message; repeated cases are reported less often."
        => "find out which program connects to the named ports; only CLOiSim clients may use them";
    "BH-CLO-014": "A client of a CLOiSim service reads more slowly than messages arrive; the excess messages are dropped."
        => "check whether the client hangs; let the sensor send less often, or smaller messages";
    "BH-CLO-015": "A client was rejected because a CLOiSim service has reached its limit of connections."
        => "end clients that are no longer needed";
    "BH-CLO-016": "A board of CLOiSim names a sensor that its model does not have; clients receive NaN for it."
        => "name a sensor, a link or a nested model of the board's own model";
    "BH-CLO-017": "A MultiCameraPlugin or RealSensePlugin of CLOiSim names a camera or module that does not exist; clients do not find it, and receive the others."
        => "name a <camera> of the sensor, or a module for which the model has a sensor of the same name";
    "BH-CLO-018": "A peer of a CLOiSim port was disconnected: the port had 256 connections, or the peer sent more than 64 KiB at once, or 1 KiB per second, to a port that only publishes."
        => "end clients that are no longer needed; subscribe once to what is needed";
}
