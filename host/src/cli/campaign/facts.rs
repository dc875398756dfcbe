//! What the host knows about the runs of a campaign: the configuration as `bridgehead dump` prints it, the files of worlds,
//! the libraries of plugins.

use std::cell::RefCell;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bridgehead_campaign::{Base, Host, Inputs, Request};
use bridgehead_sdf::SearchPath as ResourcePath;
use bridgehead_sdf::assign::ValuePath;
use serde_json::{Map, Value};

use crate::cli::configuration::layers_of;
use crate::config::{
    Form, Key, Layers, RunConfig, Settings, ValueSource, bridge_argument, from_environment, keys,
    set_argument,
};
use crate::plugin::discover::PATH_VARIABLE;
use crate::plugin::{LoadOptions, PluginSet, SearchPath};
use crate::sim::{check_values, inputs, value_in_file};

/// Sections that cannot change the result of a run without clients.
const WITHOUT_EFFECT: [&str; 2] = ["http", "keyboard"];

/// Keys that the campaign sets itself, each with what to write instead.
const OWN: &[(&str, &str)] = &[
    ("run.seed", "write `seed` in `[matrix]`"),
    ("run.keep_alive", "a run of a campaign ends"),
    ("run.start", "a run of a campaign plays from the start"),
];

/// Keys of files that all runs would write.
const OUTPUTS: &[&str] = &[
    "result",
    "save",
    "snapshot",
    "hash_log",
    "record_commands",
    "record",
    "step_channel",
    "triggers",
    "junit",
];

/// Names of elements and attributes whose values can name files and plugins.
const REFERENCES: &[&str] = &["uri", "filename", "type", "name"];

/// The facts about one base configuration.
pub(super) struct Facts {
    config: Option<PathBuf>,
    /// The plugins of each search path that was asked for.
    plugins: RefCell<Vec<(SearchPath, Rc<PluginSet>)>>,
}

impl Facts {
    /// Returns the facts for runs that begin with this configuration.
    pub(super) fn new(config: Option<PathBuf>) -> Self {
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        Facts { config: config.map(absolute), plugins: RefCell::default() }
    }

    fn layers(&self) -> Result<Layers, String> {
        let (layers, outcome) = layers_of(self.config.as_deref());
        outcome.map(|()| layers).map_err(|errors| errors.to_string())
    }

    fn plugins(&self, search: &SearchPath) -> Rc<PluginSet> {
        let mut known = self.plugins.borrow_mut();
        if let Some((_, plugins)) = known.iter().find(|(found, _)| found == search) {
            return Rc::clone(plugins);
        }
        let plugins = Rc::new(PluginSet::search(search, LoadOptions::default()));
        known.push((search.clone(), Rc::clone(&plugins)));
        plugins
    }

    /// Returns where the files of worlds are looked up, with the arguments of the configuration.
    fn world_search(&self) -> Result<bridgehead_sdf::SearchPath, String> {
        let merged = self.layers()?.merged();
        let arguments = merged.arguments.into_iter().map(|request| (request.name, request.value));
        Ok(bridgehead_sdf::SearchPath::of_environment().with_arguments(arguments))
    }

    fn run_config(&self, request: &Request) -> Result<RunConfig, String> {
        let mut layers = self.layers()?;
        let variables = request.settings.iter().map(|(key, value)| (variable(key).into(), value.into()));
        let (mut flags, outcome) = from_environment(variables);
        outcome.map_err(|errors| errors.to_string())?;
        flags.run.world = Some(request.world.clone());
        for bridge in &request.bridges {
            flags.bridges.push(bridge_argument(OsStr::new(bridge)).map_err(|error| error.to_string())?);
        }
        for (path, value) in &request.values {
            let argument = format!("{path}={value}");
            flags.values.push(set_argument(OsStr::new(&argument)).map_err(|error| error.to_string())?);
        }
        layers.flags = flags;
        layers.into_config().map_err(|errors| errors.to_string())
    }
}

impl Host for Facts {
    fn program(&self) -> Result<PathBuf, String> {
        env::current_exe().map_err(|error| format!("the file of the program cannot be found: {error}"))
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn base(&self) -> Result<Base, String> {
        let layers = self.layers()?;
        layers.clone().into_config().map_err(|errors| errors.to_string())?;
        refuse_outputs(&layers)?;
        let mut base = Base { lists: lists(&layers), ..Base::default() };
        base.files.extend(layers.clone().merged().run.restore);
        for key in keys() {
            let (value, source) = layers.value_of(&key);
            let Some(value) = value.as_ref().map(text) else { continue };
            let name = name(&key);
            let is_paced = name != "run.speed" || source != ValueSource::Default;
            // Nobody watches a run of a campaign, so it is not paced unless somebody says so.
            let value = if is_paced { value } else { "unlimited".to_owned() };
            if (matches!(source, ValueSource::Environment(_)) || !is_paced) && key.form != Form::Secret {
                base.environment.push((name.clone(), value.clone()));
            }
            if has_effect(&key) {
                base.values.insert(name, value);
            }
        }
        Ok(base)
    }

    fn setting(&self, key: &str, value: &str) -> Option<Result<String, String>> {
        let found = keys().find(|known| name(known) == key)?;
        if let Some((_, instead)) = OWN.iter().find(|(own, _)| *own == key) {
            return Some(Err(format!("cannot be changed by a campaign; {instead}")));
        }
        if !has_effect(&found) {
            return Some(Err("cannot change the result of a run".to_owned()));
        }
        let (settings, outcome) = from_environment([(variable(key).into(), value.into())]);
        Some(match outcome {
            Err(errors) => {
                Err(errors.0.iter().map(|error| error.found.clone()).collect::<Vec<_>>().join("; "))
            }
            Ok(()) => Ok(found.show(&settings).as_ref().map(text).unwrap_or_default()),
        })
    }

    fn value(&self, world: &Path, path: &str) -> Result<String, String> {
        let path = ValuePath::parse(path).map_err(|error| error.to_string())?;
        value_in_file(world, &path, &self.world_search()?)
    }

    fn check(&self, world: &Path, values: &[(String, String)]) -> Result<(), String> {
        let assignment = |(path, value): &(String, String)| {
            let argument = format!("{path}={value}");
            set_argument(OsStr::new(&argument)).map(|set| set.assignment).map_err(|error| error.to_string())
        };
        let values = values.iter().map(assignment).collect::<Result<Vec<_>, _>>()?;
        check_values(world, &values, &self.world_search()?)
    }

    fn is_reference(&self, path: &str) -> bool {
        let is_of_value =
            |path: ValuePath| REFERENCES.contains(&path.last()) || path.last().ends_with("_map");
        path == "run.safe_mode" || ValuePath::parse(path).is_ok_and(is_of_value)
    }

    fn inputs(&self, request: &Request) -> Result<Inputs, String> {
        let config = self.run_config(request)?;
        let plugins = self.plugins(&config.search);
        let missing = request.bridges.iter().filter_map(|bridge| bridge_argument(OsStr::new(bridge)).ok());
        for bridge in missing {
            if plugins.find(crate::plugin::Kind::Bridge, &bridge.name).is_none() {
                return Err(plugins.explain_missing(crate::plugin::Kind::Bridge, &bridge.name));
            }
        }
        let found = inputs(&config, &plugins)?;
        Ok(Inputs { files: found.files, libraries: found.libraries })
    }

    fn search(&self) -> Vec<(String, String)> {
        let names = [PATH_VARIABLE, ResourcePath::PREFIXES, "GZ_FUEL_CACHE_PATH"];
        let names = names.into_iter().chain(ResourcePath::ENVIRONMENT.iter().copied());
        names.filter_map(|name| Some((name.to_owned(), absolute_list(&env::var_os(name)?)))).collect()
    }
}

/// Returns the folders of a list of the environment as absolute paths: runs have another working directory.
fn absolute_list(list: &OsStr) -> String {
    let absolute = |path: PathBuf| {
        if path.as_os_str().is_empty() { path } else { std::path::absolute(&path).unwrap_or(path) }
    };
    let folders: Vec<PathBuf> = env::split_paths(list).map(absolute).collect();
    env::join_paths(folders)
        .map_or_else(|_| list.to_string_lossy().into_owned(), |list| list.to_string_lossy().into_owned())
}

fn name(key: &Key) -> String {
    format!("{}.{}", key.section, key.name)
}

fn variable(key: &str) -> String {
    format!("BRIDGEHEAD_{}", key.replacen('.', "_", 1).to_uppercase())
}

/// Returns true if a key can change the result of a run. Paths of outputs cannot; a snapshot to restore counts by its
/// content.
fn has_effect(key: &Key) -> bool {
    !WITHOUT_EFFECT.contains(&key.section) && !matches!(key.form, Form::Path | Form::Secret)
}

/// Refuses a configuration that names files: runs at the same time would overwrite them.
fn refuse_outputs(layers: &Layers) -> Result<(), String> {
    let given = keys().filter(|key| key.section == "run" && OUTPUTS.contains(&key.name));
    let found = given.filter_map(|key| match layers.value_of(&key) {
        (Some(_), source) => Some(format!("`run.{}` ({source})", key.name)),
        (None, _) => None,
    });
    let found: Vec<String> = found.collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "all runs would write the file of {}; try: leave it out, because each run has files of its own",
        found.join(" and ")
    ))
}

/// Returns the lists of a configuration without their places.
fn lists(layers: &Layers) -> Value {
    let mut lists = Map::new();
    if let Value::Object(all) = layers.to_json() {
        let is_list = |name: &String| name != "plugin_path";
        for (name, entries) in all.into_iter().filter(|(name, entries)| is_list(name) && entries.is_array()) {
            lists.insert(name, without_places(entries));
        }
    }
    let Settings { triggers, enable_command_action, .. } = layers.clone().merged();
    let triggers: Vec<Value> = triggers.iter().map(|trigger| Value::Object(trigger.to_json())).collect();
    lists.insert("trigger".to_owned(), without_places(Value::from(triggers)));
    lists.insert("enable_command_action".to_owned(), Value::from(enable_command_action));
    Value::from(lists)
}

fn without_places(entries: Value) -> Value {
    let Value::Array(mut entries) = entries else { return entries };
    for entry in &mut entries {
        if let Value::Object(entry) = entry {
            entry.remove("place");
            entry.remove("source");
        }
    }
    Value::from(entries)
}

/// Returns the text of a value, as an environment variable has it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_a_run_writes_is_refused() {
        // Read, or a folder of the run.
        const OTHERS: [&str; 3] = ["world", "output", "restore"];
        let paths = keys().filter(|key| key.section == "run" && key.form == Form::Path);
        let written: Vec<&str> = paths.map(|key| key.name).filter(|name| !OTHERS.contains(name)).collect();
        let mut listed = OUTPUTS.to_vec();
        listed.sort_by_key(|name| written.iter().position(|known| known == name));
        assert_eq!(listed, written);
    }
}
