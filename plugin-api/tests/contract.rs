//! Every method of the two plugin traits says on which thread and in which state it is called.

/// Names of the methods of a trait in `source` whose documentation lacks the line.
fn untagged(source: &str, name: &str) -> Vec<String> {
    let body = source.split(&format!("pub trait {name}")).nth(1).expect("the trait is in this file");
    let body = body.split("\n}\n").next().expect("the trait ends");
    let mut found = Vec::new();
    let mut is_tagged = false;
    for line in body.lines().map(str::trim_start) {
        if let Some(method) = line.strip_prefix("fn ") {
            if !is_tagged {
                found.push(method.split('(').next().unwrap_or(method).to_owned());
            }
            is_tagged = false;
        }
        is_tagged |=
            line.starts_with("/// `[thread: ") && line.contains("] [state: ") && line.ends_with("]`");
    }
    found
}

#[test]
fn every_method_of_a_model_plugin_names_thread_and_state() {
    assert_eq!(untagged(include_str!("../src/model.rs"), "ModelPlugin"), Vec::<String>::new());
}

#[test]
fn every_method_of_a_bridge_names_thread_and_state() {
    assert_eq!(untagged(include_str!("../src/bridge.rs"), "Bridge"), Vec::<String>::new());
}
