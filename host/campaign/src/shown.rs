//! How runs are named for people: short keys, short names of parameters, and only the parameters that differ.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::{Case, Key, Plan, PlannedRun};

/// The names of a plan for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    digits: usize,
    /// The short name of each parameter.
    names: Vec<String>,
    /// The value of each parameter that all cases have in common.
    constants: Vec<Option<u32>>,
}

impl Shown {
    /// Returns the names of a plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let constants = (0..plan.names.len()).map(|name| constant(plan, name)).collect();
        Shown { digits: plan.digits(), names: short_names(&plan.names), constants }
    }

    /// Returns the first digits of a key, which no other run of the plan has.
    #[must_use]
    pub fn key(&self, key: &Key) -> String {
        key.to_string().chars().take(self.digits).collect()
    }

    /// Returns the number of digits of a short key.
    #[must_use]
    pub fn digits(&self) -> usize {
        self.digits
    }

    /// Returns the short name of a parameter.
    #[must_use]
    pub fn name(&self, number: usize) -> &str {
        self.names.get(number).map(String::as_str).unwrap_or_default()
    }

    /// Returns the value that a parameter has in every case; `None` if cases differ in it.
    #[must_use]
    pub fn constant<'p>(&self, plan: &'p Plan, number: usize) -> Option<&'p str> {
        let value = (*self.constants.get(number)?)?;
        plan.values.get(number)?.get(value as usize).map(String::as_str)
    }

    /// Returns the parameters in which a case differs from others, such as `substeps=2`; empty if there are none.
    #[must_use]
    pub fn parameters(&self, plan: &Plan, case: &Case) -> String {
        let differing = case.parameters.iter().filter_map(|(name, value)| {
            let number = usize::from(*name);
            let is_constant = self.constants.get(number).is_some_and(Option::is_some);
            let text = plan.values.get(number)?.get(*value as usize)?;
            (!is_constant).then(|| format!("{}={text}", self.name(number)))
        });
        let bridges = plan.bridges(case);
        let bridges = (plan.bridges.len() > 1).then(|| format!("bridges={}", bridges.bridges.join("+")));
        differing.chain(bridges).collect::<Vec<_>>().join(", ")
    }

    /// Returns the world of a case with the parameters in which it differs.
    #[must_use]
    pub fn case(&self, plan: &Plan, case: &Case) -> String {
        let parameters = self.parameters(plan, case);
        let gap = if parameters.is_empty() { "" } else { ", " };
        format!("{}{gap}{parameters}", plan.world(case))
    }

    /// Returns the case of a run, with its seed and its key.
    #[must_use]
    pub fn run(&self, plan: &Plan, run: &PlannedRun) -> String {
        format!("{}, seed {}, key {}", self.case(plan, plan.case(run)), run.seed, self.key(&run.key))
    }
}

/// Returns the value of a parameter that every case has; `None` if a case has another one or none.
fn constant(plan: &Plan, number: usize) -> Option<u32> {
    let value = |case: &Case| {
        case.parameters.iter().rfind(|(name, _)| usize::from(*name) == number).map(|(_, value)| *value)
    };
    let first = value(plan.cases.first()?)?;
    plan.cases.iter().all(|case| value(case) == Some(first)).then_some(first)
}

/// Returns the last parts of each name that no other name ends with.
fn short_names(names: &[String]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = names.iter().map(|name| parts(name)).collect();
    let ends = |at: usize, count: usize| {
        let parts = parts.get(at).map(Vec::as_slice).unwrap_or_default();
        parts.get(parts.len().saturating_sub(count)..).unwrap_or_default()
    };
    (0..names.len())
        .map(|at| {
            let is_alone = |count: &usize| {
                (0..names.len()).all(|other| other == at || ends(other, *count) != ends(at, *count))
            };
            let whole = parts.get(at).map_or(0, Vec::len);
            let count = (1..whole).find(is_alone).unwrap_or(whole);
            ends(at, count).join(".")
        })
        .collect()
}

/// Splits a path at its dots, except in brackets.
fn parts(name: &str) -> Vec<&str> {
    let mut is_inside = false;
    name.split(|letter| {
        match letter {
            '[' => is_inside = true,
            ']' => is_inside = false,
            _ => {}
        }
        letter == '.' && !is_inside
    })
    .collect()
}

/// Returns the runs by their cases, in the order of the plan.
#[must_use]
pub fn by_case<T>(runs: impl Iterator<Item = (u32, T)>) -> Vec<(u32, Vec<T>)> {
    let mut cases: Vec<(u32, Vec<T>)> = Vec::new();
    let mut places = HashMap::new();
    for (case, run) in runs {
        let place = *places.entry(case).or_insert_with(|| {
            cases.push((case, Vec::new()));
            cases.len() - 1
        });
        if let Some((_, runs)) = cases.get_mut(place) {
            runs.push(run);
        }
    }
    cases
}

/// Returns the number of different values.
#[must_use]
pub fn count_distinct<T: Hash + Eq>(values: impl Iterator<Item = T>) -> usize {
    values.collect::<HashSet<T>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Accept;
    use crate::report::tests::plan_of;

    #[test]
    fn names_are_as_short_as_they_can_be_told_apart() {
        let long = [
            "run.duration",
            "world.model[a.b].link[base].inertial.mass",
            "world.model[car].pose",
            "world.model[box].pose",
            "pose",
        ];
        let short = short_names(&long.map(str::to_owned));
        assert_eq!(short, ["duration", "mass", "model[car].pose", "model[box].pose", "pose"]);
        assert_eq!(parts("world.model[a.b].@type"), ["world", "model[a.b]", "@type"]);
    }

    #[test]
    fn what_all_cases_have_in_common_is_left_out() {
        let mut plan = plan_of(4, 2, Accept::default());
        plan.names.push("world.mass".to_owned());
        plan.values.push(vec!["3".to_owned()]);
        plan.cases.iter_mut().for_each(|case| case.parameters.push((1, 0)));
        let shown = Shown::of(&plan);
        assert_eq!(shown.parameters(&plan, &plan.cases[2]), "substeps=1");
        assert_eq!(shown.case(&plan, &plan.cases[2]), "a.sdf, substeps=1");
        assert_eq!((shown.constant(&plan, 0), shown.constant(&plan, 1)), (None, Some("3")));
        // A case without the parameter has the value of its world.
        plan.cases[0].parameters.pop();
        assert_eq!(Shown::of(&plan).parameters(&plan, &plan.cases[2]), "substeps=1, mass=3");
    }

    #[test]
    fn a_short_key_is_that_of_one_run() {
        let mut plan = plan_of(1, 2, Accept::default());
        let shown = Shown::of(&plan);
        let short = shown.key(&plan.runs[0].key);
        assert_eq!((short.len(), plan.find(&short)), (8, Some(&plan.runs[0])));
        let mut near = plan.runs[0].key;
        near.0[6] ^= 1;
        plan.runs[1].key = near;
        let short = Shown::of(&plan).key(&near);
        assert_eq!((short.len(), plan.find(&short)), (14, Some(&plan.runs[1])));
    }

    #[test]
    fn runs_are_gathered_by_case_in_their_order() {
        let runs = [(3, 'a'), (1, 'b'), (3, 'c')];
        assert_eq!(by_case(runs.into_iter()), [(3, vec!['a', 'c']), (1, vec!['b'])]);
        assert_eq!(count_distinct([1, 2, 1].into_iter()), 2);
    }
}
