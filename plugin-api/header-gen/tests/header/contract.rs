//! Every function pointer of the ABI says on which thread and in which state it may be called, in words
//! that the crate's documentation defines.

use bridgehead_header_gen::{Source, abi_sources, source::Field, types};
use bridgehead_plugin_api::hosting::{FUNCTIONS, Function, Place};

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

#[test]
fn declared_functions_may_be_called_where_the_abi_says() {
    let source = Source::read(&abi_sources()).unwrap();
    let declared: Vec<&Function> = FUNCTIONS.iter().copied().flatten().collect();
    let mut found = 0;
    for (item, fields) in source.layout_structs() {
        let is_extension = item.docs.starts_with("Extension `");
        let Some(id) = item.docs.split('`').nth(1).filter(|_| is_extension) else { continue };
        let own: Vec<_> = declared.iter().filter(|function| function.extension == id).collect();
        let functions = fields.iter().filter(|field| types::function_pointer(&field.ty).is_some());
        for field in functions.filter(|_| !own.is_empty()) {
            let threads = tags(field.docs.lines().last().unwrap_or_default()).map(|(threads, _)| threads);
            let place = match threads.as_deref() {
                Some(["any"]) => Place::Any,
                Some(["main"]) => Place::Main,
                Some(["sim"]) => Place::Sim,
                other => panic!("{id}: {}: {other:?}", field.name),
            };
            let is_it = |function: &&&&Function| function.name.rsplit('.').next() == Some(&field.name);
            let function = own.iter().find(is_it).unwrap_or_else(|| panic!("{id}: {}", field.name));
            assert_eq!(function.place, place, "{}", function.name);
            found += 1;
        }
    }
    assert_eq!(found, declared.len(), "functions that are in no struct of the ABI");
}
