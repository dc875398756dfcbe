//! The control plane: services under their configured names, and the calls of clients.

use super::{Entry, entries};

entries! {
    "BH-CTL-001": "Two services are to be offered under one name."
        => "give one of them another name in [services]";
    "BH-CTL-002": "The operating system makes no thread for those who read the run from outside."
        => "raise the limit on threads or processes";
}
