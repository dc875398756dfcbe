//! The bridge `gz`.

use super::entry::{Entry, entries};

entries! {
    "BH-GZT-001": "The connection string is invalid."
        => "the error shows the expected form and the wrong part";
    "BH-GZT-002": "A socket cannot be opened, for example because another program uses a port of discovery alone."
        => "see the reason; choose other `ports=`, or an `ip=` of this machine";
    "BH-GZT-003": "A peer sends what is not of the protocol, or calls a service with other types; one line of each kind every ten seconds."
        => "see the reason; `names=` chooses the package of the types";
    "BH-GZT-004": "A message is not of the type of its topic."
        => "correct the program that sends it";
    "BH-GZT-005": "gz-transport cannot express a name; the topic is not bridged."
        => "use names without blanks, `@`, `~`, `:=` and `//`";
    "BH-GZT-006": "Peers exceed a limit."
        => "see the limits in the README of the bridge";
    "BH-GZT-007": "Another process publishes a topic or offers a service of the same name; each process is reported once."
        => "give one of the two another `partition=`, unless it is meant so";
}
