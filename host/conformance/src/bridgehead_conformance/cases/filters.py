"""Cases about filters of entities: names, categories, tags and regions."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group, Undescribed
from bridgehead_conformance.simulator import Simulator, check, equal, xyz
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_names = Group(CASES, "get_entities")
_categories = Group(CASES, "get_entities", 8, 13)
_tags = Group(CASES, "get_entities", 4, 13)
_regions = Group(CASES, "get_entities", 10)
_FILTERS, _TAGS, _BOUNDS = "msg/EntityFilters.msg", "msg/TagsFilter.msg", "msg/Bounds.msg"


def _categories_of(*categories: int) -> Message:
    return {"categories": [{"category": category} for category in categories]}


def _tags_of(mode: int, *tags: str) -> Message:
    return {"tags": {"tags": list(tags), "filter_mode": mode}}


def _region(kind: int, *points: tuple[float, float, float]) -> Message:
    return {"bounds": {"type": kind, "points": [xyz(*one) for one in points]}}


def _sphere(centre: tuple[float, float, float], radius: float) -> Message:
    return _region(std.SPHERE, centre, (radius, 0.0, 0.0))


@_names.case("filter.empty", _FILTERS, "filter", "An empty filter lists all entities.")
def _empty(sim: Simulator) -> None:
    equal(sim.entities({"filter": ""}), sim.entities(), "the entities")


@_names.case("filter.name", _FILTERS, "filter", "Entities with matching names are listed.")
def _name(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    equal(sim.entities({"filter": f"^{entity}$"}), [entity], "the entities")


@_names.case("filter.alternatives", _FILTERS, "filter", "The syntax is POSIX Extended: `|` separates alternatives.")
def _alternatives(sim: Simulator) -> None:
    names = sorted((sim.entity("dynamic"), sim.entity("static")))
    equal(sim.entities({"filter": f"^({names[0]}|{names[1]})$"}), names, "the entities")


@_names.case("filter.interval", _FILTERS, "filter", "The syntax is POSIX Extended: `{2}` repeats.", needs=(0,))
def _interval(sim: Simulator) -> None:
    sim.spawn("aab")
    sim.spawn("ab", (3.0, 3.0, 3.0))
    equal(sim.entities({"filter": "^a{2}b$"}), ["aab"], "the entities")


@_names.case("filter.class", _FILTERS, "filter", "The syntax is POSIX Extended: `[[:digit:]]` is a class.", needs=(0,))
def _class(sim: Simulator) -> None:
    sim.spawn("zz7")
    sim.spawn("zzx", (3.0, 3.0, 3.0))
    equal(sim.entities({"filter": "^zz[[:digit:]]$"}), ["zz7"], "the entities")


@_names.case("filter.no-match", _FILTERS, "filter", "Without a match the list is empty.")
def _no_match(sim: Simulator) -> None:
    equal(sim.entities({"filter": "^nobody_has_this_name$"}), [], "the entities")


@_names.case("filter.part", _FILTERS, "filter", "Whether a part of the name is enough is open (A6).")
def _part(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    found = sim.entities({"filter": entity[1:]})
    sim.record("A6 part of a name", "search" if entity in found else "match of the whole name")


@_names.case("filter.invalid", _FILTERS, "filter", "What an invalid expression leads to is open (A6).")
def _invalid(sim: Simulator) -> None:
    response = sim.call("get_entities", {"filters": {"filter": "[a-z"}})
    sim.record("A6 invalid expression", std.result_name("get_entities", response["result"]["result"]))


@_names.case("filter.of-perl", _FILTERS, "filter", "POSIX does not define `\\d`; the result is open.")
def _perl(sim: Simulator) -> None:
    sim.record_code("filter.of-perl", "get_entities", {"filters": {"filter": r"\d"}})


@_categories.case("filter.category", _FILTERS, "categories", "Entities of the category are listed.")
def _category(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    sim.describe(entity, std.ROBOT)
    equal(sim.entities(_categories_of(std.ROBOT)), [entity], "the entities")


@_categories.case("filter.categories", _FILTERS, "categories", "Entities of any of the categories are listed.")
def _two_categories(sim: Simulator) -> None:
    sim.describe(sim.entity("dynamic"), std.ROBOT)
    sim.describe(sim.entity("other"), std.HUMAN)
    found = sim.ok("get_entities", {"filters": _categories_of(std.ROBOT, std.HUMAN)})["entities"]
    equal(sorted(found), sorted((sim.entity("dynamic"), sim.entity("other"))), "the entities")


@_categories.case(
    "filter.category-repeated", "srv/GetEntities.srv", "entities", "Names are unique, so none is repeated."
)
def _repeated(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    sim.describe(entity, std.ROBOT)
    found = sim.ok("get_entities", {"filters": _categories_of(std.ROBOT, std.ROBOT)})["entities"]
    equal(list(found), [entity], "the entities")


@_categories.case("filter.category-without-match", _FILTERS, "categories", "Without a match the list is empty.")
def _no_category(sim: Simulator) -> None:
    equal(sim.entities(_categories_of(std.HUMAN)), [], "the entities")


def _tagged(sim: Simulator) -> tuple[str, str, str]:
    names = sim.entity("dynamic"), sim.entity("other"), sim.entity("static")
    for name, tags in zip(names, (("t1",), ("t2", "t1"), ("t2",)), strict=True):
        sim.describe(name, tags=tags)
    return names


@_tags.case("filter.tags-any", _TAGS, "FILTER_MODE_ANY", "Any of the tags is enough.")
def _any(sim: Simulator) -> None:
    names = _tagged(sim)
    equal(sim.entities(_tags_of(std.ANY, "t1", "t2")), sorted(names), "the entities")


@_tags.case("filter.tags-all", _TAGS, "FILTER_MODE_ALL", "All tags have to match.")
def _all(sim: Simulator) -> None:
    _, other, _ = _tagged(sim)
    equal(sim.entities(_tags_of(std.ALL_TAGS, "t1", "t2")), [other], "the entities")


@_tags.case("filter.tag", _TAGS, "tags", "Entities with the tag are listed.")
def _tag(sim: Simulator) -> None:
    dynamic, other, _ = _tagged(sim)
    equal(sim.entities(_tags_of(std.ANY, "t1")), sorted((dynamic, other)), "the entities")


@_tags.case("filter.tags-without-match", _TAGS, "tags", "Without a match the list is empty.")
def _no_tag(sim: Simulator) -> None:
    _tagged(sim)
    equal(sim.entities(_tags_of(std.ANY, "t3")), [], "the entities")


@_tags.case("filter.tags-empty", _TAGS, "tags", "An empty list of tags is no filter, in both modes.")
def _no_tags(sim: Simulator) -> None:
    equal(sim.entities(_tags_of(std.ALL_TAGS)), sim.entities(), "the entities")


@_tags.case("filter.tags-mode", _TAGS, "filter_mode", "What another mode leads to is open (A19).")
def _mode(sim: Simulator) -> None:
    sim.record_code("A19 get_entities", "get_entities", {"filters": _tags_of(9, "t1")})


@_tags.case("filter.together", _FILTERS, "tags", "Filters apply together.", needs=(8,))
def _together(sim: Simulator) -> None:
    dynamic, other, static = sim.entity("dynamic"), sim.entity("other"), sim.entity("static")
    sim.describe(dynamic, std.ROBOT, ("t1",))
    sim.describe(other, std.ROBOT, ("t2",))
    sim.describe(static, std.OBJECT, ("t1",))
    both = _categories_of(std.ROBOT) | _tags_of(std.ANY, "t1")
    equal(sim.entities(both), [dynamic], "category and tag")
    equal(sim.entities(both | {"filter": f"^{other}$"}), [], "category, tag and name")


def _box_around(sim: Simulator, role: str, size: float = 0.2) -> tuple[tuple[float, float, float], ...]:
    x, y, z = sim.position_of(sim.entity(role))
    return (x + size, y + size, z + size), (x - size, y - size, z - size)


@_regions.case("filter.sphere", _FILTERS, "bounds", "Entities that overlap a sphere are listed.")
def _sphere_hit(sim: Simulator) -> None:
    for role in ("dynamic", "other"):
        entity = sim.entity(role)
        found = sim.entities(_sphere(sim.position_of(entity), 0.2))
        equal(found, [entity], f"the entities in a sphere at `{entity}`")


@_regions.case("filter.sphere-overlap", _FILTERS, "bounds", "An overlap is enough: the centre may be outside.")
def _overlap(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    x, y, z = sim.position_of(entity)
    if not sim.description.entities.size:
        raise Undescribed("`size` in [entities]")
    half = sim.description.entities.size[2] / 2
    equal(sim.entities(_sphere((x, y, z + half + 0.3), 0.35)), [entity], "the entities")


@_regions.case("filter.sphere-outside", _FILTERS, "bounds", "Entities outside are not listed.")
def _outside(sim: Simulator) -> None:
    x, y, z = sim.position_of(sim.entity("dynamic"))
    equal(sim.entities(_sphere((x, y, z + 50.0), 1.0)), [], "the entities in an empty region")


@_regions.case(
    "filter.sphere-follows",
    _FILTERS,
    "bounds",
    "The region is compared with the present poses.",
    needs=(11,),
    start="paused",
)
def _follows(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    sim.place(entity, -2.0, 30.0, 20.0)
    equal(sim.entities(_sphere((-2.0, 30.0, 20.0), 0.2)), [entity], "the entities at the new pose")


@_regions.case(
    "filter.sphere-radius", _BOUNDS, "TYPE_SPHERE", "The radius is x of the second point; y and z are ignored."
)
def _radius(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    found = sim.entities(_region(std.SPHERE, sim.position_of(entity), (0.2, 500.0, 500.0)))
    equal(found, [entity], "the entities")


@_regions.case("filter.sphere-with-names", _FILTERS, "bounds", "A region applies together with the other filters.")
def _with_names(sim: Simulator) -> None:
    dynamic, other = sim.entity("dynamic"), sim.entity("other")
    both = {"filter": f"^{other}$"} | _sphere(sim.position_of(dynamic), 0.2)
    equal(sim.entities(both), [], "the entities")


@_regions.case("filter.empty-region", _BOUNDS, "TYPE_EMPTY", "Empty bounds are no filter.")
def _empty_region(sim: Simulator) -> None:
    equal(sim.entities(_region(std.EMPTY)), sim.entities(), "the entities")


@_regions.case(
    "filter.box",
    _BOUNDS,
    "TYPE_BOX",
    "Entities that overlap a box are listed; it lies where its corners say.",
    needs=(6,),
)
def _box(sim: Simulator) -> None:
    for role in ("dynamic", "other"):
        found = sim.entities(_region(std.BOX, *_box_around(sim, role)))
        equal(found, [sim.entity(role)], f"the entities in a box at `{sim.entity(role)}`")


@_regions.case("filter.hull", _BOUNDS, "TYPE_CONVEX_HULL", "Entities that overlap a hull are listed.", needs=(7,))
def _hull(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    x, y, z = sim.position_of(entity)
    corners = [(x, y, z + 0.1), (x + 0.2, y, z + 0.2), (x, y + 0.2, z + 0.2), (x, y, z + 0.3)]
    equal(sim.entities(_region(std.CONVEX_HULL, *corners)), [entity], "the entities")


@_regions.case(
    "filter.hull-is-no-box",
    _BOUNDS,
    "TYPE_CONVEX_HULL",
    "The region is the hull of the points, not the box around them.",
    needs=(7,),
)
def _no_box(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    x, y, z = sim.position_of(entity)
    # A thin hull along x + y = 8, seen from the entity; the box around it contains the entity.
    corners = [(x - 10, y + 18, z - 0.1), (x + 18, y - 10, z - 0.1), (x - 10, y + 18, z + 0.1), (x + 18, y - 9.8, z)]
    found = sim.entities(_region(std.CONVEX_HULL, *corners) | {"filter": f"^{entity}$"})
    equal(found, [], "the entities in a hull that passes at a distance")


def _unsupported_case(kind: int, feature: int, title: str) -> None:
    @_regions.case(
        f"filter.unsupported-{title}",
        _FILTERS,
        "bounds",
        "A type that is not declared has the result FEATURE_UNSUPPORTED.",
    )
    def _unsupported(sim: Simulator) -> None:
        if sim.has(feature):
            return
        points = ((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.5))
        request = {"filters": _region(kind, *points[: 2 if kind == std.BOX else 4])}
        sim.expect(std.UNSUPPORTED, "get_entities", request)


_unsupported_case(std.BOX, 6, "box")
_unsupported_case(std.CONVEX_HULL, 7, "hull")


@_regions.case("filter.undefined-region", _FILTERS, "bounds", "A type that does not exist is not supported.")
def _undefined(sim: Simulator) -> None:
    request = {"filters": _region(9, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))}
    sim.expect(std.UNSUPPORTED, "get_entities", request)


def _points_case(title: str, kind: int, needs: tuple[int, ...], *points: tuple[float, float, float]) -> None:
    @_regions.case(
        f"filter.points.{title}",
        _BOUNDS,
        "points",
        "What bounds without a volume lead to is open (A8, A9).",
        needs=needs,
    )
    def _points(sim: Simulator) -> None:
        sim.record_code(f"A8 {title}", "get_entities", {"filters": _region(kind, *points)})


_points_case("sphere-of-one-point", std.SPHERE, (), (0.0, 0.0, 0.5))
_points_case("box-of-one-point", std.BOX, (6,), (6.0, 1.0, 1.0))
_points_case("box-with-the-lower-corner-first", std.BOX, (6,), (4.0, -1.0, 0.0), (6.0, 1.0, 1.0))
_points_case("hull-of-two-points", std.CONVEX_HULL, (7,), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
_points_case("hull-on-a-line", std.CONVEX_HULL, (7,), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (2.0, 2.0, 2.0))


@_regions.case(
    "filter.region-of-states", "srv/GetEntitiesStates.srv", "filters", "The filters are those of GetEntities."
)
def _region_of_states(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    response = sim.ok("get_entities_states", {"filters": _sphere(sim.position_of(entity), 0.2)})
    check(list(response["entities"]) == [entity], f"found {response['entities']}, expected only `{entity}`")
