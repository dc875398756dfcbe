//! End-to-end tests: each starts the real `bridgehead` in a folder of its own, with the plugins it names, and looks at
//! what a user would see: exit code, output, result file, logs, datagrams.
//!
//! `bash tests/run.sh` builds what they need and runs them. A test is named after what it shows; the fixtures it uses
//! are in `tests/fixtures`.

mod support;

/// Actors as sensors and plugins see them.
mod actors;
/// Worlds, bridges and configurations that are wrong, and what is said about them.
mod bad_input;
/// Bridges: connection strings, failures that stay their own, threads, converters.
mod bridge_io;
/// What bridges, sensors and plugins hear in a reset and at the end of a run, and in which order.
mod cascade;
/// A client of CLOiSim against the bridge that is made for it.
mod cloisim;
/// The same client out of other people's libraries.
mod cloisim_peers;
/// A world under the names of CLOiSim's plugins.
mod cloisim_yard;
/// What a run would go by, and what is wrong with it, before it runs.
mod configuration;
/// The standard interfaces of simulators, case by case, over HTTP.
mod conformance;
/// Many requests at a time, and for long.
mod control_storm;
/// The arm and the car: controllers against statics, kinematics and the geometry of steering.
mod controllers;
/// `bridgehead ctl` against a host that runs.
mod ctl;
/// What bridges and clients are told of the world.
mod description;
/// Same world, seed and commands: same run, in every process.
mod determinism;
/// Entities that come and go, with their plugins and bridges.
mod entities;
/// Large messages to many bridges.
mod fan_out;
/// Plugins that were built elsewhere and dropped into a folder.
mod folder_drop;
/// Gazebo's own worlds, unmodified.
mod gz_worlds;
/// The control plane over HTTP and WebSocket.
mod http;
/// Keys that steer a run from its terminal.
mod keyboard;
/// Start, end, signals, and plugins that misbehave on the way.
mod lifecycle;
/// Libraries that are refused, and how `plugin list` and `plugin probe` tell.
mod loading;
/// The logging bridge, read by other people's tools.
mod logging;
/// Which physics profile is used.
mod physics_profile;
/// Recorded commands, played back.
mod replay;
/// Robots in URDF, as they are published.
mod robots;
/// The bridge for ROS 2, asked by a peer that shares no code with it.
mod ros2;
/// The rules that the host and the SDK's test host share.
mod rules;
/// The table of scenarios: what is given, what is done, and how it ends.
mod scenarios;
/// Files from the field, read as libsdformat reads them.
mod sdf_corpus;
/// Sensors that the configuration adds and changes.
mod sensor_config;
/// Runs that go on from a snapshot.
mod snapshot;
/// Collisions of every kind, meshes among them.
mod solids;
/// States that may last, statistics, and the result of runs that end in unusual ways.
mod supervision;
/// The source tree itself: layers, sizes, names.
mod tidy;
/// Runs that are judged, paused, reset and ended by triggers.
mod triggers;
/// Sensors and drives against closed forms.
mod truth;
/// Worlds that follow each other in one process.
mod world_loads;
/// Worlds written back into files.
mod world_save;
/// Plugins that are broken, rude or built strangely, with the outcome that the documentation promises.
mod zoo;
