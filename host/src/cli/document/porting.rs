//! The tables in the pages on porting and control: words of other programs, and Gazebo's names of topics.

use std::fmt::Write as _;

use crate::cli::words::{COMMANDS, FLAGS, HABITS, Habit, Instead, Program};
use crate::control::GAZEBO_SERVICES;
use crate::world::SlotKind;
use crate::world::names::GAZEBO_TOPICS;

/// The last line of a table.
const END: &str = "<!-- The end of the table. -->\n";

/// What a table is of, and the function that makes it.
type Table = (&'static str, fn() -> String);

/// Returns a page with its current tables; `None` if a table has no end.
#[must_use]
pub fn porting(page: &str) -> Option<String> {
    let tables: [Table; 6] = [
        ("Gazebo's commands", commands),
        ("lines of other programs", habits),
        ("Gazebo's flags", || flags(Program::Gazebo)),
        ("CLOiSim's flags", || flags(Program::Cloisim)),
        ("Gazebo's topics", topics),
        ("Gazebo's services", services),
    ];
    let mut page = page.to_owned();
    for (what, table) in tables {
        let begin = format!("<!-- The table of {what}, generated from the program -->\n");
        let Some((before, rest)) = page.split_once(&begin) else { continue };
        let (_, behind) = rest.split_once(END)?;
        page = format!("{before}{begin}\n{}\n{END}{behind}", table());
    }
    Some(page)
}

fn commands() -> String {
    let mut table = String::from("| in Gazebo | here |\n|---|---|\n");
    for command in COMMANDS.iter().filter(|command| command.program == Program::Gazebo) {
        for example in command.examples {
            let asked = example.iter().fold(format!("gz {}", command.word), |line, word| {
                if word.contains(' ') { format!("{line} '{word}'") } else { format!("{line} {word}") }
            });
            let _ = writeln!(table, "| `{asked}` | `{}` |", (command.instead)(example));
        }
    }
    for Habit { typed, ours, .. } in HABITS.iter().filter(|habit| habit.program == Program::Gazebo) {
        let _ = writeln!(table, "| `gz {typed}` | `bridgehead {ours}` |");
    }
    table
}

fn habits() -> String {
    let mut table = String::from("| there | here |\n|---|---|\n");
    for Habit { program, typed, ours } in HABITS {
        let name = match program {
            Program::Gazebo => "gz",
            Program::Ros2 => "ros2",
            Program::Cloisim => "CLOiSim",
        };
        let _ = writeln!(table, "| `{name} {typed}` | `bridgehead {ours}` |");
    }
    table
}

fn flags(program: Program) -> String {
    let mut table = String::from("| flag | here | why |\n|---|---|---|\n");
    for flag in FLAGS.iter().filter(|flag| flag.program == program) {
        let spellings: Vec<String> = flag.spellings.iter().map(|spelling| format!("`{spelling}`")).collect();
        let instead = match flag.instead {
            Instead::Nothing => "nothing".to_owned(),
            Instead::Flag(name) => format!("`{name}`"),
            Instead::Words(words) => format!("`{}`", words.join(" ")),
            Instead::Value => "its argument alone".to_owned(),
            Instead::Level => "`-v`, `-q` or `-qq`".to_owned(),
        };
        let _ = writeln!(table, "| {} | {instead} | {} |", spellings.join(", "), flag.meaning);
    }
    table
}

fn topics() -> String {
    let mut table = String::from("| element | served by | topic | in Gazebo |\n|---|---|---|---|\n");
    for row in GAZEBO_TOPICS {
        let parameter = match (row.parameter, row.kind) {
            ("", _) => "`<topic>`".to_owned(),
            (suffix, SlotKind::Sensor) => format!("`{suffix}`"),
            (parameter, SlotKind::Plugin) => format!("`<{parameter}>`"),
        };
        let _ = writeln!(table, "| {} | `{}` | {parameter} | `{}` |", row.kind.name(), row.plugin, row.name);
    }
    table
}

fn services() -> String {
    let mut table = String::from("| service | type | calls |\n|---|---|---|\n");
    for row in &GAZEBO_SERVICES {
        let calls: Vec<String> = row.calls.iter().map(|name| format!("`{name}`")).collect();
        let (name, ros_type) = (row.declared.name, row.declared.ros_type);
        let _ = writeln!(table, "| `/world/{{world}}/{name}` | `{ros_type}` | {} |", calls.join(", "));
    }
    table
}
