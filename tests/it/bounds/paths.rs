//! Paths of clients: a world is saved inside the output folder only and overwrites worlds only, and no error quotes a file.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::{end, refusal, yard};
use crate::support::{Served, Setup, eventually};

const SNAPSHOT: &str = "save_snapshot";

#[test]
fn a_client_saves_only_inside_the_output_folder_and_only_over_worlds() {
    let setup = Setup::new().plugins(&["diff_drive", "imu", "clock", "velocity_control"]).world(&yard());
    let (out, outside) = (setup.path("out"), setup.path("outside"));
    fs::create_dir(&outside).expect("a folder");
    let victim = setup.file("outside/victim.sdf", yard());
    setup.file("out/notes.txt", "precious");
    setup.file("out/other.sdf", yard().replace("drone", "glider"));
    symlink(&victim, out.join("alias.sdf")).expect("linked");
    symlink(&outside, out.join("way_out")).expect("linked");
    let absolute = setup.path("out/absolute.sdf").display().to_string();
    let host = Served::start(setup);
    eventually("a world", || host.state() == 1);
    let victim = victim.display().to_string();
    let paths = [
        &*victim,
        &absolute,
        "../outside/victim.sdf",
        "way_out/victim.sdf",
        "way_out/new.sdf",
        "alias.sdf",
        "",
    ];
    for path in paths {
        for (overwrite, service) in
            [(false, "save_world"), (true, "save_world"), (false, SNAPSHOT), (true, SNAPSHOT)]
        {
            let answer = host.call(service, json!({"path": path, "overwrite": overwrite}));
            let text = refusal(&answer, path);
            assert!(text.starts_with("[BH-RES-045]"), "{service}, {path}: {text}");
        }
    }
    let snapshot = |path: &str, overwrite| host.call(SNAPSHOT, json!({"path": path, "overwrite": overwrite}));
    for file in ["notes.txt", "other.sdf"] {
        let answer = snapshot(file, true);
        assert!(refusal(&answer, "another file").starts_with("[BH-RES-047]"), "{answer}");
    }
    assert_eq!(snapshot("new.snapshot", false)["result"]["result"], 1);
    let answer = snapshot("new.snapshot", false);
    assert!(refusal(&answer, "a snapshot").starts_with("[BH-RES-041]"), "{answer}");
    assert_eq!(snapshot("new.snapshot", true)["result"]["result"], 1);
    let answer = snapshot("absent/new.snapshot", true);
    assert!(refusal(&answer, "no folder").starts_with("[BH-RES-048]"), "{answer}");
    let answer = host.call("save_world", json!({"path": "notes.txt", "overwrite": true}));
    assert!(refusal(&answer, "a text").starts_with("[BH-RES-046]"), "{answer}");
    let answer = host.call("save_world", json!({"path": "other.sdf"}));
    assert!(refusal(&answer, "a world").starts_with("[BH-RES-041]"), "{answer}");
    host.ok("save_world", json!({"path": "other.sdf", "overwrite": true}));
    host.ok("save_world", json!({"path": "new.sdf"}));

    assert_eq!(fs::read_to_string(&victim).expect("a text"), yard());
    assert_eq!(fs::read_dir(&outside).expect("a folder").count(), 1, "nothing was written there");
    assert_eq!(fs::read_to_string(out.join("notes.txt")).expect("a text"), "precious");
    assert!(!out.join("absolute.sdf").exists() && out.join("new.sdf").exists());
    let saved = fs::read_to_string(out.join("other.sdf")).expect("a text");
    assert!(saved.contains("drone") && !saved.contains("glider"));
    end(host);
}

#[test]
fn no_error_quotes_the_content_of_a_file() {
    const SECRETS: [(&str, &str); 7] = [
        ("shadow", "root:hunter2:19000:0:99999:7:::\n"),
        ("environ", "TOKEN=hunter2\0HOME=/root\0"),
        ("key.sdf", "-----BEGIN hunter2-----\n"),
        ("settings", "<settings><hunter2/></settings>"),
        ("settings.xml", "<hunter2 password='hunter2'/>"),
        ("broken.xml", "<a>\n<hunter2>\n</a>"),
        ("cut.xml", "<a>\n<hunter2>\n"),
    ];
    let setup = Setup::new().plugins(&["diff_drive", "imu", "clock", "velocity_control"]).world(&yard());
    let files = SECRETS.map(|(name, text)| setup.file(name, text).display().to_string());
    let host = Served::start(setup);
    eventually("a world", || host.state() == 1);
    for file in &files {
        for request in [
            ("load_world", json!({"world_resource": {"uri": file}})),
            (
                "load_world",
                json!({"world_resource": {"resource_string": format!(
                "<sdf version='1.9'><world name='w'><include><uri>{file}</uri></include></world></sdf>")}}),
            ),
            ("spawn_entity", json!({"name": "m", "entity_resource": {"uri": file}})),
            (
                "spawn_entity",
                json!({"name": "m", "entity_resource": {"resource_string": format!(
                "<include><uri>{file}</uri></include>")}}),
            ),
            ("get_spawnables", json!({"sources": [file]})),
        ] {
            let (_, answer) = host.post(request.0, &request.1);
            assert!(!answer.to_string().contains("hunter2"), "{} {file}: {answer}", request.0);
        }
    }
    host.call("quit", json!({}));
    let finished = host.finish();
    assert!(!finished.to_string().contains("hunter2"), "{finished}");
}
