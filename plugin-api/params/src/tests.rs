//! Look-up, writing and merging of parameter trees.

use super::{Params, PathError};

fn drive() -> Params {
    Params::new("plugin")
        .with_attribute("name", "drive")
        .with_child(Params::new("wheel").with_attribute("joint", "left").with_text("0.1"))
        .with_child(Params::new("limits").with_child(Params::new("speed").with_text("2")))
        .with_child(Params::new("wheel").with_attribute("joint", "right").with_text("0.2"))
}

#[test]
fn paths_reach_text_attributes_and_the_nth_child() {
    let tree = drive();
    assert_eq!(tree.get("limits/speed"), Some("2"));
    assert_eq!(tree.get("wheel"), Some("0.1"));
    assert_eq!(tree.get("wheel[1]"), Some("0.2"));
    assert_eq!(tree.get("wheel[1]/@joint"), Some("right"));
    assert_eq!(tree.get("@name"), Some("drive"));
    assert_eq!(tree.get(""), Some(""));
}

#[test]
fn missing_paths_are_none() {
    let tree = drive();
    for path in ["wheel[2]", "limits/mass", "@type", "wheel[1]/@name", "limits/speed/x"] {
        assert_eq!(tree.get(path), None, "{path}");
    }
}

#[test]
fn malformed_paths_find_nothing_and_are_named_when_written() {
    let mut tree = drive();
    for path in
        ["/limits", "limits//speed", "wheel[x]", "wheel[1", "@", "@a/b", "wheel@joint", "wheel[-1]", "[0]"]
    {
        assert_eq!(tree.get(path), None, "{path}");
        assert_eq!(tree.count(path), 0, "{path}");
        assert_eq!(tree.set(path, "1"), Err(PathError::Malformed { path: path.to_owned() }));
    }
    assert_eq!(tree, drive());
}

#[test]
fn count_counts_children_of_the_last_name() {
    let tree = drive();
    assert_eq!(tree.count("wheel"), 2);
    assert_eq!(tree.count("limits/speed"), 1);
    assert_eq!(tree.count("wheel[1]"), 1);
    assert_eq!(tree.count("wheel[7]"), 0);
    assert_eq!(tree.count("@name"), 1);
    assert_eq!(tree.count("nothing/wheel"), 0);
}

#[test]
fn set_makes_the_nodes_on_the_way() {
    let mut tree = drive();
    tree.set("limits/acceleration/@unit", "m/s2").unwrap();
    tree.set("wheel[2]", "0.3").unwrap();
    tree.set("wheel[0]", "0.15").unwrap();
    assert_eq!(tree.get("limits/acceleration/@unit"), Some("m/s2"));
    assert_eq!(tree.count("wheel"), 3);
    assert_eq!(tree.get("wheel"), Some("0.15"));
}

#[test]
fn set_refuses_to_skip_an_index_and_leaves_the_tree_alone() {
    let mut tree = drive();
    let error = tree.set("rear/wheel[1]", "1").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`rear/wheel[1]` skips an index: there are 0 `wheel` so far, so the next one is `wheel[0]`"
    );
    assert_eq!(tree, drive());
}

#[test]
fn merge_overrides_by_path_and_keeps_the_rest() {
    let mut tree = drive();
    let over = Params::new("override")
        .with_attribute("name", "other")
        .with_child(Params::new("wheel"))
        .with_child(Params::new("wheel").with_text("0.9").with_place("run.toml".into(), 7))
        .with_child(Params::new("limits").with_child(Params::new("turn").with_text("1")));
    tree.merge(&over);
    assert_eq!(tree.name(), "plugin");
    assert_eq!(tree.get("@name"), Some("other"));
    assert_eq!(tree.get("wheel[0]"), Some(""), "an empty node in the override empties the text");
    assert_eq!(tree.get("wheel[1]"), Some("0.9"));
    assert_eq!(tree.get("wheel[1]/@joint"), Some("right"));
    assert_eq!(tree.get("limits/speed"), Some("2"));
    assert_eq!(tree.get("limits/turn"), Some("1"));
    assert_eq!(tree.node("wheel[1]").unwrap().place().unwrap().to_string(), "run.toml:7");
}
