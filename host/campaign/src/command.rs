//! The command of a run: arguments and environment, for a process and for a person.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::plan::variable;
use crate::{Case, Plan};

/// The text in the connection of a bridge that stands for the folder of the run.
pub const OUT: &str = "{out}";

/// A run as it is started. [`Invocation::of`] makes that of a plan; a search for a smaller one changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program.
    pub program: PathBuf,
    /// The working directory.
    pub folder: PathBuf,
    /// The world, relative to the folder.
    pub world: String,
    /// The configuration, relative to the folder.
    pub config: Option<PathBuf>,
    /// The seed.
    pub seed: u64,
    /// Bridges.
    pub bridges: Vec<String>,
    /// Names and values of parameters: keys of the configuration, and values of the world.
    pub parameters: Vec<(String, String)>,
    /// Environment variables, besides those of the parameters.
    pub environment: Vec<(String, String)>,
    /// Further arguments.
    pub arguments: Vec<OsString>,
}

/// The files of a run in its own folder.
pub(crate) const RESULT: &str = "result.json";
pub(crate) const LOG: &str = "log.txt";
pub(crate) const OUTPUT: &str = "out";

/// Sections of the configuration whose keys have environment variables.
const SECTIONS: [&str; 6] = ["run", "http", "services", "control", "keyboard", "watchdog"];

/// Returns true if a parameter is a key of the configuration.
#[must_use]
pub fn is_setting(name: &str) -> bool {
    name.split_once('.')
        .is_some_and(|(section, key)| SECTIONS.contains(&section) && !key.contains(['.', '[', '@']))
}

impl Invocation {
    /// Returns the run of a case.
    #[must_use]
    pub fn of(plan: &Plan, case: &Case, seed: u64, program: &Path) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Invocation {
            program: program.to_owned(),
            folder: plan.root.clone(),
            world: plan.world(case).to_owned(),
            config: plan.config.clone(),
            seed,
            bridges: plan.bridges(case).bridges.clone(),
            parameters: plan.parameters(case).map(owned).collect(),
            environment: plan.environment.clone(),
            arguments: Vec::new(),
        }
    }

    /// Returns the process of the run, which writes its files into `out`.
    #[must_use]
    pub fn process(&self, out: &Path) -> Command {
        let mut command = Command::new(&self.program);
        let output = out.join(OUTPUT);
        command.arg("run").args(self.shared_arguments(&output.to_string_lossy()));
        command.args(["--http", "off", "-q"]);
        command.arg("--output").arg(&output).arg("--result").arg(out.join(RESULT)).args(&self.arguments);
        for (name, _) in std::env::vars_os() {
            if is_variable_of_key(&name.to_string_lossy()) {
                command.env_remove(name);
            }
        }
        command.envs(self.variables()).current_dir(&self.folder);
        command
    }

    /// Returns the command that repeats the run in a shell, in the folder of the campaign.
    #[must_use]
    pub fn shell(&self) -> String {
        let mut words: Vec<String> =
            self.variables().iter().map(|(name, value)| format!("{name}={}", quoted(value))).collect();
        words.extend([quoted(&self.program.to_string_lossy()), "run".to_owned()]);
        words.extend(self.shared_arguments(".").iter().map(|word| quoted(&word.to_string_lossy())));
        words.extend(self.arguments.iter().map(|word| quoted(&word.to_string_lossy())));
        words.extend(["--http".to_owned(), "off".to_owned()]);
        format!("cd {} && {}", quoted(&self.folder.to_string_lossy()), words.join(" "))
    }

    /// World, configuration, seed, bridges and values. A name may begin with a dash, so that `=` joins it to its flag,
    /// and a world begins with its folder.
    fn shared_arguments(&self, out: &str) -> Vec<OsString> {
        let is_like_flag = self.world.starts_with('-');
        let mut words = vec![format!("{}{}", if is_like_flag { "./" } else { "" }, self.world).into()];
        words.extend(self.config.iter().map(|config| format!("--config={}", config.display()).into()));
        words.push(format!("--seed={}", self.seed).into());
        words.extend(
            self.bridges.iter().map(|bridge| format!("--bridge={}", bridge.replace(OUT, out)).into()),
        );
        let values = self.parameters.iter().filter(|(name, _)| !is_setting(name));
        words.extend(values.map(|(path, value)| format!("--set={path}={value}").into()));
        words
    }

    fn variables(&self) -> Vec<(String, String)> {
        let settings = self.parameters.iter().filter(|(name, _)| is_setting(name));
        let own: Vec<(String, String)> =
            settings.map(|(name, value)| (variable(name), value.clone())).collect();
        let is_set = |name: &String| own.iter().any(|(own, _)| own == name);
        let mut all: Vec<(String, String)> =
            self.environment.iter().filter(|(name, _)| !is_set(name)).cloned().collect();
        all.extend(own.iter().cloned());
        all
    }
}

/// Returns true if the variable sets a key of the configuration.
fn is_variable_of_key(name: &str) -> bool {
    name.strip_prefix("BRIDGEHEAD_")
        .and_then(|rest| rest.split_once('_'))
        .is_some_and(|(section, _)| SECTIONS.iter().any(|known| known.eq_ignore_ascii_case(section)))
}

/// Returns a word for a POSIX shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=:@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation() -> Invocation {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Invocation {
            program: PathBuf::from("/bin/bridgehead"),
            folder: PathBuf::from("/my worlds"),
            world: "a.sdf".to_owned(),
            config: Some(PathBuf::from("base.toml")),
            seed: 7,
            bridges: vec!["*=logging:{out}/log.jsonl".to_owned()],
            parameters: vec![pair("run.duration", "1s"), pair("world.model[it's].pose", "0 0 1 0 0 0")],
            environment: vec![
                pair("BRIDGEHEAD_RUN_SPEED", "unlimited"),
                pair("BRIDGEHEAD_RUN_DURATION", "9s"),
            ],
            arguments: Vec::new(),
        }
    }

    #[test]
    fn the_command_for_a_shell_is_quoted() {
        assert_eq!(
            invocation().shell(),
            "cd '/my worlds' && BRIDGEHEAD_RUN_SPEED=unlimited BRIDGEHEAD_RUN_DURATION=1s /bin/bridgehead run a.sdf \
             --config=base.toml --seed=7 '--bridge=*=logging:./log.jsonl' \
             '--set=world.model[it'\\''s].pose=0 0 1 0 0 0' --http off"
        );
    }

    /// A file may have the name of a flag.
    #[test]
    fn no_world_is_taken_for_a_flag() {
        for world in ["--hash-log=good.sdf", "-q", "--", "-"] {
            let invocation = Invocation { world: world.to_owned(), ..invocation() };
            let command = invocation.process(Path::new("/tmp/x"));
            let words: Vec<String> =
                command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
            assert_eq!(words[1], format!("./{world}"));
            assert!(invocation.shell().contains(&format!(" run ./{world} ")), "{}", invocation.shell());
        }
    }

    #[test]
    fn the_process_gets_its_files_in_its_folder() {
        let command = invocation().process(Path::new("/tmp/x"));
        let words: Vec<String> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        assert!(words.contains(&"--bridge=*=logging:/tmp/x/out/log.jsonl".to_owned()), "{words:?}");
        assert_eq!(&words[words.len() - 4..], ["--output", "/tmp/x/out", "--result", "/tmp/x/result.json"]);
        let duration = command.get_envs().find(|(name, _)| *name == "BRIDGEHEAD_RUN_DURATION");
        assert_eq!(duration.and_then(|(_, value)| value), Some("1s".as_ref()));
    }

    #[test]
    fn settings_and_values_are_told_apart() {
        for name in ["run.substeps", "watchdog.timeout", "http.address"] {
            assert!(is_setting(name), "{name}");
        }
        for path in ["world.physics.max_step_size", "world[run].pose", "model.link", "run", "run.a.b"] {
            assert!(!is_setting(path), "{path}");
        }
        assert!(is_variable_of_key("BRIDGEHEAD_RUN_SPEED") && !is_variable_of_key("BRIDGEHEAD_PLUGIN_PATH"));
    }
}
