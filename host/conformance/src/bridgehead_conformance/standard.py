"""Numbers of the standard: states, results, features and the services that they announce."""

from __future__ import annotations

# States, of msg/SimulationState.msg.
STOPPED, PLAYING, PAUSED, QUITTING, NO_WORLD, LOADING_WORLD = range(6)
STATES = {
    STOPPED: "stopped",
    PLAYING: "playing",
    PAUSED: "paused",
    QUITTING: "quitting",
    NO_WORLD: "no world",
    LOADING_WORLD: "loading world",
}

# Results, of msg/Result.msg.
UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, OPERATION_FAILED = range(5)

# Results of single services.
ALREADY_IN_TARGET_STATE, STATE_TRANSITION_ERROR, INCORRECT_TRANSITION = 101, 102, 103
NAME_NOT_UNIQUE, NAME_INVALID, UNSUPPORTED_FORMAT, NO_RESOURCE, NAMESPACE_INVALID = 101, 102, 103, 104, 105
RESOURCE_PARSE_ERROR, MISSING_ASSETS, UNSUPPORTED_ASSETS, INVALID_POSE = 106, 107, 108, 109
ENTITIES_SPAWN_FAILED = 150
STATE_INVALID_POSE = 101
WORLD_UNSUPPORTED_FORMAT, WORLD_NO_RESOURCE, WORLD_PARSE_ERROR, WORLD_MISSING_ASSETS = 101, 102, 103, 104
WORLD_UNSUPPORTED_ASSETS, WORLD_UNSUPPORTED_ELEMENTS = 105, 106
NO_WORLD_LOADED = 101
DEFAULT_SOURCES_FAILED = 101

# Bounds, of msg/Bounds.msg; the last one is a draft.
EMPTY, BOX, CONVEX_HULL, SPHERE, UNSPECIFIED = 0, 1, 2, 3, 255

# Categories, of msg/EntityCategory.msg.
OBJECT, ROBOT, HUMAN, DYNAMIC_OBJECT, STATIC_OBJECT = 0, 1, 2, 4, 5

# Modes, of msg/TagsFilter.msg.
ANY, ALL_TAGS = 0, 1

# Scopes, of srv/ResetSimulation.srv.
SCOPE_DEFAULT, SCOPE_TIME, SCOPE_STATE, SCOPE_SPAWNED, SCOPE_ALL = 0, 1, 2, 4, 255

# The ends of goals, of action_msgs/msg/GoalStatus.msg.
SUCCEEDED, CANCELED, ABORTED = 4, 5, 6

# Features, of msg/SimulatorFeatures.msg, each with the services or the action that it announces.
FEATURES: dict[int, tuple[str, tuple[str, ...]]] = {
    0: ("SPAWNING", ("spawn_entity",)),
    1: ("DELETING", ("delete_entity",)),
    2: ("NAMED_POSES", ("get_named_poses",)),
    3: ("POSE_BOUNDS", ("get_named_pose_bounds",)),
    4: ("ENTITY_TAGS", ("get_entities",)),
    5: ("ENTITY_BOUNDS", ("get_entity_bounds",)),
    6: ("ENTITY_BOUNDS_BOX", ("get_entities",)),
    7: ("ENTITY_BOUNDS_CONVEX", ("get_entities",)),
    8: ("ENTITY_CATEGORIES", ("get_entities",)),
    9: ("SPAWNING_RESOURCE_STRING", ("spawn_entity",)),
    10: ("ENTITY_STATE_GETTING", ("get_entity_state", "get_entities_states")),
    11: ("ENTITY_STATE_SETTING", ("set_entity_state",)),
    12: ("ENTITY_INFO_GETTING", ("get_entity_info",)),
    13: ("ENTITY_INFO_SETTING", ("set_entity_info",)),
    14: ("SPAWNABLES", ("get_spawnables",)),
    20: ("SIMULATION_RESET", ("reset_simulation",)),
    21: ("SIMULATION_RESET_TIME", ("reset_simulation",)),
    22: ("SIMULATION_RESET_STATE", ("reset_simulation",)),
    23: ("SIMULATION_RESET_SPAWNED", ("reset_simulation",)),
    24: ("SIMULATION_STATE_GETTING", ("get_simulation_state",)),
    25: ("SIMULATION_STATE_SETTING", ("set_simulation_state",)),
    26: ("SIMULATION_STATE_PAUSE", ("set_simulation_state",)),
    31: ("STEP_SIMULATION_SINGLE", ("step_simulation",)),
    32: ("STEP_SIMULATION_MULTIPLE", ("step_simulation",)),
    33: ("STEP_SIMULATION_ACTION", ("simulate_steps",)),
    40: ("WORLD_LOADING", ("load_world",)),
    41: ("WORLD_RESOURCE_STRING", ("load_world",)),
    42: ("WORLD_TAGS", ("get_available_worlds",)),
    43: ("WORLD_UNLOADING", ("unload_world",)),
    44: ("WORLD_INFO_GETTING", ("get_current_world",)),
    45: ("AVAILABLE_WORLDS", ("get_available_worlds",)),
    50: ("SPAWNING_ENTITIES", ("spawn_entities",)),
}
NUMBERS = {name: number for number, (name, _) in FEATURES.items()}

_COMMON = {0: "FEATURE_UNSUPPORTED", 1: "OK", 2: "NOT_FOUND", 3: "INCORRECT_STATE", 4: "OPERATION_FAILED"}
_SPAWN = {
    101: "NAME_NOT_UNIQUE",
    102: "NAME_INVALID",
    103: "UNSUPPORTED_FORMAT",
    104: "NO_RESOURCE",
    105: "NAMESPACE_INVALID",
    106: "RESOURCE_PARSE_ERROR",
    107: "MISSING_ASSETS",
    108: "UNSUPPORTED_ASSETS",
    109: "INVALID_POSE",
}
_OF_SERVICE: dict[str, dict[int, str]] = {
    "spawn_entity": _SPAWN,
    "spawn_entities": _SPAWN | {150: "ENTITIES_SPAWN_FAILED"},
    "set_entity_state": {101: "INVALID_POSE"},
    "set_simulation_state": {
        101: "ALREADY_IN_TARGET_STATE",
        102: "STATE_TRANSITION_ERROR",
        103: "INCORRECT_TRANSITION",
    },
    "load_world": {
        101: "UNSUPPORTED_FORMAT",
        102: "NO_RESOURCE",
        103: "RESOURCE_PARSE_ERROR",
        104: "MISSING_ASSETS",
        105: "UNSUPPORTED_ASSETS",
        106: "UNSUPPORTED_ELEMENTS",
    },
    "unload_world": {101: "NO_WORLD_LOADED"},
    "get_current_world": {101: "NO_WORLD_LOADED"},
    "get_available_worlds": {101: "DEFAULT_SOURCES_FAILED"},
}


def result_name(service: str, code: int) -> str:
    """Returns a result with its name: `101 (NAME_NOT_UNIQUE)`."""
    name = _COMMON.get(code) or _OF_SERVICE.get(service, {}).get(code)
    return f"{code} ({name})" if name else f"{code} (not defined by the standard)"
