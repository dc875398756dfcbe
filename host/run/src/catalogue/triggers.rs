//! Triggers: their form, and their effect in a run.

use super::entry::{Entry, entries};

entries! {
    "BH-TRG-001": "A trigger is not a table." => "write `event` and `action`, as in docs/triggers.md";
    "BH-TRG-002": "A trigger has an unknown key." => "check the spelling";
    "BH-TRG-003": "A trigger has no event or no action." => "add the key";
    "BH-TRG-004": "A value of a trigger does not have the type of its key."
        => "write it as in docs/triggers.md";
    "BH-TRG-005": "An event or action is neither a name, `name=argument`, nor a table with a name."
        => "write `time=10`, or `{ name = \"time\", time = 10 }`";
    "BH-TRG-006": "There is no event of this name."
        => "use one of the listed names, or set `optional` for a trigger that may be left out";
    "BH-TRG-007": "There is no action of this name."
        => "use one of the listed names, or set `optional` for a trigger that may be left out";
    "BH-TRG-008": "An argument of an event or action is missing, unknown or invalid."
        => "see its row in docs/triggers.md";
    "BH-TRG-009": "A trigger that changes the course of the run cannot be concealed from the history."
        => "conceal only triggers that log or change the speed";
    "BH-TRG-010": "A condition cannot be read."
        => "write an operator and a constant, such as `> -5.0`, `== true` or `!= parked`";
    "BH-TRG-011": "A file of triggers cannot be read, or does not contain triggers."
        => "name a file that `--triggers` wrote, or a JSON list of triggers";
    "BH-TRG-020": "The time of a trigger has passed."
        => "use `next` for a time relative to now";
    "BH-TRG-021": "An optional trigger is left out because its event or action is unknown."
        => "no action is needed, unless the name is misspelled";
    "BH-TRG-022": "The history of triggers is full; further entries are only counted."
        => "conceal sticky triggers that fire often";
    "BH-TRG-030": "A trigger waits for messages of a topic that does not exist when the run begins."
        => "check the name against the listed topics; the trigger also works if the topic is opened later";
    "BH-TRG-031": "A trigger cannot compare the messages of its topic."
        => "use one of the listed fields, and a constant of its kind";
    "BH-TRG-032": "A trigger cannot publish its message."
        => "check topic, type and fields as described in the message";
    "BH-TRG-033": "A trigger with a program as its action is not allowed."
        => "set `enable_command_action = true` in `[triggers]` for configurations that you trust";
    "BH-TRG-034": "A program that a trigger runs has failed."
        => "see its output, or set `ignore_failure`";
    "BH-TRG-035": "A sticky trigger resets the run again and again without a step in between; after ten resets it is ignored until a step has run."
        => "remove `sticky`, or reset at a time after 0";
}
