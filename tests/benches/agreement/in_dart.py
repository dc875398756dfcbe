"""Runs scenes in DART."""

import formats
import scenes
import urdf
from motion import STEP, motion, tensor


def dart_motion(name, scene):
    import dartpy

    world = dartpy.simulation.World(name)
    world.setTimeStep(STEP)
    world.setGravity(scene["gravity"])
    world.getConstraintSolver().setCollisionDetector(dartpy.collision.OdeCollisionDetector())
    if ground := scene["ground"]:
        world.addSkeleton(dart_ground(dartpy, ground))
    nodes, commands = {}, []
    if "robot" in scene:
        world.addSkeleton(dart_robot(dartpy, scene, nodes, commands))
    else:
        for model, bodies in formats.grouped(scene).items():
            skeleton = dartpy.dynamics.Skeleton(model)
            dart_model(dartpy, skeleton, model, bodies, scene, nodes, commands)
            world.addSkeleton(skeleton)

    def step(time):
        for joint, found in commands:
            dart_command(joint, found, time)
        world.step()

    def state(body):
        node = nodes[body]
        pose = node.getTransform()
        turn = pose.quaternion()
        return [*pose.translation(), turn.w(), turn.x(), turn.y(), turn.z(), *node.getCOMLinearVelocity(),
                *node.getAngularVelocity()]

    return motion(name, scene, step, state)


def dart_command(joint, found, time):
    """Drives a joint during the next step."""
    if "speed" in found:
        joint.setCommand(0, found["speed"])
    elif "pulse" in found:
        joint.setForce(0, scenes.effort(found, time))
    else:
        pull = found["kp"] * (scenes.target(found, time) - joint.getPosition(0)) - found["kd"] * joint.getVelocity(0)
        joint.setForce(0, max(-found["effort"], min(found["effort"], pull)))


def dart_ground(dartpy, ground):
    plane = dartpy.dynamics.Skeleton("ground")
    joint, node = plane.createWeldJointAndBodyNodePair(None)
    joint.setTransformFromParentBodyNode(dart_pose(dartpy, [0, 0, 0], formats.quaternion(0, ground["slope"], 0)))
    dart_surface(node.createShapeNode(dartpy.dynamics.PlaneShape([0, 0, 1], 0.0)), ground["friction"], 1.0)
    return plane


def dart_robot(dartpy, scene, nodes, commands):
    """A robot in URDF, by the loader of DART."""
    robot = scene["robot"]
    loader = dartpy.utils.DartLoader()
    options = loader.getOptions()
    kinds = dartpy.utils.DartLoaderRootJointType
    options.mDefaultRootJointType = kinds.FIXED if robot["fixed"] else kinds.FLOATING
    loader.setOptions(options)
    skeleton = loader.parseSkeletonString(urdf.text(robot), dartpy.common.Uri("file:///"))
    skeleton.getJoint(0).setTransformFromParentBodyNode(dart_pose(dartpy, [0, 0, robot["height"]], [1, 0, 0, 0]))
    commanded = {joint["name"]: joint for joint in scene["joints"]}
    for index in range(skeleton.getNumJoints()):
        joint = skeleton.getJoint(index)
        joint.setLimitEnforcement(True)
        if found := commanded.get(joint.getName()):
            dart_drive(dartpy, joint, found)
            commands.append((joint, found))
    for one in scene["bodies"]:
        nodes[f"{one['model']}::{one['name']}"] = skeleton.getBodyNode(one["name"])
    return skeleton


def dart_drive(dartpy, joint, found):
    """Prepares a joint for its commands."""
    # Its own springs are weaker than commanded if contacts act on the robot; position commands are therefore efforts.
    if "speed" in found:
        joint.setActuatorType(dartpy.dynamics.ActuatorType.SERVO)
        joint.setForceLowerLimit(0, -found["effort"])
        joint.setForceUpperLimit(0, found["effort"])


def dart_joint(dartpy, skeleton, found, parent, one, start):
    """A body on a joint with its parent."""
    make = {
        "revolute": skeleton.createRevoluteJointAndBodyNodePair,
        "prismatic": skeleton.createPrismaticJointAndBodyNodePair,
        "ball": skeleton.createBallJointAndBodyNodePair,
        "fixed": skeleton.createWeldJointAndBodyNodePair,
    }[found["type"]]
    joint, node = make(parent)
    level = [1, 0, 0, 0]
    joint.setTransformFromParentBodyNode(
        dart_pose(dartpy, [end - origin for end, origin in zip(found["anchor"], start)], level))
    joint.setTransformFromChildBodyNode(
        dart_pose(dartpy, [end - origin for end, origin in zip(found["anchor"], one["position"])], level))
    if found["type"] in ("revolute", "prismatic"):
        joint.setAxis(found["axis"])
        if "range" in found:
            joint.setPositionLowerLimit(0, found["range"][0])
            joint.setPositionUpperLimit(0, found["range"][1])
            joint.setLimitEnforcement(True)
        if "limit" in found:
            joint.setVelocityLowerLimit(0, -found["limit"])
            joint.setVelocityUpperLimit(0, found["limit"])
            joint.setLimitEnforcement(True)
    return joint, node


def dart_model(dartpy, skeleton, model, bodies, scene, nodes, commands):
    joints = [joint for joint in scene["joints"] if joint["model"] == model]
    by_name = {one["name"]: one for one in bodies}
    parents = {joint["child"]: joint for joint in joints}

    def add(one, parent):
        found = parents.get(one["name"])
        if found is None:
            make = skeleton.createWeldJointAndBodyNodePair if one["fixed"] else skeleton.createFreeJointAndBodyNodePair
            joint, node = make(None)
            joint.setTransformFromParentBodyNode(dart_pose(dartpy, one["position"], formats.quaternion(*one["rpy"])))
        else:
            joint, node = dart_joint(dartpy, skeleton, found, parent, one, by_name[found["parent"]]["position"])
            if any(key in found for key in ("speed", "position", "pulse")):
                dart_drive(dartpy, joint, found)
                commands.append((joint, found))
        node.setInertia(dartpy.dynamics.Inertia(one["mass"], [0, 0, 0], tensor(one)))
        for shape in scenes.shapes(one):
            dart_surface(node.createShapeNode(dart_shape(dartpy, shape)), one["friction"], one["restitution"],
                         dart_pose(dartpy, shape["at"], formats.quaternion(*shape["rpy"])))
        if found is None and not one["fixed"]:
            joint.setVelocities([*one["spin"], *one["velocity"]])
        nodes[f"{model}::{one['name']}"] = node
        for below in joints:
            if below["parent"] == one["name"]:
                add(by_name[below["child"]], node)

    for root in (one for one in bodies if one["name"] not in parents):
        add(root, None)


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
