//! The other programs whose words are known. Plain data.

/// The other program that has a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `gz`, and `ign` before it.
    Gazebo,
    /// `CLOiSim.x86_64`, and its launcher `run.sh`.
    Cloisim,
    /// `ros2`.
    Ros2,
}

impl Program {
    pub(super) fn name(self) -> &'static str {
        match self {
            Program::Gazebo => "Gazebo",
            Program::Cloisim => "CLOiSim",
            Program::Ros2 => "ROS 2",
        }
    }
}
