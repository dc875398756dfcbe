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
}
