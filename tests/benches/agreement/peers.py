"""Runs scenes in other engines.

    peers.py write FOLDER                 writes every scene as NAME.sdf, and index.json
    peers.py run ENGINE NAME...           prints the motion of all bodies, one JSON line for each scene
    peers.py time NAME WARMUP STEPS       prints the processor time of a step of MuJoCo, seconds

The robots in URDF are those of the folder BRIDGEHEAD_ROBOTS; without it they are left out.

A line of `run` is {"scene", "times", "bodies": {"model::name": [[x, y, z, w, i, j, k, vx, vy, vz, wx, wy, wz], ...]}},
with the position of the centre of mass, the rotation, the velocity of the centre of mass and the angular velocity, in the
world.
"""

import json
import pathlib
import sys

import formats
import in_dart
import in_mujoco
import in_pybullet
import robots
import scenes
import urdf

ENGINES = {"mujoco": in_mujoco.mujoco_motion, "pybullet": in_pybullet.pybullet_motion, "dart": in_dart.dart_motion}


def all_scenes():
    """All scenes by name."""
    found = {**dict(scenes.accuracy()), **dict(robots.accuracy()), **dict(scenes.flat_falls())}
    return {**found, **scenes.speed(), **robots.speed(), **dict(urdf.scenes())}


def write(folder):
    found = all_scenes()
    for name, scene in found.items():
        text = urdf.world(scene, folder / f"{name}.urdf") if "robot" in scene else formats.sdf(scene)
        (folder / f"{name}.sdf").write_text(text)
    (folder / "index.json").write_text(json.dumps(found))


def main(arguments):
    match arguments:
        case ["write", folder]:
            write(pathlib.Path(folder))
        case ["run", engine, *names]:
            known = all_scenes()
            for name in names:
                print(json.dumps(ENGINES[engine](name, known[name])), flush=True)
        case ["time", name, warm_up, steps]:
            print(in_mujoco.mujoco_time(all_scenes()[name], int(warm_up), int(steps)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
