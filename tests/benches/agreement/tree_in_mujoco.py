"""The dynamics of a tree of `pinocchio_tree.py` by MuJoCo: `tree_in_mujoco.py FILE` prints what its `reference` does."""

import json
import sys

import mujoco
import numpy

from formats import numbers
from motion import rotation


def w_first(quaternion):
    return [quaternion[3], *quaternion[:3]]


def product(one, other):
    """The product of quaternions x, y, z, w."""
    (ax, ay, az, aw), (bx, by, bz, bw) = one, other
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def body(links, index):
    """A link with all that hang on it."""
    one = links[index]
    kinds = {"free": "<freejoint/>", "ball": "<joint type='ball'/>", "fixed": ""}
    if one["axis"]:
        kinds |= {kind: f"<joint type='{name}' axis='{numbers(one['axis'])}'/>"
                  for kind, name in (("revolute", "hinge"), ("prismatic", "slide"))}
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = one["inertia"]
    text = f"<body pos='{numbers(one['translation'])}' quat='{numbers(w_first(one['rotation']))}'>{kinds[one['joint']]}"
    text += f"<inertial pos='{numbers(one['center'])}' mass='{one['mass']!r}' fullinertia='{numbers([xx, yy, zz, xy, xz, yz])}'/>"
    return text + "".join(body(links, below) for below, link in enumerate(links) if link["parent"] == index) + "</body>"


def positions(links, q):
    """MuJoCo has the pose of a free link in the world, and quaternions with w first."""
    found, at = [], 0
    for one in links:
        match one["joint"]:
            case "free":
                turn = numpy.array(rotation(w_first(one["rotation"])))
                found += [*(numpy.array(one["translation"]) + turn @ q[at:at + 3]),
                          *w_first(product(one["rotation"], q[at + 3:at + 7]))]
                at += 7
            case "ball":
                found += w_first(q[at:at + 4])
                at += 4
            case "revolute" | "prismatic":
                found.append(q[at])
                at += 1
    return found


def dynamics(model, data, links, state):
    v, tau = numpy.array(state["v"]), numpy.array(state["tau"])
    data.qpos[:] = positions(links, state["q"])
    # The velocity of the root is in the axes of the world, its angular velocity in its own.
    turn = numpy.eye(model.nv)
    turn[:3, :3] = rotation(data.qpos[3:7])
    data.qvel[:] = turn @ v
    mujoco.mj_forward(model, data)
    mass = numpy.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    turning = numpy.zeros(model.nv)
    turning[:3] = turn[:3, :3] @ numpy.cross(v[3:6], v[:3])
    acceleration = numpy.linalg.solve(mass, turn @ tau - data.qfrc_bias)
    return dict(
        mass=(turn.T @ mass @ turn).tolist(), bias=(turn.T @ (data.qfrc_bias + mass @ turning)).tolist(),
        acceleration=(turn.T @ (acceleration - turning)).tolist())


def main(path):
    with open(path) as file:
        tree = json.load(file)
    links = tree["links"]
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><option gravity='{numbers(tree['gravity'])}'/><worldbody>{body(links, 0)}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    print(json.dumps(dict(states=[dynamics(model, data, links, state) for state in tree["states"]])))


main(*sys.argv[1:])
