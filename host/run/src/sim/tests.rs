//! A host that loads, unloads, reloads and saves worlds while it runs, driven turn by turn.

mod controller;
mod driver;
mod loads;
mod refusals;
mod saving;
