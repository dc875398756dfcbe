//! Makes a plan: asks the host what the parameters mean and what each case depends on, and computes the keys.
//!
//! Files are hashed once; cases that differ only in values share their inputs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use super::hasher::{CaseHasher, Files, WorldValues};
use super::keys::{lists_without_paths, run_key};
use super::{Case, Plan, PlannedRun, SCHEMA};
use crate::digest::of_bytes;
use crate::file::{Axis, Block, BridgeSet, CampaignFile, SeedRange};
use crate::matrix::{self, Exclude, Interned, Product, Tables, expand};
use crate::{Base, CampaignError, Digests, Host, Key, statistics};

/// Keys of the configuration that are part of the key of a run on their own.
pub(super) const DURATION: &str = "run.duration";
const SEED: &str = "run.seed";

/// Makes the plan of a campaign. Also returns notes for the user.
///
/// # Errors
/// Returns an error if a parameter is unknown or wrong, a file is missing, or there are no runs or too many.
pub fn plan(file: &CampaignFile, host: &dyn Host) -> Result<(Plan, Vec<String>), CampaignError> {
    let root = absolute(file.folder());
    let base = host.base().map_err(CampaignError::Configuration)?;
    let mut maker = Maker { file, host, root, base, tables: Tables::default(), digests: Digests::default() };
    maker.plan()
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// A plan that is being made.
pub(super) struct Maker<'a> {
    file: &'a CampaignFile,
    pub(super) host: &'a dyn Host,
    pub(super) root: PathBuf,
    pub(super) base: Base,
    pub(super) tables: Tables,
    pub(super) digests: Digests,
}

impl Maker<'_> {
    fn plan(&mut self) -> Result<(Plan, Vec<String>), CampaignError> {
        let (mut products, mut excludes) = (Vec::new(), Vec::new());
        let file = self.file;
        for block in file.matrix.iter().chain(&file.includes) {
            products.push(self.product(block)?);
        }
        for block in &file.excludes {
            excludes.push(self.exclude(block)?);
        }
        let expanded = expand(file, &products, &excludes, &self.tables)?;
        self.keyed(expanded)
    }

    /// Puts the texts of a block into the tables.
    fn product(&mut self, block: &Block) -> Result<Product, CampaignError> {
        let matrix = self.file.matrix.as_ref();
        let has_worlds = |block: &&Block| !block.worlds.is_empty();
        let source = Some(block).filter(has_worlds).or(matrix).unwrap_or(block);
        let found = matrix::files(self.file, &source.worlds, "world")?;
        let worlds: Vec<u32> = found.into_iter().map(|world| self.tables.worlds.number(world)).collect();
        let sets = if block.bridges.is_empty() { vec![BridgeSet::default()] } else { block.bridges.clone() };
        let bridges = sets.into_iter().map(|set| self.tables.bridges.number(set)).collect();
        let is_set = |name: &str| block.parameters.iter().any(|axis| axis.name == name);
        let common: Vec<&Axis> = self.file.common.iter().filter(|axis| !is_set(&axis.name)).collect();
        let mut axes = Vec::new();
        for axis in common.into_iter().chain(&block.parameters) {
            axes.push(self.axis(axis, &worlds)?);
        }
        Ok(Product { worlds, bridges, axes, seeds: self.seeds(block) })
    }

    /// Returns the seeds of a block: its own, else those of the matrix, else that of the configuration.
    fn seeds(&self, block: &Block) -> Vec<SeedRange> {
        let of = |block: &Block| Some(block.seeds.clone()).filter(|seeds| !seeds.is_empty());
        let configured = self.base.values.get(SEED).and_then(|seed| seed.parse().ok()).unwrap_or_default();
        of(block)
            .or_else(|| self.file.matrix.as_ref().and_then(of))
            .unwrap_or_else(|| vec![SeedRange { from: configured, count: 1 }])
    }

    fn exclude(&mut self, block: &Block) -> Result<Exclude, CampaignError> {
        let mut exclude = Exclude { seeds: block.seeds.clone(), ..Exclude::default() };
        if !block.worlds.is_empty() {
            let found = matrix::files(self.file, &block.worlds, "world")?;
            exclude.worlds = Some(found.into_iter().map(|world| self.tables.worlds.number(world)).collect());
        }
        if !block.bridges.is_empty() {
            let sets = block.bridges.iter().cloned();
            exclude.bridges = Some(sets.map(|set| self.tables.bridges.number(set)).collect());
        }
        for axis in &block.parameters {
            let (name, values) = self.axis(axis, &[])?;
            let default = self.base.values.get(&axis.name);
            let known = &self.tables.values[usize::from(name)].all;
            if values.iter().any(|value| known.get(*value as usize) == default) {
                exclude.defaults.push(name);
            }
            exclude.axes.push((name, values));
        }
        Ok(exclude)
    }

    /// Puts a parameter into the tables, after the host has checked it.
    fn axis(&mut self, axis: &Axis, worlds: &[u32]) -> Result<(u16, Vec<u32>), CampaignError> {
        let refuse = |why: String| CampaignError::Parameter {
            place: axis.place.clone(),
            name: axis.name.clone(),
            why,
        };
        let name = self.tables.names.number(axis.name.clone());
        let name = u16::try_from(name).map_err(|_| refuse("is one of too many".to_owned()))?;
        if self.tables.values.len() <= usize::from(name) {
            self.tables.values.push(Interned::default());
        }
        let mut numbers = Vec::new();
        for value in &axis.values {
            let text = match self.host.setting(&axis.name, value) {
                Some(checked) => checked.map_err(&refuse)?,
                None => value.trim().to_owned(),
            };
            let number = self.tables.values[usize::from(name)].number(text);
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        if !self.is_setting(&axis.name) {
            for world in worlds {
                let world = &self.tables.worlds.all[*world as usize];
                self.host.value(&self.root.join(world), &axis.name).map_err(|why| {
                    refuse(format!("is neither a key of the configuration nor a value of `{world}`: {why}"))
                })?;
            }
        }
        Ok((name, numbers))
    }

    pub(super) fn is_setting(&self, name: &str) -> bool {
        self.host.setting(name, "").is_some()
    }

    /// Computes the keys of all runs.
    fn keyed(&mut self, expanded: Vec<(Case, Vec<SeedRange>)>) -> Result<(Plan, Vec<String>), CampaignError> {
        let program = self.host.program().map_err(CampaignError::Configuration)?;
        let program = self.digest(&program)?;
        let mut files = Files::default();
        let base = self.base_hash(&mut files)?;
        let mut hasher = CaseHasher::new(self, files, program, base);
        let (mut cases, mut runs) = (Vec::new(), Vec::new());
        let (mut seen, mut repeated) = (HashMap::new(), Repeated::default());
        for (mut case, seeds) in expanded {
            let hash = hasher.hash(&mut case)?;
            let duration = hasher.duration(&case);
            let number = u32::try_from(cases.len()).unwrap_or(u32::MAX);
            let before = runs.len();
            for seed in seeds.into_iter().flat_map(SeedRange::seeds) {
                let key = run_key(hash, seed, &duration);
                match seen.entry(key) {
                    Entry::Vacant(entry) => {
                        entry.insert(case.world);
                        runs.push(PlannedRun { key, case: number, seed });
                    }
                    Entry::Occupied(first) => repeated.add(*first.get(), case.world),
                }
            }
            if runs.len() > before {
                cases.push(case);
            }
        }
        let (files, sets, values) = hasher.finish();
        let plan = self.assembled(program, files, (sets, values), cases, runs);
        let notes = self.notes(&plan, &repeated);
        Ok((plan, notes))
    }

    fn assembled(
        &mut self,
        program: Key,
        files: Files,
        (sets, world_values): (Interned<Vec<u32>>, WorldValues),
        cases: Vec<Case>,
        runs: Vec<PlannedRun>,
    ) -> Plan {
        let tables = std::mem::take(&mut self.tables);
        let defaults = tables.names.all.iter().map(|name| self.base.values.get(name).cloned()).collect();
        let mut environment = self.host.search();
        let variable = |(key, value): &(String, String)| (variable(key), value.clone());
        environment.extend(self.base.environment.iter().map(variable));
        Plan {
            schema: SCHEMA.to_owned(),
            name: self.file.name.clone(),
            root: self.root.clone(),
            config: self.file.config.clone(),
            version: self.host.version(),
            program,
            environment,
            limits: self.file.limits.clone(),
            accept: self.file.accept.clone(),
            files: files.listed.into_iter().map(|(path, key)| (self.relative(&path), key)).collect(),
            inputs: sets.all,
            worlds: tables.worlds.all,
            bridges: tables.bridges.all,
            names: tables.names.all,
            values: tables.values.into_iter().map(|values| values.all).collect(),
            defaults,
            world_values,
            cases,
            runs,
        }
    }

    fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }

    /// Hashes what all runs have in common, except the program.
    fn base_hash(&mut self, files: &mut Files) -> Result<Key, CampaignError> {
        let mut found = self.base.files.clone();
        let mut lists = self.base.lists.clone();
        lists_without_paths(&mut lists, &self.root, &mut self.digests, &mut found)?;
        let own = [SEED, DURATION];
        let values = self.base.values.iter().filter(|(key, _)| !own.contains(&key.as_str()));
        let mut text: String = values.map(|(key, value)| format!("{key} = {value}\n")).collect();
        text.push_str(&lists.to_string());
        let named = matrix::files(self.file, &self.file.inputs, "file")?;
        let named: Vec<PathBuf> = named.into_iter().map(|path| self.root.join(path)).collect();
        found.extend(named.iter().cloned());
        for path in self.base.files.iter().cloned().chain(named).collect::<Vec<_>>() {
            text.push_str(&format!("\n{}", self.digest(&path)?));
        }
        if let Some(config) = &self.file.config {
            // The file itself is not part of the key: a comment in it changes nothing. It must not change later, though.
            found.push(self.root.join(config));
        }
        for path in found {
            let digest = self.digest(&path)?;
            let number = files.number(path, digest);
            files.common.push(number);
        }
        Ok(of_bytes(text.as_bytes()))
    }

    pub(super) fn digest(&mut self, path: &Path) -> Result<Key, CampaignError> {
        self.digests.of(path).map_err(|error| CampaignError::Case {
            case: path.display().to_string(),
            why: format!("the file cannot be read: {error}"),
        })
    }

    fn notes(&self, plan: &Plan, repeated: &Repeated) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(repeated.note(plan));
        let has_duration = |case: &Case| plan.parameters(case).any(|(name, _)| name == DURATION);
        if !self.base.values.contains_key(DURATION) && !plan.cases.iter().all(has_duration) {
            notes.push(format!(
                "some runs have no `duration`: a run that does not end by itself is ended after {} s of wall time",
                plan.limits.time_s
            ));
        }
        notes.extend(too_few(plan));
        notes
    }
}

/// Runs that are in a campaign more than once.
#[derive(Default)]
struct Repeated {
    count: usize,
    /// The numbers of two worlds that are equal.
    worlds: Option<(u32, u32)>,
}

impl Repeated {
    /// Takes note of a run in the world `this`, of which there is one already, in the world `first`.
    fn add(&mut self, first: u32, this: u32) {
        self.count += 1;
        if first != this {
            self.worlds.get_or_insert((first, this));
        }
    }

    fn note(&self, plan: &Plan) -> Option<String> {
        let runs = match self.count {
            0 => return None,
            1 => "1 run is in the campaign twice and is executed once".to_owned(),
            count => format!("{count} runs are in the campaign twice and are executed once"),
        };
        let name = |world: u32| plan.worlds.get(world as usize).map(String::as_str).unwrap_or_default();
        let worlds =
            self.worlds.map(|(one, other)| format!(": `{}` and `{}` are equal", name(one), name(other)));
        Some(runs + &worlds.unwrap_or_default())
    }
}

/// Returns a note if so few runs cannot reach the accepted pass rate.
fn too_few(plan: &Plan) -> Option<String> {
    let rate = plan.accept.pass_rate?;
    let needed = statistics::fewest(rate, plan.accept.confidence)?;
    let fewest = if plan.accept.is_total {
        plan.runs.len() as u64
    } else {
        let mut counts = vec![0_u64; plan.cases.len()];
        plan.runs.iter().for_each(|run| counts[run.case as usize] += 1);
        counts.into_iter().min().unwrap_or_default()
    };
    let what = if plan.accept.is_total { "the campaign" } else { "a case" };
    (fewest < needed).then(|| {
        format!(
            "{what} has {fewest} runs, which cannot show a pass rate of {rate} with confidence {}: even if all pass, \
             {needed} are needed",
            plan.accept.confidence
        )
    })
}

/// Returns the environment variable of a key of the configuration.
pub(crate) fn variable(key: &str) -> String {
    format!("BRIDGEHEAD_{}", key.replacen('.', "_", 1).to_uppercase())
}
