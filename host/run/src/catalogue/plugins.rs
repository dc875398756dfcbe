//! Running plugins; `plugin/code.rs` has the codes of plugin files.

use super::entry::{Entry, entries};

entries! {
    // Running plugins.
    "BH-PLG-090": "A plugin did not read one of its parameters."
        => "check its spelling against the plugin's documentation, or remove it";
    "BH-PLG-091": "A thread of a plugin did not end in time; the host keeps the memory that the thread may still use until the process ends."
        => "use a timeout for every wait in the thread, and end the thread when the host requests it";
    "BH-PLG-092": "A plugin does not return from its start; the host no longer waits for it."
        => "use timeouts for the waits in the plugin's `start`";
    "BH-PLG-093": "No plugin of that name or id is loaded."
        => "check the spelling against `bridgehead plugin list`, or add its folder with `--plugin-path`";
    "BH-PLG-094": "An instance of a plugin could not be created."
        => "see the reason given by the plugin; often a parameter is wrong";
    "BH-PLG-095": "A call to a plugin failed; the plugin is disabled, or, if the call was `reset`, the run is aborted."
        => "see the reason given by the plugin; `on_failure` in the configuration file decides how the run continues";
    "BH-PLG-096": "A plugin failed while it registered its message types."
        => "see the status and the preceding lines of the log";
    "BH-PLG-097": "A plugin could not start; the run continues without it unless `--strict` is given."
        => "see the reason given by the plugin";
    "BH-PLG-098": "A plugin has not started in time."
        => "raise `start_timeout` in the configuration file, or look for waits in the plugin's `start`";
    "BH-PLG-099": "A service that a plugin called reports a failure."
        => "see the reason; often the request names something that the world does not have";
    "BH-PLG-108": "A plugin crashed and ended the process: the host cannot continue after a crash in its own process."
        => "run it under a debugger, or `bridgehead plugin probe` on its file; docs/plugin-outcomes.md lists the failures after which the host continues";
    "BH-PLG-109": "A plugin ended the process with `exit`; the run counts as aborted."
        => "return an error, or request the end of the run through the lifecycle extension";
    // Names in worlds.
    "BH-PLG-110": "A world contains a sensor type or a plugin of another simulator that this host does not support."
        => "see docs/names.md for the supported names; the rest of the world runs without it";
    "BH-PLG-111": "A call into a plugin took longer than its budget; only the 1st, 2nd, 4th, 8th and so on of a plugin's long calls are reported."
        => "let the plugin do less in one call, or raise `call_budget` in the configuration file";
    "BH-PLG-112": "A plugin took longer than its budget several times in a row, and is disabled."
        => "let the plugin do less in one call, or raise `call_budget` or `overruns` in the configuration file";
    "BH-PLG-113": "A call into a plugin did not return; the run was ended, because a thread cannot be ended from outside."
        => "look for a lock, a socket or an endless loop in that call; `call_timeout` in the configuration file sets the limit";
    // What a plugin leaves changed.
    "BH-PLG-120": "A call of a plugin changed the floating-point mode of a thread of the host: rounding, denormals or traps. The mode was restored, because it changes the results of the physics."
        => "link the plugin without `-ffast-math`, which changes the mode when the library is loaded, or restore the mode before the call returns";
    "BH-PLG-121": "A call of a plugin changed the signal mask of a thread of the host; it was restored."
        => "block signals only on threads of the plugin";
    "BH-PLG-122": "A call of a plugin changed the working directory of the host; it was restored."
        => "use absolute paths, or `openat`";
    "BH-PLG-123": "A call of a plugin replaced the handler of a signal that ends a run, or with which the host reports crashes; it was restored."
        => "do not handle SIGINT, SIGTERM and SIGHUP: the host calls `stop` or `disconnect` when it receives them; if a runtime in the plugin needs handlers of crashes, run the plugin with `--isolate`";
    "BH-PLG-124": "A call of a plugin started a timer of the process, whose signal would end it; the timer was stopped."
        => "use `timerfd_create`, or a thread of the plugin that waits";
    "BH-PLG-125": "A plugin forked the process. A child that returns to the host ends at once, so that it does not continue as a second host."
        => "use `posix_spawn`, or call `exec` or `_exit` right after `fork`";
    "BH-PLG-126": "A call of a plugin changed a resource limit of the process; it was restored, unless its maximum was lowered. A change that is found between calls is kept, because `prlimit` of a user may have made it."
        => "set limits in the shell or the container that starts the host, or run the plugin with `--isolate`";
    "BH-PLG-127": "A call of a plugin changed the locale of the process or of a thread of the host; it was restored, because numbers such as `0.05` could not be read by other plugins any more."
        => "use functions that take a locale, such as `strtod_l`, or `uselocale` on a thread of the plugin";
    "BH-PLG-128": "A call of a plugin closed or replaced descriptors of the host. Standard streams were restored; without the other ones the process ends at once, as an aborted run."
        => "close only descriptors that the plugin has opened, and each of them once";
    "BH-PLG-129": "A call of a plugin changed environment variables of the process; they were restored, because other plugins and the programs that the host starts see them."
        => "set the variables before the host starts, or pass them to the functions that need them";
    // Calls that break the rules of the ABI.
    "BH-PLG-130": "A plugin called a host function for an instance or an endpoint that was destroyed, or with a handle of another kind. The call was refused."
        => "end the threads of the instance in `stop` or `disconnect`, and forget all handles in `destroy`";
    "BH-PLG-131": "A plugin called a host function on a thread, or in a call, where it is not allowed. The call was refused."
        => "see the line `[thread: …]` of the function in bridgehead.h";
    "BH-PLG-132": "A plugin committed or abandoned a loan that is not outstanding, twice or with another publisher, and the call was refused; or it has written before or behind the bytes of a loan."
        => "commit or abandon each loan once, with the publisher that has given it, and write no more than its `capacity`";
    "BH-PLG-133": "A plugin released a payload more often than it has retained it. The release was ignored."
        => "release only what `retain` was called for; a payload that the host passes is borrowed";
    "BH-PLG-134": "A plugin passed a size that makes no sense, such as a payload of more than 256 MiB. The call was refused."
        => "look for negative or uninitialised sizes";
    "BH-PLG-135": "A plugin passed a pointer that is null or misaligned, or memory for a result whose `struct_size` is too small. The call was refused."
        => "set `struct_size` of a result before the call, in C with `BH_SIZE`";
    "BH-PLG-136": "A plugin published a payload that is not a message of the type of its topic; `--check-plugins` refuses it."
        => "encode the payload as the descriptor of the type says";
    // More of what a plugin leaves changed.
    "BH-PLG-137": "A call of a plugin changed the umask of the process; it was restored, because it decides who may read the files of the host."
        => "pass the permissions to `open`, or call `fchmod` on the file";
    "BH-PLG-138": "A call of a plugin changed the processors, the scheduling policy or the priority of a thread of the host; they were restored, if the system allows that."
        => "change them on threads of the plugin only, or start the host with `taskset`, `chrt` or `nice`";
    "BH-PLG-139": "A call of a plugin replaced the alternate signal stack of a thread of the host; it was restored, because a stack overflow could not be reported without it."
        => "call `sigaltstack` on threads of the plugin only";
    // Workers of isolated plugins.
    "BH-PLG-140": "The worker process of an isolated plugin ended by itself: it crashed, or called `exit`. A bridge is disconnected and connects again in a new worker; a model plugin is disabled."
        => "look for the cause in the plugin: the message names the signal or exit code and the call";
    "BH-PLG-141": "A call of an isolated plugin did not return in time, or its worker process did not end in time after it was told to; the process was ended. A bridge is disconnected and connects again in a new worker; a model plugin is disabled."
        => "look for a lock, a socket or an endless loop in that call; `call_timeout` in the configuration file sets the limit";
    "BH-PLG-142": "The worker process of an isolated plugin sent what is not part of the protocol, and was ended."
        => "look for code of the plugin that writes to file descriptors that are not its own";
    "BH-PLG-144": "There is no shared memory for large messages of an isolated plugin: they are sent through a socket instead, which takes longer."
        => "free memory, or raise the memory limit of the machine or container";
    // What plugins publish.
    "BH-PLG-145": "The bytes of a message were changed after it was published, so that its readers got different ones. `--check-plugins` compares them."
        => "keep no pointer to a payload after `publish` or `commit`, and copy what a reader wants to change";
    "BH-PLG-146": "A message has a stamp before 0, of the future, or before the one of its publisher's last message; or a bridge has delivered one for a step that does not come, which was refused."
        => "stamp a message with the simulated time of its sample: `now` of the call, or an earlier time in order";
    // Budgets.
    "BH-PLG-147": "A plugin instance logs so much that its further lines are dropped. Others can still be read."
        => "log what has changed, not what is, or log on the level `trace` and test `enabled` first";
    "BH-PLG-148": "A plugin instance asks for more than anyone needs: resets a few steps apart, thousands of topics, services or addresses. Further ones are refused or ignored."
        => "look for a loop that does not end; for one request in each step, or one topic for each message";
}
