//! The run itself: worlds, sensors by configuration, snapshots, recordings.

use super::entry::{Entry, entries};

entries! {
    // The lifecycle: requests that were not granted.
    "BH-SIM-100": "A request cannot be carried out in this state; it waits for the next state."
        => "no action is needed";
    "BH-SIM-101": "The requested state is already reached."
        => "no action is needed";
    "BH-SIM-102": "The state lacks what a request needs, for example a world."
        => "load a world, or start the run, first";
    "BH-SIM-103": "The requested state cannot be reached from this state."
        => "see docs/lifecycle.md for the transitions";
    "BH-SIM-104": "A request cannot be carried out now."
        => "try again after the event that the message names";
    "BH-SIM-105": "Work reported its end after it had been cancelled; the report is ignored."
        => "no action is needed";
    "BH-SIM-110": "Two plugin instances have the same name."
        => "give each instance a name of its own";
    "BH-SIM-111": "A plugin instance that is not being started reported that it has started."
        => "call `started` only after `start` has returned pending";
    // The run.
    "BH-SIM-200": "A warning or an error prevents the run from starting, because `--strict` is given."
        => "see the code of the warning or error, or run without `--strict`";
    "BH-SIM-201": "An output file of the run cannot be opened for writing."
        => "create its folder first, or name another file";
    "BH-SIM-203": "Writing an output file failed; the run continues without it and ends with a code other than 0."
        => "free some space, or name a file on another disk";
    "BH-SIM-204": "A command cannot be written to the command file; the other commands are written."
        => "see the reason; the message may not be of its topic's type";
    "BH-SIM-205": "The step width is not a positive time."
        => "set `<max_step_size>` in the world, or `step_width` in the configuration file";
    "BH-SIM-206": "The world cannot be saved."
        => "name a file in a writable folder, other than the loaded file";
    "BH-SIM-207": "A saved world refers to different files than its source, because its file references are relative."
        => "save it into the folder of its source, or set the search path";
    "BH-SIM-208": "The world does not have the requested physics profile."
        => "use one of the listed names, or none for the world's default";
    "BH-SIM-209": "A plugin failed in `saved_elements`; the world is saved without its data."
        => "see the reason given by the plugin";
    "BH-SIM-210": "The path of an `[[override]]` is not a valid pattern."
        => "write a path such as `car1/chassis/imu`; `*` and `?` are wildcards";
    "BH-SIM-211": "An `[[override]]` is for a sensor or plugin that the world does not have."
        => "use one of the listed paths";
    "BH-SIM-212": "A `[[sensor]]` is for a link that the vehicle does not have."
        => "use one of the listed links";
    "BH-SIM-213": "A `[[sensor]]` has the path of another sensor."
        => "give it another name, or change the other one with `[[override]]`";
    "BH-SIM-214": "The parent of a `[[sensor]]` does not exist, or its parents form a cycle."
        => "name another `[[sensor]]` of the same vehicle as `parent`";
    "BH-SIM-220": "A snapshot cannot be read, or is incomplete."
        => "take it again with this version of the program";
    "BH-SIM-221": "A snapshot belongs to another world than the loaded one."
        => "restore it with the unchanged world file and the same step width";
    "BH-SIM-222": "A snapshot cannot be written."
        => "name a file in a writable folder";
    "BH-SIM-223": "The state of a plugin is not in a snapshot."
        => "use plugins that `bridgehead plugin list` marks as exact, or implement `save` and `load` in the plugin";
    "BH-SIM-224": "A plugin cannot restore its state, and starts as after a reset."
        => "restore with the version of the plugin that the snapshot was taken with";
    "BH-SIM-225": "A run and the snapshot that it continues from have different plugins."
        => "restore with the plugins and the configuration that the snapshot was taken with; new plugins start as after a reset";
    "BH-SIM-226": "A run did not return to a snapshot, because the reset was interrupted."
        => "restore it again";
    "BH-SIM-227": "A run did not return to a snapshot, because another request was being carried out."
        => "restore it when the other request has been answered";
    "BH-SIM-240": "A state of the lifecycle lasts longer than its limit."
        => "check what it waits for; `[watchdog]` in the configuration file sets the limits";
    "BH-SIM-241": "A state of the lifecycle lasted longer than its limit and did not end when the run was aborted, so the host ended the process."
        => "check what it waits for; that plugin or bridge hangs";
    "BH-SIM-242": "A second signal ended the process before the run had ended."
        => "wait for the end after the first signal, or check what the run waits for";
    "BH-SIM-243": "After SIGINT, SIGTERM or SIGHUP the simulation thread did not respond, for 1.5 s in a step or a call of a plugin, or for 8 s elsewhere, so the host ended the process."
        => "check the last step: a model may have too many joints or contacts, or a plugin or a program may hang";
    "BH-SIM-900": "A function of the host panicked; the plugin that called it got the status PANIC."
        => "report this with the log: it is a defect of the host";
    "BH-SIM-901": "The process crashed outside of any call to a plugin: in the host, or in a thread that a plugin created."
        => "run it under a debugger; without plugins that create threads it is a defect of the host";
    "BH-SIM-902": "The simulation thread panicked. The run counts as aborted, and its result is written."
        => "report this defect of the host, with the world and the last requests";
    "BH-SIM-903": "The process was ended by a signal that nobody handles, such as SIGALRM of a timer that a plugin has started."
        => "look for `alarm`, `setitimer`, `kill` and `raise` in plugins; `--check-plugins` names plugins that start a timer";
    "BH-SIM-904": "The process of a run ended before the run was over, and said nothing: a plugin called `_exit`, replaced the handlers of crashes or lowered a limit, or another process killed it. The run counts as aborted, and its result is written."
        => "look for `_exit`, `quick_exit`, `kill`, `signal` and `setrlimit` in the plugin whose call was running; SIGKILL also comes from the system if memory is short; with `--isolate` the run goes on";
    "BH-SIM-905": "A run was over, but its process did not end with the exit code of the run: a handler of `atexit` or a destructor of a plugin crashed, called `_exit`, or did not return within ten seconds. The exit code is that of the run."
        => "look for `atexit`, static objects with destructors, and thread-local objects in plugins";
    "BH-SIM-906": "No thread of the process took a signal that ends a run, so that the process was killed: a plugin closed descriptors of the host, or ended its threads."
        => "close only descriptors that the plugin has opened; `--check-plugins` names the plugin and the call";
}
