//! A program of a test that executes commands: a line of JSON for each, and a line with its result.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A running program, killed at the end of its scope.
pub(crate) struct JsonProgram {
    child: RefCell<Child>,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl JsonProgram {
    /// Starts the program.
    #[track_caller]
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        JsonProgram { child: RefCell::new(child), pipes: RefCell::new((input, output)) }
    }

    /// Executes a command and returns its result.
    #[track_caller]
    pub(crate) fn command(&self, name: &str, mut arguments: Value) -> Value {
        arguments["do"] = json!(name);
        self.send_line(&arguments);
        self.next_line()
    }

    /// Sends a line.
    #[track_caller]
    pub(crate) fn send_line(&self, line: &Value) {
        let written = writeln!(self.pipes.borrow_mut().0, "{line}");
        written.unwrap_or_else(|error| panic!("the program does not read its input: {error}"));
    }

    /// Returns the next line of the program.
    #[track_caller]
    pub(crate) fn next_line(&self) -> Value {
        let mut line = String::new();
        self.pipes.borrow_mut().1.read_line(&mut line).expect("a line of text");
        if line.is_empty() {
            panic!("the program ended: {:?}", self.child.borrow_mut().wait());
        }
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}

impl Drop for JsonProgram {
    fn drop(&mut self) {
        let child = self.child.get_mut();
        // Both fail if it has ended and was waited for already.
        drop(child.kill());
        drop(child.wait());
    }
}
