//! Tests of the metadata of scripts.

use std::fs;

use super::*;

fn inspected(text: &str) -> Result<Metadata, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("altimeter.py");
    fs::write(&path, text).expect("a file");
    inspect(&path, &path).map_err(|refusal| refusal.to_string())
}

#[test]
fn a_block_needs_no_more_than_the_kind() {
    let metadata = inspected("#!/usr/bin/python3\n\n# /// bridgehead\n# kind = \"model\"\n# ///\n1 / 0\n");
    let plugins = metadata.expect("metadata").plugins;
    let [plugin] = plugins.as_slice() else { panic!("{plugins:?}") };
    assert_eq!((plugin.name.as_str(), plugin.kind), ("altimeter", Kind::Model));
    assert_eq!((plugin.id.as_str(), plugin.version.as_str()), ("local.model.altimeter", "0.0.0"));
}

#[test]
fn every_value_of_a_block_is_read() {
    let text = "# /// bridgehead\n# kind = \"bridge\"\n# name = \"tcp\"\n# id = \"org.example.tcp\"\n# version = \"1.2\"\n\
                #\n# vendor = \"Ex\"\n# license = \"MIT\"\n# requires = [\"bridgehead.log/1\"]\n\
                # provides = [\"a.B\"]\n# state = \"saved\"\n# ///\n";
    let plugins = inspected(text).expect("metadata").plugins;
    let [plugin] = plugins.as_slice() else { panic!("{plugins:?}") };
    assert_eq!((plugin.name.as_str(), plugin.kind), ("tcp", Kind::Bridge));
    assert_eq!((plugin.vendor.as_str(), plugin.license.as_str()), ("Ex", "MIT"));
    assert_eq!((plugin.requires.len(), plugin.provides.len(), plugin.state.as_str()), (1, 1, "saved"));
}

#[test]
fn a_wrong_block_is_refused_with_its_line() {
    for (text, code, part) in [
        ("import bridgehead.plugin\n", "BH-PLG-038", "no line of the first 64 KiB is `# /// bridgehead`"),
        ("\n# /// bridgehead\n# kind = \"model\"\nx = 1\n", "BH-PLG-039", "line 2: the block does not end"),
        (
            "# /// bridgehead\n# kind = \"model\"\n# nam = 1\n# ///\n",
            "BH-PLG-039",
            "line 3: unknown field `nam`",
        ),
        ("# /// bridgehead\n# kind = \"sensor\"\n# ///\n", "BH-PLG-039", "line 1: `kind` is neither"),
        ("# /// bridgehead\n# name = \"x\"\n# ///\n", "BH-PLG-039", "missing field `kind`"),
        (
            "# /// bridgehead\n# kind = \"model\"\n# name = \"a b\"\n# ///\n",
            "BH-PLG-039",
            "line 1: name `a b`",
        ),
        (
            "# /// bridgehead\n# kind = \"model\"\n# requires = [\"x/1\"]\n# ///\n",
            "BH-PLG-035",
            "requires `x/1`",
        ),
    ] {
        let error = inspected(text).expect_err(text);
        assert!(error.contains(code) && error.contains(part), "{text}: {error}");
    }
}

#[test]
fn only_scripts_that_look_like_plugins_are_found_in_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, expected) in [
        ("a.py", "# /// bridgehead\n", true),
        ("b.py", "from bridgehead.plugin import Sensor\n", true),
        ("c.py", "print(1)\n", false),
        ("d.py", "# from bridgehead.plugin import Sensor\n", false),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        assert_eq!(is_marked(&path), expected, "{name}");
    }
    assert!(is_script(Path::new("a/b.py")) && !is_script(Path::new("a/py")));
}
