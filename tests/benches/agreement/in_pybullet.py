"""Runs scenes in PyBullet."""

import formats
import scenes
from motion import STEP, motion, tensor


def pybullet_motion(name, scene):
    import pybullet as engine

    client = engine.connect(engine.DIRECT)
    engine.setGravity(*scene["gravity"])
    engine.setPhysicsEngineParameter(fixedTimeStep=STEP)
    if ground := scene["ground"]:
        plane = engine.createCollisionShape(engine.GEOM_PLANE)
        turn = engine.getQuaternionFromEuler([0, ground["slope"], 0])
        plane = engine.createMultiBody(0, plane, baseOrientation=turn)
        # Friction and restitution of a pair are products.
        engine.changeDynamics(plane, -1, lateralFriction=1.0, restitution=1.0)
    links, commands = {}, []
    for model, bodies in formats.grouped(scene).items():
        joints = [joint for joint in scene["joints"] if joint["model"] == model]
        pybullet_model(engine, model, bodies, joints, links, commands)

    def step(time):
        for unique, index, joint in commands:
            if "pulse" in joint:
                force = scenes.effort(joint, time)
            else:
                angle, speed = engine.getJointState(unique, index)[:2]
                force = joint["kp"] * (scenes.target(joint, time) - angle) - joint["kd"] * speed
                force = max(-joint["effort"], min(joint["effort"], force))
            engine.setJointMotorControl2(unique, index, engine.TORQUE_CONTROL, force=force)
        engine.stepSimulation()

    def state(body):
        unique, index = links[body]
        if index < 0:
            position, rotation = engine.getBasePositionAndOrientation(unique)
            velocity, spin = engine.getBaseVelocity(unique)
        else:
            found = engine.getLinkState(unique, index, computeLinkVelocity=1)
            position, rotation, velocity, spin = found[0], found[5], found[6], found[7]
        return [*position, rotation[3], *rotation[:3], *velocity, *spin]

    result = motion(name, scene, step, state)
    engine.disconnect(client)
    return result


def pybullet_model(engine, model, bodies, joints, links, commands):
    """Builds each tree of bodies as one multibody; frames of links are their centres of mass."""
    by_name = {one["name"]: one for one in bodies}
    parents = {joint["child"]: joint for joint in joints}
    order = []

    def visit(one):
        order.append(one)
        for joint in joints:
            if joint["parent"] == one["name"]:
                visit(by_name[joint["child"]])

    for root in (one for one in bodies if one["name"] not in parents):
        order.clear()
        visit(root)
        index_of = {one["name"]: index for index, one in enumerate(order)}
        tail = order[1:]

        def relative(one, joint):
            # The frame of a link is at its joint, in the frame of its parent.
            above = parents.get(joint["parent"])
            start = above["anchor"] if above else by_name[joint["parent"]]["position"]
            return [anchor - origin for anchor, origin in zip(joint["anchor"], start)]

        def in_joint(one, joint):
            return [end - anchor for end, anchor in zip(one["position"], joint["anchor"])]

        def inertial_turn(one):
            return engine.getQuaternionFromEuler(one["shape_rpy"])

        kinds = {"revolute": engine.JOINT_REVOLUTE, "prismatic": engine.JOINT_PRISMATIC,
                 "ball": engine.JOINT_SPHERICAL, "fixed": engine.JOINT_FIXED}
        identity = [0, 0, 0, 1]
        options = dict(
            linkMasses=[one["mass"] for one in tail],
            linkCollisionShapeIndices=[
                pybullet_shapes(engine, one, in_joint(one, parents[one["name"]])) for one in tail],
            linkVisualShapeIndices=[-1] * len(tail),
            linkPositions=[relative(one, parents[one["name"]]) for one in tail],
            linkOrientations=[identity] * len(tail),
            linkInertialFramePositions=[in_joint(one, parents[one["name"]]) for one in tail],
            linkInertialFrameOrientations=[inertial_turn(one) for one in tail],
            linkParentIndices=[index_of[parents[one["name"]]["parent"]] for one in tail],
            linkJointTypes=[kinds[parents[one["name"]]["type"]] for one in tail],
            linkJointAxis=[parents[one["name"]]["axis"] for one in tail],
        )
        unique = engine.createMultiBody(
            0.0 if root["fixed"] else root["mass"], pybullet_shapes(engine, root, [0, 0, 0]), basePosition=root["position"],
            baseOrientation=engine.getQuaternionFromEuler(root["rpy"]), **(options if tail else {}),
        )
        if not root["fixed"]:
            engine.resetBaseVelocity(unique, root["velocity"], root["spin"])
        for one in order:
            index = index_of[one["name"]] - 1
            links[f"{model}::{one['name']}"] = (unique, index)
            # The inertial frame of a link has the axes of its shape, that of a root those of the body.
            moments = [tensor(one)[k][k] for k in range(3)] if one is root else one["moments"]
            engine.changeDynamics(unique, index, lateralFriction=one["friction"], restitution=one["restitution"],
                                  linearDamping=0, angularDamping=0, jointDamping=0,
                                  localInertiaDiagonal=moments)
        for joint in joints:
            if joint["child"] in index_of:
                pybullet_joint(engine, unique, index_of[joint["child"]] - 1, joint, commands)


def pybullet_joint(engine, unique, index, joint, commands):
    """Sets limits and the motor of a joint; by default each has a motor that brakes it."""
    if "limit" in joint:
        engine.changeDynamics(unique, index, maxJointVelocity=joint["limit"])
    if "range" in joint:
        lower, upper = joint["range"]
        engine.changeDynamics(unique, index, jointLowerLimit=lower, jointUpperLimit=upper)
    if "speed" in joint:
        engine.setJointMotorControl2(unique, index, engine.VELOCITY_CONTROL, targetVelocity=joint["speed"],
                                     force=joint["effort"])
    elif joint["type"] == "ball":
        engine.setJointMotorControlMultiDof(unique, index, engine.POSITION_CONTROL, targetPosition=[0, 0, 0, 1],
                                            positionGain=0, velocityGain=0, force=[0, 0, 0])
    elif joint["type"] != "fixed":
        engine.setJointMotorControl2(unique, index, engine.VELOCITY_CONTROL, force=0)
        if "position" in joint or "pulse" in joint:
            commands.append((unique, index, joint))


def pybullet_shapes(engine, one, origin):
    """The shapes of a body, whose place is `origin` in the frame of its joint."""
    found = scenes.shapes(one)
    if not found:
        return -1
    kinds = {"box": engine.GEOM_BOX, "sphere": engine.GEOM_SPHERE, "cylinder": engine.GEOM_CYLINDER,
             "capsule": engine.GEOM_CAPSULE}
    is_box = [shape["shape"] == "box" for shape in found]
    sizes = [shape["size"] for shape in found]
    return engine.createCollisionShapeArray(
        shapeTypes=[kinds[shape["shape"]] for shape in found],
        halfExtents=[[half / 2 for half in size] if box else [0, 0, 0] for box, size in zip(is_box, sizes)],
        radii=[0.0 if box else size[0] for box, size in zip(is_box, sizes)],
        lengths=[0.0 if box or len(size) < 2 else size[1] for box, size in zip(is_box, sizes)],
        collisionFramePositions=[[start + at for start, at in zip(origin, shape["at"])] for shape in found],
        collisionFrameOrientations=[engine.getQuaternionFromEuler(shape["rpy"]) for shape in found],
    )
