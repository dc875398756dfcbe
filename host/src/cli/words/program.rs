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

/// Returns a command line as it is typed.
pub(super) fn line(command: &str, words: &[String]) -> String {
    words.iter().fold(format!("bridgehead {command}"), |line, word| format!("{line} {}", quoted(word)))
}

/// Returns a word as a shell reads it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,@%+*<>".contains(letter);
    let is_plain = !word.is_empty() && word.chars().all(is_plain) && !word.contains('*');
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
