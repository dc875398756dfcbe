"""Requests and responses of the older version of the interfaces, from and to the form that cases use."""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]
RESOURCES = {"spawn_entity": "entity_resource", "load_world": "world_resource"}
FLAGS = ("set_pose", "set_twist", "set_acceleration")


def request_for(version: str, service: str, request: Message) -> Message:
    """Returns a request with the fields of a version."""
    if version != "1":
        return request
    request = dict(request)
    if service in RESOURCES:
        request |= request.pop(RESOURCES[service], {})
    if service == "set_entity_state":
        for flag in FLAGS:
            request.pop(flag, None)
    return request


def response_from(version: str, service: str, response: Message) -> Message:
    """Returns a response with the fields of the newer version."""
    if version == "1" and service == "get_spawnables":
        spawnables = [one | {"entity_resource": {"uri": one.get("uri", "")}} for one in response["spawnables"]]
        return response | {"spawnables": spawnables}
    return response
