//! Servers and the queue of replies together, with a made-up DDS below and a made-up host above.
