"""Scenes with robots: at rest, out of their limits, floating, on legs, and with a gripper."""

import math

from scenes import body, part, scene


def light_foot():
    """A body on two feet of its own and on a light caster, which a fixed joint holds."""
    model = dict(model="body", friction=1.0)
    feet = [part("sphere", [0.02], [0.03, side * 0.08, -0.05]) for side in (1, -1)]
    base = body("base", [-0.03, 0, 0.07], [0.02], 1.1, "sphere", shape_at=feet[0]["at"], parts=feet[1:],
                moments=[0.02] * 3, **model)
    caster = body("caster", [-0.08, 0, 0.02], [0.02], 0.02, "sphere", moments=[3.2e-6] * 3, **model)
    joint = dict(name="j", model="body", type="fixed", parent="base", child="caster", anchor=[-0.08, 0, 0.02], axis=[0, 0, 1])
    return scene([base, caster], [joint], seconds=5.0, friction=1.0)


WHEEL, TRACK = 0.033, 0.16


def two_wheels(speed, turn, seconds=5.0):
    """A robot with two driven wheels, a caster on a ball joint, and a light link for a sensor; commands in m/s and rad/s."""
    model = dict(model="bot", friction=1.0)
    link = lambda name, position, size, mass, shape, moments, **more: body(
        name, position, size, mass, shape, moments=moments, **model, **more)
    bodies = [
        link("body", [-0.06, 0, 0.08], [0.14] * 3, 0.83, "box", [0.02] * 3, shape_at=[0.03, 0, 0]),
        link("imu_link", [0, 0, 0.01], [0.01], 0.05, "sphere", [1e-4] * 3, ghost=True),
        link("caster", [-0.08, 0, 0.005], [0.005], 0.005, "sphere", [1e-5] * 3),
    ]
    joint = lambda name, kind, child, anchor, **more: dict(
        name=name, model="bot", type=kind, parent="body", child=child, anchor=anchor, axis=[0, 1, 0], **more)
    joints = [joint("i", "fixed", "imu_link", [0, 0, 0.01]), joint("b", "ball", "caster", [-0.08, 0, 0.005])]
    for name, side in (("left", 1), ("right", -1)):
        place = [0, side * TRACK / 2, WHEEL]
        bodies.append(link(name, place, [WHEEL, 0.018], 0.1, "cylinder", [5.5e-5, 5.5e-5, 1.1e-4],
                           # As files round it: a line of exact contact would keep its outer end from sliding (in DART: 128°).
                           shape_rpy=[-1.5707963, 0.0, 0.0]))
        rate = (speed - side * turn * TRACK / 2) / WHEEL
        joints.append(joint(name + "_joint", "revolute", name, place, speed=rate, kv=0.1, effort=20.0))
    return scene(bodies, joints, seconds=seconds, friction=1.0)


def outside_limits():
    """A floating arm whose joints begin outside of their limits."""
    link = lambda name, height, mass, moments: body(
        name, [0, 0, height], [0.05], mass, "sphere", model="m", moments=moments, ghost=True)
    bodies = [link("base", 0.0, 3.0, [0.02] * 3), link("arm", 0.4, 2.0, [0.01, 0.01, 0.002]), link("hand", 0.5, 0.5, [0.001] * 3)]
    joint = lambda name, parent, child, height, limits: dict(
        name=name, model="m", type="revolute", parent=parent, child=child, anchor=[0, 0, height], axis=[0, 1, 0],
        range=limits, effort=80.0, limit=2.0)
    joints = [joint("j", "base", "arm", 0.3, [0.5, 2.0]), joint("k", "arm", "hand", 0.5, [-3.0, -0.15])]
    return scene(bodies, joints, seconds=10.0, ground=False, gravity=[0.0] * 3)


def floating_chain():
    """Five rods in weightlessness that spin about their common centre and get joint speeds by a pulse."""
    bodies = [body(f"l{k}", [0.5 * k - 1.0, 0, 0], [0.5, 0.05, 0.05], model="p", ghost=True) for k in range(5)]
    spin = [0.2, 0.5, 1.0]
    # The centre is 1 m from the first rod, along x.
    bodies[0].update(spin=spin, velocity=[0.0, -spin[2], spin[1]])
    pulses = [([0, 1, 0], 1.0), ([0, 0, 1], -0.8), ([0, 1, 0], 0.6), ([1, 0, 0], 0.01)]
    joints = [dict(name=f"j{k}", model="p", type="revolute", parent=f"l{k}", child=f"l{k + 1}", anchor=[0.5 * k - 0.75, 0, 0],
                   axis=axis, pulse=[strength, 0.1]) for k, (axis, strength) in enumerate(pulses)]
    return scene(bodies, joints, seconds=10.1, ground=False, gravity=[0.0] * 3)


# The legs of the quadruped: half of a leg, and how far its thigh leans back.
HALF_LEG, LEAN = 0.2, 0.7
FOOT = 0.02
HIP = 2 * HALF_LEG * math.cos(LEAN) + FOOT
STAND = dict(kp=100.0, kd=1.5, effort=40.0)


def leg(name, x, side, commands):
    """A leg with three joints, whose foot is below its hip: bodies and joints."""
    model = dict(model="quadruped", friction=0.9)
    out = side * 0.14
    back, down = HALF_LEG * math.sin(LEAN), HALF_LEG * math.cos(LEAN)
    knee = [x - back, out, HIP - down]
    thigh = body(f"{name}_thigh", [x - back / 2, out, HIP - down / 2], [0.02, 0.16], 0.4, "capsule",
                 shape_rpy=[0.0, LEAN, 0.0], **model)
    along = [back / 2, 0, -down / 2]
    shank = body(f"{name}_shank", [x - back / 2, out, HIP - 1.5 * down], [0.015, 0.17], 0.15, "capsule",
                 shape_rpy=[0.0, -LEAN, 0.0], parts=[part("sphere", [FOOT], along)], **model)
    hip = body(f"{name}_hip", [x, side * 0.1, HIP], [0.03], 0.3, "sphere", **model)
    joint = lambda kind, parent, child, anchor, axis: dict(
        name=f"{name}_{kind}", model="quadruped", type="revolute", parent=parent, child=child["name"], anchor=anchor,
        axis=axis, range=[-1.5, 1.5], **commands(kind))
    joints = [joint("roll", "trunk", hip, hip["position"], [1, 0, 0]),
              joint("swing", hip["name"], thigh, [x, out, HIP], [0, 1, 0]),
              joint("knee", thigh["name"], shank, knee, [0, 1, 0])]
    return [hip, thigh, shank], joints


def quadruped(commands, seconds):
    """A trunk on four legs; `commands` has those of a joint by the phase of its leg and its kind."""
    bodies = [body("trunk", [0, 0, HIP], [0.4, 0.2, 0.1], 8.0, model="quadruped", friction=0.9)]
    joints = []
    for name, x, side, phase in (("fl", 0.18, 1, 0.0), ("fr", 0.18, -1, math.pi), ("rl", -0.18, 1, math.pi), ("rr", -0.18, -1, 0.0)):
        more, driven = leg(name, x, side, lambda kind: commands(phase, kind))
        bodies += more
        joints += driven
    return scene(bodies, joints, seconds=seconds, friction=0.9)


def standing(_, kind):
    return dict(position=0.0, **STAND)


def trotting(phase, kind):
    """Diagonal legs swing together, and are lifted while they swing forwards."""
    rate, swing, lift = 1.5, 0.15, 0.25
    up = phase - math.pi / 2
    waves = {
        "roll": {},
        "swing": dict(swing=[swing, rate, phase], lift=[lift, rate, up]),
        "knee": dict(lift=[-2 * lift, rate, up]),
    }
    return dict(position=0.0, ramp=1.0, **waves[kind], **STAND)


def unpowered(_, kind):
    return {}


def gripper(command):
    """Two fingers that press a box of 0.3 kg, which touches nothing else."""
    model = dict(model="hand", friction=0.8)
    bodies = [body("palm", [0, 0, 1.1], [0.1, 0.3, 0.04], 1.0, fixed=True, ghost=True, model="hand")]
    joints = []
    for name, side in (("left", 1), ("right", -1)):
        place = [0, side * 0.04, 1.0]
        bodies.append(body(name, place, [0.02, 0.02, 0.1], 0.1, **model))
        joints.append(dict(name=name + "_joint", model="hand", type="prismatic", parent="palm", child=name, anchor=place,
                           axis=[0, -side, 0], effort=10.0, **command))
    held = scene(bodies + [body("box", [0, 0, 1.0], [0.06] * 3, 0.3)], joints, seconds=60.0, ground=False)
    # With the default of MuJoCo, the box slips out of the fingers.
    return {**held, "firm": True}


def accuracy():
    """The scenes of the page, by name."""
    yield "light_foot", light_foot()
    yield "wheels_rest", two_wheels(0.0, 0.0)
    yield "wheels_drive", two_wheels(0.2, 0.0)
    yield "wheels_turn", two_wheels(0.0, 0.5)
    yield "outside_limits", outside_limits()
    yield "chain_5", floating_chain()
    yield "quadruped_stand", quadruped(standing, 5.0)
    yield "quadruped_trot", quadruped(trotting, 6.0)
    yield "quadruped_fall", quadruped(unpowered, 3.0)
    yield "grip_speed", gripper(dict(speed=0.1, kv=100.0))
    yield "grip_position", gripper(dict(position=0.01, kp=2000.0, kd=20.0))


# Size, height at rest, and rotation of the shape.
SHAPES = {
    "box": ([1.0] * 3, 0.5, 0.0),
    "cylinder": ([0.5, 1.0], 0.5, 0.0),
    "sphere": ([0.5], 0.5, 0.0),
    "ellipsoid": ([0.5, 0.4, 0.3], 0.3, 0.0),
    "capsule": ([0.3, 0.4], 0.3, math.pi / 2),
}


def shapes(kinds, **more):
    """3,000 bodies that rest on a plane, in rows of one kind with 1.5 m between two, with the masses and moments of Gazebo's
    world `3k_shapes`."""
    bodies = []
    count = 3000 // len(kinds)
    for row, kind in enumerate(kinds):
        mass, (size, height, roll) = float(row + 1), SHAPES[kind]
        for index in range(count):
            place = [1.5 * (index - count / 2), 1.5 * (row - len(kinds) // 2), height]
            bodies.append(body(f"{kind}_{index}", place, size, mass, kind, moments=[mass] * 3, friction=1.0,
                               shape_rpy=[roll, 0.0, 0.0]))
    return {**scene(bodies, friction=1.0), **more}


def speed():
    """The scenes whose steps are timed, beside those of `scenes.speed`."""
    three, five = ["box", "cylinder", "sphere"], list(SHAPES)
    return {
        "quadruped_timed": {**quadruped(standing, 1.0), "awake": True},
        "shapes_awake": shapes(three, awake=True),
        "shapes_asleep": shapes(three, asleep=True),
        "mixed_awake": shapes(five, awake=True),
        "mixed_asleep": shapes(five, asleep=True),
    }
