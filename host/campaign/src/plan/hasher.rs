//! The hash of a case, with its inputs: each file is hashed once, and cases that differ only in values share their inputs.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use super::Case;
use super::keys::{CaseParts, without_paths};
use super::make::{DURATION, Maker};
use crate::matrix::Interned;
use crate::{CampaignError, Inputs, Key, Request};

/// The input files of a plan.
#[derive(Default)]
pub(super) struct Files {
    numbers: HashMap<PathBuf, u32>,
    pub(super) listed: Vec<(PathBuf, Key)>,
    /// Files of all runs.
    pub(super) common: Vec<u32>,
}

impl Files {
    pub(super) fn number(&mut self, path: PathBuf, key: Key) -> u32 {
        let next = u32::try_from(self.listed.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(path.clone()).or_insert(next);
        if number == next {
            self.listed.push((path, key));
        }
        number
    }
}

/// Most sets of values that are tried in their world. Each takes the time of reading the world; what is not tried shows in
/// its run.
const MAX_TRIED: usize = 100;

/// The hashes of what a case depends on.
#[derive(Clone)]
struct Hashed {
    set: u32,
    files: Vec<Key>,
    libraries: Vec<Key>,
}

/// Values of worlds in their files: numbers of the world and of the parameter, and the text.
pub(super) type WorldValues = Vec<(u32, u16, String)>;

/// A case as far as its inputs depend on it: world, bridges, and the parameters that can change the inputs.
type InputsOf = (u32, u32, Vec<(u16, u32)>);

/// Computes the hashes of cases.
pub(super) struct CaseHasher<'m, 'a> {
    maker: &'m mut Maker<'a>,
    files: Files,
    program: Key,
    base: Key,
    /// For each parameter whether it is a key of the configuration.
    settings: Vec<bool>,
    /// For each parameter whether it can change which files a run uses.
    references: Vec<bool>,
    inputs: HashMap<InputsOf, Hashed>,
    sets: Interned<Vec<u32>>,
    /// The texts that values of worlds have in their files, by world and parameter.
    own_values: HashMap<(u32, u16), String>,
    bridges: HashMap<u32, (Vec<String>, Vec<PathBuf>)>,
    /// The worlds with the values that were tried.
    tried: HashSet<(u32, Vec<(String, String)>)>,
}

impl<'m, 'a> CaseHasher<'m, 'a> {
    pub(super) fn new(maker: &'m mut Maker<'a>, files: Files, program: Key, base: Key) -> Self {
        let settings = maker.tables.names.all.iter().map(|name| maker.is_setting(name)).collect();
        let references = maker.tables.names.all.iter().map(|name| maker.host.is_reference(name)).collect();
        CaseHasher {
            maker,
            files,
            program,
            base,
            settings,
            references,
            inputs: HashMap::new(),
            sets: Interned::default(),
            own_values: HashMap::new(),
            bridges: HashMap::new(),
            tried: HashSet::new(),
        }
    }

    /// Returns the input files, the sets of them that cases refer to, and the values of worlds in their files.
    pub(super) fn finish(self) -> (Files, Interned<Vec<u32>>, WorldValues) {
        let mut values: WorldValues =
            self.own_values.into_iter().map(|((world, name), text)| (world, name, text)).collect();
        values.sort();
        (self.files, self.sets, values)
    }

    /// Returns the hash of a case, and notes its inputs in it.
    pub(super) fn hash(&mut self, case: &mut Case) -> Result<Key, CampaignError> {
        let hashed = self.inputs(case)?;
        case.inputs = hashed.set;
        let (mut settings, mut values) = (BTreeMap::new(), BTreeMap::new());
        for (name, value) in &case.parameters {
            let (text, number) = (self.value(*name, *value), usize::from(*name));
            let key = self.maker.tables.names.all[number].clone();
            if self.settings[number] {
                let is_own = key == DURATION || self.maker.base.values.get(&key) == Some(&text);
                if !is_own {
                    settings.insert(key, text);
                }
            } else if *self.own_value(case.world, *name)? != text {
                values.insert(key, text);
            }
        }
        self.try_values(case.world, &values)?;
        let settings: Vec<(&str, &str)> =
            settings.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        let values: Vec<(&str, &str)> =
            values.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let parts = CaseParts {
            version: &self.maker.host.version(),
            program: self.program,
            base: self.base,
            files: &hashed.files,
            libraries: &hashed.libraries,
            settings: &settings,
            values: &values,
            bridges: self.bridges.get(&case.bridges).map_or(&[], |(bridges, _)| bridges.as_slice()),
        };
        Ok(parts.hash())
    }

    /// Refuses values that their world cannot be used with, once for all cases with the same.
    fn try_values(&mut self, world: u32, values: &BTreeMap<String, String>) -> Result<(), CampaignError> {
        let values: Vec<(String, String)> = values.clone().into_iter().collect();
        if values.is_empty() || self.tried.len() >= MAX_TRIED || !self.tried.insert((world, values.clone())) {
            return Ok(());
        }
        let shown = &self.maker.tables.worlds.all[world as usize];
        let checked = self.maker.host.check(&self.maker.root.join(shown), &values);
        checked.map_err(|why| CampaignError::Case { case: shown.clone(), why })
    }

    fn value(&self, name: u16, value: u32) -> String {
        self.maker.tables.values[usize::from(name)].all[value as usize].clone()
    }

    /// Returns the duration of a case: its own, or that of the configuration.
    pub(super) fn duration(&self, case: &Case) -> String {
        let is_duration = |name: u16| self.maker.tables.names.all[usize::from(name)] == DURATION;
        let own = case.parameters.iter().find(|(name, _)| is_duration(*name));
        let own = own.map(|(name, value)| self.value(*name, *value));
        own.or_else(|| self.maker.base.values.get(DURATION).cloned()).unwrap_or_default()
    }

    fn own_value(&mut self, world: u32, name: u16) -> Result<&String, CampaignError> {
        let maker = &*self.maker;
        match self.own_values.entry((world, name)) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => {
                let shown = &maker.tables.worlds.all[world as usize];
                let path = &maker.tables.names.all[usize::from(name)];
                let text = maker.host.value(&maker.root.join(shown), path);
                let text = text.map_err(|why| CampaignError::Case { case: shown.clone(), why })?;
                Ok(free.insert(text))
            }
        }
    }

    /// Returns the inputs of a case, which are shared by all cases that differ only in other parameters.
    fn inputs(&mut self, case: &Case) -> Result<Hashed, CampaignError> {
        let is_reference = |(name, _): &&(u16, u32)| self.references[usize::from(*name)];
        let references: Vec<(u16, u32)> = case.parameters.iter().filter(is_reference).copied().collect();
        let of = (case.world, case.bridges, references);
        if let Some(known) = self.inputs.get(&of) {
            return Ok(known.clone());
        }
        let (request, shown) = self.request(&of);
        let Inputs { files, libraries } =
            self.maker.host.inputs(&request).map_err(|why| CampaignError::Case { case: shown, why })?;
        let mut set = self.files.common.clone();
        let own = self.bridge_files(case.bridges)?;
        let world = self.hashes(files, &mut set)?;
        self.hashes(own, &mut set)?;
        let mut libraries = self.hashes(libraries, &mut set)?;
        libraries.sort();
        set.sort_unstable();
        set.dedup();
        let hashed = Hashed { set: self.sets.number(set), files: world, libraries };
        self.inputs.insert(of, hashed.clone());
        Ok(hashed)
    }

    fn hashes(&mut self, files: Vec<PathBuf>, set: &mut Vec<u32>) -> Result<Vec<Key>, CampaignError> {
        let mut hashes = Vec::new();
        for path in files {
            let digest = self.maker.digest(&path)?;
            set.push(self.files.number(path, digest));
            hashes.push(digest);
        }
        Ok(hashes)
    }

    /// Returns the files that a set of bridges names, and notes the bridges without paths.
    fn bridge_files(&mut self, number: u32) -> Result<Vec<PathBuf>, CampaignError> {
        if let Some((_, files)) = self.bridges.get(&number) {
            return Ok(files.clone());
        }
        let (mut texts, mut files) = (Vec::new(), Vec::new());
        for bridge in self.maker.tables.bridges.all[number as usize].bridges.clone() {
            let (text, found) = without_paths(&bridge, &self.maker.root, &mut self.maker.digests)?;
            texts.push(text);
            files.extend(found);
        }
        self.bridges.insert(number, (texts, files.clone()));
        Ok(files)
    }

    /// Returns the question about the inputs, and the case in words.
    fn request(&self, (world, bridges, references): &InputsOf) -> (Request, String) {
        let tables = &self.maker.tables;
        let shown = &tables.worlds.all[*world as usize];
        let pair = |(name, value): &(u16, u32)| {
            let number = usize::from(*name);
            (self.settings[number], (tables.names.all[number].clone(), self.value(*name, *value)))
        };
        let (settings, values): (Vec<_>, Vec<_>) =
            references.iter().map(pair).partition(|(is_setting, _)| *is_setting);
        let pairs = |list: Vec<(bool, (String, String))>| list.into_iter().map(|(_, pair)| pair).collect();
        let request = Request {
            world: self.maker.root.join(shown),
            bridges: tables.bridges.all[*bridges as usize].bridges.clone(),
            settings: pairs(settings),
            values: pairs(values),
        };
        (request, shown.clone())
    }
}
