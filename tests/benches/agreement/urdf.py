"""Robots that other people describe in URDF, without their meshes, which are large: at rest and driven."""

import os
import pathlib
import xml.etree.ElementTree as xml

DATA = "cmeel.prefix/share/example-robot-data/robots/"


# Robots: the name on the page, the file, the height of the root, whether it is fixed, the stiffness and damping of joints by
# the ends of their names, and how they are driven: to a position, or by a speed. Gains suit the inertia that a joint carries,
# so that it does not matter whether an engine applies them explicitly.
ROBOTS = {
    # Its feet stay below its hips.
    "anymal": dict(
        title="ANYmal B, 12 joints", file=DATA + "anymal_b_simple_description/robots/anymal.urdf", height=0.579, fixed=False,
        gains={"HAA": (200, 8), "HFE": (200, 8), "KFE": (200, 2)},
        driven={"F_HFE": 0.4, "F_KFE": -0.725, "H_HFE": -0.4, "H_KFE": 0.725}),
    "ur5": dict(
        title="UR5, 6 joints", file=DATA + "ur_description/urdf/ur5_robot.urdf", height=0.0, fixed=True,
        gains={"pan_joint": (4000, 200), "lift_joint": (4000, 100), "elbow_joint": (800, 20), "wrist_1_joint": (200, 8),
               "wrist_2_joint": (200, 8), "wrist_3_joint": (20, 0.8)},
        driven={"pan_joint": 1.0, "lift_joint": -1.0, "elbow_joint": 1.2, "wrist_1_joint": -0.5, "wrist_2_joint": 0.7,
                "wrist_3_joint": 1.0}),
    "z1": dict(
        title="Z1 with its gripper, 7 joints", file=DATA + "z1_description/urdf/z1.urdf", height=0.0, fixed=True,
        gains={"joint1": (200, 5), "joint2": (300, 5), "joint3": (200, 3), "joint4": (100, 0), "joint5": (100, 0),
               "joint6": (50, 0), "Gripper": (30, 0)},
        driven={"joint1": 0.8, "joint2": 1.0, "joint3": -0.8, "joint4": 0.5, "joint5": 0.5, "joint6": 1.0, "Gripper": -1.0}),
    "tiago": dict(
        title="TIAGo without its hand, 12 joints", file=DATA + "tiago_description/robots/tiago_no_hand.urdf", height=0.0,
        fixed=False,
        gains={"torso_lift_joint": (20000, 0), "arm_1_joint": (1000, 20), "arm_2_joint": (1000, 10), "arm_3_joint": (1000, 0),
               "arm_4_joint": (1000, 2), "arm_5_joint": (100, 0), "arm_6_joint": (100, 0), "arm_7_joint": (100, 0),
               "head_1_joint": (50, 0.5), "head_2_joint": (50, 0.5)},
        driven={"torso_lift_joint": 0.2, "arm_1_joint": 0.8, "arm_2_joint": -0.5, "arm_4_joint": 1.0, "arm_5_joint": 0.5,
                "head_1_joint": 0.5},
        # Its casters are balls that brake it, by how much depends on which of its six wheels carries most.
        speeds={"wheel_left_joint": 0.0, "wheel_right_joint": 0.0}),
    "legs": dict(
        title="legs of Alexander, 13 joints",
        file=DATA + "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf", height=1.2, fixed=True,
        gains={"HIP_X": (2000, 60), "HIP_Z": (300, 6), "HIP_Y": (2000, 40), "KNEE_Y": (500, 8), "ANKLE_Y": (50, 0.5),
               "ANKLE_X": (30, 0.2), "SPINE_Z": (30, 1)},
        driven={"LEFT_HIP_Y": -1.0, "LEFT_KNEE_Y": 1.5, "RIGHT_HIP_Y": 0.5, "LEFT_HIP_X": 0.3, "RIGHT_KNEE_Y": 0.5,
                "ANKLE_Y": 0.3, "SPINE_Z": 0.4}),
    "r2d2": dict(
        title="R2-D2, 8 joints", file="pybullet_data/r2d2.urdf", height=0.471, fixed=False,
        gains={"gripper_extension": (500, 20), "gripper_joint": (500, 30), "head_swivel": (500, 50)},
        driven={"gripper_extension": -0.2, "gripper_joint": 0.4, "head_swivel": -0.3},
        speeds={"left_front_wheel_joint": 4.0, "left_back_wheel_joint": 4.0, "right_front_wheel_joint": 4.0,
                "right_back_wheel_joint": 4.0},
        # With more, the wheels lift the robot, each of which has 1 kg m².
        effort=5.0),
}
# Seconds over which a driven joint goes to its position.
RAMP = 1.0


def by_end(table, joint):
    """The entry of the first name that the joint ends with."""
    return next((entry for end, entry in table.items() if joint.endswith(end)), None)


def command(robot, joint, driven):
    """The command of a joint, at rest or driven, within the effort that the file allows."""
    name, limit = joint.get("name"), joint.find("limit")
    effort = float(limit.get("effort")) if limit is not None else 1e4
    speed = by_end(robot.get("speeds", {}), name)
    if speed is not None:
        return dict(speed=speed if driven else 0.0, effort=min(effort, robot.get("effort", effort)))
    stiffness, damping = by_end(robot["gains"], name)
    position = (by_end(robot["driven"], name) or 0.0) if driven else 0.0
    return dict(position=position, ramp=RAMP, kp=stiffness, kd=damping, effort=effort)


def folder():
    found = os.environ.get("BRIDGEHEAD_ROBOTS")
    return pathlib.Path(found) if found else None


def tree(robot):
    """The robot without its meshes and pictures; followers are joints of their own. Joints have no friction of their own: that
    of damped joints with little inertia is several times as large in DART as in the file."""
    root = xml.parse(folder() / robot["file"]).getroot()
    for link in root.findall("link"):
        for visual in link.findall("visual"):
            link.remove(visual)
        for collision in link.findall("collision"):
            shape = collision.find("geometry")
            if shape is None or len(shape) == 0 or shape.find("mesh") is not None:
                link.remove(collision)
    for joint in root.findall("joint"):
        for follower in joint.findall("mimic"):
            joint.remove(follower)
        for dynamics in joint.findall("dynamics"):
            dynamics.set("friction", "0")
    # Elements for other programs.
    for other in ("gazebo", "transmission", "material", "group_state"):
        for element in root.findall(other):
            root.remove(element)
    return root


def text(robot):
    """The robot as all engines read it."""
    return xml.tostring(tree(robot), encoding="unicode")


def world(scene, path):
    """Writes the robot, and returns a world with it."""
    robot = scene["robot"]
    path.write_text(text(robot))
    fixed = ""
    if robot["fixed"] and robot["root"] != "world":
        fixed = f"<joint name='fix' type='fixed'><parent>world</parent><child>robot::{robot['root']}</child></joint>"
    ground = "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>"
    return ("<sdf version='1.10'><world name='w'><physics name='p' type='ignored'><max_step_size>0.001</max_step_size></physics>"
            f"<gravity>0 0 -9.8</gravity>{'' if robot['fixed'] else ground}"
            f"<include><uri>{path}</uri><name>robot</name><pose>0 0 {robot['height']} 0 0 0</pose></include>{fixed}</world></sdf>\n")


def base(root, link):
    """The link, or the first one that a fixed joint holds to it if it has no mass."""
    found = next(one for one in root.findall("link") if one.get("name") == link)
    mass = found.find("inertial/mass")
    if mass is not None and float(mass.get("value")) > 0.0:
        return link
    held = (joint for joint in root.findall("joint") if joint.find("parent").get("link") == link)
    return base(root, next(joint.find("child").get("link") for joint in held))


def scenes():
    """The scenes by name; none without the robots."""
    for name, about in ROBOTS.items():
        if folder() is None or not (folder() / about["file"]).exists():
            continue
        robot = {key: about[key] for key in ("title", "file", "height", "fixed")}
        root = tree(robot)
        moving = [joint for joint in root.findall("joint") if joint.get("type") != "fixed"]
        children = {joint.find("child").get("link") for joint in root.findall("joint")}
        robot["root"] = next(link.get("name") for link in root.findall("link") if link.get("name") not in children)
        # Links on fixed joints are one with their parents in some engines.
        links = [joint.find("child").get("link") for joint in moving] + ([] if robot["fixed"] else [base(root, robot["root"])])
        still = dict(velocity=[0.0] * 3, spin=[0.0] * 3)
        bodies = [dict(name=link, model="robot", **still) for link in links]
        for mode in ("rest", "driven"):
            joints = [dict(name=joint.get("name"), model="robot", **command(about, joint, mode == "driven"))
                      for joint in moving]
            ground = None if robot["fixed"] else dict(friction=1.0, slope=0.0)
            yield f"urdf_{name}_{mode}", dict(robot=robot, bodies=bodies, joints=joints, ground=ground,
                                              gravity=[0.0, 0.0, -9.8], seconds=3.0)
