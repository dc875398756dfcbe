//! Flags of `gz sim` and of CLOiSim. Constant data and plain functions.

use super::program::Program;

/// A flag of another program.
#[derive(Clone, Copy, Debug)]
pub struct ForeignFlag {
    /// Its spellings.
    pub spellings: &'static [&'static str],
    /// The program.
    pub program: Program,
    /// Whether an argument follows.
    pub has_value: bool,
    /// What it does there and here.
    pub meaning: &'static str,
    /// What takes its place.
    pub instead: Instead,
}

/// What takes the place of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// Nothing: what it asks for happens anyway, or does not exist here.
    Nothing,
    /// This flag, with the same argument if there is one.
    Flag(&'static str),
    /// These words, whatever the argument is.
    Words(&'static [&'static str]),
    /// Its argument alone.
    Value,
    /// The level of the log that corresponds to the number.
    Level,
}

const fn gazebo(spellings: &'static [&'static str], meaning: &'static str, instead: Instead) -> ForeignFlag {
    ForeignFlag { spellings, program: Program::Gazebo, has_value: false, meaning, instead }
}

const fn cloisim(spellings: &'static [&'static str], meaning: &'static str, instead: Instead) -> ForeignFlag {
    ForeignFlag { spellings, program: Program::Cloisim, has_value: false, meaning, instead }
}

impl ForeignFlag {
    const fn with_value(self) -> Self {
        ForeignFlag { has_value: true, ..self }
    }
}

/// Every flag of others that is answered. `--seed` and `--iterations` mean the same here.
pub const FLAGS: &[ForeignFlag] = &[
    gazebo(&["-r"], "a run plays at once here, unless `--start paused` is given", Instead::Nothing),
    gazebo(&["-s"], "there is only the server here", Instead::Nothing),
    gazebo(
        &["-g"],
        "the page at the address in the first line of the log shows the world in a browser",
        Instead::Nothing,
    ),
    gazebo(
        &["-v", "--verbose"],
        "here `-v` and `-vv` print more, `-q` and `-qq` less, and none of them has a number",
        Instead::Level,
    )
    .with_value(),
    gazebo(&["-z"], "the step of the world gives the rate here, and `--speed` the pace", Instead::Nothing)
        .with_value(),
    gazebo(&["--record"], "here `--record` names the file", Instead::Words(&["--record", "run.mcap"])),
    gazebo(&["--record-path"], "here `--record` names the file", Instead::Words(&["--record", "run.mcap"]))
        .with_value(),
    gazebo(&["--physics-engine"], "there is one physics engine here", Instead::Nothing).with_value(),
    gazebo(
        &["--render-engine", "--render-engine-server", "--render-engine-gui"],
        "there is one renderer for cameras here; `BRIDGEHEAD_ADAPTER` chooses between a GPU and the processor",
        Instead::Nothing,
    )
    .with_value(),
    gazebo(
        &["--headless-rendering"],
        "cameras draw without a window or a display server here",
        Instead::Nothing,
    ),
    cloisim(&["-world", "-worldFile", "-w", "--world"], "here the world needs no flag", Instead::Value)
        .with_value(),
    cloisim(&["--headless", "-batchmode"], "every run is headless here", Instead::Nothing),
    cloisim(
        &["-capture", "--capture-screen", "-c"],
        "here `--record` records the scene, and `bridgehead view` shows it",
        Instead::Words(&["--record", "run.mcap"]),
    )
    .with_value(),
];

/// Returns the flag that a word is, if it is not one of this program: `next` is the word behind it.
pub(super) fn find(word: &str, next: Option<&&str>) -> Option<&'static ForeignFlag> {
    let (name, attached) = split(word);
    let flag = FLAGS.iter().find(|flag| flag.spellings.contains(&name))?;
    let is_own = match flag.instead {
        // `-v` and `--verbose` without a number are flags of this program.
        Instead::Level => !is_level(attached.or(next.copied())),
        Instead::Nothing | Instead::Flag(_) | Instead::Words(_) | Instead::Value => {
            // `--record FILE.mcap` is a flag of this program.
            name == "--record" && (attached.is_some() || next.is_some_and(|next| next.ends_with(".mcap")))
        }
    };
    (!is_own).then_some(flag)
}

/// Splits `--flag=value` and `-v4`.
fn split(word: &str) -> (&str, Option<&str>) {
    if let Some(level) = word.strip_prefix("-v").filter(|level| is_level(Some(level))) {
        return ("-v", Some(level));
    }
    word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)))
}

fn is_level(text: Option<&str>) -> bool {
    text.is_some_and(|text| matches!(text, "0" | "1" | "2" | "3" | "4"))
}

/// Returns words with the flags of others replaced.
pub(super) fn translated(words: &[&str]) -> Vec<String> {
    let mut result = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(flag) = find(word, rest.as_slice().first()) else {
            result.push((*word).to_owned());
            continue;
        };
        let (_, attached) = split(word);
        let takes_next = flag.has_value
            && attached.is_none()
            && rest.as_slice().first().is_some_and(|next| !next.starts_with('-'));
        let value = if takes_next { rest.next().copied() } else { attached };
        result.extend(replaced(flag.instead, value));
    }
    result
}

fn replaced(instead: Instead, value: Option<&str>) -> Vec<String> {
    let value = value.map(str::to_owned);
    match instead {
        Instead::Nothing => Vec::new(),
        Instead::Flag(flag) => [flag.to_owned()].into_iter().chain(value).collect(),
        Instead::Words(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Instead::Value => value.into_iter().collect(),
        Instead::Level => match value.as_deref() {
            Some("0" | "1") => vec!["-qq".to_owned()],
            Some("2") => vec!["-q".to_owned()],
            Some("4") => vec!["-v".to_owned()],
            _ => Vec::new(),
        },
    }
}
