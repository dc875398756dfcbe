//! Campaigns.

use super::entry::{Entry, entries};

entries! {
    // Planning.
    "BH-CAM-001": "The campaign file cannot be read."
        => "check the path and the permissions";
    "BH-CAM-002": "The campaign file is not valid TOML from this place on."
        => "look for a missing quote, bracket or `=` at or before this place";
    "BH-CAM-003": "The campaign file has an unknown key."
        => "use one of the listed keys; a parameter is in quotes and has a dot, such as `\"run.substeps\"`";
    "BH-CAM-004": "A value of the campaign file does not have the type of its key."
        => "write the value as the message shows it";
    "BH-CAM-005": "The matrix expands to no run."
        => "remove an `[[exclude]]`, or give each list of `[matrix]` a value";
    "BH-CAM-006": "The matrix expands to more runs than are planned."
        => "use fewer values, or a smaller `count` of seeds";
    "BH-CAM-007": "A path or pattern of a world or an input matches no file."
        => "write a path relative to the campaign file";
    "BH-CAM-008": "A parameter is neither a key of the configuration nor a value of the world, has a wrong value, or cannot be changed by a campaign."
        => "write a key such as `run.substeps`, or a path such as `world.model[robot].link[base].inertial.mass`";
    "BH-CAM-009": "A world cannot be read, or its bridges, its plugins or a value that is set do not fit it."
        => "check it with `bridgehead check`";
    "BH-CAM-010": "The configuration of the campaign has errors, or names files that all runs would write."
        => "check it with `bridgehead check`, and leave out files of single runs";
    // The store.
    "BH-CAM-020": "The store cannot be read or written, for example because the disk is full; finished runs are kept."
        => "check its space and permissions, and repeat the command";
    "BH-CAM-021": "The store belongs to another campaign."
        => "give another folder with `--store`";
    "BH-CAM-022": "The store has no plan, or one of another version."
        => "run `bridgehead campaign plan`";
    "BH-CAM-023": "An entry of the store is damaged, or was changed after it had been written."
        => "find out who changed it, remove the folder of the entry, and repeat the command";
    "BH-CAM-024": "A run has two results with different state hashes: a plugin is not deterministic, or a result is forged."
        => "repeat the run with `--hash-log` and compare the files; mark bridges to other programs with `sampled = true`";
    "BH-CAM-025": "The program or an input file of this machine differs from the plan."
        => "plan the campaign again, or give the machine the file";
    "BH-CAM-026": "The store is in a bucket, and this program was built without a client for buckets."
        => "use the released program, or build it with `--features s3`";
    "BH-CAM-027": "The bucket of a store cannot be used: it does not exist, does not answer, or refuses the credentials."
        => "check the bucket, and the environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and `AWS_ENDPOINT_URL`";
    // Executing.
    "BH-CAM-030": "There is no such shard."
        => "write `I/N`, with I from 1 to N";
    "BH-CAM-031": "A process cannot be started."
        => "check that the program exists, and the limit on processes";
    "BH-CAM-032": "The engine is not installed."
        => "install it, or use `--engine local`";
    "BH-CAM-033": "The engine refused the campaign."
        => "read its message; `--engine-arg` passes arguments to it";
    "BH-CAM-034": "A run has no result after all its tries, or was never executed; what the engine says does not count."
        => "read the log in the report, and repeat the command";
    "BH-CAM-035": "A run failed."
        => "repeat it with the command of the report";
    "BH-CAM-036": "The engine cannot be reached at its address."
        => "start it, or give its address with `--engine-address`";
    "BH-CAM-037": "The engine requires a token, or another one than was sent."
        => "set `RAY_AUTH_TOKEN`, or `RAY_AUTH_TOKEN_PATH` to the file of the token";
    "BH-CAM-038": "The engine does not answer any more about a job; the job may be lost or may go on."
        => "repeat the command when the engine answers again";
    "BH-CAM-039": "The engine did not stop the job of an interrupted campaign."
        => "stop it with the command of the message";
    "BH-CAM-040": "A key is not that of one run of the campaign."
        => "use a key of the report, or its beginning";
    "BH-CAM-041": "A run cannot be made smaller, because it has not failed or does not fail again in the same way."
        => "use the key of a failed run";
    "BH-CAM-050": "A signal ended the campaign; finished runs are kept."
        => "repeat the command, which executes only what is missing";
}
