"""Cases about named poses and their bounds."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group, Missing, Undescribed
from bridgehead_conformance.description import NamedPose
from bridgehead_conformance.simulator import Simulator, check, equal, near, point
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_poses = Group(CASES, "get_named_poses", 2)
_bounds = Group(CASES, "get_named_pose_bounds", 3)
_SRV, _OF_BOUNDS, _RESULT = "srv/GetNamedPoses.srv", "srv/GetNamedPoseBounds.srv", "msg/Result.msg"


def _listed(sim: Simulator, mode: int = std.ANY, *tags: str) -> list[Message]:
    return list(sim.ok("get_named_poses", {"tags": {"tags": list(tags), "filter_mode": mode}})["poses"])


def _names(sim: Simulator, mode: int = std.ANY, *tags: str) -> list[str]:
    return sorted(one["name"] for one in _listed(sim, mode, *tags))


def _tagged(sim: Simulator) -> tuple[NamedPose, tuple[str, ...]]:
    for one in sim.description.named_poses:
        if one.tags:
            return one, one.tags
    raise Undescribed("named pose with tags")


@_poses.case("poses.listed", _SRV, "poses", "The predefined poses are listed.")
def _all(sim: Simulator) -> None:
    expected = sorted(one.name for one in sim.description.named_poses)
    if expected:
        equal(_names(sim), expected, "the names")


@_poses.case("poses.unique", "msg/NamedPose.msg", "name", "The names are unique.")
def _unique(sim: Simulator) -> None:
    names = _names(sim)
    equal(len(names), len(set(names)), "the number of different names")


@_poses.case("poses.quaternion", "msg/NamedPose.msg", "pose", "The pose has a rotation.")
def _quaternion(sim: Simulator) -> None:
    for one in _listed(sim):
        turn = one["pose"]["orientation"]
        check(abs(sum(part * part for part in turn.values()) - 1.0) < 1e-6, f"{one['name']}: {turn} is no rotation")


@_poses.case("poses.tags", "msg/NamedPose.msg", "tags", "The tags of a pose are listed.")
def _tags(sim: Simulator) -> None:
    expected, tags = _tagged(sim)
    found = {one["name"]: sorted(one["tags"]) for one in _listed(sim)}
    equal(found.get(expected.name), sorted(tags), f"the tags of `{expected.name}`")


@_poses.case("poses.position", "msg/NamedPose.msg", "pose", "The pose is relative to the world.")
def _position(sim: Simulator) -> None:
    found = {one["name"]: point(one["pose"]["position"]) for one in _listed(sim)}
    described = [one for one in sim.description.named_poses if one.position]
    if not described:
        raise Undescribed("`position` of a named pose")
    for one in described:
        x, y, z = one.position
        near(found[one.name], (x, y, z), f"the position of `{one.name}`")


@_poses.case("poses.filter-any", _SRV, "tags", "Poses with a matching tag are listed.")
def _any(sim: Simulator) -> None:
    tag = _tagged(sim)[1][0]
    expected = sorted(one.name for one in sim.description.named_poses if one.tags and tag in one.tags)
    equal(_names(sim, std.ANY, tag, "a_tag_of_no_pose"), expected, "the names")


@_poses.case("poses.filter-all", "msg/TagsFilter.msg", "FILTER_MODE_ALL", "All tags have to match.")
def _all_tags(sim: Simulator) -> None:
    equal(_names(sim, std.ALL_TAGS, _tagged(sim)[1][0], "a_tag_of_no_pose"), [], "the names")


@_poses.case("poses.filter-without-match", _SRV, "poses", "The list may be empty.")
def _none(sim: Simulator) -> None:
    equal(_names(sim, std.ANY, "a_tag_of_no_pose"), [], "the names")


@_poses.case("poses.filter-mode", "msg/TagsFilter.msg", "filter_mode", "What another mode leads to is open (A19).")
def _mode(sim: Simulator) -> None:
    request = {"tags": {"tags": ["spawn"], "filter_mode": 9}}
    sim.record_code("A19 get_named_poses", "get_named_poses", request)


@_poses.case(
    "poses.spawned-at", "msg/NamedPose.msg", "pose", "The pose is in the world and can be used to spawn.", needs=(0, 10)
)
def _spawned_at(sim: Simulator) -> None:
    listed = _listed(sim)
    if not listed:
        raise Missing("the main world has no named pose")
    name = sim.spawn(initial_pose={"pose": listed[0]["pose"]})
    near(sim.position_of(name), point(listed[0]["pose"]["position"]), "the position")


@_poses.case(
    "poses.no-world", _RESULT, "RESULT_INCORRECT_STATE", "Without a world there is no pose (A7).", start="no world"
)
def _no_world(sim: Simulator) -> None:
    response = sim.call("get_named_poses")
    equal(list(response["poses"]), [], "the poses")
    sim.record("A7 get_named_poses", std.result_name("get_named_poses", response["result"]["result"]))


@_bounds.case("pose-bounds.box", _OF_BOUNDS, "bounds", "A pose with bounds returns them.", needs=(2,))
def _box(sim: Simulator) -> None:
    named = [one.name for one in sim.description.named_poses if one.has_bounds]
    if not named:
        raise Undescribed("named pose with bounds")
    bounds = sim.ok("get_named_pose_bounds", {"name": named[0]})["bounds"]
    check(bounds["type"] in (std.BOX, std.CONVEX_HULL, std.SPHERE), f"the type is {bounds['type']}")
    check(len(bounds["points"]) >= 2, f"there are {len(bounds['points'])} points")


@_bounds.case("pose-bounds.size", _OF_BOUNDS, "bounds", "The bounds are those of the pose.", needs=(2,))
def _size(sim: Simulator) -> None:
    described = [one for one in sim.description.named_poses if one.size]
    if not described:
        raise Undescribed("`size` of the bounds of a named pose")
    bounds = sim.ok("get_named_pose_bounds", {"name": described[0].name})["bounds"]
    equal(bounds["type"], std.BOX, "the type of the bounds")
    high, low = (point(one) for one in bounds["points"])
    x, y, z = described[0].size
    near((high[0] - low[0], high[1] - low[1], high[2] - low[2]), (x, y, z), "the size")


@_bounds.case(
    "pose-bounds.none", "msg/Bounds.msg", "TYPE_EMPTY", "Optional bounds that do not exist are empty.", needs=(2,)
)
def _empty(sim: Simulator) -> None:
    named = [one.name for one in sim.description.named_poses if not one.has_bounds]
    if not named:
        raise Undescribed("named pose without bounds")
    bounds = sim.ok("get_named_pose_bounds", {"name": named[0]})["bounds"]
    equal((bounds["type"], list(bounds["points"])), (std.EMPTY, []), "the bounds")


def _unknown_case(title: str, name: str) -> None:
    @_bounds.case(f"pose-bounds.{title}", _RESULT, "RESULT_NOT_FOUND", "No pose has this name.")
    def _unknown(sim: Simulator) -> None:
        sim.expect(std.NOT_FOUND, "get_named_pose_bounds", {"name": name})


_unknown_case("unknown", "nowhere")
_unknown_case("empty-name", "")
