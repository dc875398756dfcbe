//! The environment variables of the process, which other plugins and the programs that the host starts see.

use std::collections::BTreeMap;
use std::ffi::{CString, OsString, c_char};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Mutex;

use super::super::Rule;
use super::{Cost, State, lock};

unsafe extern "C" {
    /// The variables of the C library: addresses of `NAME=value`, the last one null.
    static environ: *const *const c_char;
}

/// Held while the host reads or sets variables: plugins start on several threads, and what one of them has changed is set
/// back while the calls of others are compared.
static ACCESS: Mutex<()> = Mutex::new(());

/// All variables.
pub(super) struct Environment {
    variables: BTreeMap<OsString, OsString>,
    /// The addresses of the texts when they were last compared: a variable that changes has a new one.
    addresses: Mutex<Vec<usize>>,
}

impl State for Environment {
    const RULE: Rule = Rule::Environment;
    const COST: Cost = Cost::Medium;

    fn read() -> Option<Self> {
        let _access = lock(&ACCESS);
        Some(Environment { variables: std::env::vars_os().collect(), addresses: Mutex::new(addresses()) })
    }

    fn change(&self) -> Option<String> {
        let _access = lock(&ACCESS);
        if is_at(&lock(&self.addresses)) {
            return None;
        }
        let names = self.changed();
        if names.is_empty() {
            *lock(&self.addresses) = addresses();
            return None;
        }
        let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.display())).collect();
        let plural = if names.len() == 1 { "variable" } else { "variables" };
        Some(format!("changed the environment {plural} {}", names.join(", ")))
    }

    fn restore(&self) -> bool {
        let _access = lock(&ACCESS);
        let is_restored = self.changed().iter().all(|name| set(name, self.variables.get(name)));
        *lock(&self.addresses) = addresses();
        is_restored
    }
}

impl Environment {
    /// The names of variables that were set, changed or removed.
    fn changed(&self) -> Vec<OsString> {
        let now: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        let names =
            self.variables.keys().chain(now.keys().filter(|name| !self.variables.contains_key(*name)));
        names.filter(|name| self.variables.get(*name) != now.get(*name)).cloned().collect()
    }
}

/// Sets or removes a variable. Not with std, whose functions are for processes without other threads.
#[expect(unsafe_code, reason = "std does not change variables while there are threads")]
fn set(name: &OsString, value: Option<&OsString>) -> bool {
    let text = |text: &OsString| CString::new(text.as_bytes()).ok();
    let Some(name) = text(name) else { return false };
    match value.map(text) {
        // SAFETY: the texts end with zero bytes, and the C library copies them.
        Some(Some(value)) => unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) == 0 },
        Some(None) => false,
        // SAFETY: as above.
        None => unsafe { libc::unsetenv(name.as_ptr()) == 0 },
    }
}

/// Calls `with` for each address until it returns false; returns true if it never does.
#[expect(unsafe_code, reason = "std copies all variables")]
fn each(mut with: impl FnMut(usize) -> bool) -> bool {
    // SAFETY: the array ends with a null address, and is null itself without variables.
    unsafe {
        let mut next = environ;
        while !next.is_null() && !(*next).is_null() {
            if !with((*next).addr()) {
                return false;
            }
            next = next.add(1);
        }
    }
    true
}

fn addresses() -> Vec<usize> {
    let mut all = Vec::new();
    each(|address| {
        all.push(address);
        true
    });
    all
}

/// Returns true if the variables are at these addresses.
fn is_at(addresses: &[usize]) -> bool {
    let mut expected = addresses.iter();
    each(|address| expected.next() == Some(&address)) && expected.next().is_none()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn variables_are_compared_and_set_back_one_thread_after_the_other() {
        let before = Environment::read().expect("variables");
        let access = lock(&ACCESS);
        std::thread::scope(|scope| {
            let (compares, restores) = (scope.spawn(|| before.change()), scope.spawn(|| before.restore()));
            // Wall time: shows that nothing happens.
            std::thread::sleep(Duration::from_millis(50));
            assert!(!compares.is_finished() && !restores.is_finished(), "another thread sets variables");
            drop(access);
            assert_eq!(
                (compares.join().expect("no panic"), restores.join().expect("no panic")),
                (None, true)
            );
        });
    }
}
