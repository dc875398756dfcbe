"""Runs scenes in PyBullet."""

import formats
from motion import STEP, motion, turned


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

    def step():
        for unique, index, joint in commands:
            if "position" in joint:
                angle, speed = engine.getJointState(unique, index)[:2]
                force = joint["kp"] * (joint["position"] - angle) - joint["kd"] * speed
                engine.setJointMotorControl2(unique, index, engine.TORQUE_CONTROL, force=force)
        engine.stepSimulation()

    def state(body):
        unique, index = links[body]
        if index < 0:
            position, rotation = engine.getBasePositionAndOrientation(unique)
            velocity, spin = engine.getBaseVelocity(unique)
        else:
            found = engine.getLinkState(unique, index, computeLinkVelocity=1)
            position, rotation, velocity, spin = found[0], found[1], found[6], found[7]
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
        shapes = [pybullet_shape(engine, one) for one in order]
        tail = order[1:]

        def relative(one, joint):
            # The frame of a link is at its joint, in the frame of its parent.
            above = parents.get(joint["parent"])
            start = above["anchor"] if above else by_name[joint["parent"]]["position"]
            return [anchor - origin for anchor, origin in zip(joint["anchor"], start)]

        def in_joint(one, joint):
            return [end - anchor for end, anchor in zip(one["position"], joint["anchor"])]

        kinds = {"revolute": engine.JOINT_REVOLUTE, "prismatic": engine.JOINT_PRISMATIC, "fixed": engine.JOINT_FIXED}
        identity = [0, 0, 0, 1]
        options = dict(
            linkMasses=[one["mass"] for one in tail],
            linkCollisionShapeIndices=shapes[1:],
            linkVisualShapeIndices=[-1] * len(tail),
            linkPositions=[relative(one, parents[one["name"]]) for one in tail],
            linkOrientations=[identity] * len(tail),
            linkInertialFramePositions=[in_joint(one, parents[one["name"]]) for one in tail],
            linkInertialFrameOrientations=[identity] * len(tail),
            linkParentIndices=[index_of[parents[one["name"]]["parent"]] for one in tail],
            linkJointTypes=[kinds[parents[one["name"]]["type"]] for one in tail],
            linkJointAxis=[parents[one["name"]]["axis"] for one in tail],
        )
        unique = engine.createMultiBody(
            0.0 if root["fixed"] else root["mass"], shapes[0], basePosition=root["position"],
            baseOrientation=engine.getQuaternionFromEuler(root["rpy"]), **(options if tail else {}),
        )
        if not root["fixed"]:
            engine.resetBaseVelocity(unique, root["velocity"], root["spin"])
        for one in order:
            index = index_of[one["name"]] - 1
            links[f"{model}::{one['name']}"] = (unique, index)
            engine.changeDynamics(unique, index, lateralFriction=one["friction"], restitution=one["restitution"],
                                  linearDamping=0, angularDamping=0, jointDamping=0,
                                  localInertiaDiagonal=turned(one))
        for joint in joints:
            if joint["child"] in index_of:
                index = index_of[joint["child"]] - 1
                if "limit" in joint:
                    engine.changeDynamics(unique, index, maxJointVelocity=joint["limit"])
                if "speed" in joint:
                    engine.setJointMotorControl2(unique, index, engine.VELOCITY_CONTROL, targetVelocity=joint["speed"],
                                                 force=joint["effort"])
                elif joint["type"] == "revolute":
                    engine.setJointMotorControl2(unique, index, engine.VELOCITY_CONTROL, force=0)
                    commands.append((unique, index, joint))


def pybullet_shape(engine, one):
    if one["ghost"]:
        return -1
    size = one["size"]
    turn = engine.getQuaternionFromEuler(one["shape_rpy"])
    if one["shape"] == "box":
        return engine.createCollisionShape(engine.GEOM_BOX, halfExtents=[half / 2 for half in size])
    if one["shape"] == "sphere":
        return engine.createCollisionShape(engine.GEOM_SPHERE, radius=size[0])
    kind = engine.GEOM_CYLINDER if one["shape"] == "cylinder" else engine.GEOM_CAPSULE
    return engine.createCollisionShape(kind, radius=size[0], height=size[1], collisionFrameOrientation=turn)
