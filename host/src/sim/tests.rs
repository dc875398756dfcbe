//! A host whose world is loaded, unloaded, loaded again and saved while it lives, driven turn by turn.

mod controller;
mod driver;
mod loads;
mod refusals;
mod saving;
