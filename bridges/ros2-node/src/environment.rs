//! The environment variables of ROS 2, for parts that a connection string leaves out.

use bridgehead_plugin_api::{Error, Result};

const DOMAIN: &str = "ROS_DOMAIN_ID";
const DISTRO: &str = "ROS_DISTRO";

/// Ports of higher domains would exceed 65535.
const LAST_DOMAIN: u16 = 232;

/// The environment of a process; an empty variable counts as unset, as in ROS.
#[derive(Clone, Copy)]
pub struct Environment<'a>(&'a dyn Fn(&str) -> Option<String>);

impl std::fmt::Debug for Environment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Environment")
    }
}

impl Environment<'static> {
    /// The variables of this process.
    pub const OF_PROCESS: Self = Environment(&|name| std::env::var(name).ok());
    /// No variables.
    pub const EMPTY: Self = Environment(&|_| None);
}

impl<'a> Environment<'a> {
    /// The variables that `find` returns.
    pub fn of(find: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Environment(find)
    }

    /// Returns the value of a variable, without whitespace around it.
    pub fn get(&self, name: &str) -> Option<String> {
        (self.0)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// Returns the domain; 0 by default.
    ///
    /// # Errors
    /// Returns an error if the variable is no domain.
    pub fn domain(&self) -> Result<u16> {
        let Some(text) = self.get(DOMAIN) else { return Ok(0) };
        domain(&text).ok_or_else(|| {
            let why = format!("expected a number from 0 to {LAST_DOMAIN}; unset it or give domain=");
            wrong(DOMAIN, &text, &why)
        })
    }

    /// Returns the name of the distribution, such as `jazzy`.
    pub fn distro(&self) -> Option<String> {
        self.get(DISTRO)
    }
}

/// Returns the domain that a text names; `None` if it is not one.
pub fn domain(text: &str) -> Option<u16> {
    text.parse().ok().filter(|domain| *domain <= LAST_DOMAIN)
}

/// Returns the error of a variable with a wrong value.
pub fn wrong(name: &str, value: &str, why: &str) -> Error {
    Error::invalid(format!("[BH-ROS-003] the variable {name} is `{value}`, {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain_of(value: Option<&str>) -> Result<u16> {
        let find = |name: &str| (name == DOMAIN).then(|| value.map(str::to_owned)).flatten();
        Environment::of(&find).domain()
    }

    #[test]
    fn the_domain_is_a_number_in_range() {
        assert_eq!([None, Some(""), Some(" "), Some("42")].map(domain_of), [Ok(0), Ok(0), Ok(0), Ok(42)]);
        for wrong in ["233", "-1", "a", "1.5"] {
            let error = domain_of(Some(wrong)).expect_err(wrong);
            assert!(error.text().contains(wrong) && error.text().contains("[BH-ROS-003]"), "{error}");
        }
    }
}
