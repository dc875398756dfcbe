//! Arguments of xacro: `--arg NAME=VALUE`, and `[[argument]]` of the configuration file. Every file that is expanded gets
//! them. Plain values.

/// The value of a `<xacro:arg>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentRequest {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its place: `file:line`, or the flag.
    pub place: String,
}

/// Reads `NAME=VALUE`; also `NAME:=VALUE`, as xacro itself has it.
///
/// # Errors
/// Returns a text for the command line if there is no `=`, or no name before it.
pub fn xacro_argument(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let name = name.strip_suffix(':').unwrap_or(name);
    if name.is_empty() || name.starts_with('-') || name.contains(char::is_whitespace) {
        return Err("expected NAME=VALUE, with a name as in `<xacro:arg name=\"NAME\"/>`".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_a_name_and_a_value() {
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(xacro_argument("arm=true"), pair("arm", "true"));
        assert_eq!(xacro_argument("arm:=a=b"), pair("arm", "a=b"));
        assert_eq!(xacro_argument("arm="), pair("arm", ""));
        for wrong in ["arm", "=1", ":=1", "-o=x", "a b=1"] {
            assert!(xacro_argument(wrong).is_err(), "{wrong}");
        }
    }
}
