//! Expands the blocks of a campaign file into cases: combinations of everything but the seed.
//!
//! Values are numbers into tables, so that many cases share their texts. Reads folders only to find worlds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use crate::file::{BridgeSet, CampaignFile, SeedRange};
use crate::{CampaignError, Case};

/// Most runs of a campaign.
pub(crate) const MAX_RUNS: usize = 1_000_000;

/// The texts that cases refer to by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// Worlds as they are shown: relative to the campaign file, if they are given so.
    pub(crate) worlds: Interned<String>,
    pub(crate) bridges: Interned<BridgeSet>,
    pub(crate) names: Interned<String>,
    /// The values of each parameter, in one form for all spellings.
    pub(crate) values: Vec<Interned<String>>,
}

/// Values, each once, in the order in which they were added.
#[derive(Debug)]
pub(crate) struct Interned<T> {
    pub(crate) all: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned { all: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Interned<T> {
    pub(crate) fn number(&mut self, value: T) -> u32 {
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(value.clone()).or_insert(next);
        if number == next {
            self.all.push(value);
        }
        number
    }
}

/// A parameter of a block: its number, and the numbers of its values.
pub(crate) type Axis = (u16, Vec<u32>);

/// A block whose texts are in the tables.
#[derive(Debug, Default)]
pub(crate) struct Product {
    pub(crate) worlds: Vec<u32>,
    pub(crate) bridges: Vec<u32>,
    pub(crate) axes: Vec<Axis>,
    pub(crate) seeds: Vec<SeedRange>,
}

impl Product {
    /// Returns the number of cases and of seeds.
    fn size(&self) -> (u128, u128) {
        let axes = self.axes.iter().map(|(_, values)| values.len() as u128);
        let cases = axes.fold((self.worlds.len() * self.bridges.len()) as u128, u128::saturating_mul);
        let seeds = self.seeds.iter().map(|range| u128::from(range.count)).sum();
        (cases, seeds)
    }

    fn factors(&self, tables: &Tables) -> String {
        let axis = |(name, values): &Axis| {
            let name = tables.names.all.get(usize::from(*name)).map_or("", String::as_str);
            format!("{} of `{name}`", values.len())
        };
        let mut factors = vec![format!("{} worlds", self.worlds.len())];
        if self.bridges.len() > 1 {
            factors.push(format!("{} sets of bridges", self.bridges.len()));
        }
        factors.extend(self.axes.iter().map(axis));
        factors.push(format!("{} seeds", self.size().1));
        factors.join(" x ")
    }

    /// Returns every combination.
    fn cases(&self) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for world in &self.worlds {
            for bridges in &self.bridges {
                cases.push(Case { world: *world, bridges: *bridges, inputs: 0, parameters: Vec::new() });
            }
        }
        for (name, values) in &self.axes {
            let longer = |case: Case| {
                values.iter().map(move |value| {
                    let mut parameters = Vec::with_capacity(self.axes.len());
                    parameters.extend_from_slice(&case.parameters);
                    parameters.push((*name, *value));
                    Case { parameters, ..case.clone() }
                })
            };
            cases = cases.into_iter().flat_map(longer).collect();
        }
        cases
    }
}

/// Returns all cases with the seeds of each, without the excluded ones.
///
/// # Errors
/// Returns an error if there are no runs or too many, before a single one is made.
pub(crate) fn expand(
    file: &CampaignFile,
    products: &[Product],
    excludes: &[Exclude],
    tables: &Tables,
) -> Result<Vec<(Case, Vec<SeedRange>)>, CampaignError> {
    let shown = file.path.display().to_string();
    let size = |product: &Product| {
        let (cases, seeds) = product.size();
        cases.saturating_mul(seeds)
    };
    let count = products.iter().map(size).fold(0, u128::saturating_add);
    if count > MAX_RUNS as u128 {
        let factors = products.iter().map(|product| product.factors(tables)).collect::<Vec<_>>().join(" + ");
        return Err(CampaignError::TooManyRuns {
            file: shown,
            count: count.to_string(),
            factors,
            most: MAX_RUNS,
        });
    }
    let mut expanded = Vec::new();
    for product in products {
        for case in product.cases() {
            let seeds = remaining(&case, &product.seeds, excludes);
            if !seeds.is_empty() {
                expanded.push((case, seeds));
            }
        }
    }
    if expanded.is_empty() {
        let why = if count == 0 {
            let empty =
                products.iter().map(|product| product.factors(tables)).collect::<Vec<_>>().join(" + ");
            if empty.is_empty() { "there is neither `[matrix]` nor `[[include]]`".to_owned() } else { empty }
        } else {
            format!("`[[exclude]]` leaves out all {count} runs")
        };
        return Err(CampaignError::NoRuns { file: shown, why });
    }
    Ok(expanded)
}

/// A combination to leave out; what is not given matches everything.
#[derive(Debug, Default)]
pub(crate) struct Exclude {
    pub(crate) worlds: Option<Vec<u32>>,
    pub(crate) bridges: Option<Vec<u32>>,
    pub(crate) seeds: Vec<SeedRange>,
    pub(crate) axes: Vec<Axis>,
    /// Parameters whose excluded value is the one that cases without the parameter have.
    pub(crate) defaults: Vec<u16>,
}

impl Exclude {
    fn matches(&self, case: &Case) -> bool {
        let is_among =
            |list: &Option<Vec<u32>>, number: u32| list.as_ref().is_none_or(|list| list.contains(&number));
        let has = |(name, values): &Axis| match case.parameters.iter().rfind(|(found, _)| found == name) {
            Some((_, value)) => values.contains(value),
            None => self.defaults.contains(name),
        };
        is_among(&self.worlds, case.world)
            && is_among(&self.bridges, case.bridges)
            && self.axes.iter().all(has)
    }
}

/// Returns the seeds of a case that no exclude names.
fn remaining(case: &Case, seeds: &[SeedRange], excludes: &[Exclude]) -> Vec<SeedRange> {
    let matching: Vec<&Exclude> = excludes.iter().filter(|exclude| exclude.matches(case)).collect();
    if matching.iter().any(|exclude| exclude.seeds.is_empty()) {
        return Vec::new();
    }
    if matching.is_empty() {
        return seeds.to_vec();
    }
    let is_excluded =
        |seed: u64| matching.iter().any(|exclude| exclude.seeds.iter().any(|range| range.contains(seed)));
    let single = |seed: u64| SeedRange { from: seed, count: 1 };
    seeds.iter().flat_map(|range| range.seeds()).filter(|seed| !is_excluded(*seed)).map(single).collect()
}

/// Returns the files of paths and patterns: the file of a path, or all files that match a pattern, sorted. `what` is what
/// they are.
///
/// # Errors
/// Returns an error if a path or pattern matches no file.
pub(crate) fn files(
    file: &CampaignFile,
    patterns: &[(String, String)],
    what: &'static str,
) -> Result<Vec<String>, CampaignError> {
    let mut found = Vec::new();
    for (pattern, place) in patterns {
        let folder = file.folder();
        let matches = match pattern.contains(['*', '?', '[', '{']) && !folder.join(pattern).is_file() {
            true => matching(folder, pattern).unwrap_or_default(),
            false => vec![pattern.clone()].into_iter().filter(|path| folder.join(path).is_file()).collect(),
        };
        if matches.is_empty() {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
            return Err(CampaignError::NoFile {
                what,
                place: place.clone(),
                pattern: pattern.clone(),
                folder: folder.display().to_string(),
            });
        }
        found.extend(matches);
    }
    Ok(found)
}

/// Returns the files that match a pattern, part by part; `None` if the pattern is malformed.
fn matching(folder: &Path, pattern: &str) -> Option<Vec<String>> {
    let start = if pattern.starts_with('/') { PathBuf::from("/") } else { PathBuf::new() };
    let mut paths = vec![start];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let glob = GlobBuilder::new(part).build().ok()?.compile_matcher();
        let is_pattern = part.contains(['*', '?', '[', '{']);
        let mut deeper = Vec::new();
        for path in paths {
            if !is_pattern {
                deeper.push(path.join(part));
                continue;
            }
            let entries = std::fs::read_dir(folder.join(&path)).into_iter().flatten().flatten();
            let names = entries.map(|entry| entry.file_name());
            let visible = names.filter(|name| !name.to_string_lossy().starts_with('.'));
            deeper.extend(visible.filter(|name| glob.is_match(name)).map(|name| path.join(name)));
        }
        paths = deeper;
    }
    let mut files: Vec<String> = paths
        .into_iter()
        .filter(|path| folder.join(path).is_file())
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    files.sort();
    Some(files)
}
