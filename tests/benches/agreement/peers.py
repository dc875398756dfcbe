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

import scenes

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


def mujoco_motion(name, scene):
    import mujoco
    import numpy

    model = mujoco.MjModel.from_xml_string(scenes.mjcf(scene))
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
    for model, bodies in scenes.grouped(scene).items():
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


def turned(one):
    """The moments about the axes of the body: a shape turns by quarter turns about x only."""
    x, y, z = one["moments"]
    return [x, z, y] if one["shape_rpy"][0] else [x, y, z]


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


def dart_motion(name, scene):
    import dartpy

    world = dartpy.simulation.World(name)
    world.setTimeStep(STEP)
    world.setGravity(scene["gravity"])
    world.getConstraintSolver().setCollisionDetector(dartpy.collision.OdeCollisionDetector())
    if ground := scene["ground"]:
        plane = dartpy.dynamics.Skeleton("ground")
        joint, node = plane.createWeldJointAndBodyNodePair(None)
        joint.setTransformFromParentBodyNode(dart_pose(dartpy, [0, 0, 0], scenes.quaternion(0, ground["slope"], 0)))
        normal = dartpy.dynamics.PlaneShape([0, 0, 1], 0.0)
        dart_surface(node.createShapeNode(normal), ground["friction"], 1.0)
        world.addSkeleton(plane)
    nodes, commands = {}, []
    for model, bodies in scenes.grouped(scene).items():
        skeleton = dartpy.dynamics.Skeleton(model)
        dart_model(dartpy, skeleton, model, bodies, scene, nodes, commands)
        world.addSkeleton(skeleton)

    def step():
        for joint, found in commands:
            if "position" in found:
                pull = found["kp"] * (found["position"] - joint.getPosition(0)) - found["kd"] * joint.getVelocity(0)
                joint.setForce(0, pull)
            else:
                joint.setCommand(0, found["speed"])
        world.step()

    def state(body):
        node = nodes[body]
        pose = node.getTransform()
        turn = pose.quaternion()
        return [*pose.translation(), turn.w(), turn.x(), turn.y(), turn.z(), *node.getCOMLinearVelocity(),
                *node.getAngularVelocity()]

    return motion(name, scene, step, state)


def dart_model(dartpy, skeleton, model, bodies, scene, nodes, commands):
    joints = [joint for joint in scene["joints"] if joint["model"] == model]
    by_name = {one["name"]: one for one in bodies}
    parents = {joint["child"]: joint for joint in joints}

    def add(one, parent):
        found = parents.get(one["name"])
        if found is None:
            make = skeleton.createWeldJointAndBodyNodePair if one["fixed"] else skeleton.createFreeJointAndBodyNodePair
            joint, node = make(None)
            joint.setTransformFromParentBodyNode(dart_pose(dartpy, one["position"], scenes.quaternion(*one["rpy"])))
        else:
            make = {
                "revolute": skeleton.createRevoluteJointAndBodyNodePair,
                "prismatic": skeleton.createPrismaticJointAndBodyNodePair,
                "fixed": skeleton.createWeldJointAndBodyNodePair,
            }[found["type"]]
            joint, node = make(parent)
            start = by_name[found["parent"]]["position"]
            level = [1, 0, 0, 0]
            joint.setTransformFromParentBodyNode(
                dart_pose(dartpy, [end - origin for end, origin in zip(found["anchor"], start)], level))
            joint.setTransformFromChildBodyNode(
                dart_pose(dartpy, [end - origin for end, origin in zip(found["anchor"], one["position"])], level))
            if found["type"] != "fixed":
                joint.setAxis(found["axis"])
                if "limit" in found:
                    joint.setVelocityLowerLimit(0, -found["limit"])
                    joint.setVelocityUpperLimit(0, found["limit"])
                    joint.setLimitEnforcement(True)
                if "speed" in found:
                    joint.setActuatorType(dartpy.dynamics.ActuatorType.SERVO)
                    joint.setForceLowerLimit(0, -found["effort"])
                    joint.setForceUpperLimit(0, found["effort"])
                if "speed" in found or "position" in found:
                    commands.append((joint, found))
        inertia = dartpy.dynamics.Inertia(one["mass"], [0, 0, 0], dart_moments(one))
        node.setInertia(inertia)
        if not one["ghost"]:
            dart_surface(node.createShapeNode(dart_shape(dartpy, one)), one["friction"], one["restitution"],
                         dart_pose(dartpy, [0, 0, 0], scenes.quaternion(*one["shape_rpy"])))
        if found is None and not one["fixed"]:
            joint.setVelocities([*one["spin"], *one["velocity"]])
        nodes[f"{model}::{one['name']}"] = node
        for below in joints:
            if below["parent"] == one["name"]:
                add(by_name[below["child"]], node)

    for root in (one for one in bodies if one["name"] not in parents):
        add(root, None)


def dart_moments(one):
    x, y, z = turned(one)
    return [[x, 0, 0], [0, y, 0], [0, 0, z]]


def dart_pose(dartpy, position, quaternion):
    pose = dartpy.math.Isometry3()
    pose.set_translation(position)
    pose.set_quaternion(dartpy.math.Quaternion(*quaternion))
    return pose


def dart_surface(node, friction, restitution, pose=None):
    node.createCollisionAspect()
    surface = node.createDynamicsAspect()
    surface.setFrictionCoeff(friction)
    surface.setRestitutionCoeff(restitution)
    if pose is not None:
        node.setRelativeTransform(pose)


def dart_shape(dartpy, one):
    size, shapes = one["size"], dartpy.dynamics
    if one["shape"] == "box":
        return shapes.BoxShape(size)
    if one["shape"] == "sphere":
        return shapes.SphereShape(size[0])
    return (shapes.CylinderShape if one["shape"] == "cylinder" else shapes.CapsuleShape)(*size)


ENGINES = {"mujoco": mujoco_motion, "pybullet": pybullet_motion, "dart": dart_motion}


def time_mujoco(name, warm_up, steps):
    import mujoco

    scene = scenes.speed()[name]
    model = mujoco.MjModel.from_xml_string(scenes.mjcf(scene))
    data = mujoco.MjData(model)
    hold(model, data, scene)
    mujoco.mj_step(model, data, warm_up)
    start = time.process_time()
    mujoco.mj_step(model, data, steps)
    print((time.process_time() - start) / steps)


def main(arguments):
    match arguments:
        case ["write", folder]:
            for name, scene in scenes.all_scenes().items():
                pathlib.Path(folder, f"{name}.sdf").write_text(scenes.sdf(scene))
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
