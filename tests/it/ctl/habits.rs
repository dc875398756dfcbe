//! Every line of `gz` and `ros2` in the table of `docs/control.md`, typed with the name of this program: what it prints, and
//! what it says without a host.

use std::process::{Command, Stdio};

use super::topic::hall;
use crate::support::{self, root};

/// A row of the table: the line of the other program, and ours.
struct Row {
    there: Vec<String>,
    here: Vec<String>,
}

fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(root().join("docs/control.md")).expect("the page");
    let cells = |line: &str| {
        let (there, here) = line.strip_prefix("| `")?.strip_suffix("` |")?.split_once("` | `")?;
        let is_habit = ["gz ", "ros2 "].iter().any(|program| there.starts_with(program));
        is_habit.then(|| Row { there: words(there), here: words(here) })
    };
    page.lines().filter_map(cells).collect()
}

/// Returns the words behind the name of the program, as a shell splits them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().expect("a word").push(letter),
        }
    }
    words.split_off(1)
}

#[test]
fn every_line_of_the_table_prints_what_ours_prints() {
    let host = hall();
    let rows = rows();
    assert!(rows.len() > 15, "{}", rows.len());
    for Row { there, here } in rows {
        let line = |words: &[String]| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            // Without end, as in the other programs, unless a number is given.
            let mut follower = host.follows(&words);
            // One that publishes without end prints nothing.
            if words.contains(&"-r") { String::new() } else { follower.line() }
        };
        let (there, here) = (line(&there), line(&here));
        let form = |line: &str| line.replace(|letter: char| letter.is_ascii_digit() || letter == '.', "");
        let is_measured = there.contains(" Hz ") || there.starts_with("published");
        assert!(is_measured || form(&there) == form(&here), "{there}\n{here}");
    }
    host.ok(&["quit"]);
    host.running.finish();
}

#[test]
fn without_a_host_every_line_says_how_to_start_one() {
    for Row { there, here } in rows() {
        for words in [there, here] {
            let mut command = Command::new(support::host());
            command.args(&words).env("BRIDGEHEAD_HTTP", "127.0.0.1:1").stdin(Stdio::null());
            let output = command.output().expect("it runs");
            let text = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
            assert!(
                text.starts_with("error[BH-CTL-020]: ") && text.contains("bridgehead run"),
                "{words:?}: {text}"
            );
        }
    }
}
