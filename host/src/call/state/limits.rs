//! The resource limits of the process: too low ones end it, or keep it from writing its result.

use super::super::Rule;
use super::{Cost, State};

const LIMITS: [(libc::__rlimit_resource_t, &str); 11] = [
    (libc::RLIMIT_CPU, "RLIMIT_CPU"),
    (libc::RLIMIT_FSIZE, "RLIMIT_FSIZE"),
    (libc::RLIMIT_DATA, "RLIMIT_DATA"),
    (libc::RLIMIT_STACK, "RLIMIT_STACK"),
    (libc::RLIMIT_CORE, "RLIMIT_CORE"),
    (libc::RLIMIT_RSS, "RLIMIT_RSS"),
    (libc::RLIMIT_NPROC, "RLIMIT_NPROC"),
    (libc::RLIMIT_NOFILE, "RLIMIT_NOFILE"),
    (libc::RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK"),
    (libc::RLIMIT_AS, "RLIMIT_AS"),
    (libc::RLIMIT_LOCKS, "RLIMIT_LOCKS"),
];

/// All limits, in their order.
pub(super) struct Limits([libc::rlimit; LIMITS.len()]);

impl State for Limits {
    const RULE: Rule = Rule::Limit;
    const COST: Cost = Cost::Medium;
    /// `prlimit` is a tool of users.
    const IS_OPEN: bool = true;

    fn read() -> Option<Self> {
        Some(Limits(LIMITS.map(|(resource, _)| limit(resource))))
    }

    fn change(&self) -> Option<String> {
        let changed = LIMITS.iter().zip(&self.0).filter_map(|((resource, name), before)| {
            let now = limit(*resource);
            let is_same = now.rlim_cur == before.rlim_cur && now.rlim_max == before.rlim_max;
            (!is_same).then(|| format!("{name} from {} to {}", value(before.rlim_cur), value(now.rlim_cur)))
        });
        let changed: Vec<String> = changed.collect();
        (!changed.is_empty()).then(|| format!("changed {}", changed.join(" and ")))
    }

    #[expect(unsafe_code, reason = "std has no limits")]
    fn restore(&self) -> bool {
        LIMITS.iter().zip(&self.0).fold(true, |is_restored, ((resource, _), before)| {
            // SAFETY: the limit lives for the call. A lowered maximum stays, but the limit may be raised up to it.
            let done = unsafe { libc::setrlimit(*resource, before) == 0 };
            if !done {
                let most = limit(*resource).rlim_max;
                let nearest = libc::rlimit { rlim_cur: before.rlim_cur.min(most), rlim_max: most };
                // SAFETY: as above.
                unsafe { libc::setrlimit(*resource, &raw const nearest) };
            }
            is_restored && done
        })
    }
}

fn value(limit: libc::rlim_t) -> String {
    if limit == libc::RLIM_INFINITY { "unlimited".to_owned() } else { limit.to_string() }
}

#[expect(unsafe_code, reason = "std has no limits")]
fn limit(resource: libc::__rlimit_resource_t) -> libc::rlimit {
    let mut found = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: writes to `found`.
    unsafe { libc::getrlimit(resource, &raw mut found) };
    found
}
