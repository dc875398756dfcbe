//! The control plane: services under their configured names, and the calls of clients.

use super::entry::{Entry, entries};

entries! {
    "BH-CTL-001": "Two services have the same name."
        => "give one of them another name in [services]";
    "BH-CTL-002": "The operating system cannot create a thread for clients that read the run."
        => "raise the limit on threads or processes";
    "BH-CTL-010": "A message is for a topic that does not exist."
        => "list the topics with `bridgehead ctl topics`, or give the type of a new topic";
    "BH-CTL-011": "A message type is not registered."
        => "check its spelling; types of plugins are known after the plugins have been loaded";
    "BH-CTL-012": "A topic carries another type than the message."
        => "leave the type out, or choose another topic";
    "BH-CTL-013": "There are no topics because no world is loaded."
        => "load a world first";
    "BH-CTL-014": "The real-time factor of a request is zero, not a number, or cannot be paced."
        => "give a number from 1e-6 to 1e6, or -1 for unlimited; to stop time, pause";
    "BH-CTL-015": "A request would change the run while a world is loading."
        => "wait until `get_simulation_state` no longer returns 5, or interrupt the load with `abort`";
    "BH-CTL-016": "A service of a world cannot have its name of Gazebo."
        => "give the plugin that has this name another one, or the world another name";
    "BH-CTL-017": "A topic has no message that could be read, and the simulation is paused."
        => "step, then read again: the topic has a subscriber from the first reading on";
    "BH-CTL-018": "A snapshot is to be restored into a simulation that is not paused."
        => "pause the simulation first";
    "BH-CTL-020": "`bridgehead ctl` cannot reach a host at the address."
        => "start a host with `bridgehead run`, or give its address with `--address` or the variable BRIDGEHEAD_HTTP";
    "BH-CTL-021": "The host does not answer in time."
        => "wait longer with `--timeout`; the host may still be working";
    "BH-CTL-022": "The program at the address is not a Bridgehead host, or the connection broke."
        => "check which program uses this address, and give the address of the host";
    "BH-CTL-023": "The address of a host is malformed."
        => "write it as `127.0.0.1:8090`";
    "BH-CTL-024": "A file to send cannot be read."
        => "check the path and the permissions";
    "BH-CTL-025": "The argument is not the expected JSON."
        => "look for a missing quote, bracket or comma at the given place";
    "BH-CTL-026": "The host understood a request and refuses it."
        => "see the reason in the message, and the list of allowed requests below it";
    "BH-CTL-027": "The host has no service of this name."
        => "see `bridgehead ctl services`";
    "BH-CTL-028": "The host rejects a request without a code of its own."
        => "see its log for the reason";
    "BH-CTL-029": "Numbers on the command line are not a valid pose, motion or volume."
        => "write them as the message shows, separated by spaces";
    "BH-CTL-030": "The host requires a token, or the given token is wrong."
        => "give it with `--token` or the variable BRIDGEHEAD_TOKEN";
    "BH-CTL-031": "Not all requested steps were run."
        => "run the rest with `bridgehead ctl steps`";
    "BH-CTL-032": "The host ended a live connection, or the network did."
        => "check with `bridgehead ctl status` whether the host still runs";
    "BH-CTL-033": "A word on the command line is not allowed at this position."
        => "use one of the words that the message shows";
    "BH-CTL-034": "The given token is empty."
        => "give the token of the host, or omit `--token` and unset BRIDGEHEAD_TOKEN if the host requires none";
    "BH-CTL-035": "The host has no topic of this name."
        => "see `bridgehead topic list`";
    "BH-CTL-036": "A command line of `bridgehead topic` or `bridgehead service` has no command, or two."
        => "give one command, or the options of Gazebo in its place";
    "BH-CTL-037": "A service has another type than the command line says."
        => "use the type that the message shows, or omit it";
    "BH-CTL-038": "A message on the command line is neither JSON nor text that its type can have."
        => "write JSON such as `{\"linear\": {\"x\": 0.5}}`, or text such as `linear: {x: 0.5}`, with the fields of the type";
    "BH-CTL-039": "A field that `topic echo --field` names is not in the messages of the topic."
        => "name one that the message shows, with dots between names and numbers: `pose.position.x`, `ranges.0`";
    "BH-CTL-070": "A `[[pose]]` has the name of a pose of the world."
        => "give it another name, or remove it";
    "BH-CTL-071": "A `[[pose]]` is relative to an entity that the world does not have."
        => "name an entity of the world, or omit `relative_to`";
}
