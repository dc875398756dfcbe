"""Scenes for the comparison of engines, as data; `formats.py` writes them as SDF and as MJCF.

A scene is a dictionary:
    bodies   name, model, position and rpy in the world, shape and size, place and rpy of the shape, more shapes as `parts`,
             mass, moments about the axes of the shape, friction, restitution, velocity, spin; `fixed` to the world, or without
             contacts if `ghost`. The frame of a body is at its centre of mass; frames of jointed bodies begin parallel to the
             axes of the world
    joints   name, model, type (revolute, prismatic, ball or fixed), parent, child, anchor and axis in the world, and a
             command: `speed`, `position` with `kp`, `kd`, or `pulse`, a pair of an effort and the seconds in which it acts;
             `effort` and `limit` are the greatest effort and speed, `range` is a pair of positions. Besides, a position has
             `swing` and `lift`, triples of amplitude, frequency in Hz and phase, and `ramp`, in seconds: `target` is their
             formula
    ground   friction, slope (rad, falls towards +x), or None
    gravity  m/s²
    seconds  length of the run
    awake    if true, nothing may sleep in Bridgehead; in MuJoCo, only scenes that are `asleep` sleep
    firm     if true, MuJoCo has elliptic cones, and friction is ten times as stiff as contact
SI units; quaternions are w, x, y, z.
"""

import itertools
import math
import random

GRAVITY = 9.8


def body(name, position, size, mass=1.0, shape="box", **more):
    """A body of one material; `more` overrides."""
    found = dict(
        name=name, model=name, position=list(position), rpy=[0.0, 0.0, 0.0], shape=shape, size=list(size),
        shape_at=[0.0, 0.0, 0.0], shape_rpy=[0.0, 0.0, 0.0], parts=[], mass=mass, moments=moments(shape, size, mass), friction=0.8, restitution=0.0,
        velocity=[0.0, 0.0, 0.0], spin=[0.0, 0.0, 0.0], fixed=False, ghost=False,
    )
    found.update(more)
    return found


def moments(shape, size, mass):
    """Principal moments of inertia of a solid, kg m²."""
    if shape == "box":
        x, y, z = size
        return [mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y)]
    if shape == "sphere":
        return [0.4 * mass * size[0] ** 2] * 3
    if shape == "ellipsoid":
        x, y, z = size
        return [mass / 5 * (y * y + z * z), mass / 5 * (x * x + z * z), mass / 5 * (x * x + y * y)]
    radius, length = size
    across = mass / 12 * (3 * radius * radius + length * length)
    return [across, across, mass * radius * radius / 2]


def part(shape, size, at, rpy=(0.0, 0.0, 0.0)):
    """A further shape of a body, in its frame."""
    return dict(shape=shape, size=list(size), at=list(at), rpy=list(rpy))


def shapes(one):
    """All shapes of a body, which touch others."""
    if one["ghost"]:
        return []
    return [part(one["shape"], one["size"], one["shape_at"], one["shape_rpy"]), *one["parts"]]


def target(joint, time):
    """The commanded position at a time."""
    wave = lambda key: math.sin(2 * math.pi * joint[key][1] * time + joint[key][2]) if key in joint else 0.0
    moved = joint["position"]
    moved += joint.get("swing", [0.0])[0] * wave("swing")
    moved += joint.get("lift", [0.0])[0] * max(0.0, wave("lift"))
    ramp = joint.get("ramp", 0.0)
    return moved * min(1.0, time / ramp) if ramp else moved


def effort(joint, time):
    """The effort of a pulse at a time."""
    strength, seconds = joint["pulse"]
    return strength if time < seconds - 1e-9 else 0.0


def scene(bodies, joints=(), seconds=3.0, friction=0.8, slope=0.0, ground=True, gravity=(0.0, 0.0, -GRAVITY)):
    """A scene on a plane, if `ground`."""
    surface = dict(friction=friction, slope=slope) if ground else None
    return dict(bodies=bodies, joints=list(joints), ground=surface, gravity=list(gravity), seconds=seconds)


def inclined(angle):
    """Gravity on a plane that falls towards +x, in the axes of the plane."""
    return [GRAVITY * math.sin(angle), 0.0, -GRAVITY * math.cos(angle)]


def pile(count):
    """Boxes of half a metre that fall in layers."""
    choose = random.Random(1)
    side = 10 if count >= 1000 else 5
    bodies = []
    for index in range(count):
        layer, place = divmod(index, side * side)
        column, row = place % side, place // side
        spot = [column * 0.65 + choose.uniform(-0.05, 0.05), row * 0.65 + choose.uniform(-0.05, 0.05), 0.6 + layer * 0.65]
        bodies.append(body(f"b{index}", spot, [0.5] * 3, friction=0.6, rpy=[0.0, 0.0, choose.uniform(-0.3, 0.3)]))
    return scene(bodies, friction=0.6)


def stack(count, heaviest=1.0):
    """Boxes of half a metre on each other; the top one has another mass."""
    masses = [1.0] * (count - 1) + [heaviest]
    return scene([body(f"b{k}", [0, 0, 0.25 + 0.5 * k], [0.5] * 3, mass) for k, mass in enumerate(masses)])


def pyramid(base):
    """A wall of boxes, one less in each row."""
    bodies = []
    for row in range(base):
        for k in range(base - row):
            place = [(k - (base - row - 1) / 2) * 0.52, 0, 0.25 + 0.5 * row]
            bodies.append(body(f"b{len(bodies)}", place, [0.5] * 3))
    return scene(bodies, seconds=2.0)


def drives(count):
    """Robots with two driven wheels and a sliding caster, the wheels at 4.0 and 3.6 rad/s."""
    bodies, joints = [], []
    side = math.ceil(math.sqrt(count))
    for index in range(count):
        x, y, model = (index % side) * 2.0, (index // side) * 2.0, f"robot{index}"
        part = dict(model=model)
        bodies.append(body("chassis", [x, y, 0.2], [0.6, 0.4, 0.15], 5.0, friction=0.5, **part))
        for name, offset, speed in (("left", 0.25, 4.0), ("right", -0.25, 3.6)):
            place = [x - 0.1, y + offset, 0.15]
            upright = dict(shape_rpy=[-math.pi / 2, 0.0, 0.0], friction=1.0)
            bodies.append(body(name, place, [0.15, 0.06], 0.5, "cylinder", **upright, **part))
            joints.append(dict(name=f"{name}_joint", model=model, type="revolute", parent="chassis", child=name,
                               anchor=place, axis=[0, 1, 0], speed=speed, kv=20.0, effort=1.0))
        bodies.append(body("caster", [x + 0.2, y, 0.06], [0.06], 0.3, "sphere", friction=0.0, **part))
        joints.append(dict(name="caster_joint", model=model, type="fixed", parent="chassis", child="caster",
                           anchor=[x + 0.2, y, 0.06], axis=[0, 0, 1]))
    return scene(bodies, joints, seconds=5.0, friction=1.0)


LINK_MASSES = [4, 4, 3, 3, 2, 1.5, 1]
LINK_LENGTH = 0.25


def damping(first):
    """Damping of a joint of the arm in proportion to the inertia that it carries."""
    carried = LINK_MASSES[first:]
    along = sum(mass * 0.04**2 / 2 for mass in carried)
    across = sum(mass * (LINK_LENGTH / 2 + LINK_LENGTH * k) ** 2 for k, mass in enumerate(carried))
    return round(200 * along if first % 2 == 0 else 15 * across, 4)


def arms(count):
    """Arms with seven axes that go from upright to 0.5 rad in each joint."""
    bodies, joints = [], []
    for index in range(count):
        x, y, model = (index % 5) * 2.0, (index // 5) * 2.0, f"arm{index}"
        bodies.append(body("base", [x, y, 0.05], [0.2, 0.2, 0.1], 5.0, model=model, fixed=True, ghost=True))
        parent, height = "base", 0.1
        for k, mass in enumerate(LINK_MASSES):
            name = f"l{k}"
            middle = [x, y, height + LINK_LENGTH / 2]
            bodies.append(body(name, middle, [0.04, 0.17], mass, "capsule", model=model, ghost=True))
            joints.append(dict(name=f"j{k}", model=model, type="revolute", parent=parent, child=name,
                               anchor=[x, y, height], axis=[[0, 0, 1], [0, 1, 0]][k % 2], position=0.5,
                               kp=20 * damping(k), kd=damping(k), effort=1e4))
            parent, height = name, height + LINK_LENGTH
    return scene(bodies, joints, seconds=8.0)


def pendulum(count, seconds, **more):
    """Rods that are held out and released, without friction."""
    bodies = [body("base", [0, 0, 3], [0.1] * 3, model="p", fixed=True, ghost=True)]
    joints = []
    for k in range(count):
        bodies.append(body(f"l{k}", [0.25 + 0.5 * k, 0, 3], [0.5, 0.05, 0.05], model="p", ghost=True))
        joints.append(dict(name=f"j{k}", model="p", type="revolute", parent="base" if k == 0 else f"l{k - 1}",
                           child=f"l{k}", anchor=[0.5 * k, 0, 3], axis=[0, 1, 0], **more))
    return scene(bodies, joints, seconds=seconds)


BOXES = [[1, 1, 1], [0.5, 0.5, 0.5], [0.3, 0.3, 1], [2, 1, 0.2], [1, 0.2, 0.2], [0.1, 0.1, 0.1]]
HEIGHTS = [0.05, 0.1, 0.3, 1.0, 1.8, 3.0]


def flat_falls():
    """Boxes that fall flat: sizes, heights, friction, true inertia and the default of SDF."""
    for size, height, friction, default in itertools.product(BOXES, HEIGHTS, [0.0, 0.5, 1.0], [False, True]):
        inertia = dict(moments=[1.0] * 3) if default else {}
        box = body("box", [0, 0, size[2] / 2 + height], size, friction=friction, **inertia)
        fall = math.sqrt(2 * height / GRAVITY)
        name = f"fall_{'x'.join(map(str, size))}_{height}_{friction}_{'default' if default else 'true'}"
        yield name, scene([box], seconds=round(fall + 1.0, 3), friction=friction)


def groove():
    """A sphere between two fixed boxes, whose edges it rests on."""
    rails = [body(f"rail{side}", [0, side * 0.55, 0.5], [4, 1, 1], fixed=True, friction=0.5) for side in (-1, 1)]
    return scene(rails + [body("ball", [0, 0, 1.6], [0.5], 1.0, "sphere", friction=0.5)], ground=False)


def conveyor():
    """Boxes that fall flat onto a belt, which moves at half a metre per second; the friction takes them along at once."""
    belt = [body("bed", [0, 0, 0.02], [0.04] * 3, model="conveyor", fixed=True, ghost=True),
            body("belt", [0, 0, 0.05], [12, 2, 0.1], 50.0, model="conveyor", friction=1.0)]
    drive = dict(name="drive", model="conveyor", type="prismatic", parent="bed", child="belt", anchor=[0, 0, 0.05],
                 axis=[1, 0, 0], speed=0.5, kv=1e5, effort=1e5)
    sizes = [[0.6, 0.4, 0.2], [0.4, 0.4, 0.3], [0.3, 0.5, 0.1]]
    boxes = [body(f"box{k}", [k - 3.0, 0, 0.15 + size[2] / 2], size, friction=1.0) for k, size in enumerate(sizes)]
    return scene(belt + boxes, [drive], ground=False)


def accuracy():
    """The scenes of the page, by name."""
    ball = dict(shape="sphere", friction=1.0)
    yield "drift", scene([body("box", [0, 0, 1], [1, 1, 1], velocity=[0.05, 0, 0])], seconds=10.0, ground=False, gravity=[0.0] * 3)
    yield "ice", scene([body("box", [0, 0, 0.5], [1, 1, 1], velocity=[0.05, 0, 0], friction=0.0)], seconds=10.0, friction=0.0)
    yield "gentle_slope", scene([body("ball", [0, 0, 0.5], [0.5], **ball)], seconds=5.0, friction=1.0, gravity=inclined(0.01))
    yield "slow_ball", scene([body("ball", [0, 0, 0.5], [0.5], velocity=[0.05, 0, 0], spin=[0, 0.1, 0], **ball)],
                             seconds=10.0, friction=1.0)
    yield "sunk", scene([body("box", [0, 0, 0.45], [1, 1, 1])], seconds=3.0)
    yield "groove", groove()
    yield "conveyor", conveyor()
    yield "hold_20", scene([body("box", [0, 0, 0.25], [0.5] * 3, friction=0.5)], friction=0.5, gravity=inclined(math.radians(20)))
    yield "slide_30", scene([body("box", [0, 0, 0.25], [0.5] * 3, friction=0.5)], seconds=1.0, friction=0.5,
                            gravity=inclined(math.radians(30)))
    yield "bounce", scene([body("ball", [0, 0, 2.0], [0.25], 1.0, "sphere", restitution=0.8)], seconds=1.2)
    yield "tumble", scene([body("box", [0, 0, 1.0], [1, 1, 1], friction=1.0, moments=[1.0] * 3)], friction=1.0, slope=0.52)
    yield "spin", scene([body("box", [0, 0, 5], [0.1, 0.4, 0.9], spin=[0.1, 5.0, 0.1], ghost=True)], seconds=10.0,
                        ground=False, gravity=[0.0] * 3)
    yield "pendulum_2", pendulum(2, 10.0)
    yield "pendulum_5", pendulum(5, 5.0)
    yield "limit", pendulum(1, 3.0, limit=1.0)
    yield "held", pendulum(1, 3.0, position=0.0, kp=2000.0, kd=100.0, effort=1e4)
    yield "arm", arms(1)
    yield "stack_10", stack(10)
    yield "stack_100kg", stack(5, 100.0)
    yield "pyramid_15", pyramid(15)
    yield "drive", drives(1)


def speed():
    """The scenes whose steps are timed, in which nothing sleeps."""
    found = {"boxes_100": pile(100), "boxes_1000": pile(1000), "drives_100": drives(100), "arms_10": arms(10)}
    return {name: {**scene, "awake": True} for name, scene in found.items()}
