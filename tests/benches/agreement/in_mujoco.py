"""Runs scenes in MuJoCo."""

import time

import formats
import scenes
from motion import motion


class Commands:
    """The commands of a scene; those that change are set anew before each step."""

    def __init__(self, model, data, scene):
        self.data = data
        actuated = [joint for joint in scene["joints"] if "speed" in joint or "position" in joint]
        data.ctrl[:] = [joint.get("speed", joint.get("position")) for joint in actuated]
        moves = lambda joint: any(key in joint for key in ("swing", "lift", "ramp"))
        self.targets = [(index, joint) for index, joint in enumerate(actuated) if moves(joint)]
        address = lambda joint: model.joint(f"{joint['model']}/{joint['name']}").dofadr[0]
        self.pulses = [(address(joint), joint) for joint in scene["joints"] if "pulse" in joint]

    def set(self, time):
        for index, joint in self.targets:
            self.data.ctrl[index] = scenes.target(joint, time)
        for index, joint in self.pulses:
            self.data.qfrc_applied[index] = scenes.effort(joint, time)


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
    commands = Commands(model, data, scene)
    mujoco.mj_forward(model, data)
    velocity = numpy.zeros(6)

    def step(time):
        commands.set(time)
        mujoco.mj_step(model, data)

    def state(body):
        index = place[body]
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, index, velocity, 0)
        return [*data.xipos[index], *data.xquat[index], *velocity[3:], *velocity[:3]]

    return motion(name, scene, step, state)


def mujoco_time(scene, warm_up, steps):
    """The processor time of a step, seconds."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(formats.mjcf(scene))
    data = mujoco.MjData(model)
    Commands(model, data, scene)
    mujoco.mj_step(model, data, warm_up)
    start = time.process_time()
    mujoco.mj_step(model, data, steps)
    return (time.process_time() - start) / steps
