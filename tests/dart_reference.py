"""Writes how far DART 6.20.0 drives models: `dart_reference.py HOST WORLDS` prints `tests/it/models/dart.txt`.

HOST is the program, whose `world print --json` gives the bodies, and WORLDS the folder of the worlds. The wheels turn as
the kinematics of the drive say, with the ramps of its limits, on a floor with friction 1. A line: the model, the command
(m/s, rad/s), its time in seconds, and where the base is at the end: x and y in metres, and its turn in radians. Bullet
finds the contacts: in DART's own collisions a wheel has none, and in ODE's a cylinder turns too far.
"""

import json
import math
import subprocess
import sys

import dartpy as dart
import numpy

# Model, driven wheels at the left and at the right, radius and separation in metres, limits of acceleration in m/s² and
# rad/s², and commands with their seconds.
DRIVES = [
    ("turtlebot3_like", ["wheel_left_joint"], ["wheel_right_joint"], 0.033, 0.160, (1.0, 12.5),
     [((0.2, 0.0), 6.0), ((0.0, 1.0), 3.0), ((0.2, 0.5), 5.0)]),
    ("create3_like", ["left_wheel_joint"], ["right_wheel_joint"], 0.03575, 0.233, (0.9, 7.725),
     [((0.2, 0.0), 6.0), ((0.0, 1.0), 3.0), ((0.2, 0.5), 5.0)]),
    ("husky_like", ["front_left_wheel_joint", "rear_left_wheel_joint"],
     ["front_right_wheel_joint", "rear_right_wheel_joint"], 0.1651, 0.555, (1.0, 1.0),
     [((0.5, 0.0), 7.0)]),
    ("racecar_like", ["rear_left_wheel_joint"], ["rear_right_wheel_joint"], 0.05, 0.26, (4.0, 100.0),
     [((1.0, 0.0), 4.0), ((1.0, 0.9), 4.0)]),
]  # fmt: skip
# Steered joints at the left and at the right, the distance of the axles and that of the steered joints in metres.
STEERING = {"racecar_like": ("left_steering_joint", "right_steering_joint", 0.3302, 0.21)}
STEP = 0.001
REST = 1.0


def matrix(pose):
    """The transform of a position and a quaternion (w x y z)."""
    x, y, z, qw, qx, qy, qz = pose
    rotation = [
        [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qz * qw), 2 * (qx * qz + qy * qw)],
        [2 * (qx * qy + qz * qw), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qx * qw)],
        [2 * (qx * qz - qy * qw), 2 * (qy * qz + qx * qw), 1 - 2 * (qx * qx + qy * qy)],
    ]
    made = numpy.eye(4)
    made[:3, :3] = rotation
    made[:3, 3] = x, y, z
    return made


def isometry(transform):
    made = dart.math.Isometry3()
    made.set_rotation(transform[:3, :3])
    made.set_translation(transform[:3, 3])
    return made


def add_shape(body, shape, transform, friction):
    node = body.createShapeNode(shape)
    node.createVisualAspect()
    node.createCollisionAspect()
    node.createDynamicsAspect().setFrictionCoeff(friction)
    node.setRelativeTransform(isometry(transform))


def shape_of(geometry):
    kind = geometry["type"]
    if kind == "box":
        return dart.dynamics.BoxShape(geometry["size"])
    if kind == "sphere":
        return dart.dynamics.SphereShape(geometry["radius"])
    if kind == "cylinder":
        return dart.dynamics.CylinderShape(geometry["radius"], geometry["length"])
    raise ValueError(f"no such shape here: {kind}")


class Robot:
    """A model in DART."""

    def __init__(self, model):
        self.skeleton = dart.dynamics.Skeleton(model["name"])
        self.links = {link["name"]: link for link in model["links"]}
        self.joints = model["joints"]
        root = model["canonical_link"]
        joint, body = self.skeleton.createFreeJointAndBodyNodePair()
        self.fill(root, body)
        place = isometry(matrix(self.links[root]["pose_world"]))
        joint.setPositions(dart.dynamics.FreeJoint.convertToPositions(place))
        self.base = body

    def fill(self, name, body):
        link = self.links[name]
        here = numpy.linalg.inv(matrix(link["pose_world"]))
        inertial = matrix(link["inertial_pose"])
        xx, yy, zz, xy, xz, yz = link["inertia"]
        moments = numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        turned = inertial[:3, :3] @ moments @ inertial[:3, :3].T
        body.setInertia(dart.dynamics.Inertia(link["mass"], inertial[:3, 3], turned))
        for collision in link["collisions"]:
            friction = collision.get("ode", [1.0])[0]
            place = here @ matrix(collision["pose_world"])
            add_shape(body, shape_of(collision["geometry"]), place, friction)
        for joint in self.joints:
            if joint["parent"] == name:
                self.connect(joint, body, here)

    def connect(self, joint, parent, here):
        place = matrix(joint["pose_world"])
        if joint["type"] == "fixed":
            made, body = self.skeleton.createWeldJointAndBodyNodePair(parent)
        else:
            is_hinge = joint["type"] in ("continuous", "revolute")
            create = (
                "createRevoluteJointAndBodyNodePair" if is_hinge else "createPrismaticJointAndBodyNodePair"
            )
            made, body = getattr(self.skeleton, create)(parent)
            axis = joint["axes"][0]
            made.setAxis(numpy.linalg.inv(place)[:3, :3] @ numpy.array(axis["xyz_world"]))
            made.setDampingCoefficient(0, axis["damping"])
            made.setRestPosition(0, axis["spring"][0])
            made.setSpringStiffness(0, axis["spring"][1])
            if axis["lower"] != "-inf":
                made.setPositionLowerLimit(0, axis["lower"])
                made.setPositionUpperLimit(0, axis["upper"])
                made.setLimitEnforcement(True)
        made.setName(joint["name"])
        made.setTransformFromParentBodyNode(isometry(here @ place))
        child = matrix(self.links[joint["child"]]["pose_world"])
        made.setTransformFromChildBodyNode(isometry(numpy.linalg.inv(child) @ place))
        self.fill(joint["child"], body)

    def pose(self):
        transform = self.base.getTransform()
        rotation, (x, y, _) = transform.rotation(), transform.translation()
        return x, y, math.atan2(rotation[1, 0], rotation[0, 0])


def world_with(robot):
    world = dart.simulation.World()
    world.setTimeStep(STEP)
    world.setGravity([0, 0, -9.8])
    world.getConstraintSolver().setCollisionDetector(dart.collision.BulletCollisionDetector())
    floor = dart.dynamics.Skeleton("floor")
    _, body = floor.createWeldJointAndBodyNodePair()
    place = numpy.eye(4)
    place[2, 3] = -0.5
    add_shape(body, dart.dynamics.BoxShape([60, 60, 1]), place, 1.0)
    world.addSkeleton(floor)
    world.addSkeleton(robot.skeleton)
    return world


def steer(robot, name, command):
    """Turns the steered joints of a car for a command, and holds them there."""
    left, right, wheelbase, width = STEERING[name]
    for joint, side in ((left, -1), (right, 1)):
        steered = robot.skeleton.getJoint(joint)
        steered.setActuatorType(dart.dynamics.ActuatorType.VELOCITY)
        steered.setCommand(0, 0.0)
        curvature = command[1] / command[0]
        steered.setPosition(0, math.atan(wheelbase * curvature / (1 + side * width / 2 * curvature)))


def ramp(value, limit, time):
    return math.copysign(min(abs(value), limit * time), value)


def drive(model, left, right, radius, separation, limits, command, seconds):
    """Returns x, y and turn after a command, from where the model rests."""
    robot = Robot(model)
    world = world_with(robot)
    is_car = model["name"] in STEERING
    if is_car:
        steer(robot, model["name"], command)
    joints = {name: robot.skeleton.getJoint(name) for name in left + right}
    for joint in joints.values():
        joint.setActuatorType(dart.dynamics.ActuatorType.VELOCITY)
    turn, begin, before = 0.0, None, 0.0
    rest = round(REST / STEP)
    for step in range(rest + round(seconds / STEP)):
        if step == rest:
            begin = robot.pose()
            before = begin[2]
        time = max(0, step - rest + 1) * STEP
        linear = ramp(command[0], limits[0], time)
        # A car on its circle turns as fast as it drives.
        angular = linear * command[1] / command[0] if is_car else ramp(command[1], limits[1], time)
        for side, names in ((-1, left), (1, right)):
            for name in names:
                joints[name].setCommand(0, (linear + side * angular * separation / 2) / radius)
        world.step()
        if begin:
            yaw = robot.pose()[2]
            turn += math.remainder(yaw - before, 2 * math.pi)
            before = yaw
    x, y, _ = robot.pose()
    x, y = x - begin[0], y - begin[1]
    cosine, sine = math.cos(begin[2]), math.sin(begin[2])
    return cosine * x + sine * y, cosine * y - sine * x, turn


def main():
    host, worlds = sys.argv[1:]
    print("# Made by tests/dart_reference.py with DART 6.20.0.")
    for name, left, right, radius, separation, limits, commands in DRIVES:
        file = f"{worlds}/models/{name}/model.sdf"
        text = subprocess.run(
            [host, "world", "print", "--json", file], check=True, capture_output=True
        ).stdout
        model = json.loads(text)["model"]
        for command, seconds in commands:
            end = drive(model, left, right, radius, separation, limits, command, seconds)
            print(name, *command, seconds, *(f"{value + 0.0:.4f}" for value in end), flush=True)


main()
