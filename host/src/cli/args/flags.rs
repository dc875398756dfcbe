//! The flags of `run` that are settings: made from the rows of the settings, so that each is declared once.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint, value_parser};

use crate::config::{ConfigError, Flag, Form, Key, Settings, keys};

/// The flags that were given, with their arguments.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct SettingFlags(Vec<(&'static str, OsString)>);

impl SettingFlags {
    /// Returns whether a flag was given.
    pub(in crate::cli) fn is_given(&self, flag: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == flag)
    }

    /// Reads the arguments into `settings`; returns the errors in the order of the settings.
    pub(super) fn read(&self, settings: &mut Settings) -> Vec<ConfigError> {
        let given = |name: &str| self.0.iter().find(|(given, _)| *given == name);
        let given = flags().filter_map(|(key, flag)| Some((key, given(flag.name)?)));
        given.filter_map(|(key, (name, text))| Some(key.parse(text, settings).err()?.at(*name))).collect()
    }
}

/// The settings that have flags.
fn flags() -> impl Iterator<Item = (Key, Flag)> {
    keys().filter_map(|key| Some((key, key.flag?)))
}

impl Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        let defaults = Settings::defaults();
        flags().fold(command, |command, (key, flag)| command.arg(argument(&key, flag, &defaults)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SettingFlags::augment_args(command)
    }
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |(key, flag): (Key, Flag)| match key.form {
            Form::Boolean => matches.get_flag(flag.name).then(|| (flag.name, OsString::new())),
            Form::Path => Some((flag.name, matches.get_one::<OsString>(flag.name)?.clone())),
            _ => Some((flag.name, OsString::from(matches.get_one::<String>(flag.name)?))),
        };
        Ok(SettingFlags(flags().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SettingFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

fn argument(key: &Key, flag: Flag, defaults: &Settings) -> Arg {
    let argument = match flag.name.strip_prefix("--") {
        Some(long) => Arg::new(flag.name).long(long),
        None => Arg::new(flag.name),
    };
    let argument = match flag.alias.strip_prefix("--") {
        Some(alias) => argument.visible_alias(alias),
        None => argument,
    };
    let argument = if flag.is_repeatable { argument.overrides_with(flag.name) } else { argument };
    let argument = argument.help(help(key, defaults));
    if key.form == Form::Boolean {
        return argument.action(ArgAction::SetTrue);
    }
    let argument = argument.value_name(flag.value);
    match key.form {
        Form::Path => {
            let hint = if flag.value == "DIR" { ValueHint::DirPath } else { ValueHint::FilePath };
            argument.value_parser(value_parser!(OsString)).value_hint(hint)
        }
        Form::Number(..) | Form::Decimal(..) | Form::Speed => argument.allow_negative_numbers(true),
        _ => argument,
    }
}

/// The meaning of a key, with the words to choose from and the default.
fn help(key: &Key, defaults: &Settings) -> String {
    let mut help = plain(key.meaning);
    if let Form::Choice(words) = key.form {
        help.push_str(&format!(": `{}`", words.join("`, `")));
    }
    match key.default_text(defaults).filter(|_| key.form != Form::Boolean) {
        Some(default) => format!("{help} [default: {}]", default.trim_matches('"')),
        None => help,
    }
}

/// A text of the guide without its links, `[text](page)`.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link, behind)) = first_link(rest) {
        plain.push_str(before);
        plain.push_str(link);
        rest = behind;
    }
    plain + rest
}

fn first_link(text: &str) -> Option<(&str, &str, &str)> {
    let (before, link) = text.split_once('[')?;
    let (link, page) = link.split_once("](")?;
    Some((before, link, page.split_once(')')?.1))
}

#[cfg(test)]
impl<T: AsRef<std::ffi::OsStr>, const N: usize> From<[(&'static str, T); N]> for SettingFlags {
    fn from(given: [(&'static str, T); N]) -> Self {
        SettingFlags(given.map(|(name, text)| (name, text.as_ref().to_owned())).into())
    }
}
