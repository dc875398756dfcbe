//! The search for a smaller failing run. Pure, apart from the trials.

/// A run that may fail in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Names and values of its parameters.
    pub parameters: Vec<(String, String)>,
    /// Its duration in nanoseconds, if it is not that of the original.
    pub duration_ns: Option<u64>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Exit code.
    pub exit_code: i32,
    /// The cause in the result file.
    pub cause: String,
    /// Simulated time in nanoseconds.
    pub time_ns: u64,
    /// Steps.
    pub steps: u64,
    /// Hash of the last state.
    pub state_hash: Option<String>,
}

impl Ending {
    /// Returns true if both fail for the same reason. Numbers in a cause, such as times, may differ.
    fn is_like(&self, other: &Self) -> bool {
        let words = |text: &str| text.chars().filter(|letter| !letter.is_numeric()).collect::<String>();
        self.exit_code == other.exit_code && words(&self.cause) == words(&other.cause)
    }
}

/// Executes candidates.
pub(super) trait Trial {
    /// Why a candidate cannot be executed at all.
    type Error;

    /// Returns how a candidate ends; `None` if it gives no result.
    fn ending(&mut self, candidate: &Candidate) -> Result<Option<Ending>, Self::Error>;
}

/// What was found.
pub(super) struct Found {
    pub(super) candidate: Candidate,
    pub(super) ending: Ending,
    pub(super) notes: Vec<String>,
}

/// The parameter that the search for a duration changes.
const DURATION: &str = "run.duration";
/// Exit code of a run that was declared a failure. A run without a success, code 8, also fails with any shorter duration,
/// which tells nothing.
const FAILURE: i32 = 9;

/// Returns a smaller candidate; `None` if the original does not end in the same way again.
pub(super) fn smaller<T: Trial>(
    start: &Candidate,
    expected: &Ending,
    trial: &mut T,
) -> Result<Option<Found>, T::Error> {
    let first = trial.ending(start)?;
    let Some(first) = first.filter(|ending| ending == expected) else { return Ok(None) };
    let mut found = Found { candidate: start.clone(), ending: first, notes: Vec::new() };
    drop_parameters(&mut found, trial)?;
    if found.ending.exit_code == FAILURE {
        shorten(&mut found, trial)?;
    } else {
        found.notes.push(
            "the duration is kept: a run without a success fails with every shorter one too".to_owned(),
        );
    }
    Ok(Some(found))
}

/// Leaves out one parameter after the other, until each that is left is needed.
fn drop_parameters<T: Trial>(found: &mut Found, trial: &mut T) -> Result<(), T::Error> {
    loop {
        let before = found.candidate.parameters.len();
        let mut at = 0;
        while at < found.candidate.parameters.len() {
            let mut candidate = found.candidate.clone();
            let (name, value) = candidate.parameters.remove(at);
            if name == DURATION {
                at += 1;
                continue;
            }
            match trial.ending(&candidate)?.filter(|ending| ending.is_like(&found.ending)) {
                Some(ending) => {
                    found.notes.push(format!("`{name}={value}` is not needed"));
                    (found.candidate, found.ending) = (candidate, ending);
                }
                None => at += 1,
            }
        }
        if found.candidate.parameters.len() == before {
            let needed = found.candidate.parameters.iter().filter(|(name, _)| name != DURATION);
            found.notes.extend(needed.map(|(name, value)| format!("`{name}={value}` is needed")));
            return Ok(());
        }
    }
}

/// Finds the shortest duration, to a step, with which the run fails in the same way.
fn shorten<T: Trial>(found: &mut Found, trial: &mut T) -> Result<(), T::Error> {
    let (mut fails_at, steps) = (found.ending.time_ns, found.ending.steps);
    let Some(step_ns) = fails_at.checked_div(steps).filter(|step| *step > 0) else { return Ok(()) };
    let mut passes_at = 0;
    // The end of the run itself is tried first: usually the failure ends the run.
    let mut next = fails_at;
    while passes_at + step_ns < fails_at || found.candidate.duration_ns.is_none() {
        let candidate = Candidate { duration_ns: Some(next), ..found.candidate.clone() };
        match trial.ending(&candidate)?.filter(|ending| ending.is_like(&found.ending)) {
            Some(ending) => {
                fails_at = next;
                (found.candidate, found.ending) = (candidate, ending);
            }
            None if found.candidate.duration_ns.is_none() => {
                found
                    .notes
                    .push("the duration is kept: the run fails only because it is that long".to_owned());
                return Ok(());
            }
            None => passes_at = next,
        }
        let middle = passes_at + (fails_at - passes_at) / 2;
        // On the grid of steps, and never below one step.
        next = (middle / step_ns * step_ns).max(step_ns);
        if next <= passes_at || next >= fails_at {
            break;
        }
    }
    found
        .notes
        .push(format!("{} s are long enough", std::time::Duration::from_nanos(fails_at).as_secs_f64()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run whose ending is a function of its parameters and duration; counts the trials.
    struct Constructed<F>(F, usize);

    impl<F: Fn(&Candidate) -> Option<Ending>> Trial for Constructed<F> {
        type Error = ();

        fn ending(&mut self, candidate: &Candidate) -> Result<Option<Ending>, ()> {
            self.1 += 1;
            Ok((self.0)(candidate))
        }
    }

    const STEP: u64 = 1_000_000;

    fn ending(exit_code: i32, steps: u64) -> Ending {
        let cause = if exit_code == 0 { "the end" } else { "hit a wall" };
        let cause = format!("{cause} at {steps}");
        Ending { exit_code, cause, time_ns: steps * STEP, steps, state_hash: None }
    }

    fn candidate(names: &[&str]) -> Candidate {
        let parameters = names.iter().map(|name| ((*name).to_owned(), "1".to_owned())).collect();
        Candidate { parameters, duration_ns: None }
    }

    /// Fails at step 1234 of 10000 if it has these parameters.
    fn fails_with(needed: &'static [&'static str]) -> impl Fn(&Candidate) -> Option<Ending> {
        move |candidate| {
            let has = |name: &&str| candidate.parameters.iter().any(|(found, _)| found == name);
            let steps = candidate.duration_ns.map_or(10_000, |duration| duration / STEP);
            let fails = needed.iter().all(has) && steps >= 1234;
            Some(if fails { ending(9, 1234) } else { ending(0, steps) })
        }
    }

    fn found(
        start: &Candidate,
        expected: &Ending,
        run: impl Fn(&Candidate) -> Option<Ending>,
    ) -> (Option<Found>, usize) {
        let mut trial = Constructed(run, 0);
        let found = smaller(start, expected, &mut trial).expect("trials work");
        (found, trial.1)
    }

    #[test]
    fn only_the_needed_parameters_and_the_shortest_duration_are_left() {
        let start = candidate(&["a", "run.duration", "b", "c", "d"]);
        let (smaller, trials) = found(&start, &ending(9, 1234), fails_with(&["b", "d"]));
        let smaller = smaller.expect("it fails");
        assert_eq!(smaller.candidate.parameters, candidate(&["run.duration", "b", "d"]).parameters);
        assert_eq!(smaller.candidate.duration_ns, Some(1234 * STEP));
        assert_eq!(smaller.ending, ending(9, 1234));
        assert!(smaller.notes.contains(&"`a=1` is not needed".to_owned()), "{:?}", smaller.notes);
        assert!(smaller.notes.contains(&"`d=1` is needed".to_owned()), "{:?}", smaller.notes);
        assert!(trials < 25, "{trials}");
    }

    #[test]
    fn a_run_that_reports_its_failure_late_is_shortened_to_the_step_that_decides() {
        // It reports at its end, but only the first 700 steps matter.
        let late = |candidate: &Candidate| {
            let steps = candidate.duration_ns.map_or(10_000, |duration| duration / STEP);
            Some(if steps >= 700 { ending(9, steps) } else { ending(0, steps) })
        };
        let (smaller, _) = found(&candidate(&[]), &ending(9, 10_000), late);
        assert_eq!(smaller.expect("it fails").candidate.duration_ns, Some(700 * STEP));
    }

    #[test]
    fn a_run_without_a_success_keeps_its_duration() {
        let never = |_: &Candidate| Some(ending(8, 500));
        let (smaller, _) = found(&candidate(&["a"]), &ending(8, 500), never);
        let smaller = smaller.expect("it fails");
        assert_eq!(smaller.candidate, candidate(&[]));
        assert!(smaller.notes.iter().any(|note| note.contains("every shorter one")), "{:?}", smaller.notes);
    }

    #[test]
    fn another_failure_is_not_the_same() {
        let other = |candidate: &Candidate| {
            let mut ending = ending(9, 10);
            if candidate.parameters.is_empty() {
                ending.cause = "fell over".to_owned();
            }
            Some(ending)
        };
        let (smaller, _) = found(&candidate(&["a"]), &ending(9, 10), other);
        assert_eq!(smaller.expect("it fails").candidate.parameters.len(), 1);
    }

    #[test]
    fn a_run_that_ends_otherwise_the_second_time_is_refused() {
        assert!(found(&candidate(&[]), &ending(9, 10), |_| Some(ending(9, 11))).0.is_none());
        assert!(found(&candidate(&[]), &ending(9, 10), |_| None).0.is_none());
    }

    #[test]
    fn a_failure_in_the_first_step_needs_one_step() {
        let first = |candidate: &Candidate| {
            let steps = candidate.duration_ns.map_or(10, |duration| duration / STEP);
            (steps > 0).then(|| ending(9, 1))
        };
        let (smaller, _) = found(&candidate(&[]), &ending(9, 1), first);
        assert_eq!(smaller.expect("it fails").candidate.duration_ns, Some(STEP));
    }
}
