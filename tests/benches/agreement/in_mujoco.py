"""Runs scenes in MuJoCo."""

import formats
from motion import motion


def mujoco_motion(name, scene):
    import mujoco
    import numpy

    model = mujoco.MjModel.from_xml_string(formats.mjcf(scene))
    data = mujoco.MjData(model)
    place = {}
    for one in scene["bodies"]:
        index = model.body(f"{one['model']}/{one['name']}").id
        place[f"{one['model']}::{one['name']}"] = index
        if model.body(index).dofnum[0] == 6:
            first = model.body(index).dofadr[0]
            data.qvel[first:first + 6] = one["velocity"] + one["spin"]
    hold(model, data, scene)
    mujoco.mj_forward(model, data)
    velocity = numpy.zeros(6)

    def state(body):
        index = place[body]
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, index, velocity, 0)
        return [*data.xipos[index], *data.xquat[index], *velocity[3:], *velocity[:3]]

    return motion(name, scene, lambda: mujoco.mj_step(model, data), state)


def hold(model, data, scene):
    """Sets the targets of all actuators."""
    commanded = [joint for joint in scene["joints"] if "speed" in joint or "position" in joint]
    data.ctrl[:] = [joint.get("speed", joint.get("position")) for joint in commanded]
