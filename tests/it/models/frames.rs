//! The frames of a model: one tree, in which no frame has two parents.

use std::collections::BTreeMap;

use super::MODELS;

#[test]
fn the_frames_of_every_model_are_one_tree() {
    for model in MODELS {
        let setup = model.setup().args(["--duration", "1s", "--speed", "unlimited"]);
        let finished = setup.bridge("*=logging:frames.jsonl;topics=/tf,/tf_static").finish().expect_code(0);
        let mut parents: BTreeMap<String, String> = BTreeMap::new();
        for line in finished.log("frames.jsonl") {
            for transform in line["message"]["transforms"].as_array().expect("transforms") {
                let text = |value: &serde_json::Value| value.as_str().expect("a name").to_owned();
                let (parent, child) =
                    (text(&transform["header"]["frame_id"]), text(&transform["child_frame_id"]));
                let before = parents.insert(child.clone(), parent.clone());
                assert!(
                    before.as_ref().is_none_or(|before| *before == parent),
                    "{child}: {before:?}, {parent}"
                );
            }
        }
        let root = |frame: &String| {
            let mut at = frame;
            for _ in 0..=parents.len() {
                match parents.get(at) {
                    Some(parent) => at = parent,
                    None => return at.clone(),
                }
            }
            panic!("{}: a circle with {frame}", model.name)
        };
        let roots: std::collections::BTreeSet<String> = parents.keys().map(root).collect();
        assert_eq!(roots.len(), 1, "{}: {roots:?} of {parents:?}", model.name);
        assert!(parents.len() > 3, "{}: {parents:?}", model.name);
    }
}
