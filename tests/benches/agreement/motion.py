"""What all engines share: the step, the samples of a motion, and inertia about the axes of a body."""

import formats

STEP = 0.001
# Samples in a second.
RATE = 100


def motion(name, scene, step, state):
    """Steps a scene and collects the state of each body at each sample. `step` takes the time."""
    count = round(scene["seconds"] / STEP)
    every = round(1 / RATE / STEP)
    bodies = [f"{one['model']}::{one['name']}" for one in scene["bodies"]]
    found = {body: [] for body in bodies}
    times = []
    for index in range(count + 1):
        if index % every == 0 or index == count:
            times.append(round(index * STEP, 6))
            for body in bodies:
                found[body].append([float(value) for value in state(body)])
        if index < count:
            step(index * STEP)
    return dict(scene=name, times=times, bodies=found)


def rotation(quaternion):
    """The rows of a rotation matrix."""
    w, x, y, z = quaternion
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def tensor(one):
    """The inertia about the axes of the body."""
    turn = rotation(formats.quaternion(*one["shape_rpy"]))
    return [[sum(turn[i][k] * one["moments"][k] * turn[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
