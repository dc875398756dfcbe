//! Spawning and deleting at once.

use super::*;
use crate::{RayQuery, Spawn};

fn cast_down(world: &mut World, x: f64, y: f64) -> f64 {
    let down = [[0.0, 0.0, -1.0]];
    let query = RayQuery {
        frame: at(x, y, 10.0),
        directions: &down,
        origins: None,
        range: [0.0, 100.0],
        ignore: None,
    };
    let mut distance = f64::NAN;
    world.cast_rays(&query, |_, hit| distance = hit.distance);
    distance
}

#[test]
fn a_spawned_entity_is_in_tables_rays_and_regions_before_any_step() {
    let mut world = yard();
    assert!((cast_down(&mut world, 2.0, 2.0) - 10.0).abs() < 1e-9);
    assert_eq!(spawn(&mut world, "c1", at(2.0, 2.0, 3.0)), "c1");
    assert_eq!(position(&world, "c1"), DVec3::new(2.0, 2.0, 3.0));
    assert!((cast_down(&mut world, 2.0, 2.0) - 6.5).abs() < 1e-9);
    let region = Region::sphere(&[DVec3::new(2.0, 2.0, 3.0), DVec3::X]).expect("a region");
    assert_eq!(world.overlapping(&region), [world.find_entity("c1").expect("there")]);
    steps(&mut world, 100);
    assert!(position(&world, "c1").z < 2.99, "it falls");
    assert!(velocity(&world, "c1").z < -0.9);
}

#[test]
fn names_are_used_changed_generated_or_refused() {
    let mut world = yard();
    let mut ask = |text: &str, name: &str, allow_renaming: bool| {
        let mut request = request(text, name, at(0.0, 0.0, 9.0));
        request.placement.allow_renaming = allow_renaming;
        world
            .spawn_now(&request)
            .map(|spawned| world.models().get(spawned.model).expect("there").name.clone())
    };
    assert_eq!(ask(CRATE, "c1", false).as_deref(), Ok("c1"));
    assert_eq!(ask(CRATE, "c1", false), Err(SpawnError::NameTaken("c1".into())));
    assert_eq!(ask(CRATE, "c1", true).as_deref(), Ok("c1_1"));
    assert_eq!(ask(CRATE, "", false).as_deref(), Ok("crate"));
    assert_eq!(ask(CRATE, "", true).as_deref(), Ok("crate_1"));
    assert_eq!(ask(CRATE, "ground", false), Err(SpawnError::NameTaken("ground".into())));
    for bad in ["bad name", "1st", "a/b", "a::b", "ä", "world", "a-b"] {
        assert_eq!(ask(CRATE, bad, true), Err(SpawnError::NameInvalid(bad.into())));
    }
    let odd = CRATE.replace("'crate'", "'my crate'");
    assert_eq!(ask(&odd, "", false), Err(SpawnError::NameInvalid("my crate".into())));
    assert_eq!(ask(&odd, "", true).as_deref(), Ok("my_crate"));
    assert_eq!(ask(&odd, "good", false).as_deref(), Ok("good"));
    assert_eq!(
        names(&world),
        ["ground", "wall", "box_a", "box_b", "c1", "c1_1", "crate", "crate_1", "my_crate", "good"]
    );
}

#[test]
fn a_refused_spawn_leaves_the_world_bit_exact() {
    let mut world = yard();
    let (hash, bytes) = (world.state_hash(), world.snapshot().expect("bytes"));
    let mesh = CRATE.replace("<box><size>1 1 1</size></box>", "<mesh><uri>no/such.dae</uri></mesh>");
    let joint = "<joint name='j' type='fixed'><parent>nothing</parent><child>link</child></joint></model>";
    let unjoined = CRATE.replace("</model>", joint);
    let zero =
        Pose { rotation: bridgehead_sdf::pose::DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Pose::IDENTITY };
    let ask = |change: &dyn Fn(&mut SpawnRequest)| {
        let mut request = request(CRATE, "c1", Pose::IDENTITY);
        change(&mut request);
        request
    };
    let text = |text: &str| SpawnSource::Text { text: text.to_owned(), folder: None };
    let cases: [(SpawnRequest, &str); 13] = [
        (ask(&|r| r.placement.namespace = "bad ns".into()), "BH-ENT-003"),
        (ask(&|r| r.source = text(" ")), "BH-ENT-004"),
        (ask(&|r| r.source = SpawnSource::File(String::new())), "BH-ENT-004"),
        (ask(&|r| r.placement.pose = zero), "BH-ENT-005"),
        (ask(&|r| r.placement.pose = at(f64::NAN, 0.0, 0.0)), "BH-ENT-005"),
        (ask(&|r| r.placement.pose = at(1e30, 0.0, 0.0)), "BH-ENT-005"),
        (ask(&|r| r.placement.frame = "nobody".into()), "BH-ENT-006"),
        (ask(&|r| r.source = text("<sdf")), "BH-ENT-007"),
        (ask(&|r| r.source = text("<sdf version='1.9'/>")), "BH-ENT-007"),
        (ask(&|r| r.source = text(&unjoined)), "BH-ENT-007"),
        (ask(&|r| r.source = SpawnSource::File("/no/such/model.sdf".into())), "BH-ENT-008"),
        (ask(&|r| r.source = text(&mesh)), "BH-ENT-008"),
        (ask(&|r| r.placement.name = "box_a".into()), "BH-ENT-011"),
    ];
    for (request, code) in cases {
        let error = world.spawn_now(&request).map(|spawned| spawned.model).expect_err(code).to_string();
        assert!(error.contains(code), "{code}: {error}");
    }
    let missing = ask(&|r| r.source = SpawnSource::File("/no/such/model.sdf".into()));
    let error = world.spawn_now(&missing).map(|_| ()).expect_err("missing").to_string();
    assert!(error.contains("/no/such/model.sdf"), "{error}");
    assert_eq!(world.state_hash(), hash);
    assert_eq!(world.snapshot().expect("bytes"), bytes);
}

#[test]
fn the_first_error_of_a_request_is_returned() {
    let mut world = yard();
    let mut all = SpawnRequest {
        source: SpawnSource::File(String::new()),
        placement: Placement {
            name: "bad name".into(),
            allow_renaming: false,
            namespace: "bad ns".into(),
            pose: at(f64::NAN, 0.0, 0.0),
            frame: "nobody".into(),
        },
    };
    let mut expect = |request: &SpawnRequest, code: &str| {
        let error = world.spawn_now(request).map(|_| ()).expect_err(code).to_string();
        assert!(error.contains(code), "{code}: {error}");
    };
    expect(&all, "BH-ENT-002");
    all.placement.name = "box_a".into();
    expect(&all, "BH-ENT-003");
    all.placement.namespace = "ns".into();
    expect(&all, "BH-ENT-004");
    all.source = SpawnSource::Text { text: "<sdf".into(), folder: None };
    expect(&all, "BH-ENT-005");
    all.placement.pose = Pose::IDENTITY;
    expect(&all, "BH-ENT-006");
    all.placement.frame = String::new();
    expect(&all, "BH-ENT-007");
    all.source = SpawnSource::Text { text: CRATE.into(), folder: None };
    expect(&all, "BH-ENT-011");
}

#[test]
fn a_pose_may_be_given_in_the_frame_of_an_entity_and_its_quaternion_of_any_length() {
    let mut world = yard();
    let turned = Pose::from_rpy(DVec3::new(0.0, 0.0, 8.0), 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let long = Pose { rotation: turned.rotation * 3.0, ..turned };
    spawn(&mut world, "base", long);
    let in_frame = |frame: &str, name: &str| {
        let mut request = request(CRATE, name, at(1.0, 0.0, 2.0));
        frame.clone_into(&mut request.placement.frame);
        request
    };
    let on_base = in_frame("base", "top");
    world.spawn_now(&on_base).expect("spawned");
    assert!(position(&world, "top").abs_diff_eq(DVec3::new(0.0, 1.0, 10.0), 1e-9));
    let in_world = in_frame("world", "other");
    world.spawn_now(&in_world).expect("spawned");
    assert_eq!(position(&world, "other"), DVec3::new(1.0, 0.0, 2.0));
}

#[test]
fn files_are_spawned_with_the_files_in_their_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = |text: &str| format!("<sdf version='1.9'>{text}</sdf>");
    let cone = model(&CRATE.replace("<box><size>1 1 1</size></box>", "<mesh><uri>tri.stl</uri></mesh>"));
    std::fs::write(folder.path().join("bad.sdf"), cone).expect("written");
    std::fs::write(folder.path().join("good.sdf"), model(CRATE)).expect("written");
    std::fs::write(folder.path().join("tri.stl"), "no mesh at all").expect("written");
    let mut world = yard();
    let mut file = |name: &str| {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        // Errors of files are returned before errors of names.
        let source = SpawnSource::File(path);
        world.spawn_now(&SpawnRequest { source, ..request("", "", at(0.0, 0.0, 9.0)) }).map(|_| ())
    };
    assert_eq!(file("good.sdf"), Ok(()));
    let error = file("bad.sdf").expect_err("no mesh").to_string();
    assert!(error.contains("BH-ENT-009") && error.contains("tri.stl"), "{error}");
    // A text has a base folder only if the request gives one.
    let include = "<include><uri>good.sdf</uri></include>";
    let text = |folder: Option<std::path::PathBuf>| SpawnSource::Text { text: include.into(), folder };
    let mut ask = |source| {
        world.spawn_now(&SpawnRequest { source, ..request("", "inner", at(0.0, 0.0, 9.0)) }).map(|_| ())
    };
    assert!(matches!(ask(text(None)), Err(SpawnError::MissingAssets(_))));
    assert_eq!(ask(text(Some(folder.path().to_owned()))), Ok(()));
    // Both are created again from a snapshot.
    let bytes = world.snapshot().expect("bytes");
    let mut again = World::restored(&source(), sdf::SearchPath::default(), &bytes).expect("restored");
    assert_eq!((names(&again), again.state_hash()), (names(&world), world.state_hash()));
    assert_eq!(again.snapshot().expect("bytes"), bytes);
}

#[test]
fn a_sleeping_body_on_a_deleted_entity_falls_after_another_placement() {
    let mut world = yard();
    let lies = CRATE
        .replace("<model name='crate'>", "<model name='crate'><allow_auto_disable>true</allow_auto_disable>");
    world.spawn_now(&request(&lies, "low", at(2.0, 5.0, 0.5))).expect("spawned");
    world.spawn_now(&request(&lies, "high", at(2.0, 5.0, 1.5))).expect("spawned");
    steps(&mut world, 3000);
    let height = position(&world, "high").z;
    assert!((height - 1.5).abs() < 0.02, "{height}");
    world.delete_now(world.deletable("low").expect("deletable")).expect("deleted");
    assert_eq!(world.find_entity("low"), None);
    let aside = StateChange { pose: Some(at(9.0, 9.0, 0.5)), ..StateChange::default() };
    world.set_state("box_a", &aside).expect("set");
    steps(&mut world, 1000);
    assert!((position(&world, "high").z - 0.5).abs() < 0.02, "{}", position(&world, "high"));
}

#[test]
fn every_entity_is_deleted_once_and_a_full_reset_restores_those_of_the_file() {
    let mut world = yard();
    let hash = world.state_hash();
    spawn(&mut world, "c1", at(2.0, 2.0, 3.0));
    for name in ["c1", "wall", "box_a"] {
        world.delete_now(world.deletable(name).expect("there")).expect("deleted");
        assert_eq!(world.deletable(name), Err(DeleteError::NotFound(name.into())));
    }
    assert_eq!(names(&world), ["ground", "box_b"]);
    steps(&mut world, 10);
    world.restore_initial(&source()).expect("begins");
    assert_eq!(names(&world), ["ground", "wall", "box_a", "box_b"]);
    assert_eq!(world.state_hash(), hash);
    assert!((cast_down(&mut world, -5.0, 0.0) - 8.0).abs() < 1e-9);
}

#[test]
fn a_plugin_cannot_spawn_a_model_with_a_long_name() {
    let mut world = yard();
    let long = "n".repeat(256);
    let named = CRATE.replace("'crate'", &format!("'{long}'"));
    assert!(named.contains(&long), "{named}");
    // The reader of the text has the same limit for the names in it.
    for (sdf, name, code) in [(CRATE, long.as_str(), "BH-PHY-063"), (named.as_str(), "", "BH-SDF-022")] {
        let refused = world.spawn(&Spawn { sdf, name, may_rename: true, pose: at(0.0, 0.0, 9.0) });
        let text = refused.expect_err("the name is too long").to_string();
        assert!(text.contains(code) && text.contains("256 bytes"), "{text}");
    }
    world
        .spawn(&Spawn { sdf: CRATE, name: &long[1..], may_rename: false, pose: at(0.0, 0.0, 9.0) })
        .expect("255 bytes are allowed");
}

#[test]
fn a_snapshot_taken_after_spawns_and_deletions_is_restored_bit_exact() {
    let mut world = yard();
    let pose = at(0.0, 0.0, 30.0);
    // Requested first and added last, so places in the tables are not in the order of the models.
    world.spawn(&Spawn { sdf: CRATE, name: "queued", may_rename: false, pose }).expect("queued");
    spawn(&mut world, "a", at(2.0, 0.0, 3.0));
    spawn(&mut world, "b", at(2.0, 0.0, 6.0));
    steps(&mut world, 5);
    world.delete_now(world.find_entity("a").expect("there")).expect("deleted");
    world.delete_now(world.find_entity("wall").expect("there")).expect("deleted");
    spawn(&mut world, "a", at(2.0, 0.0, 9.0));
    steps(&mut world, 5);
    let bytes = world.snapshot().expect("bytes");
    let mut again = World::restored(&source(), sdf::SearchPath::default(), &bytes).expect("restored");
    assert_eq!((names(&again), again.state_hash()), (names(&world), world.state_hash()));
    assert_eq!(again.snapshot().expect("bytes"), bytes);
    steps(&mut world, 50);
    steps(&mut again, 50);
    assert_eq!(again.state_hash(), world.state_hash());
    assert!((cast_down(&mut again, 2.0, 0.0) - cast_down(&mut world, 2.0, 0.0)).abs() < 1e-12);
}

/// Runs in a process of its own: the memory of this one is that of all tests.
#[test]
fn thousands_of_spawns_and_deletions_do_not_leak_memory() {
    const ALONE: &str = "BRIDGEHEAD_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let program = std::env::current_exe().expect("this program");
        let test = "entities::tests::spawning::thousands_of_spawns_and_deletions_do_not_leak_memory";
        let output = std::process::Command::new(program).args(["--exact", test]).env(ALONE, "1").output();
        let output = output.expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let mut world = yard();
    let long = CRATE.replace("<link", &format!("<!-- {} --><link", "x".repeat(100_000)));
    let first = world.snapshot().expect("bytes").len();
    let before = resident();
    for _ in 0..2000 {
        world.spawn_now(&request(&long, "guest", at(2.0, 2.0, 3.0))).expect("spawned");
        world.delete_now(world.find_entity("guest").expect("there")).expect("deleted");
        // The engine frees the memory of removed models in a step.
        steps(&mut world, 1);
    }
    let (grown, bytes) = (resident() - before, world.snapshot().expect("bytes").len() - first);
    // Lists of the engine are a little longer; 2000 times the text alone would be 200 MB.
    assert!(bytes < 2000 * 4, "a snapshot grew by {bytes} bytes");
    assert!(grown < 16 << 20, "grew by {grown} bytes");
    assert_eq!((world.models().len(), world.models().next_id()), (4, 2004));
    assert_eq!(spawn(&mut world, "guest", at(2.0, 2.0, 3.0)), "guest");
    steps(&mut world, 10);
}

/// Returns the number of bytes of memory in use.
fn resident() -> i64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("linux");
    let pages: i64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number");
    pages * 4096
}
