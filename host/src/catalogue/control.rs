//! The control plane: services under their configured names, and the calls of clients.

use super::{Entry, entries};

entries! {
    "BH-CTL-001": "Two services are to be offered under one name."
        => "give one of them another name in [services]";
    "BH-CTL-002": "The operating system makes no thread for those who read the run from outside."
        => "raise the limit on threads or processes";
    "BH-CTL-010": "A message is to go to a topic that nobody has."
        => "see the topics there are (`bridgehead ctl topics`), or give the type of a new one";
    "BH-CTL-011": "A message type is named that nobody registered."
        => "check its spelling; types of plugins are known once these are loaded";
    "BH-CTL-012": "A topic carries another type than the message that is to go over it."
        => "leave the type out, or choose another topic";
    "BH-CTL-013": "There are no topics because no world is loaded."
        => "load a world first";
    "BH-CTL-020": "`bridgehead ctl` reaches no host at the address."
        => "start a host with `bridgehead run`, or give its address with `--address` or the variable BRIDGEHEAD_HTTP";
    "BH-CTL-021": "The host does not answer in time."
        => "wait longer with `--timeout`; the host may still be at it";
    "BH-CTL-022": "What listens at the address is no host of this program, or the connection broke."
        => "look which program has this address, and give that of the host";
    "BH-CTL-023": "An address of a host is none."
        => "write it as `127.0.0.1:8090`";
    "BH-CTL-024": "A file that is to be sent cannot be read."
        => "check the path and the permissions";
    "BH-CTL-025": "What is to be sent is not the JSON that is asked for."
        => "look for a missing quote, bracket or comma at the place that is named";
    "BH-CTL-026": "The host understood a request and refuses it."
        => "see the reason in the message, and what is allowed below it";
    "BH-CTL-027": "The host has no service of this name."
        => "see `bridgehead ctl services`";
    "BH-CTL-028": "The host rejects a request without a code of its own."
        => "see its log for the reason";
    "BH-CTL-029": "Numbers on the command line mean no pose, motion or volume."
        => "write them as the message shows, with blanks between";
    "BH-CTL-030": "The host asks for a token, or for another one."
        => "give it with `--token` or the variable BRIDGEHEAD_TOKEN";
    "BH-CTL-031": "Steps that were asked for were not all done."
        => "run the rest with `bridgehead ctl steps`";
    "BH-CTL-032": "The host ended a live connection, or the network did."
        => "see with `bridgehead ctl status` whether the host still runs";
    "BH-CTL-033": "A word on the command line means nothing where it stands."
        => "use one of those that the message shows";
    "BH-CTL-070": "A `[[pose]]` has the name of a pose that the world has itself."
        => "give it another name, or leave it out";
    "BH-CTL-071": "A `[[pose]]` is relative to an entity that the world does not have."
        => "name an entity of the world, or leave `relative_to` out";
}
