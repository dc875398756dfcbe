//! Plugins that run; those of plugin files have a table of their own.

use super::{Entry, entries};

entries! {
    // Plugins while they run; their files are in a table of their own.
    "BH-PLG-090": "A parameter of a plugin was read by nobody."
        => "check its spelling against the plugin's documentation, or remove it";
    "BH-PLG-091": "A thread of a plugin did not end in time; what it may still use is kept until the process ends."
        => "bound every wait in the thread, and let it end when the host asks for it";
    "BH-PLG-092": "A plugin hangs in its start and was left alone."
        => "bound the waits in the plugin's `start`";
    "BH-PLG-093": "No plugin of that name or id is loaded."
        => "check the spelling against `bridgehead plugin list`, or add its folder with `--plugin-path`";
    "BH-PLG-094": "An instance of a plugin could not be made."
        => "see the reason given by the plugin; often a parameter is wrong";
    "BH-PLG-095": "A call to a plugin failed; the plugin is left out from then on."
        => "see the reason given by the plugin; `on_failure` in the configuration file says what becomes of the run";
    "BH-PLG-096": "A plugin failed while it registered its message types."
        => "see the status and the lines before it";
    "BH-PLG-097": "A plugin could not start; the run goes on without it unless `--strict` is given."
        => "see the reason given by the plugin";
    "BH-PLG-098": "A plugin has not started in time."
        => "raise `start_timeout` in the configuration file, or look for waits in the plugin's `start`";
    "BH-PLG-108": "A plugin crashed, and the process with it: nothing inside a process can contain that."
        => "run it under a debugger, or `bridgehead plugin probe` on its file; docs/plugin-outcomes.md says what else is contained";
    "BH-PLG-109": "A plugin ended the process with `exit`; the run counts as aborted."
        => "return an error, or ask for the end through the lifecycle extension";
    // Names in worlds.
    "BH-PLG-110": "A world names a sensor type or a plugin of another simulator that has no counterpart here yet."
        => "see docs/names.md for what is served; the rest of the world runs without it";
    "BH-PLG-111": "A call into a plugin took longer than its budget; only the first, second, fourth, … of a plugin are told."
        => "let the plugin do less in one call, or set `call_budget` in the configuration file";
    "BH-PLG-112": "A plugin took longer than its budget several times in a row, and is left out."
        => "let the plugin do less in one call, or set `call_budget` and `overruns` in the configuration file";
    "BH-PLG-113": "A call into a plugin did not return, and the run with it: a thread cannot be ended from outside."
        => "look for a lock, a socket or a loop without end in that call; `call_timeout` in the configuration file says how long to wait";
}
