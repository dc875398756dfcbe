//! `bh_connection_read` splits connection strings as the SDK in Rust does.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use bridgehead_plugin_api::connection::{Form, Key, Target};

use crate::compiler::{CompilerDir, Language};

/// Reads a string per line; prints the target and the values, or the number of what is wrong with which part. The first
/// letter of a line says whether strings have a target.
const READER: &str = r#"
#include <stdio.h>
#include <string.h>

static void show(bh_str text)
{
    printf("<%.*s>", (int)text.len, (const char *)text.ptr);
}

int main(void)
{
    char line[512];
    while (fgets(line, sizeof line, stdin) != NULL) {
        bh_connection_key keys[2];
        bh_str target, wrong;
        int found;
        line[strcspn(line, "\n")] = '\0';
        keys[0].name = "topics";
        keys[1].name = "b_2";
        found = bh_connection_read(bh_str_from(line + 1), line[0] == 't' ? &target : NULL, keys, 2, &wrong);
        if (found != 0) {
            printf("%d ", found);
            show(bh_str_trim(wrong));
        } else {
            if (line[0] == 't' && target.len > 0) {
                show(target);
            }
            for (found = 0; found < 2; found++) {
                if (keys[found].value.ptr != NULL) {
                    printf("%s=", keys[found].name);
                    show(keys[found].value);
                }
            }
        }
        printf("\n");
    }
    return 0;
}
"#;

const KEYS: &[&[Key]] = &[&[Key::new("topics", "", "", ""), Key::new("b_2", "", "", "")]];
static WITH: Form = Form { code: "C", target: Some(Target::path("FILE", "")), keys: KEYS, example: "" };
static WITHOUT: Form = Form { code: "C", target: None, keys: KEYS, example: "" };

/// What the SDK in Rust finds, as the program prints it; of wrong strings only what is wrong.
fn read(form: &'static Form, text: &str) -> String {
    let options = match form.read(text) {
        Ok(options) => options,
        Err(error) => {
            let kinds = [("is not a known key", 1), ("is given twice", 2), ("is not of the form", 3)];
            let found = kinds.iter().find(|(what, _)| error.text().contains(what));
            return format!("{} ", found.unwrap_or_else(|| panic!("{error}")).1);
        }
    };
    let mut shown = options.target_text().map(|target| format!("<{target}>")).unwrap_or_default();
    for key in ["topics", "b_2"] {
        if let Some(value) = options.text(key) {
            write!(shown, "{key}=<{value}>").unwrap();
        }
    }
    shown
}

/// Strings of the parts that matter, some of them with a target. A generator of Knuth's MMIX chooses.
fn strings() -> Vec<(bool, String)> {
    let pieces =
        [";", ";", ";", "=", "topics", "b_2", "topics=", ";b_2=", " ", "\t", "a", "B", "2", "/x*", "_", "é"];
    let mut state = 1_u64;
    let mut next = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let string = |next: &mut dyn FnMut(usize) -> usize| {
        let length = next(9);
        (0..length).map(|_| pieces[next(pieces.len())]).collect()
    };
    (0..20_000).map(|number| (number % 2 == 0, string(&mut next))).collect()
}

#[test]
fn the_class_in_cpp_reads_and_refuses() {
    let body = r#"
#include "bridgehead.hpp"
#include <cstdio>

static std::string refusal(std::string_view text)
{
    try {
        bridgehead::Connection connection(text, {"count"});
    } catch (const bridgehead::Error &error) {
        return error.what();
    }
    return "";
}

int main()
{
    const bridgehead::Connection full("host:1; count = 7", {"count", "other"});
    const bool is_split = full.target() == "host:1" && full.option("count") == "7" && !full.option("other");
    const bool is_empty = bridgehead::Connection("").target().empty();
    std::puts(refusal("host;speed=1").c_str());
    std::puts(refusal("host;count=1;count=2").c_str());
    return is_split && is_empty ? 0 : 1;
}
"#;
    let program = CompilerDir::new();
    let program_path = program.compile(Language::Cpp, body, &["-std=c++17", "-fsanitize=address,undefined"]);
    let output = Command::new(program_path).output().unwrap();
    assert!(output.status.success());
    let expected =
        "connection string: `speed=1` has an unknown key\nconnection string: `count=2` is given twice\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn a_string_is_split_as_in_rust() {
    let dir = CompilerDir::new();
    for (language, standard) in [(Language::C, "-std=c99"), (Language::Cpp, "-std=c++17")] {
        let program = dir.compile(language, READER, &[standard, "-fsanitize=address,undefined"]);
        let strings = strings();
        let lines: String = strings
            .iter()
            .map(|(has_target, text)| format!("{}{text}\n", if *has_target { 't' } else { 'o' }))
            .collect();
        let input = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(input.path(), lines).unwrap();
        let output = Command::new(program)
            .stdin(Stdio::from(std::fs::File::open(input.path()).unwrap()))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found = String::from_utf8(output.stdout).unwrap();
        assert_eq!(found.lines().count(), strings.len());
        let mut wrong = 0;
        for ((has_target, text), found) in strings.iter().zip(found.lines()) {
            let expected = read(if *has_target { &WITH } else { &WITHOUT }, text);
            if expected.starts_with(['1', '2', '3']) {
                wrong += 1;
                assert!(found.starts_with(&expected), "{text:?}: {found}, expected {expected}");
            } else {
                assert_eq!(found, expected, "{text:?}");
            }
        }
        assert!((2_000..18_000).contains(&wrong), "{wrong} wrong strings: the generator is one-sided");
    }
}
