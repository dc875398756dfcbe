//! The plugin against a host of the tests.
