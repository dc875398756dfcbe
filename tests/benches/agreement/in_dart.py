"""Runs scenes in DART."""

import formats
from motion import STEP, motion, turned


def dart_motion(name, scene):
    import dartpy

    world = dartpy.simulation.World(name)
    world.setTimeStep(STEP)
    world.setGravity(scene["gravity"])
    world.getConstraintSolver().setCollisionDetector(dartpy.collision.OdeCollisionDetector())
    if ground := scene["ground"]:
        plane = dartpy.dynamics.Skeleton("ground")
        joint, node = plane.createWeldJointAndBodyNodePair(None)
        joint.setTransformFromParentBodyNode(dart_pose(dartpy, [0, 0, 0], formats.quaternion(0, ground["slope"], 0)))
        normal = dartpy.dynamics.PlaneShape([0, 0, 1], 0.0)
        dart_surface(node.createShapeNode(normal), ground["friction"], 1.0)
        world.addSkeleton(plane)
    nodes, commands = {}, []
    for model, bodies in formats.grouped(scene).items():
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
            joint.setTransformFromParentBodyNode(dart_pose(dartpy, one["position"], formats.quaternion(*one["rpy"])))
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
                         dart_pose(dartpy, [0, 0, 0], formats.quaternion(*one["shape_rpy"])))
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
