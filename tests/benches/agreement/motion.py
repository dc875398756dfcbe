"""What all engines share: the step, and the samples of a motion."""

STEP = 0.001
# Samples in a second.
RATE = 100


def motion(name, scene, step, state):
    """Steps a scene and collects the state of each body at each sample."""
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
            step()
    return dict(scene=name, times=times, bodies=found)


def turned(one):
    """The moments about the axes of the body: a shape turns by quarter turns about x only."""
    x, y, z = one["moments"]
    return [x, z, y] if one["shape_rpy"][0] else [x, y, z]
