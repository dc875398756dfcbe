"""Draws scenes with other renderers.

    cameras.py draw SCENES FOLDER                    draws each scene of a JSON file with MuJoCo, and writes N.classes
                                                     (a byte for each pixel) and N.depths (32-bit floats, metres)
    cameras.py time ENGINE FILE WHAT SAMPLES IMAGES  prints the processor time of an image of the boxes of a JSON file,
                                                     and figures about it, as JSON; WHAT is `color` or `all`

Processor time is that of all threads.
"""

import json
import math
import os
import pathlib
import sys
import time

import numpy

# Images that are not timed: drivers compile what they need.
WARM_UP = 3


def vector(numbers):
    return " ".join(map(str, numbers))


def camera(size, field_of_view, pose):
    """The camera looks along x with y to the left and z up; `field_of_view` is horizontal."""
    width, height = size
    x, y, z, roll, pitch, yaw = pose
    assert roll == 0 and yaw == 0
    up = [math.sin(pitch), 0, math.cos(pitch)]
    vertical = 2 * math.atan(math.tan(field_of_view / 2) * height / width)
    axes = vector([0, -1, 0, *up])
    return f'<camera name="camera" pos="{x} {y} {z}" xyaxes="{axes}" fovy="{math.degrees(vertical)}"/>'


def geom(thing):
    name, sizes, pose = thing["shape"], list(thing["sizes"]), thing["pose"]
    if name == "box":
        sizes = [size / 2 for size in sizes]
    elif name != "sphere":
        sizes[1] /= 2
    return f'<geom type="{name}" size="{vector(sizes)}" pos="{vector(pose[:3])}" euler="{vector(pose[3:])}"/>'


def draw(scenes, folder):
    import mujoco

    for number, scene in enumerate(scenes):
        near, far = scene["clip"]
        width, height = scene["size"]
        # Curved shapes are made of so many faces that their edges do not matter. Lengths of `map` are multiples of `extent`.
        model = mujoco.MjModel.from_xml_string(f"""<mujoco>
            <compiler angle="radian" eulerseq="XYZ"/>
            <statistic extent="1"/>
            <visual><map znear="{near}" zfar="{far}"/>
            <quality offsamples="0" numslices="400" numstacks="200"/></visual>
            <worldbody><geom type="plane" size="100 100 1"/>{"".join(map(geom, scene["things"]))}
            {camera(scene["size"], scene["field_of_view"], scene["camera"])}</worldbody></mujoco>""")
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        with mujoco.Renderer(model, height, width) as renderer:
            renderer.enable_depth_rendering()
            renderer.update_scene(data, "camera")
            depths = renderer.render().astype("float32")
            renderer.disable_depth_rendering()
            renderer.enable_segmentation_rendering()
            renderer.update_scene(data, "camera")
            numbers = renderer.render()[:, :, 0]
        # The plane is the first shape and has no class; what shows nothing is -1.
        classes = numpy.maximum(numbers, 0).astype("uint8")
        depths[numbers < 0] = math.inf
        pathlib.Path(folder, f"{number}.classes").write_bytes(classes.tobytes())
        pathlib.Path(folder, f"{number}.depths").write_bytes(depths.tobytes())


class MuJoCo:
    """One directional light with a shadow. The shadow map covers the boxes, and has as many pixels as that of Bridgehead."""

    def __init__(self, scene, samples):
        import mujoco

        near, far = scene["clip"]
        width, height = scene["size"]
        reach = scene["shadow_reach"]
        boxes = "".join(
            f'<geom type="box" size="{vector(3 * [size / 2])}" pos="{vector(place)}" rgba="{vector(color)} 1"/>'
            for place, size, color in scene["boxes"])
        # The middle of the map is where the light shines to.
        x, y, z = [at - part * scene["light_distance"] for at, part in zip(scene["middle"], scene["light"])]
        self.model = mujoco.MjModel.from_xml_string(f"""<mujoco>
            <statistic extent="{reach}"/>
            <visual><map znear="{near / reach}" zfar="{far / reach}" shadowclip="1"/>
            <quality offsamples="{samples if samples > 1 else 0}" shadowsize="{scene["shadow_size"]}"/>
            <headlight active="0"/></visual>
            <worldbody>
            <light directional="true" pos="{x} {y} {z}" dir="{vector(scene["light"])}" castshadow="true"
                ambient="0 0 0" diffuse="1 1 1" specular="0 0 0"/>
            <geom type="plane" size="50 50 .1" rgba=".7 .7 .7 1"/>{boxes}
            {camera(scene["size"], scene["field_of_view"], scene["camera"])}</worldbody></mujoco>""")
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        count = len(scene["boxes"]) + 10
        self.color, self.depth, self.mask = [
            mujoco.Renderer(self.model, height, width, max_geom=count) for _ in range(3)]
        self.depth.enable_depth_rendering()
        self.mask.enable_segmentation_rendering()

    @staticmethod
    def one(renderer, data):
        renderer.update_scene(data, "camera")
        return renderer.render()

    def draw(self, is_all):
        color = self.one(self.color, self.data)
        if not is_all:
            return color, None, None
        return color, self.one(self.depth, self.data), self.one(self.mask, self.data)[:, :, 0]


class PyBullet:
    """Its software renderer makes all images at once."""

    def __init__(self, scene, samples):
        import pybullet

        assert samples == 1
        self.engine = pybullet
        pybullet.connect(pybullet.DIRECT)
        self.add([50, 50, 0.05], [0, 0, -0.05], 3 * [0.7])
        for place, size, color in scene["boxes"]:
            self.add(3 * [size / 2], place, color)
        x, y, z, _, pitch, _ = scene["camera"]
        target = [x + math.cos(pitch), y, z - math.sin(pitch)]
        self.near, self.far = scene["clip"]
        self.size = scene["size"]
        width, height = self.size
        vertical = 2 * math.atan(math.tan(scene["field_of_view"] / 2) * height / width)
        self.view = pybullet.computeViewMatrix([x, y, z], target, [0, 0, 1])
        self.projection = pybullet.computeProjectionMatrixFOV(
            math.degrees(vertical), width / height, self.near, self.far)
        self.light = [-part for part in scene["light"]]
        self.distance = scene["light_distance"]

    def add(self, half, place, color):
        engine = self.engine
        shape = engine.createVisualShape(engine.GEOM_BOX, halfExtents=half, rgbaColor=[*color, 1])
        engine.createMultiBody(0, -1, shape, place)

    def draw(self, is_all):
        width, height = self.size
        engine = self.engine
        _, _, color, depth, mask = engine.getCameraImage(
            width, height, self.view, self.projection, lightDirection=self.light, lightDistance=self.distance,
            shadow=1, lightAmbientCoeff=0, lightDiffuseCoeff=1, lightSpecularCoeff=0, renderer=engine.ER_TINY_RENDERER,
            flags=0 if is_all else engine.ER_NO_SEGMENTATION_MASK)
        color = numpy.reshape(color, (height, width, 4))[:, :, :3]
        if not is_all:
            return color, None, None
        depth = numpy.reshape(depth, (height, width))
        depth = self.far * self.near / (self.far - (self.far - self.near) * depth)
        return color, depth, numpy.reshape(mask, (height, width))


def figures(images, far):
    """What is compared between the renderers: the mean depth of what is near, and how many boxes are seen."""
    _, depth, mask = images
    if depth is None:
        return {}
    seen = depth < far * 0.99
    return {"depth": float(depth[seen].mean()), "boxes": len(numpy.unique(mask[seen])) - 1}


def lit(color):
    """The share of pixels that light reaches; there is no ambient light."""
    return float((numpy.asarray(color).max(axis=2) > 16).mean())


def measure(engine, scene, what, samples, count):
    renderer = {"mujoco": MuJoCo, "pybullet": PyBullet}[engine](scene, samples)
    is_all = what == "all"
    for _ in range(WARM_UP):
        images = renderer.draw(is_all)
    begin = time.process_time()
    for _ in range(count):
        renderer.draw(is_all)
    seconds = (time.process_time() - begin) / count
    found = figures(images, scene["clip"][1])
    return {"seconds": seconds, "lit": lit(images[0]), **found}


def main():
    # Without a display server.
    os.environ["MUJOCO_GL"] = "egl"
    match sys.argv[1:]:
        case ["draw", scenes, folder]:
            draw(json.loads(pathlib.Path(scenes).read_text()), folder)
        case ["time", engine, path, what, samples, count]:
            scene = json.loads(pathlib.Path(path).read_text())
            print(json.dumps(measure(engine, scene, what, int(samples), int(count))))
        case _:
            sys.exit(__doc__)


main()
