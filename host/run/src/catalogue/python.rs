//! The client of the Python package, which is in `host/python/src/bridgehead/errors.py`.

use super::entry::{Entry, entries};

entries! {
    "BH-PYC-001": "The program of the host was not found, or cannot be started."
        => "install the wheel of a release, or set `BRIDGEHEAD_PROGRAM` to the path of the program";
    "BH-PYC-002": "The host ended before it served requests."
        => "see the lines of its log in the error";
    "BH-PYC-003": "The host did not serve requests in time, or did not load its world in time."
        => "raise `start_timeout`, and do not pass `-q`, which removes the line with the address";
    "BH-PYC-004": "No connection to the host was possible."
        => "check that the host runs, and its address in the first line of its log";
    "BH-PYC-005": "The connection ended before the answer was complete, or a subscription was cut off."
        => "see the log of the host; read the events of a subscription at least every ten seconds";
    "BH-PYC-006": "The host did not answer in time; it may still execute the request."
        => "raise `timeout`";
    "BH-PYC-007": "An answer or a result file does not have the declared form."
        => "check the address, and use a client of the same version as the host";
    "BH-PYC-008": "The awaited event did not happen in time."
        => "subscribe before the request whose effect is awaited, or raise `timeout` or `sim_timeout`";
    "BH-PYC-009": "The run ended, and the subscription with it."
        => "see the result of the run for the cause";
    "BH-PYC-010": "There is no result of the run."
        => "wait for the end of the run; a host that was killed by SIGKILL writes no result";
    "BH-PYC-011": "The address of the host is not valid."
        => "write `HOST:PORT` or `http://HOST:PORT`";
    "BH-PYC-012": "The run did not end in time."
        => "give the host a `duration`, or raise `timeout`";
    "BH-PYC-013": "A value cannot be sent, because a message cannot contain it."
        => "pass numbers, texts, bytes, lists, dictionaries and messages";
    "BH-PYC-014": "A goal was refused, because another one runs."
        => "wait for the end of the other goal, or cancel it";
    "BH-PYC-015": "Steps that a scenario counts were not simulated, because the run has ended, or somebody has paused or reset it."
        => "see the lines of the log of the host in the error; end runs by the scenario, not by triggers";
    "BH-PYC-016": "A setting of the simulation for scenarios is missing or not valid."
        => "set the variable or the attribute that the text names";
}
