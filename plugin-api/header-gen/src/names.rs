//! The naming scheme of the header: what a Rust name of the ABI is called in C. The same scheme is told to
//! readers at the top of the header; [`crate::source`] refuses names that would collide under it.

/// Words that are identifiers in Rust but not in C99 or C++17 and that the ABI could come to use.
const RESERVED: &[&str] = &[
    "auto",
    "class",
    "default",
    "delete",
    "double",
    "export",
    "float",
    "goto",
    "int",
    "long",
    "namespace",
    "new",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "short",
    "signed",
    "switch",
    "template",
    "this",
    "throw",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
];

/// C name of a type: `HostBus` is `bh_host_bus`.
#[must_use]
pub fn of_type(rust: &str) -> String {
    let mut name = String::from("bh");
    for letter in rust.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// C name of a field or parameter: its own, with an underscore behind it where C or C++ reserves the word.
#[must_use]
pub fn of_field(rust: &str) -> String {
    if RESERVED.contains(&rust) { format!("{rust}_") } else { rust.to_owned() }
}

/// C name of a constant: `BH_` and its name. Status codes, extension ids and the states of a bridge have
/// a prefix of their own, because their bare names (`OK`, `BUS`, `STATUS_CONNECTED`) would mislead.
#[must_use]
pub fn of_constant(module: &str, rust: &str) -> String {
    format!("{}{rust}", constant_prefix(module, rust))
}

/// What stands before the Rust name of a constant that is, or begins with, `rust`.
#[must_use]
pub fn constant_prefix(module: &str, rust: &str) -> &'static str {
    match module {
        "status" => "BH_STATUS_",
        "extension" => "BH_EXT_",
        "bridge" if rust.starts_with("STATUS_") => "BH_BRIDGE_",
        _ => "BH_",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_constants_follow_the_scheme() {
        assert_eq!(of_type("HostBus"), "bh_host_bus");
        assert_eq!(of_constant("status", "WOULD_BLOCK"), "BH_STATUS_WOULD_BLOCK");
        assert_eq!(of_constant("extension", "BUS"), "BH_EXT_BUS");
        assert_eq!(of_constant("bridge", "STATUS_CONNECTED"), "BH_BRIDGE_STATUS_CONNECTED");
        assert_eq!(of_constant("bridge", "NEXT_STEP"), "BH_NEXT_STEP");
    }

    #[test]
    fn reserved_words_get_an_underscore() {
        assert_eq!(of_field("register"), "register_");
        assert_eq!(of_field("reset"), "reset");
    }
}
