"""Scenes written as SDF and as MJCF."""

import itertools
import math

from scenes import shapes


def quaternion(roll, pitch, yaw):
    """The rotation by fixed axes, as in SDF."""
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(angle / 2), math.cos(angle / 2)) for angle in (roll, pitch, yaw))
    return [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy]


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def grouped(scene):
    """The bodies by model."""
    models = {}
    for one in scene["bodies"]:
        models.setdefault(one["model"], []).append(one)
    return models


# SDF

SDF_SIZES = {
    "box": "<box><size>{}</size></box>",
    "sphere": "<sphere><radius>{}</radius></sphere>",
    "cylinder": "<cylinder><radius>{}</radius><length>{}</length></cylinder>",
    "capsule": "<capsule><radius>{}</radius><length>{}</length></capsule>",
    "ellipsoid": "<ellipsoid><radii>{}</radii></ellipsoid>",
}


def sdf_shape(one):
    size = [numbers(one["size"])] if one["shape"] in ("box", "ellipsoid") else one["size"]
    return SDF_SIZES[one["shape"]].format(*size)


def sdf_surface(friction, restitution=0.0):
    # The default threshold of SDF is so high that nothing bounces.
    bounce = f"<bounce><restitution_coefficient>{restitution}</restitution_coefficient><threshold>0</threshold></bounce>"
    return f"<surface>{bounce}<friction><ode><mu>{friction}</mu><mu2>{friction}</mu2></ode></friction></surface>"


def sdf_link(one):
    at = numbers(one["position"] + one["rpy"])
    turn = numbers([0, 0, 0] + one["shape_rpy"])
    ixx, iyy, izz = one["moments"]
    inertia = f"<ixx>{ixx!r}</ixx><iyy>{iyy!r}</iyy><izz>{izz!r}</izz>"
    text = f"<link name='{one['name']}'><pose>{at}</pose><inertial><pose>{turn}</pose><mass>{one['mass']}</mass>"
    text += f"<inertia>{inertia}</inertia></inertial>"
    surface = sdf_surface(one["friction"], one["restitution"])
    for index, shape in enumerate(shapes(one)):
        place = numbers(shape["at"] + shape["rpy"])
        name = f"c{index or ''}"
        text += f"<collision name='{name}'><pose>{place}</pose><geometry>{sdf_shape(shape)}</geometry>{surface}</collision>"
    return text + "</link>"


def sdf_joint(joint, child):
    place = [anchor - position for anchor, position in zip(joint["anchor"], child["position"])]
    limits = "<lower>{}</lower><upper>{}</upper>".format(*joint["range"]) if "range" in joint else ""
    limits += f"<effort>{joint['effort']}</effort>" if "effort" in joint else ""
    limits += f"<velocity>{joint['limit']}</velocity>" if "limit" in joint else ""
    has_axis = joint["type"] in ("revolute", "prismatic")
    axis = f"<axis><xyz>{numbers(joint['axis'])}</xyz><limit>{limits}</limit></axis>" if has_axis else ""
    return (f"<joint name='{joint['name']}' type='{joint['type']}'><pose>{numbers(place)} 0 0 0</pose>"
            f"<parent>{joint['parent']}</parent><child>{joint['child']}</child>{axis}</joint>")


def sdf_ground(ground):
    if ground is None:
        return ""
    text = f"<model name='ground'><static>true</static><pose>0 0 0 0 {ground['slope']!r} 0</pose><link name='l'>"
    return text + f"<collision name='c'><geometry><plane/></geometry>{sdf_surface(ground['friction'], 1.0)}</collision></link></model>"


def sdf(scene):
    """The scene as SDF."""
    text = "<sdf version='1.9'><world name='w'><physics name='p' type='ignored'><max_step_size>0.001</max_step_size></physics>"
    text += f"<gravity>{numbers(scene['gravity'])}</gravity>" + sdf_ground(scene["ground"])
    for name, bodies in grouped(scene).items():
        by_name = {one["name"]: one for one in bodies}
        text += f"<model name='{name}'>" + "".join(map(sdf_link, bodies))
        if scene.get("awake"):
            text += "<allow_auto_disable>false</allow_auto_disable>"
        for one in bodies:
            if one["fixed"]:
                text += f"<joint name='fix_{one['name']}' type='fixed'><parent>world</parent><child>{one['name']}</child></joint>"
        joints = [joint for joint in scene["joints"] if joint["model"] == name]
        text += "".join(sdf_joint(joint, by_name[joint["child"]]) for joint in joints) + "</model>"
    return text + "</world></sdf>\n"


# MJCF


def mjcf_size(one):
    size = one["size"]
    if one["shape"] == "box":
        return [half / 2 for half in size]
    return [size[0], size[1] / 2] if one["shape"] in ("cylinder", "capsule") else size


MJCF_JOINTS = {"revolute": "hinge", "prismatic": "slide", "ball": "ball"}


def mjcf_joint(model, joint, child):
    anchor = numbers(end - start for end, start in zip(joint["anchor"], child["position"]))
    axis = f"axis='{numbers(joint['axis'])}'" if joint["type"] != "ball" else ""
    limits = f"limited='true' range='{numbers(joint['range'])}'" if "range" in joint else ""
    return (f"<joint name='{model}/{joint['name']}' type='{MJCF_JOINTS[joint['type']]}' pos='{anchor}' {axis} {limits} "
            f"damping='{joint.get('kd', 0)}'/>")


def mjcf_body(model, bodies, joints, one, parent, joint):
    """A body with all that hang on it."""
    origin = parent["position"] if parent else [0, 0, 0]
    place = numbers(position - start for position, start in zip(one["position"], origin))
    text = f"<body name='{model}/{one['name']}' pos='{place}' quat='{numbers(quaternion(*one['rpy']))}'>"
    if parent is None and not one["fixed"]:
        text += "<freejoint/>"
    if joint and joint["type"] != "fixed":
        text += mjcf_joint(model, joint, one)
    turn = numbers(quaternion(*one["shape_rpy"]))
    text += f"<inertial pos='0 0 0' quat='{turn}' mass='{one['mass']}' diaginertia='{numbers(one['moments'])}'/>"
    for shape in shapes(one):
        turn = numbers(quaternion(*shape["rpy"]))
        text += (f"<geom type='{shape['shape']}' size='{numbers(mjcf_size(shape))}' pos='{numbers(shape['at'])}' quat='{turn}' "
                 f"priority='1' friction='{one['friction']} 0.005 0.0001'/>")
    for below in joints:
        if below["parent"] == one["name"]:
            text += mjcf_body(model, bodies, joints, bodies[below["child"]], one, below)
    return text + "</body>"


def mjcf_actuator(joint):
    name = f"{joint['model']}/{joint['name']}"
    limit = joint.get("effort")
    within = f"forcerange='-{limit} {limit}'"
    if "speed" in joint:
        return f"<velocity joint='{name}' kv='{joint['kv']}' {within}/>"
    if "position" in joint:
        return f"<position joint='{name}' kp='{joint['kp']}' {within}/>"
    return ""


def mjcf_excluded(scene):
    """Links of a model touch others only."""
    for name, bodies in grouped(scene).items():
        touching = [one["name"] for one in bodies if shapes(one)]
        if any(joint["model"] == name for joint in scene["joints"]):
            for one, other in itertools.combinations(touching, 2):
                yield f"<exclude body1='{name}/{one}' body2='{name}/{other}'/>"


def mjcf(scene):
    """The scene as MJCF, with the defaults of MuJoCo."""
    sleep = "<flag sleep='enable'/>" if scene.get("asleep") else ""
    text = "<mujoco><compiler angle='radian'/><size memory='2G'/>"
    cone = "cone='elliptic' impratio='10'" if scene.get("firm") else ""
    text += f"<option timestep='0.001' gravity='{numbers(scene['gravity'])}' {cone}>{sleep}</option><worldbody>"
    if ground := scene["ground"]:
        turn = numbers(quaternion(0, ground["slope"], 0))
        text += f"<geom type='plane' size='100 100 .1' quat='{turn}' friction='{ground['friction']} 0.005 0.0001'/>"
    for name, bodies in grouped(scene).items():
        joints = [joint for joint in scene["joints"] if joint["model"] == name]
        by_name, children = {one["name"]: one for one in bodies}, {joint["child"] for joint in joints}
        for one in bodies:
            if one["name"] not in children:
                text += mjcf_body(name, by_name, joints, one, None, None)
    text += "</worldbody><contact>" + "".join(mjcf_excluded(scene)) + "</contact>"
    return text + "<actuator>" + "".join(map(mjcf_actuator, scene["joints"])) + "</actuator></mujoco>\n"
