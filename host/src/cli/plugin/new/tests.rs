//! Names, ids and folders of new plugins. What the folders contain is built and run by the end-to-end tests.

use super::*;

fn reason(name: &str) -> String {
    check_name(name).expect_err("a refusal").to_string()
}

#[test]
fn a_name_is_an_identifier_of_every_language() {
    for name in ["radar", "my_radar", "x", "lidar3d", "a_1"] {
        check_name(name).unwrap_or_else(|error| panic!("{error}"));
    }
    for name in ["", "Radar", "3d", "_x", "-x", "ä", "../x", "/x", "."] {
        assert!(reason(name).ends_with("it must begin with a small letter"), "{name}");
    }
    for name in ["my-radar", "my radar", "a/b", "a.b", "a\nb", "aB", "a@b"] {
        assert!(reason(name).contains("only small letters, digits and underscores"), "{name}");
    }
    for name in ["a__b", "a_"] {
        assert!(reason(name).contains("an underscore must stand between"), "{name}");
    }
    for name in RESERVED {
        assert_eq!(
            reason(name),
            format!("[BH-KIT-001] the name `{name}` cannot be used: it is a word of the language")
        );
    }
    assert!(reason(&"a".repeat(65)).ends_with("it is longer than 64 characters"));
}

#[test]
fn an_id_is_a_reverse_domain_name() {
    assert!(["org.example.x", "a.b", "com.my-firm.sensor_1"].into_iter().all(is_id));
    assert!(!["", "x", ".a", "a.", "a..b", "a b.c", "a.b\"", "a.b@c"].into_iter().any(is_id));
    assert!(!is_id(&format!("a.{}", "b".repeat(300))));
}

#[test]
fn names_of_types_are_in_camel_case() {
    assert_eq!([type_name("radar"), type_name("my_radar_3d")], ["Radar", "MyRadar3d"]);
}

#[test]
fn every_kind_and_language_has_all_its_words_replaced() {
    for kind in [PluginKind::Bridge, PluginKind::Sensor, PluginKind::Controller] {
        for language in [PluginLanguage::Rust, PluginLanguage::C, PluginLanguage::Cpp, PluginLanguage::Python]
        {
            let plugin = NewPlugin {
                name: "my_plugin".to_owned(),
                kind,
                language,
                id: "org.example.my_plugin".to_owned(),
                vendor: "Example".to_owned(),
                crates: ["api = 1".to_owned(), "build = 1".to_owned()],
            };
            let files = plugin.files();
            for (path, text) in &files {
                let ours = text.lines().filter(|line| !line.contains("actions/checkout@"));
                let left =
                    path.matches('@').count() + ours.map(|line| line.matches('@').count()).sum::<usize>();
                assert!(left == 0 || path.starts_with("include/"), "{path} of {kind:?} in {language:?}");
            }
            assert!(files.iter().any(|(path, _)| path == "README.md" || path == "world.sdf"));
        }
    }
}

#[test]
fn a_folder_that_exists_is_left_alone_and_a_failure_leaves_nothing() {
    let place = tempfile::tempdir().expect("a folder");
    let files = [("a/b.txt".to_owned(), "text".to_owned())];
    let folder = place.path().join("new");
    write_all(&folder, &files).expect("a new folder");
    assert_eq!(fs::read_to_string(folder.join("a/b.txt")).expect("a file"), "text");
    assert_eq!(write_all(&folder, &files), Err("it exists; name another folder with `--path`".to_owned()));
    let impossible = [("a".to_owned(), String::new()), ("a/b.txt".to_owned(), String::new())];
    write_all(&place.path().join("other"), &impossible).expect_err("a file in a file");
    write_all(Path::new("/"), &files).expect_err("no name");
    let left: Vec<_> =
        fs::read_dir(place.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["new"]);
}

/// Writes the files by which the SDK is recognised.
fn write_sdk(folder: &Path) {
    let crates = ["Cargo.toml", "build/Cargo.toml", "abi/Cargo.toml"];
    write_below(folder, &crates.map(|file| (file.to_owned(), String::new()))).expect("an SDK");
}

#[test]
fn without_an_sdk_beside_the_program_a_plugin_in_rust_is_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let place = place.path().canonicalize().expect("a folder");
    let (bin, elsewhere) = (place.join("prefix/bin"), place.join("elsewhere"));
    [&bin, &elsewhere].into_iter().for_each(|folder| fs::create_dir_all(folder).expect("a folder"));
    let program = bin.join("bridgehead");
    fs::write(&program, "").expect("a program");
    for found in [crates(None, Some(&program)), crates(None, None)] {
        assert_eq!(
            found.expect_err("a refusal").to_string(),
            "[BH-KIT-006] no SDK for Rust was found beside this program; give it with `--sdk DIR`: the folder \
             `plugin-api` of the sources, or the folder `share/bridgehead/sdk` of an installation"
        );
    }
    let refused = crates(Some(&elsewhere), Some(&program)).expect_err("a refusal").to_string();
    assert!(refused.starts_with("[BH-KIT-004]"), "{refused}");

    let sdk = place.join("prefix/share/bridgehead/sdk");
    fs::create_dir_all(&sdk).expect("a folder");
    let plugin_api = sdk.join("plugin-api");
    write_sdk(&plugin_api);
    let expected = format!("bridgehead-plugin-api = {{ path = {plugin_api:?} }}");
    for found in
        [crates(None, Some(&program)), crates(Some(&sdk), Some(&elsewhere)), crates(Some(&plugin_api), None)]
    {
        assert_eq!(found.expect("an SDK")[0], expected);
    }
}
