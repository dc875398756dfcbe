//! Every function pointer of the ABI says on which thread and in which state it may be called, in words
//! that the crate's documentation defines.

use bridgehead_header_gen::{Source, abi_sources, source::Field, types};

const THREADS: [&str; 6] = ["main", "sim", "tx", "rx", "plugin", "any"];
const STATES: [&str; 9] =
    ["created", "awake", "starting", "started", "stopped", "disconnected", "connecting", "connected", "any"];

/// The two lists of a line `[thread: a, b] [state: c]` in backticks.
fn tags(line: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    let inner = line.strip_prefix("`[thread: ")?.strip_suffix("]`")?;
    let (threads, states) = inner.split_once("] [state: ")?;
    Some((threads.split(", ").collect(), states.split(", ").collect()))
}

/// What is wrong with a field's last line, if anything.
fn complaint(field: &Field) -> Option<String> {
    types::function_pointer(&field.ty)?;
    let last = field.docs.lines().last().unwrap_or_default();
    let Some((threads, states)) = tags(last) else { return Some(format!("no tags in `{last}`")) };
    let unknown = |word: &&str| format!("unknown word `{word}`");
    threads
        .iter()
        .find(|word| !THREADS.contains(word))
        .or_else(|| states.iter().find(|word| !STATES.contains(word)))
        .map(unknown)
}

#[test]
fn every_function_pointer_has_its_thread_and_state() {
    let source = Source::read(&abi_sources()).unwrap();
    let mut functions = 0;
    let mut complaints = Vec::new();
    for (item, fields) in source.layout_structs() {
        for field in fields {
            functions += usize::from(types::function_pointer(&field.ty).is_some());
            complaints.extend(complaint(field).map(|why| format!("{}.{}: {why}", item.name, field.name)));
        }
    }
    assert_eq!(complaints, Vec::<String>::new());
    assert!(functions > 80, "only {functions} function pointers found: is the reader blind?");
}

#[test]
fn the_words_are_those_of_the_documentation() {
    let source = Source::read(&abi_sources()).unwrap();
    let docs = &source.modules.iter().find(|module| module.name == "lib").unwrap().docs;
    for thread in THREADS {
        assert!(docs.contains(&format!("| `{thread}` |")), "{thread}");
    }
    let states = docs.split("# States").nth(1).unwrap();
    for state in STATES {
        assert!(states.contains(&format!("`{state}`")), "{state}");
    }
}

#[test]
fn optional_functions_say_what_null_means() {
    let source = Source::read(&abi_sources()).unwrap();
    for (item, fields) in source.layout_structs() {
        let optional = fields.iter().filter(|field| types::function_pointer(&field.ty) == Some(true));
        let struct_says = item.docs.contains("null");
        for field in optional {
            assert!(
                struct_says || field.docs.contains("null") || field.docs.contains("Null"),
                "{}.{}",
                item.name,
                field.name
            );
        }
    }
}
