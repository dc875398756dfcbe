//! Both libraries behind one trait, talking to themselves over loopback.
