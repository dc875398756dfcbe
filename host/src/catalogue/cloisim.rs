//! The bridge `cloisim`.

use super::{Entry, entries};

entries! {
    "BH-CLO-001": "The connection string of a CLOiSim service cannot be understood."
        => "write it in the form that the text shows; an empty one is all defaults";
    "BH-CLO-002": "The address where clients ask for devices cannot be had."
        => "end the other program that has it, or choose another with `service=`; clients read `CLOISIM_SERVICE_PORT`";
    "BH-CLO-003": "A port for a device is taken by another program; the next one is used."
        => "end the other program, or give `ports=` a range that nobody else uses";
    "BH-CLO-004": "No port for a device is left."
        => "give `ports=` a larger range";
    "BH-CLO-005": "`backend=zeromq` is for this machine alone."
        => "use `backend=libzmq`, or `bind=127.0.0.1`";
    "BH-CLO-006": "This build of the bridge has no libzmq."
        => "build it with its feature `libzmq`, or use `backend=zeromq`";
    "BH-CLO-007": "A device of CLOiSim is in the world that nobody serves here; clients do not find it."
        => "load a plugin that serves it, or leave it out of the world";
    "BH-CLO-008": "A command of a client cannot be used."
        => "see the reason; boards take Twist and Joystick, joints take JointCmd_V";
    "BH-CLO-009": "A client was told of a reset and did not carry it out, or did not say so."
        => "see the log of the client; its services may take longer than five seconds in all";
    "BH-CLO-010": "A message, or the description of the world, cannot be used for clients of CLOiSim."
        => "see the reason, and the plugin that publishes it";
    "BH-CLO-011": "A CLOiSim service is open already with other options."
        => "give every connection to one service the same options";
    "BH-CLO-012": "A socket or a thread of a CLOiSim service failed."
        => "see the reason of the system";
    "BH-CLO-013": "Somebody said to a CLOiSim service, or to a port of it, what is not understood; of many times a few are told."
        => "see who comes to the ports named; they are for clients of CLOiSim alone";
    "BH-CLO-014": "A client of a CLOiSim service reads more slowly than it is sent to; what it is too slow for is lost to it."
        => "see whether the client hangs; let the sensor send less often, or less at a time";
    "BH-CLO-015": "A client was turned away because a CLOiSim service has as many connections as it takes."
        => "end clients that are of no use any more";
}
