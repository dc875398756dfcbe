"""The services of the fake for entities."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from copy import deepcopy

from fake.base import Base
from fake.messages import Message, result
from fake.world import Entity, MissingAsset, ParseError, Vector, expression, file_of, model, parse

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
NAMESPACE = re.compile(r"/?[A-Za-z_]\w*(/[A-Za-z_]\w*)*", re.ASCII)


def vector(message: Message) -> Vector:
    return (message["x"], message["y"], message["z"])


def xyz(found: Vector) -> Message:
    return dict(zip("xyz", found, strict=True))


def is_valid(pose: Message) -> bool:
    """Whether a pose has finite numbers within the world, and a rotation."""
    at, turn = vector(pose["position"]), pose["orientation"]
    return all(math.isfinite(one) and abs(one) < 1e7 for one in at) and any(turn.values())


def has_tags(tags: list[str], wanted: Message, is_any: bool = False) -> bool:
    """Whether tags match a filter."""
    if not wanted["tags"]:
        return True
    found = [tag in tags for tag in wanted["tags"]]
    return any(found) if is_any or wanted["filter_mode"] == 0 else all(found)


def samples(points: list[Vector]) -> Iterator[Vector]:
    """Points within the hull of four points."""
    parts = range(9)
    for shares in itertools.product(parts, repeat=4):
        if total := sum(shares):
            yield vector(
                {
                    axis: sum(share * one[index] for share, one in zip(shares, points, strict=False)) / total
                    for index, axis in enumerate("xyz")
                }
            )


class Entities(Base):
    """Spawning, deletion, lists, states, info and bounds."""

    def spawn_entity(self, request: Message) -> Message:
        if (
            self.has("name of the world") and self.state == 0 and self.world and request["name"] in self.world.entities
        ) and not self.world.entities[request["name"]].is_spawned:
            return result(102, "the name belongs to the world") | {"entity_name": ""}
        code, text, name = self.spawn(request)
        if code == 104 and self.state == 0 and self.has("no resource is a parse error"):
            code = 106
        return result(code, text) | {"entity_name": name}

    def spawn_entities(self, request: Message) -> Message:
        found = [self.spawn(one) for one in request["spawn_requests"]]
        results = [result(code, text) | {"entity_name": name} for code, text, name in found]
        codes = [code for code, _, _ in found]
        is_ok = all(code == 1 for code in codes) or (104 in codes and self.has("partial spawn is a success"))
        if self.has("results in reverse order"):
            results.reverse()
        return result(1 if is_ok else 150, "a request failed") | {"results": results}

    def spawn(self, request: Message) -> tuple[int, str, str]:
        """Spawns an entity; returns result, message and name."""
        if self.world is None:
            return 3, "there is no world", ""
        if refusal := self.refusal(request):
            return *refusal, ""
        resource = request["entity_resource"]
        if resource["uri"] and resource["resource_string"] and self.has("text before URI"):
            resource = resource | {"uri": ""}
        try:
            file = file_of(resource["uri"])
            if resource["uri"] and not file.is_file():
                return 107, f"`{file}` does not exist", ""
            text = file.read_text() if resource["uri"] else resource["resource_string"]
            element = parse(text).find("model")
            if element is None:
                return 106, "there is no model", ""
            entity = model(element)
        except ParseError as error:
            return 106, str(error), ""
        except MissingAsset as error:
            return 107, str(error), ""
        code, name = self.name_for(request, entity.name)
        if code != 1:
            return code, f"the name `{name}` is not possible", ""
        self.insert(entity, name, request["initial_pose"])
        return 1, "", name

    def refusal(self, request: Message) -> tuple[int, str] | None:
        """Why a request is refused before its resource is read."""
        assert self.world is not None
        pose, resource = request["initial_pose"], request["entity_resource"]
        frame = pose["header"]["frame_id"]
        is_blank_allowed = self.has("namespace with a blank") and request["entity_namespace"] == "bad ns"
        is_nan = self.has("position that is no number") and math.isnan(pose["pose"]["position"]["x"])
        reasons = [
            (102, request["name"] and not NAME.fullmatch(request["name"]), "the name is invalid"),
            (
                105,
                request["entity_namespace"]
                and not NAMESPACE.fullmatch(request["entity_namespace"])
                and not is_blank_allowed,
                "the namespace is invalid",
            ),
            (104, not resource["uri"] and not resource["resource_string"], "there is no resource"),
            (103, resource["uri"].endswith(".unknown_format"), "the format is unknown"),
            (4, frame not in ("", "world") and frame not in self.world.entities, "the frame is unknown"),
            (109, not is_valid(pose["pose"]) and not is_nan, "the pose is invalid"),
        ]
        return next(((code, text) for code, is_wrong, text in reasons if is_wrong), None)

    def name_for(self, request: Message, own: str) -> tuple[int, str]:
        """The name of a new entity, or why there is none."""
        assert self.world is not None
        name, may_rename = request["name"] or own, request["allow_renaming"]
        taken = set(self.world.entities) | (self.deleted if self.has("names stay taken") else set())
        must_rename = (
            not name or name in taken or (bool(request["name"]) and may_rename and self.has("free names are changed"))
        )
        if not must_rename:
            return 1, name
        if not may_rename and not (not name and self.has("names are always generated")):
            return (102 if not name else 101), name
        base = name or "entity"
        return 1, next(one for number in range(1, 999) if (one := f"{base}_{number}") not in taken)

    def insert(self, entity: Entity, name: str, at: Message) -> None:
        """Adds an entity at a pose."""
        assert self.world is not None
        entity.name, entity.is_spawned = name, True
        origin = self.world.entities.get(at["header"]["frame_id"])
        base = origin.position if origin else (0.0, 0.0, 0.0)
        x, y, z = (one + other for one, other in zip(base, vector(at["pose"]["position"]), strict=True))
        entity.position = (x, y, z)
        if not self.has("rotation is lost"):
            entity.turn = dict(at["pose"]["orientation"])
        self.world.entities[name] = entity.remember()

    def delete_entity(self, request: Message) -> Message:
        if self.world is None:
            return result(3, "there is no world")
        name = request["entity"]
        if name in self.deleted and self.has("second deletion succeeds"):
            return result(1)
        if name not in self.world.entities:
            return result(2, f"there is no entity `{name}`")
        del self.world.entities[name]
        self.deleted.add(name)
        return result(1)

    def matching(self, filters: Message) -> tuple[int, list[Entity]]:
        """The result of a filter, and the entities that match."""
        if self.world is None:
            return 3, []
        if filters["tags"]["filter_mode"] > 1:
            return 4, []
        bounds = filters["bounds"]
        if bounds["type"] not in (0, 1, 2, 3):
            return 0, []
        try:
            pattern = expression(filters["filter"])
        except re.error:
            return 4, []
        if "{" in filters["filter"] and self.has("no intervals"):
            pattern = re.compile(re.escape(filters["filter"]))
        categories = [one["category"] for one in filters["categories"]]
        found = []
        for entity in self.world.entities.values():
            is_any = self.has("all tags as any")
            if not pattern.search(entity.name) or not has_tags(entity.info["tags"], filters["tags"], is_any):
                continue
            if categories and entity.info["category"]["category"] not in categories:
                continue
            if self.overlaps(entity, bounds):
                found.append(entity)
        if self.has("entities for each category") and categories:
            found = found * len(categories) if len(set(categories)) == 1 else found
        return 1, found

    def overlaps(self, entity: Entity, bounds: Message) -> bool:
        """Whether an entity overlaps a region."""
        points = [vector(one) for one in bounds["points"]]
        if bounds["type"] == 0 or len(points) < 2:
            return bool(bounds["type"] == 0)
        if bounds["type"] == 3:
            radius = max(points[1]) if self.has("largest number as radius") else points[1][0]
            return bool(entity.distance(points[0]) <= radius)
        if bounds["type"] == 2:
            return any(entity.distance(one) <= 0 for one in samples(points))
        low = tuple(min(one[axis] for one in points) for axis in range(3))
        high = tuple(max(one[axis] for one in points) for axis in range(3))
        if bounds["type"] == 1 and self.has("boxes at the origin"):
            half = tuple((top - bottom) / 2 for top, bottom in zip(high, low, strict=True))
            low, high = tuple(-one for one in half), half
        return all(
            at - size / 2 <= top and at + size / 2 >= bottom
            for at, size, top, bottom in zip(entity.position, entity.size, high, low, strict=True)
        )

    def get_entities(self, request: Message) -> Message:
        code, found = self.matching(request["filters"])
        return result(code, "the filter is wrong") | {"entities": [one.name for one in found]}

    def get_entities_states(self, request: Message) -> Message:
        code, found = self.matching(request["filters"])
        states = [self.state_message(one) for one in found]
        if self.has("states in reverse order"):
            states.reverse()
        return result(code, "the filter is wrong") | {"entities": [one.name for one in found], "states": states}

    def state_message(self, entity: Entity) -> Message:
        """The state of an entity."""
        stamp = {"sec": self.time // 10**9, "nanosec": self.time % 10**9}
        return {
            "header": {"stamp": stamp, "frame_id": "world"},
            "pose": {"position": xyz(entity.position), "orientation": dict(entity.turn)},
            "twist": {"linear": xyz(entity.velocity)},
        }

    def find(self, name: str) -> tuple[int, Entity | None]:
        """The entity of a name, with the result of looking for it."""
        if self.world is None:
            return 3, None
        entity = self.world.entities.get(name)
        return (1 if entity else 2), entity

    def get_entity_state(self, request: Message) -> Message:
        code, entity = self.find(request["entity"])
        found = {"state": self.state_message(entity)} if entity else {}
        return result(code, f"there is no entity `{request['entity']}`") | found

    def set_entity_state(self, request: Message) -> Message:
        code, entity = self.find(request["entity"])
        if entity is None:
            return result(code, f"there is no entity `{request['entity']}`")
        state = request["state"]
        turn = state["pose"]["orientation"]
        is_zero = not any(turn.values()) and self.has("rotation without length")
        if request["set_pose"] and not is_valid(state["pose"]) and not is_zero:
            return result(101, "the pose is invalid")
        moving = any(vector(state["twist"]["linear"])) and request["set_twist"]
        speeding = any(vector(state["acceleration"]["linear"])) and request["set_acceleration"]
        if entity.is_static and (moving or (speeding and not self.has("acceleration of a static one"))):
            return result(4, "the entity is static")
        if request["set_pose"] or (request["set_twist"] and self.has("twist sets the pose")):
            entity.position, entity.turn = vector(state["pose"]["position"]), dict(turn)
        if request["set_twist"]:
            entity.velocity = vector(state["twist"]["linear"])
        return result(1)

    def get_entity_info(self, request: Message) -> Message:
        code, entity = self.find(request["entity"])
        found = {"info": deepcopy(entity.info)} if entity else {}
        return result(code, f"there is no entity `{request['entity']}`") | found

    def set_entity_info(self, request: Message) -> Message:
        code, entity = self.find(request["entity"])
        if entity:
            tags = entity.info["tags"] if self.has("tags are merged") and not request["info"]["tags"] else []
            entity.info = request["info"] | {"tags": [*request["info"]["tags"], *tags]}
        return result(code, f"there is no entity `{request['entity']}`")

    def get_entity_bounds(self, request: Message) -> Message:
        code, entity = self.find(request["entity"])
        if entity is None:
            return result(code, f"there is no entity `{request['entity']}`")
        x, y, z = (size / 2 for size in entity.size)
        if request["type"] == 3:
            return result(1) | {"bounds": {"type": 3, "points": [xyz((0, 0, 0)), xyz((math.hypot(x, y, z), 0, 0))]}}
        if request["type"] == 2:
            return result(0, "hulls are not supported")
        points = [(x, y, z), (-x, -y, -z)]
        if self.has("bounds in the world"):
            points = [tuple(one + at for one, at in zip(point, entity.position, strict=True)) for point in points]  # type: ignore[misc]
        return result(1) | {"bounds": {"type": 1, "points": [xyz(point) for point in points]}}
