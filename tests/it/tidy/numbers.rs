//! Numbers that are equal on every machine: no functions whose last bits depend on the machine or the build.
//!
//! What a world computes becomes its state, the data of sensors, messages and files, so the rule is for all crates and
//! for the examples, which authors of plugins begin with. Tests may call what they like. What runs on a GPU or in a
//! browser only makes pictures and is not written in Rust.

use std::fs;

use super::lexer::{Placed, Token, tokens, without_tests};
use super::{Source, assert_none, sources};
use crate::support::root;

/// Functions of `f32` and `f64` that the library of the system or the compiler computes; `libm` has them all, and a
/// small power is a product. `+ - * /`, `sqrt` and rounding are exact.
const OF_STD: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp",
    "exp2", "exp_m1", "gamma", "hypot", "ln", "ln_1p", "ln_gamma", "log10", "log2", "mul_add", "powf",
    "powi", "sin", "sin_cos", "sinh", "tan", "tanh",
];

/// Functions of the vectors of `wide` and `fearless_simd` that use instructions with other results on other machines, besides those above.
const OF_VECTORS: &[&str] = &[
    "approximate_recip",
    "fast_max",
    "fast_min",
    "mul_add_precise",
    "mul_neg_add",
    "mul_neg_sub",
    "mul_sub",
    "mul_sub_precise",
    "pow_f32x4",
    "pow_f64x4",
    "recip",
    "recip_sqrt",
    "reduce_add",
];

/// Files that may call some of them, and why their results do not depend on the machine.
const EXCEPTIONS: &[(&str, &[&str], &str)] = &[
    (
        "host/physics/src/rays/bvh/node.rs",
        &["fast_max", "fast_min"],
        "no number is NaN, and the sign of a zero does not change a comparison",
    ),
    (
        "plugins/camera/render/src/processor/functions.rs",
        &["fast_max", "fast_min"],
        "only on x86-64; other machines get the same results by a comparison",
    ),
];

/// The calls of such functions outside of tests, with their lines, in every form: `x.sin()`, `f64::sin(x)`,
/// `.map(f64::sin)`.
fn calls(source: &str) -> Vec<(&'static str, usize)> {
    let all = tokens(source);
    let product = without_tests(&all);
    (0..product.len()).filter_map(|at| called(&product[at..]).map(|name| (name, product[at].1))).collect()
}

/// The function that is named at the beginning of some tokens.
fn called(tokens: &[Placed<'_>]) -> Option<&'static str> {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    let listed = |name: &str| OF_STD.iter().chain(OF_VECTORS).find(|listed| **listed == name).copied();
    match [token(0), token(1), token(2)] {
        // Other types have a method of this name too; that of numbers gets its base.
        [Some(Token::Sign('.')), Some(Token::Word("log")), Some(Token::Sign('('))] => {
            let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
            matches!(token(3), Some(Token::Word(word)) if is_number(word)).then_some("log")
        }
        [Some(Token::Sign('.')), Some(Token::Word(name)), Some(Token::Sign('('))] => listed(name),
        [Some(Token::Word(kind)), Some(Token::Path), Some(Token::Word(name))]
            if kind.starts_with("f32") || kind.starts_with("f64") =>
        {
            listed(name).or((name == "log").then_some("log"))
        }
        _ => None,
    }
}

/// The reason for which a file may call a function.
fn exception(path: &str, name: &str) -> Option<&'static str> {
    let found = EXCEPTIONS.iter().find(|(listed, names, _)| *listed == path && names.contains(&name));
    found.map(|(_, _, reason)| *reason)
}

/// What the crates call, by file.
fn calls_of_crates() -> Vec<(String, &'static str, usize)> {
    let is_product = |source: &Source| !source.is_test() && !source.path.starts_with("tests/");
    let sources = sources().into_iter().filter(is_product);
    let found = sources.flat_map(|Source { path, text }| {
        calls(&text).into_iter().map(move |(name, line)| (path.clone(), name, line)).collect::<Vec<_>>()
    });
    found.collect()
}

#[test]
fn every_crate_computes_alike_on_every_machine() {
    let found = calls_of_crates();
    let findings = found.iter().filter(|(path, name, _)| exception(path, name).is_none());
    let findings: Vec<String> =
        findings.map(|(path, name, line)| format!("{path}:{line} calls `{name}`")).collect();
    assert_none(&findings, "numbers are equal on every machine: call the function of `libm`, or multiply");
    for (path, names, _) in EXCEPTIONS {
        for name in *names {
            let is_used = found.iter().any(|(of, called, _)| of == path && called == name);
            assert!(is_used, "{path} does not call `{name}`: remove it from the list");
        }
    }
}

#[test]
fn calls_in_every_form_are_detected() {
    for source in [
        "let y = x.sin();",
        "let y = (x / 2.0)\n    .sin();",
        "let y = 2.0_f64.sin();",
        "let y = f64::sin(x);",
        "let y = std::primitive::f32::sin(x);",
        "let all = values.map(f64::sin);",
        "let y = lanes . sin ( ) ;",
        "let y = f32x4::sin(x);",
        "#[cfg(test)] mod tests { fn f(x: f64) -> f64 { x.cos() } } fn g(x: f64) -> f64 { x.sin() }",
    ] {
        let names: Vec<_> = calls(source).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["sin"], "{source}");
    }
    assert_eq!(calls("\nx.log(10.0); f64::log(x, y); x.powi(2)"), [("log", 2), ("log", 2), ("powi", 2)]);
    for source in [
        "libm::sin(x)",
        "// x.sin()",
        "\"x.sin()\"",
        "host.log()?; topic.log(&fault); sin(x); self.sin; fn exp() {} f64::sqrt(x); f64::consts::PI",
        "#[cfg(test)] mod tests { fn f(x: f64) -> f64 { x.sin() } }",
    ] {
        assert_eq!(calls(source), [], "{source}");
    }
}

#[test]
fn the_libraries_of_vectors_compute_alike_too() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    for (name, features) in
        [("glam", &["libm", "scalar-math"][..]), ("rapier3d-f64", &["enhanced-determinism"][..])]
    {
        let line = manifest.lines().find(|line| line.starts_with(&format!("{name} = ")));
        let line = line.unwrap_or_else(|| panic!("{name} is a dependency"));
        for feature in features {
            assert!(line.contains(&format!("\"{feature}\"")), "{name} needs the feature {feature}: {line}");
        }
    }
}
