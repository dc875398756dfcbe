"""Runs scenes in other engines.

    peers.py write FOLDER                 writes every scene as NAME.sdf, and index.json
    peers.py run ENGINE NAME...           prints the motion of all bodies, one JSON line for each scene
    peers.py time NAME WARMUP STEPS       prints the processor time of a step of MuJoCo, seconds

A line of `run` is {"scene", "times", "bodies": {"model::name": [[x, y, z, w, i, j, k, vx, vy, vz, wx, wy, wz], ...]}},
with the position of the centre of mass, the rotation, the velocity of the centre of mass and the angular velocity, in the
world.
"""

import json
import pathlib
import sys
import time

import formats
import in_dart
import in_mujoco
import in_pybullet
import scenes

ENGINES = {"mujoco": in_mujoco.mujoco_motion, "pybullet": in_pybullet.pybullet_motion, "dart": in_dart.dart_motion}


def time_mujoco(name, warm_up, steps):
    import mujoco

    scene = scenes.speed()[name]
    model = mujoco.MjModel.from_xml_string(formats.mjcf(scene))
    data = mujoco.MjData(model)
    in_mujoco.hold(model, data, scene)
    mujoco.mj_step(model, data, warm_up)
    start = time.process_time()
    mujoco.mj_step(model, data, steps)
    print((time.process_time() - start) / steps)


def main(arguments):
    match arguments:
        case ["write", folder]:
            for name, scene in scenes.all_scenes().items():
                pathlib.Path(folder, f"{name}.sdf").write_text(formats.sdf(scene))
            pathlib.Path(folder, "index.json").write_text(json.dumps(scenes.all_scenes()))
        case ["run", engine, *names]:
            known = scenes.all_scenes()
            for name in names:
                print(json.dumps(ENGINES[engine](name, known[name])), flush=True)
        case ["time", name, warm_up, steps]:
            time_mujoco(name, int(warm_up), int(steps))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
