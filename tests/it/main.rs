//! End-to-end tests: each starts the real `bridgehead` in its own folder with the plugins that it names, and checks
//! what a user sees: exit code, output, result file, logs, datagrams.
//!
//! `bash tests/run.sh` builds what they need and runs them. A test is named after the behaviour that it proves; its
//! fixtures are in `tests/fixtures`.

mod support;

/// Actors as sensors and plugins see them.
mod actors;
mod ardupilot;
/// Errors about invalid worlds, bridges and configurations.
mod bad_input;
mod betaflight;
/// Numbers, names and paths beyond all bounds, from every service and trigger.
mod bounds;
/// Bridges: connection strings, isolated failures, threads, converters.
mod bridge_io;
/// Campaigns: plan, runs, store, report, engines.
mod cameras;
mod campaign;
/// Calls of bridges, sensors and plugins in a reset and at the end of a run, and their order.
mod cascade;
/// A client of CLOiSim, connected to the bridge for CLOiSim.
mod cloisim;
/// Clients of CLOiSim that are built with other projects' libraries.
mod cloisim_peers;
/// A world that uses the names of CLOiSim's plugins.
mod cloisim_yard;
/// The effective configuration of a run and its errors, before the run starts.
mod configuration;
mod confined;
/// The standard simulation interfaces, case by case, over HTTP and DDS.
mod conformance;
/// Wrong connection strings of all bridges.
mod connections;
/// Many concurrent requests over a long time.
mod control_storm;
/// The arm and the car: controllers compared with statics, kinematics and steering geometry.
mod controllers;
/// `bridgehead ctl` with a running host.
mod ctl;
/// The description of the world that bridges and clients receive.
mod description;
/// The same world, seed and commands give the same run in every process.
mod determinism;
mod doctor;
/// The blocks of the documentation, as readers type, compile and run them.
mod documentation;
/// Files without an end, of any size, or that are no files, from every way to read them.
mod endless_files;
/// Entities that are spawned and removed, with their plugins and bridges.
mod entities;
/// Physical numbers at and beyond their limits.
mod extreme_numbers;
/// Large messages to many bridges.
mod fan_out;
/// Worlds and robots as other projects publish them.
mod field;
/// What a user types first.
mod first_run;
/// Plugins that were built elsewhere and copied into a folder.
mod floods;
/// A model that is alone in its file stands on a floor.
mod floor;

mod folder_drop;
/// Clients of the Foxglove WebSocket protocol, connected to the bridge for Foxglove.
mod foxglove;
mod frames;
/// Disks that are full, read-only or mounted noexec.
mod full_disk;
/// Elements of Gazebo's worlds that only some releases accept.
mod gazebo_elements;
/// Topics with the names of Gazebo.
mod gazebo_names;
/// Plugins that were built once and are stored as binaries.
mod golden;
/// Gazebo's programs on topics and services of a run.
mod gz;
/// Gazebo's own worlds, unmodified.
mod gz_worlds;
/// Loads and spawns that are held open: what is answered, what is refused, and what interrupts them.
mod held;
/// A quadrotor, and how stand-ins for autopilots fly it.
mod hover;
/// The control plane over HTTP and WebSocket.
mod http;
/// Bridges in worker processes.
mod isolation;
/// The first ten minutes of new users.
mod journeys;
/// Keys that control a run from its terminal.
mod keyboard;
mod kit;
/// Learners of other projects on environments of the Python package.
mod learning;
/// Processes and results that a run leaves behind.
mod leftovers;
/// The bridges of LGSVL, and their peers.
mod lgsvl_bridges;
/// Start, end, signals, and plugins that misbehave.
mod lifecycle;
/// Refused libraries, when libraries are opened, and the reports of `plugin list` and `plugin probe`.
mod loading;
/// The logging bridge, read by other projects' tools.
mod logging;
mod mavlink;
/// Wrong calls of host functions, in all hosts.
mod misuse;
/// The models that worlds can include.
mod models;
/// The pace of a run that gets requests.
mod pace;
/// The page for browsers, in a browser.
mod page;
/// Which physics profile is used.
mod physics_profile;
/// Plugin files that change while the host runs.
mod plugin_files;
/// The pages about porting from other simulators, as a reader follows them.
mod porting;
/// The Python package.
mod python;
/// Plugins in Python.
mod python_plugins;
/// Runs of the release build, compared with those of the dev build.
mod release;
/// Recorded commands, played back.
mod replay;
/// Memory, file descriptors and threads.
mod resources;
/// Published robots in URDF.
mod robots;
/// The bridge for ROS 2, tested by peers that share no code with it.
mod ros2;
/// Robots whose joints `ros2_control` describes, and plugins of Gazebo Classic.
mod ros2_control;
/// Clients and a server of rosbridge, connected to the bridge for rosbridge.
mod rosbridge;
/// The rules that the host and the SDK's test host share.
mod rules;
/// The table of scenarios: preconditions, actions, and results.
mod scenarios;
/// Scenes beside the files that they come from.
mod scenes;
/// Files of other projects, compared with libsdformat.
mod sdf_corpus;
/// Sensors that the configuration adds and changes.
mod sensor_config;
/// Requests to every service, for the clients of several bridges.
mod service_calls;
/// The severity of what is found about a world, in every command.
mod severity;
/// One log of all vehicles while vehicles come and go.
mod shared_log;
mod signals;
/// Runs that continue from a snapshot.
mod snapshot;
/// One long run with every bridge, with clients that come, go and die.
mod soak;
/// Collisions of every shape, meshes included.
mod solids;
/// Steps, commands and observations over a Unix socket.
mod step_channel;
/// Limits on the time in a state, statistics, and the results of runs with unusual ends.
mod supervision;
/// Hosts that are suspended and continued.
mod suspension;
/// Counterparts of systems of Gazebo: water, air, tracks and others, compared with closed forms.
mod systems;
/// Rules of the source tree: layers, sizes, names.
mod tidy;
/// Goals of trajectories, for the clients of the bridges.
mod trajectories;
/// Runs whose verdict, pauses, resets and end come from triggers.
mod triggers;
/// Sensors and drives, compared with closed-form solutions.
mod truth;
/// Recordings, and the program that shows them.
mod view;
/// Slow, hostile and many clients of the WebSocket servers.
mod websockets;
/// Words of other simulators, and worlds by their names.
mod words;
/// Worlds that are loaded one after the other in one process.
mod world_loads;
/// Occupancy grids of worlds.
mod world_map;
/// Pictures of worlds.
mod world_picture;
/// Worlds that are saved into files.
mod world_save;
/// Values of worlds that a run sets by their paths.
mod world_values;
/// Robots in xacro, which a program expands.
mod xacro;
/// ROS 2 over Zenoh.
mod zenoh;
/// Plugins that are faulty or built in unusual ways, with the documented outcomes.
mod zoo;
