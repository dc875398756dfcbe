"""A tree of links, and its dynamics by Pinocchio.

    pinocchio_tree.py make SEED STATES   prints a tree of 30 links and some of its states, as JSON
    pinocchio_tree.py reference FILE     prints the dynamics of each state of such a file

A tree is {"gravity", "links", "states"}. Links are in depth-first order, so that a parent comes before its children and the
velocities of a branch are consecutive. A link has

    name
    parent        the index of its parent, or -1: the world
    joint         `free`, `revolute`, `prismatic`, `ball` or `fixed`: what it may do relative to its parent
    translation   m, of the frame of its joint in the frame of its parent
    rotation      quaternion x, y, z, w of the frame of its joint in the frame of its parent
    axis          of a revolute or prismatic joint, a unit vector in the frame of the joint; otherwise null
    mass          kg
    center        m, its centre of mass in its own frame
    inertia       kg m², three rows, about the centre of mass and the axes of its own frame
    moments       its principal moments
    principal     quaternion x, y, z, w of its principal axes in its own frame

The frame of a link is that of its joint moved by the position of the joint: at position 0 they are the same.

A state is {"q", "v", "tau"}: positions, velocities, and efforts of all joints, one after the other in the order of the links.

    joint        q                                            v                                          tau
    free         translation of the link, in the frame of     velocity of the origin of the link, then   force, then torque about
                 its joint, then its rotation x, y, z, w      angular velocity, both in the axes of      the origin, in the axes of
                                                              the link                                   the link
    ball         rotation x, y, z, w                          angular velocity in the axes of the link   torque in the axes of the link
    revolute     angle                                        rad/s                                      N m
    prismatic    way                                          m/s                                        N
    fixed        nothing                                      nothing                                    nothing

Velocities are relative to the parent. `reference` prints {"states": [{"mass", "bias", "acceleration"}]}:

    mass           the matrix M, as rows, in the order of v
    bias           C v - tau of gravity: the efforts that make all accelerations zero
    acceleration   the derivative of the numbers of v: M acceleration + bias = tau

The numbers of `v` of a free link are in its own, turning axes. With its rotation R, velocity of the origin u and angular
velocity w, as in `v`, the acceleration of the origin in the frame of its joint is R (acceleration of u + w × u), and the
angular acceleration R (acceleration of w). Velocities in the axes of the frame of its joint, V = T v, where T turns both
vectors of the free link by R and leaves the rest as it is, have the mass matrix T M Tᵀ and the bias T (bias - M (w × u, 0)).
"""

import json
import math
import random
import sys

import numpy
import pinocchio

LINKS = 30
# Seconds between two states, and length of a step between them.
APART, STEP = 0.01, 0.001
KINDS = ["revolute", "prismatic", "ball"]
WEIGHTS = [0.6, 0.2, 0.2]


def rotation(choose):
    """A random unit quaternion x, y, z, w."""
    found = [choose.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(number * number for number in found))
    return [number / length for number in found]


def inertia(choose, mass):
    """The inertia of a box of random size and rotation."""
    x, y, z = (choose.uniform(0.05, 0.4) for _ in range(3))
    moments = numpy.array([y * y + z * z, x * x + z * z, x * x + y * y]) * mass / 12
    principal = rotation(choose)
    turn = pinocchio.Quaternion(numpy.array(principal)).toRotationMatrix()
    rows = turn @ numpy.diag(moments) @ turn.T
    return dict(inertia=rows.tolist(), moments=moments.tolist(), principal=principal)


def vector(choose, size):
    return [choose.uniform(-size, size) for _ in range(3)]


def link(choose, name, parent, kind):
    axis = numpy.array([choose.gauss(0, 1) for _ in range(3)])
    mass = choose.uniform(0.2, 5.0)
    return dict(
        name=name, parent=parent, joint=kind, translation=vector(choose, 0.4), rotation=rotation(choose),
        axis=(axis / numpy.linalg.norm(axis)).tolist() if kind in ("revolute", "prismatic") else None, mass=mass,
        center=vector(choose, 0.15), **inertia(choose, mass))


def grow(choose):
    """The parents of a random tree in depth-first order, that of the root being -1."""
    children = {0: []}
    for index in range(1, LINKS):
        # Rather the newest links, so that chains become long.
        parent = max(choose.randrange(index) for _ in range(3))
        children[parent].append(index)
        children[index] = []
    parents = []

    def visit(one, parent):
        index = len(parents)
        parents.append(parent)
        for below in children[one]:
            visit(below, index)

    visit(0, -1)
    return parents


def make(seed, states):
    choose = random.Random(seed)
    kinds = lambda index: "free" if index == 0 else choose.choices(KINDS, WEIGHTS)[0]
    links = [link(choose, f"l{index}", parent, kinds(index)) for index, parent in enumerate(grow(choose))]
    tree = dict(gravity=[0.0, 0.0, -9.8], links=links)
    model = built(tree)
    data = model.createData()
    q = pinocchio.neutral(model)
    v = numpy.array([choose.uniform(-1, 1) for _ in range(model.nv)])
    tree["states"] = []
    for _ in range(states):
        tau = numpy.array([choose.uniform(-5, 5) for _ in range(model.nv)])
        tree["states"].append(dict(q=q.tolist(), v=v.tolist(), tau=tau.tolist()))
        for _ in range(round(APART / STEP)):
            # Damped, so that the tree does not turn faster and faster.
            v = v + STEP * (pinocchio.aba(model, data, q, v, tau) - v)
            q = pinocchio.normalize(model, pinocchio.integrate(model, q, STEP * v))
    return tree


def joint_model(one):
    match one["joint"]:
        case "free":
            return pinocchio.JointModelFreeFlyer()
        case "ball":
            return pinocchio.JointModelSpherical()
        case "revolute":
            return pinocchio.JointModelRevoluteUnaligned(numpy.array(one["axis"]))
        case "prismatic":
            return pinocchio.JointModelPrismaticUnaligned(numpy.array(one["axis"]))
    raise ValueError(f"an unknown joint: {one['joint']}")


def placed(one):
    turn = pinocchio.Quaternion(numpy.array(one["rotation"])).normalized()
    return pinocchio.SE3(turn.toRotationMatrix(), numpy.array(one["translation"]))


def built(tree):
    model = pinocchio.Model()
    model.gravity.linear = numpy.array(tree["gravity"])
    # The joint of Pinocchio that moves a link, and the frame of the link in that of the joint.
    homes = {-1: (0, pinocchio.SE3.Identity())}
    for index, one in enumerate(tree["links"]):
        joint, place = homes[one["parent"]]
        place = place * placed(one)
        if one["joint"] != "fixed":
            joint, place = model.addJoint(joint, joint_model(one), place, one["name"]), pinocchio.SE3.Identity()
        homes[index] = (joint, place)
        own = pinocchio.Inertia(one["mass"], numpy.array(one["center"]), numpy.array(one["inertia"]))
        model.appendBodyToJoint(joint, own, place)
    return model


def reference(tree):
    model = built(tree)
    data = model.createData()
    found = []
    for state in tree["states"]:
        q, v, tau = (numpy.array(state[key]) for key in ("q", "v", "tau"))
        upper = numpy.triu(pinocchio.crba(model, data, q))
        mass = upper + numpy.triu(upper, 1).T
        bias = pinocchio.rnea(model, data, q, v, numpy.zeros(model.nv))
        acceleration = pinocchio.aba(model, data, q, v, tau)
        found.append(dict(mass=mass.tolist(), bias=bias.tolist(), acceleration=acceleration.tolist()))
    return dict(states=found)


def main(arguments):
    match arguments:
        case ["make", seed, states]:
            print(json.dumps(make(int(seed), int(states))))
        case ["reference", path]:
            with open(path) as file:
                print(json.dumps(reference(json.load(file))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
