//! The resource limits of the process: too low ones end it, or keep it from writing its result.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::super::Rule;
use super::{Cost, State};

const LIMITS: [(Resource, &str); 11] = [
    (Resource::Cpu, "RLIMIT_CPU"),
    (Resource::Fsize, "RLIMIT_FSIZE"),
    (Resource::Data, "RLIMIT_DATA"),
    (Resource::Stack, "RLIMIT_STACK"),
    (Resource::Core, "RLIMIT_CORE"),
    (Resource::Rss, "RLIMIT_RSS"),
    (Resource::Nproc, "RLIMIT_NPROC"),
    (Resource::Nofile, "RLIMIT_NOFILE"),
    (Resource::Memlock, "RLIMIT_MEMLOCK"),
    (Resource::As, "RLIMIT_AS"),
    (Resource::Locks, "RLIMIT_LOCKS"),
];

/// All limits, in their order.
pub(super) struct Limits([Rlimit; LIMITS.len()]);

impl State for Limits {
    const RULE: Rule = Rule::Limit;
    const COST: Cost = Cost::Medium;
    /// `prlimit` is a tool of users.
    const IS_OPEN: bool = true;

    fn read() -> Option<Self> {
        Some(Limits(LIMITS.map(|(resource, _)| getrlimit(resource))))
    }

    fn change(&self) -> Option<String> {
        let changed = LIMITS.iter().zip(&self.0).filter_map(|((resource, name), before)| {
            let now = getrlimit(*resource);
            (now != *before)
                .then(|| format!("{name} from {} to {}", value(before.current), value(now.current)))
        });
        let changed: Vec<String> = changed.collect();
        (!changed.is_empty()).then(|| format!("changed {}", changed.join(" and ")))
    }

    fn restore(&self) -> bool {
        LIMITS.iter().zip(&self.0).fold(true, |is_restored, ((resource, _), before)| {
            // A lowered maximum stays, but the limit may be raised up to it.
            let done = setrlimit(*resource, *before).is_ok();
            if !done {
                let maximum = getrlimit(*resource).maximum;
                let lower = before.current.unwrap_or(u64::MAX).min(maximum.unwrap_or(u64::MAX));
                let current = (lower != u64::MAX).then_some(lower);
                _ = setrlimit(*resource, Rlimit { current, maximum });
            }
            is_restored && done
        })
    }
}

fn value(limit: Option<u64>) -> String {
    limit.map_or_else(|| "unlimited".to_owned(), |limit| limit.to_string())
}
