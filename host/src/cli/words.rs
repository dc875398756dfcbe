//! Words of the command lines of Gazebo, ROS 2 and CLOiSim, with what to type here instead.
//!
//! They are looked up only after a command line was refused, so that no word of this program changes its meaning. The
//! tables are also those of `docs/porting-from-gazebo.md` and `docs/porting-from-cloisim.md`. Topics and services are no
//! foreign words: `topic` and `service` understand the lines of the others ([`HABITS`]). Main thread.

mod command;
mod flag;
mod habit;
mod program;
#[cfg(test)]
mod tests;

use std::ffi::OsString;

pub use command::{COMMANDS, ForeignCommand};
pub use flag::{FLAGS, ForeignFlag, Instead};
pub use habit::{HABITS, Habit};
pub use program::Program;

use crate::config::Code;
use program::line;

/// Returns the answer to a refused command line of this program that uses a word of another one, with its code.
pub(super) fn answer(arguments: &[OsString], program: &clap::Command) -> Option<String> {
    let words: Option<Vec<&str>> = arguments.iter().skip(1).map(|argument| argument.to_str()).collect();
    let words = words?;
    let (asked, instead) =
        of_command(&words).or_else(|| of_flag(&words)).or_else(|| of_own(&words, program))?;
    Some(format!("error[{}]: {asked}\n  try: {instead}\n", Code::Usage))
}

/// Answers a command line whose command is that of another program.
fn of_command(words: &[&str]) -> Option<(String, String)> {
    let at = words.iter().position(|word| !word.starts_with('-'))?;
    let (name, rest) = (words.get(at)?, words.get(at + 1..)?);
    let command = COMMANDS.iter().find(|command| command.word == *name)?;
    let asked = format!("`{name}` is a command of {}: {}", command.program.name(), command.meaning);
    Some((asked, (command.instead)(rest)))
}

/// Answers a command of this program that was typed without the word before it, or as other programs have it.
fn of_own(words: &[&str], program: &clap::Command) -> Option<(String, String)> {
    let [name, rest @ ..] = words else { return None };
    let rest: Vec<String> = rest.iter().map(|word| (*word).to_owned()).collect();
    let asked = |before: &str| format!("`{name}` is a command of `bridgehead {before}`");
    let is_own = program.find_subcommand(name).is_some();
    let of_ctl =
        !is_own && program.find_subcommand("ctl")?.get_subcommands().any(|known| known.get_name() == *name);
    let named = |command: &str| line(command, &[vec![(*name).to_owned()], rest].concat());
    match *name {
        "version" => Some(("the version is shown by a flag".to_owned(), "bridgehead --version".to_owned())),
        "help" => Some(("the help is shown by a flag".to_owned(), "bridgehead --help".to_owned())),
        "hz" | "info" => Some((asked("topic"), named("topic"))),
        _ if of_ctl => Some((asked("ctl"), named("ctl"))),
        _ => None,
    }
}

/// Answers a command line of `run` or `check` with a flag of another program.
fn of_flag(words: &[&str]) -> Option<(String, String)> {
    let [command @ ("run" | "check" | "dump"), rest @ ..] = words else { return None };
    let (flag, given) =
        rest.iter().enumerate().find_map(|(at, word)| Some((flag::find(word, rest.get(at + 1))?, word)))?;
    let asked = format!("`{given}` is a flag of {}: {}", flag.program.name(), flag.meaning);
    Some((asked, line(command, &flag::translated(rest))))
}
