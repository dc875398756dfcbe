//! Clients of the WebSocket servers: of the bridges to Foxglove and rosbridge, and of the host itself. Some do not read,
//! some send what no client should, some come in crowds; the others must not be affected.

mod attack;
mod costly;
mod crowd;
mod frames;
mod hostile;
mod poses;
mod random;
mod reader;
mod server;
mod stage;
mod stalled;
mod talk;
