"""The fields of all types of the standard, for transports that have no definitions of their own.

Version 1 is that of Humble, Jazzy and Kilted; 2.2.0 is a draft.
"""

from __future__ import annotations

from dataclasses import dataclass

VERSIONS = ("1", "2.1.0", "2.2.0")
PACKAGE = "simulation_interfaces"
ACTION = f"{PACKAGE}/action/SimulateSteps"

MESSAGES = {
    "builtin_interfaces/msg/Time": "int32 sec, uint32 nanosec",
    "std_msgs/msg/Header": "builtin_interfaces/msg/Time stamp, string frame_id",
    "geometry_msgs/msg/Vector3": "float64 x, float64 y, float64 z",
    "geometry_msgs/msg/Point": "float64 x, float64 y, float64 z",
    "geometry_msgs/msg/Quaternion": "float64 x, float64 y, float64 z, float64 w = 1",
    "geometry_msgs/msg/Pose": "geometry_msgs/msg/Point position, geometry_msgs/msg/Quaternion orientation",
    "geometry_msgs/msg/PoseStamped": "std_msgs/msg/Header header, geometry_msgs/msg/Pose pose",
    "geometry_msgs/msg/Twist": "geometry_msgs/msg/Vector3 linear, geometry_msgs/msg/Vector3 angular",
    "geometry_msgs/msg/Accel": "geometry_msgs/msg/Vector3 linear, geometry_msgs/msg/Vector3 angular",
    "rosgraph_msgs/msg/Clock": "builtin_interfaces/msg/Time clock",
    "unique_identifier_msgs/msg/UUID": "uint8[16] uuid",
    "action_msgs/msg/GoalInfo": "unique_identifier_msgs/msg/UUID goal_id, builtin_interfaces/msg/Time stamp",
    "action_msgs/srv/CancelGoal_Request": "action_msgs/msg/GoalInfo goal_info",
    "action_msgs/srv/CancelGoal_Response": "int8 return_code, action_msgs/msg/GoalInfo[] goals_canceling",
    "Bounds": "uint8 type, geometry_msgs/msg/Vector3[] points",
    "EntityCategory": "uint8 category",
    "TagsFilter": "string[] tags, uint8 filter_mode",
    "EntityFilters": "string filter, EntityCategory[] categories, TagsFilter tags, Bounds bounds",
    "EntityInfo": "EntityCategory category, string description, string[] tags",
    "EntityState": (
        "std_msgs/msg/Header header, geometry_msgs/msg/Pose pose, geometry_msgs/msg/Twist twist, "
        "geometry_msgs/msg/Accel acceleration"
    ),
    "NamedPose": "string name, string description, string[] tags, geometry_msgs/msg/Pose pose",
    "Resource": "string uri, string resource_string",
    "Result": "uint8 result, string error_message",
    "SimulationState": "uint8 state",
    "SimulatorFeatures": "uint16[] features, string[] spawn_formats, string custom_info",
    "SpawnEntity": (
        "string name, bool allow_renaming, Resource entity_resource, string entity_namespace, "
        "geometry_msgs/msg/PoseStamped initial_pose"
    ),
    "SpawnResult": "Result result, string entity_name",
    "Spawnable": "Resource entity_resource, string description, Bounds spawn_bounds",
    "WorldResource": "string name, Resource world_resource, string description, string[] tags",
}

SERVICES: dict[str, tuple[str, str, str]] = {
    "delete_entity": ("DeleteEntity", "string entity", "Result result"),
    "get_available_worlds": (
        "GetAvailableWorlds",
        "string[] additional_sources, TagsFilter filter, bool offline_only, bool continue_on_error",
        "Result result, WorldResource[] worlds",
    ),
    "get_current_world": ("GetCurrentWorld", "", "Result result, WorldResource world"),
    "get_entities": ("GetEntities", "EntityFilters filters", "Result result, string[] entities"),
    "get_entities_states": (
        "GetEntitiesStates",
        "EntityFilters filters",
        "Result result, string[] entities, EntityState[] states",
    ),
    "get_entity_bounds": ("GetEntityBounds", "string entity", "Result result, Bounds bounds"),
    "get_entity_info": ("GetEntityInfo", "string entity", "Result result, EntityInfo info"),
    "get_entity_state": ("GetEntityState", "string entity", "Result result, EntityState state"),
    "get_named_pose_bounds": ("GetNamedPoseBounds", "string name", "Result result, Bounds bounds"),
    "get_named_poses": ("GetNamedPoses", "TagsFilter tags", "Result result, NamedPose[] poses"),
    "get_simulation_state": ("GetSimulationState", "", "SimulationState state, Result result"),
    "get_simulator_features": ("GetSimulatorFeatures", "", "SimulatorFeatures features"),
    "get_spawnables": ("GetSpawnables", "string[] sources", "Result result, Spawnable[] spawnables"),
    "load_world": (
        "LoadWorld",
        "Resource world_resource, bool fail_on_unsupported_element, bool ignore_missing_or_unsupported_assets",
        "Result result, WorldResource world",
    ),
    "reset_simulation": ("ResetSimulation", "uint8 scope", "Result result"),
    "set_entity_info": ("SetEntityInfo", "string entity, EntityInfo info", "Result result"),
    "set_entity_state": (
        "SetEntityState",
        "string entity, EntityState state, bool set_pose, bool set_twist, bool set_acceleration",
        "Result result",
    ),
    "set_simulation_state": ("SetSimulationState", "SimulationState state", "Result result"),
    "spawn_entities": ("SpawnEntities", "SpawnEntity[] spawn_requests", "Result result, SpawnResult[] results"),
    "spawn_entity": ("SpawnEntity", MESSAGES["SpawnEntity"], "Result result, string entity_name"),
    "step_simulation": ("StepSimulation", "uint64 steps = 1", "Result result"),
    "unload_world": ("UnloadWorld", "", "Result result"),
}

_OF_ACTION = {
    "Goal": "uint64 steps",
    "Result": "Result result",
    "Feedback": "uint64 completed_steps, uint64 remaining_steps",
    "SendGoal_Request": f"unique_identifier_msgs/msg/UUID goal_id, {ACTION}_Goal goal",
    "SendGoal_Response": "bool accepted, builtin_interfaces/msg/Time stamp",
    "GetResult_Request": "unique_identifier_msgs/msg/UUID goal_id",
    "GetResult_Response": f"int8 status, {ACTION}_Result result",
    "FeedbackMessage": f"unique_identifier_msgs/msg/UUID goal_id, {ACTION}_Feedback feedback",
}

# What another version has instead.
_OTHER = {
    "1": {
        f"{PACKAGE}/msg/Spawnable": "string uri, string description, Bounds spawn_bounds",
        f"{PACKAGE}/srv/SetEntityState_Request": "string entity, EntityState state",
        f"{PACKAGE}/srv/LoadWorld_Request": (
            "string uri, string resource_string, bool fail_on_unsupported_element, "
            "bool ignore_missing_or_unsupported_assets"
        ),
        f"{PACKAGE}/srv/SpawnEntity_Request": (
            "string name, bool allow_renaming, string uri, string resource_string, string entity_namespace, "
            "geometry_msgs/msg/PoseStamped initial_pose"
        ),
    },
    "2.2.0": {f"{PACKAGE}/srv/GetEntityBounds_Request": "string entity, uint8 type = 255"},
}


@dataclass(frozen=True)
class Field:
    """A field: `kind` is a primitive or the full name of a message; `length` is that of an array."""

    name: str
    kind: str
    is_list: bool = False
    length: int | None = None
    default: int | None = None


def service_type(service: str) -> str:
    """Returns the ROS type of a service by its usual name."""
    return f"{PACKAGE}/srv/{SERVICES[service][0]}"


def _full(kind: str) -> str:
    return f"{PACKAGE}/msg/{kind}" if kind in MESSAGES and "/" not in kind else kind


def _field(text: str) -> Field:
    kind, name, *default = text.replace("=", " ").split()
    base, bracket, rest = kind.partition("[")
    length = rest.rstrip("]")
    return Field(
        name, _full(base), bool(bracket), int(length) if length else None, int(default[0]) if default else None
    )


def fields(version: str) -> dict[str, list[Field]]:
    """Returns the fields of every message, request and response of a version, by full names."""
    texts = {_full(name): text for name, text in MESSAGES.items()}
    for kind, request, response in SERVICES.values():
        texts[f"{PACKAGE}/srv/{kind}_Request"] = request
        texts[f"{PACKAGE}/srv/{kind}_Response"] = response
    texts |= {f"{ACTION}_{part}": text for part, text in _OF_ACTION.items()}
    texts |= _OTHER.get(version, {})
    return {name: [_field(part) for part in text.split(", ") if part] for name, text in texts.items()}
