//! Command lines of `gz topic`, `gz service`, `ros2 topic` and `ros2 service`, which this program understands with its own
//! name in place of the first word. Constant data.

use super::program::Program;

/// A command line of another program that is one of this program too.
pub struct Habit {
    /// The other program.
    pub program: Program,
    /// The line as typed there, without the name of the program.
    pub typed: &'static str,
    /// The words of this program for it.
    pub ours: &'static str,
}

const fn gazebo(typed: &'static str, ours: &'static str) -> Habit {
    Habit { program: Program::Gazebo, typed, ours }
}

const fn ros2(typed: &'static str) -> Habit {
    Habit { program: Program::Ros2, typed, ours: typed }
}

/// Every form that is understood. The names are those of the world in `docs/porting-from-gazebo.md`.
pub const HABITS: &[Habit] = &[
    gazebo("topic -l", "topic list"),
    gazebo("topic -i -t /clock", "topic info /clock"),
    gazebo("topic -e -t /clock", "topic echo /clock"),
    gazebo("topic -e -t /clock -n 2", "topic echo /clock -n 2"),
    gazebo("topic -f -t /clock", "topic hz /clock"),
    gazebo(
        "topic -t /model/robot/cmd_vel -m gz.msgs.Twist -p 'linear: {x: 0.5}'",
        "topic pub /model/robot/cmd_vel 'linear: {x: 0.5}'",
    ),
    gazebo("service -l", "service list"),
    gazebo("service -i -s /world/hall/control", "service info /world/hall/control"),
    gazebo(
        "service -s /world/hall/control --reqtype gz.msgs.WorldControl --reptype gz.msgs.Boolean --timeout 3000 \
         --req 'pause: false'",
        "service call /world/hall/control 'world_control: {pause: false}'",
    ),
    ros2("topic list"),
    ros2("topic list -t"),
    ros2("topic echo /clock"),
    ros2("topic echo /clock --once"),
    ros2("topic echo /clock --field clock.sec"),
    ros2("topic info /clock"),
    ros2("topic type /clock"),
    ros2("topic find rosgraph_msgs/msg/Clock"),
    ros2("topic hz /clock"),
    ros2("topic pub --once /model/robot/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.5}}'"),
    ros2("topic pub -r 10 /model/robot/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.5}}'"),
    ros2("topic pub -t 2 /model/robot/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.5}}'"),
    ros2("service list"),
    ros2("service list -t"),
    ros2("service call /get_simulation_state simulation_interfaces/srv/GetSimulationState '{}'"),
];
