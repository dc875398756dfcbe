//! What was measured, as text: the same for the terminal and for the page.

use std::fmt;
use std::fs;
use std::process::Command;
use std::thread;

use crate::Outcome;

/// A part of the page.
pub(crate) struct Section {
    /// Its heading.
    pub(crate) title: &'static str,
    /// How it is measured.
    pub(crate) method: &'static str,
    /// Figures.
    pub(crate) rows: Vec<Row>,
}

/// A figure.
pub(crate) struct Row {
    /// What it is of.
    pub(crate) what: String,
    /// The figure with its unit, and how it spreads.
    pub(crate) figure: String,
    /// What it is to be, where that is set.
    pub(crate) target: Option<Target>,
}

/// What a figure is to be.
pub(crate) struct Target {
    /// In words, such as `below 4`.
    pub(crate) text: &'static str,
    /// Whether it is.
    pub(crate) is_met: bool,
}

impl Row {
    /// A figure without a target.
    pub(crate) fn plain(what: impl Into<String>, figure: impl Into<String>) -> Self {
        Row { what: what.into(), figure: figure.into(), target: None }
    }

    /// A figure with one.
    pub(crate) fn with_target(
        what: impl Into<String>,
        figure: impl Into<String>,
        text: &'static str,
        is_met: bool,
    ) -> Self {
        Row { target: Some(Target { text, is_met }), ..Row::plain(what, figure) }
    }
}

impl Section {
    /// Names of the figures that are not what they are to be.
    pub(crate) fn missed(&self) -> impl Iterator<Item = &str> {
        let is_missed = |row: &&Row| row.target.as_ref().is_some_and(|target| !target.is_met);
        self.rows.iter().filter(is_missed).map(|row| row.what.as_str())
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}\n\n{}\n\n| | measured | target | |\n|---|---|---|---|", self.title, self.method)?;
        for row in &self.rows {
            let (target, verdict) = match &row.target {
                Some(target) => (target.text, if target.is_met { "met" } else { "**missed**" }),
                None => ("", ""),
            };
            writeln!(f, "| {} | {} | {target} | {verdict} |", row.what, row.figure)?;
        }
        Ok(())
    }
}

/// The whole page.
pub(crate) fn page(sections: &[Section]) -> Outcome<String> {
    let mut page = format!(
        "<!-- made by `bash tests/bench.sh` -->\n\n# What the host costs\n\n\
         Measured on {} with {}, {}, built for release by {}.\n\
         A figure is the middle one of its rounds; the least and the most of them follow in brackets.\n\
         Times of steps and messages are processor time, which other programs on the machine hardly disturb; \
         a ratio is taken within a round.\n",
        output("date", &["+%F"])?,
        machine()?,
        output("uname", &["-sr"])?,
        output("rustc", &["--version"])?,
    );
    for section in sections {
        page += &format!("\n{section}");
    }
    Ok(page)
}

fn machine() -> Outcome<String> {
    let info = fs::read_to_string("/proc/cpuinfo")?;
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": an unknown processor");
    let model = model.trim_start_matches([' ', '\t', ':']);
    Ok(format!("{} cores of {model}", thread::available_parallelism()?))
}

fn output(program: &str, arguments: &[&str]) -> Outcome<String> {
    let output = Command::new(program).args(arguments).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
