"""Writes what MuJoCo 4.0.0 makes of MJCF files: `mujoco_reference.py FOLDER FILE...` prints `tests/it/robots/mujoco.txt`.

Positions are those of `qpos0`. A body: its name, mass, position and quaternion (w x y z) in the world; centre of mass and
moments (ixx iyy izz ixy ixz iyz) in its own frame. A joint: its name, axis and anchor in the world, and its range measured
from `qpos0`, or `-`.
"""

import pathlib
import sys

import mujoco
import numpy

SCALAR = (int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_HINGE))


def line(kind, name, values):
    print(kind, name, *(f"{float(value) + 0.0:.9g}" for value in values))


def inertia(model, body):
    rotation = numpy.zeros(9)
    mujoco.mju_quat2Mat(rotation, model.body_iquat[body])
    rotation = rotation.reshape(3, 3)
    matrix = rotation @ numpy.diag(model.body_inertia[body]) @ rotation.T
    return [matrix[row][column] for row, column in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def write(folder, file):
    model = mujoco.MjModel.from_xml_path(str(folder / file))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    line("file", file, [model.opt.timestep, *model.opt.gravity])
    for body in range(1, model.nbody):
        # Bodies without mass are frames of others.
        if model.body_mass[body] > 0:
            values = [model.body_mass[body], *data.xpos[body], *data.xquat[body], *model.body_ipos[body]]
            line("body", model.body(body).name or f"body_{body}", [*values, *inertia(model, body)])
    for joint in range(model.njnt):
        if int(model.jnt_type[joint]) in SCALAR:
            begin = model.qpos0[model.jnt_qposadr[joint]]
            range_ = model.jnt_range[joint] - begin if model.jnt_limited[joint] else []
            line("joint", model.joint(joint).name or "-", [*data.xaxis[joint], *data.xanchor[joint], *range_])


def main(folder, *files):
    print("# Made by tests/mujoco_reference.py with MuJoCo " + mujoco.__version__ + ".")
    for file in files:
        write(pathlib.Path(folder), file)


main(*sys.argv[1:])
