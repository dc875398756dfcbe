//! Compares the files of this machine with those of the plan, before runs are executed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::{CampaignError, Digests, Plan, PlannedRun};

/// Returns the runs whose inputs are here as planned, and an error for each file that is not.
///
/// # Errors
/// Returns an error if the program itself differs.
pub fn verify<'p>(
    plan: &Plan,
    runs: Vec<&'p PlannedRun>,
    program: &Path,
) -> Result<(Vec<&'p PlannedRun>, Vec<CampaignError>), CampaignError> {
    let mut digests = Digests::default();
    let digits = plan.digits();
    let short = |run: &PlannedRun| run.key.to_string().chars().take(digits).collect::<String>();
    let first = runs.first().map(|run| short(run)).unwrap_or_default();
    let changed = |path: &Path, found: String, runs: usize, key: &str| CampaignError::InputChanged {
        path: path.to_owned(),
        found,
        runs,
        key: key.to_owned(),
    };
    match digests.of(program) {
        Ok(found) if found == plan.program => {}
        Ok(found) => {
            let found = format!(
                "is another program than the planned one: its SHA-256 is {found}, not {}",
                plan.program
            );
            return Err(changed(program, found, runs.len(), &first));
        }
        Err(error) => return Err(changed(program, format!("cannot be read: {error}"), runs.len(), &first)),
    }
    let sets: BTreeSet<u32> = runs.iter().map(|run| plan.case(run).inputs).collect();
    let used: BTreeSet<u32> =
        sets.iter().flat_map(|set| plan.inputs[*set as usize].iter().copied()).collect();
    let mut wrong: BTreeMap<u32, String> = BTreeMap::new();
    for number in used {
        let (path, planned) = &plan.files[number as usize];
        match digests.of(&plan.path(path)) {
            Ok(found) if found == *planned => {}
            Ok(found) => {
                wrong.insert(
                    number,
                    format!("has changed since the plan: its SHA-256 is {found}, not {planned}"),
                );
            }
            Err(error) => {
                wrong.insert(number, format!("cannot be read on this machine: {error}"));
            }
        }
    }
    let set_is_fine: HashMap<u32, bool> = sets
        .iter()
        .map(|set| (*set, plan.inputs[*set as usize].iter().all(|file| !wrong.contains_key(file))))
        .collect();
    let errors = wrong.into_iter().map(|(number, found)| {
        let needs = |run: &&&PlannedRun| plan.inputs[plan.case(run).inputs as usize].contains(&number);
        let mut needing = runs.iter().filter(needs);
        let key = needing.next().map(|run| short(run)).unwrap_or_default();
        changed(&plan.path(&plan.files[number as usize].0), found, needing.count() + 1, &key)
    });
    let errors = errors.collect();
    let fine =
        runs.into_iter().filter(|run| set_is_fine.get(&plan.case(run).inputs) == Some(&true)).collect();
    Ok((fine, errors))
}
