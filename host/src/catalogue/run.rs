//! The run itself: worlds, sensors by configuration, snapshots, recordings.

use super::{Entry, entries};

entries! {
    // The lifecycle: requests that were not granted.
    "BH-SIM-100": "A request does not fit between two states; it waits for the next one."
        => "nothing has to be done";
    "BH-SIM-101": "What a request asks for is already so."
        => "nothing has to be done";
    "BH-SIM-102": "The state lacks what a request needs, for example a world."
        => "load a world, or start the run, first";
    "BH-SIM-103": "No way leads from this state to the one asked for."
        => "see docs/lifecycle.md for the ways there are";
    "BH-SIM-104": "A request makes sense, but not now."
        => "ask again after what the text names";
    "BH-SIM-105": "Work reported its end after it had been given up; the report is ignored."
        => "nothing has to be done";
    "BH-SIM-110": "Two plugin instances have the same name."
        => "give each instance a name of its own";
    "BH-SIM-111": "A plugin instance reported its start that nobody had asked to start."
        => "report only for instances that were told to start";
    // The run.
    "BH-SIM-200": "A finding ends the run before it began, because of `--strict`."
        => "see the finding's own code, or run without `--strict`";
    "BH-SIM-201": "An output file of the run cannot be opened for writing."
        => "make its folder first, or name another file";
    "BH-SIM-203": "An output file cannot be written any further; the run goes on without it."
        => "free some space, or name a file on another disk";
    "BH-SIM-204": "A command cannot be written to the command file; the others are."
        => "see the reason; the message may not be of its topic's type";
    "BH-SIM-205": "The step width is not a positive time."
        => "set `<max_step_size>` in the world, or `step_width` in the configuration file";
    "BH-SIM-206": "The world cannot be saved."
        => "name a file in a folder that can be written to, other than the one that was loaded";
    "BH-SIM-207": "A saved world means something else where it was saved, for it refers to files by where they lie."
        => "save it into the folder of the world it comes from, or set the search path";
    "BH-SIM-208": "The run is to use a physics profile that the world does not have."
        => "use one of the names listed, or none for the world's default";
    "BH-SIM-209": "A plugin failed to give the elements it has for a saved world."
        => "read its reason; the world is saved without them";
    "BH-SIM-210": "The path of an `[[override]]` is no pattern."
        => "write a path such as `car1/chassis/imu`; `*` and `?` stand for what you do not name";
    "BH-SIM-211": "An `[[override]]` is for a sensor or plugin that the world does not have."
        => "use one of the paths that the text lists";
    "BH-SIM-212": "A `[[sensor]]` is for a link that the vehicle does not have."
        => "use one of the links that the text lists";
    "BH-SIM-213": "A `[[sensor]]` has the path of another sensor."
        => "give it another name, or change the other one with `[[override]]`";
    "BH-SIM-214": "A `[[sensor]]` stands on a parent that is not there, or on itself by way of its parents."
        => "name another `[[sensor]]` of the same vehicle as `parent`";
    "BH-SIM-220": "A snapshot cannot be read, or is not a whole one."
        => "take it again with this version of the program";
    "BH-SIM-221": "A snapshot is of another world than the one it should be restored onto."
        => "restore it onto the file that it was taken of, unchanged, with the same width of a step";
    "BH-SIM-222": "A snapshot cannot be written."
        => "name a file in a folder that can be written to";
    "BH-SIM-223": "What a plugin remembers is not in a snapshot."
        => "use plugins that `bridgehead plugin list` calls exact, or tell the author of the plugin to implement `save` and `load`";
    "BH-SIM-224": "A plugin does not take back what it remembered, and begins as after a reset."
        => "restore with the version of the plugin that the snapshot was taken with";
    "BH-SIM-225": "A run and the snapshot it goes on from have not the same plugins."
        => "restore with the plugins and the configuration that the snapshot was taken with; what is new begins as after a reset";
    "BH-SIM-240": "A state of the lifecycle lasts longer than it may."
        => "see what it waits for; `[watchdog]` in the configuration file says how long each may last";
    "BH-SIM-241": "A state of the lifecycle lasted longer than it may, and giving up the run did not end it: the process is left."
        => "see what it waits for; that plugin or bridge hangs";
    "BH-SIM-242": "The process was ended by a second signal before the run was."
        => "wait for the end after the first one, or see what it waits for";
    "BH-SIM-900": "A function of the host panicked; the plugin that called it got the status PANIC."
        => "report it, with the log: this is a defect of the host";
    "BH-SIM-901": "The process crashed outside of any call to a plugin: in the host, or in a thread that a plugin made itself."
        => "run it under a debugger; without plugins that make threads of their own it is a defect of the host";
}
