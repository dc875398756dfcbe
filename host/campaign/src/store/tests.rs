//! Entries that are written twice, changed, cut or without room.

use super::*;
use crate::digest::of_bytes;

const RESULT: &str = "{}\n";

pub(super) fn key(number: u8) -> Key {
    of_bytes(&[number])
}

pub(super) fn entry(key: Key, hash: &str) -> Entry {
    Entry {
        schema: Entry::schema(),
        key,
        verdict: Verdict::Passed,
        exit_code: 0,
        outcome: "stopped".to_owned(),
        cause: "the end".to_owned(),
        state_hash: Some(hash.to_owned()),
        seed: 1,
        steps: 10,
        time_ns: 10_000_000,
        real_time_factor: Some(2.5),
        earlier: Vec::new(),
        began_ms: Some(1_796_000_000_000),
        cores: Some(2),
        wall_s: 0.25,
        machine: "here".to_owned(),
        result: of_bytes(RESULT.as_bytes()),
        seal: None,
    }
    .sealed()
}

pub(super) fn put(store: &dyn Store, entry: &Entry) -> Result<Put, CampaignError> {
    let folder = store.begin().expect("a folder");
    std::fs::write(folder.join("result.json"), RESULT).expect("written");
    store.put(entry, &folder)
}

fn store() -> (tempfile::TempDir, FolderStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = FolderStore::new(folder.path());
    (folder, store)
}

#[test]
fn the_first_entry_wins_an_equal_one_is_dropped_and_another_is_a_conflict() {
    let (folder, store) = store();
    let (first, second) = (entry(key(1), "aa"), entry(key(1), "bb"));
    assert_eq!(put(&store, &first).expect("stored"), Put::Stored);
    let again = Entry { wall_s: 9.0, machine: "there".to_owned(), seal: None, ..first.clone() }.sealed();
    assert_eq!(put(&store, &again).expect("dropped"), Put::Dropped);
    let Put::Conflict(conflict) = put(&store, &second).expect("kept") else { panic!("no conflict") };
    assert_eq!((&conflict.first, &conflict.second), (&first, &second));
    assert_eq!(store.entry(key(1)), Ok(Some(first)));
    assert_eq!(store.conflicts().expect("read"), [*conflict]);
    assert_eq!(store.keys().expect("read"), [key(1)].into());
    let left = std::fs::read_dir(folder.path().join("tmp")).expect("a folder").count();
    assert_eq!(left, 0, "folders in tmp");
}

#[test]
fn a_changed_or_cut_entry_is_named() {
    let (folder, store) = store();
    put(&store, &entry(key(1), "aa")).expect("stored");
    let path = folder.path().join("runs").join(key(1).prefix()).join(key(1).to_string()).join("entry.json");
    let text = std::fs::read_to_string(&path).expect("an entry");
    for (changed, part) in [
        (text.replace("\"aa\"", "\"bb\""), "seal"),
        (text.replace("passed", "failed"), "seal"),
        (text.replace(&key(1).to_string(), &key(2).to_string()), "is the entry of the key"),
        (text[..50].to_owned(), "damaged"),
        (text.replace("entry/1", "entry/9"), "entry/9"),
    ] {
        std::fs::write(&path, changed).expect("written");
        let fault = store.entry(key(1)).expect_err(part);
        assert!(fault.contains(part) && fault.contains("entry.json"), "{part}: {fault}");
        let refused = put(&store, &entry(key(1), "aa")).expect_err("cannot be compared").to_string();
        assert!(refused.contains("BH-CAM-020") && refused.contains(&key(1).to_string()), "{refused}");
    }
    std::fs::write(&path, text).expect("written");
    assert!(store.entry(key(1)).expect("whole").is_some());
    assert_eq!(store.entry(key(2)), Ok(None));
}

#[test]
fn a_store_belongs_to_one_campaign() {
    let (_folder, store) = store();
    store.claim("a").expect("a new store");
    store.claim("a").expect("the same campaign");
    let error = store.claim("b").expect_err("another campaign").to_string();
    assert!(error.contains("BH-CAM-021") && error.contains("`a`") && error.contains("`b`"), "{error}");
}

#[test]
fn a_finished_run_replaces_the_note_about_its_failure() {
    let (_folder, store) = store();
    let failure = Failure { key: key(1), tries: Vec::new(), is_final: false };
    store.put_failure(&failure).expect("written");
    store.put_failure(&failure).expect("replaced");
    assert_eq!(store.failures().expect("read"), [failure]);
    put(&store, &entry(key(1), "aa")).expect("stored");
    assert_eq!(store.failures().expect("read"), []);
}

#[test]
fn folders_of_dead_processes_are_removed_and_those_of_other_machines_stay() {
    let (folder, store) = store();
    let machine = store.begin().expect("a folder");
    let name = machine.file_name().expect("a name").to_string_lossy().into_owned();
    let own = format!("-{}-", std::process::id());
    // Larger than any id of a process.
    let dead = folder.path().join("tmp").join(name.replace(&own, "-99999999-"));
    let other = folder.path().join("tmp/other-machine-99999999-0");
    for path in [&dead, &other] {
        std::fs::create_dir(path).expect("a folder");
    }
    store.claim("a").expect("a store");
    assert!(!dead.exists() && other.exists() && machine.exists());
}

#[test]
fn an_entry_whose_result_is_not_the_one_in_the_folder_is_refused() {
    let (_folder, store) = store();
    let folder = store.begin().expect("a folder");
    std::fs::write(folder.join("result.json"), "other").expect("written");
    assert!(store.put(&entry(key(1), "aa"), &folder).is_err());
    assert_eq!(store.keys().expect("read").len(), 0);
}

#[test]
fn a_seal_survives_writing_and_reading_whatever_the_numbers_are() {
    for number in 1..20_000_u32 {
        // Numbers with all bits in use.
        let wall_s = f64::from(number).sqrt() * 0.37;
        let entry = Entry { wall_s, real_time_factor: Some(1.0 / wall_s), seal: None, ..entry(key(1), "aa") }
            .sealed();
        let text = serde_json::to_string_pretty(&entry).expect("JSON");
        let read: Entry = serde_json::from_str(&text).expect("an entry");
        assert_eq!(read.fault(key(1)), None, "{wall_s}: {text}");
    }
}
