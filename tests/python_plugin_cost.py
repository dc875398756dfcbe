#!/usr/bin/env python3
"""Measures the processor time of plugins in Python: `python3 tests/python_plugin_cost.py [PROGRAM]`.

Each plugin writes the processor time of its process when the run stops. The times are divided by simulated time, so the
run is as fast as possible. Without PROGRAM, it is `target/debug/bridgehead`, whose profile is optimised.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DURATION_S = 60
HEAD = "# /// bridgehead\n# kind = \"model\"\n# ///\nimport time\n"
STOP = """
    def start(self) -> None:
        self.begin = time.process_time()

    def stop(self) -> None:
        print("processor time:", time.process_time() - self.begin)
"""

FILTER = HEAD + """import dataclasses
import numpy
from bridgehead.messages.sensor_msgs import PointCloud2
from bridgehead.plugin import ModelPlugin, Step

class Filter(ModelPlugin):
    def awake(self) -> None:
        self.clouds = self.subscribe(PointCloud2, "scan/points")
        self.filtered = self.advertise(PointCloud2, "filtered")
        self.count = 0
""" + STOP + """        print("messages:", self.count)

    def sample_period_ns(self) -> int:
        return 100_000_000

    def sample(self, step: Step) -> None:
        cloud = self.clouds.latest()
        if cloud is not None:
            self.count += 1
            points = numpy.frombuffer(cloud.data, "f4").reshape(-1, cloud.point_step // 4)
            near = points[(points[:, :3] ** 2).sum(axis=1) < 25.0]
            data = near.tobytes()
            self.filtered.publish(
                dataclasses.replace(cloud, height=1, width=len(near), row_step=len(data), data=data)
            )
"""

CONTROLLER = HEAD + """from bridgehead.plugin import Controller, Step

class Control(Controller):
    def awake(self) -> None:
        self.count = 0
""" + STOP + """        print("messages:", self.count)

    def control(self, step: Step) -> None:
        self.count += 1
"""

LIDAR = """<sensor name="lidar" type="gpu_lidar"><topic>scan</topic><update_rate>10</update_rate><lidar><scan>
<horizontal><samples>1024</samples><min_angle>-3.1</min_angle><max_angle>3.1</max_angle></horizontal>
<vertical><samples>16</samples><min_angle>-0.2</min_angle><max_angle>0.2</max_angle></vertical></scan>
<range><min>0.1</min><max>50</max></range></lidar></sensor>"""

WORLD = """<sdf version="1.9"><world name="cost"><gravity>0 0 0</gravity>
<model name="car1"><static>true</static><pose>0 0 1 0 0 0</pose><link name="mast">{sensor}</link>
<plugin name="p" filename="cost"/></model>
<model name="wall"><static>true</static><pose>6 0 0 0 0 0</pose><link name="l"><collision name="c"><geometry><box>
<size>1 20 9</size></box></geometry></collision></link></model>
<model name="near"><static>true</static><pose>-3 0 0 0 0 0</pose><link name="l"><collision name="c"><geometry><box>
<size>1 20 9</size></box></geometry></collision></link></model></world></sdf>"""


def measured(program: Path, script: str, sensor: str) -> tuple[float, int]:
    """Returns the processor time of the plugin and its messages or calls."""
    with tempfile.TemporaryDirectory() as folder:
        plugins = Path(folder) / "plugins"
        plugins.mkdir()
        (plugins / "cost.py").write_text(script)
        world = Path(folder) / "world.sdf"
        world.write_text(WORLD.format(sensor=sensor))
        command = [program, "run", world, "--plugin-path", plugins, "--http", "off", "--speed", "unlimited"]
        command += ["--duration", f"{DURATION_S}s", "--output", folder]
        ran = subprocess.run(command, capture_output=True, text=True, env={"BRIDGEHEAD_PYTHON": sys.executable, **os.environ})
        text = ran.stdout + ran.stderr
        time, count = re.search(r"processor time: ([0-9.e-]+)", text), re.search(r"messages: (\d+)", text)
        if not time or not count:
            raise SystemExit(text)
        return float(time[1]), int(count[1])


def main() -> None:
    """Prints a table."""
    program = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "target/debug/bridgehead"
    print("| plugin | calls or messages | processor time of each | of a core in real time |\n|---|---|---|---|")
    for name, script, sensor in (
        ("a filter of 16 x 1024 points at 10 Hz", FILTER, LIDAR),
        ("a controller that is called 1000 times a second", CONTROLLER, ""),
    ):
        seconds, count = measured(program, script, sensor)
        print(f"| {name} | {count} | {seconds / count * 1e6:.0f} µs | {100 * seconds / DURATION_S:.2f} % |")


if __name__ == "__main__":
    main()
