//! `bridgehead completions`: a completion script for a shell. Main thread.

use clap::ValueEnum as _;
use clap_complete::Shell;

use super::args::completions::CompletionsArguments;
use super::console::Console;
use super::printed::EXIT_CONFIGURATION;
use super::{args, printed};

/// Prints the script; returns the exit code.
pub(super) fn completions(arguments: &CompletionsArguments, console: &Console) -> u8 {
    let shell = Shell::from_str(&arguments.shell, false).unwrap_or(Shell::Bash);
    printed(&script(shell), 0, EXIT_CONFIGURATION, console)
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "bridgehead", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_know_commands_of_every_depth_and_their_flags() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            for word in ["completions", "spawn-all", "remove", "all-tags", "physics-profile"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }
}
