//! The store over objects in memory.

use object_store::memory::InMemory;

use super::*;
use crate::store::tests::{entry, key, put};

fn store() -> (tempfile::TempDir, BucketStore) {
    let scratch = tempfile::tempdir().expect("a folder");
    let objects = Arc::new(InMemory::new());
    let store = BucketStore::of(objects, "robots", "nightly/c", scratch.path().to_owned());
    (scratch, store.expect("a store"))
}

fn objects(store: &BucketStore) -> Vec<String> {
    let listed = store.runtime.block_on(store.objects.list(None).try_collect::<Vec<_>>()).expect("a list");
    let mut names: Vec<String> = listed.iter().map(|object| object.location.to_string()).collect();
    names.sort();
    names
}

#[test]
fn the_first_entry_wins_an_equal_one_is_dropped_and_another_is_a_conflict() {
    let (scratch, store) = store();
    let (first, second) = (entry(key(1), "aa"), entry(key(1), "bb"));
    assert_eq!(put(&store, &first).expect("stored"), Put::Stored);
    let stored = objects(&store);
    let again = Entry { wall_s: 9.0, machine: "there".to_owned(), seal: None, ..first.clone() }.sealed();
    assert_eq!(put(&store, &again).expect("dropped"), Put::Dropped);
    assert_eq!(objects(&store), stored);
    let Put::Conflict(conflict) = put(&store, &second).expect("kept") else { panic!("no conflict") };
    assert_eq!((&conflict.first, &conflict.second), (&first, &second));
    assert_eq!(store.conflicts().expect("read"), [*conflict]);
    assert_eq!(store.keys().expect("read"), [key(1)].into());
    let both = store.entries(&[key(2), key(1)]);
    assert_eq!(both, [Ok(None), Ok(Some(first))]);
    assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 0, "folders of tries");
}

#[test]
fn an_entry_has_the_files_of_its_folder() {
    let (_scratch, store) = store();
    let entry = entry(key(1), "aa");
    let folder = store.begin().expect("a folder");
    fs::create_dir(folder.join("out")).expect("a folder");
    fs::write(folder.join("result.json"), "{}\n").expect("written");
    // More than one chunk, and a name that objects write in another way.
    fs::write(folder.join("out/a #1.mcap"), vec![7; 2 * CHUNK + 1]).expect("written");
    assert_eq!(store.put(&entry, &folder).expect("stored"), Put::Stored);
    let seal = entry.seal.expect("a seal");
    let files = format!("nightly/c/files/{}/{seal}", key(1));
    let names = objects(&store);
    assert_eq!(names[0], format!("nightly/c/entries/{}.json", key(1)));
    assert_eq!(names[1..], [format!("{files}/out/a %231.mcap"), format!("{files}/result.json")]);
    let object = store.read(&Location::parse(&names[1]).expect("a location")).expect("read");
    assert_eq!(object.map(|content| content.len()), Some(2 * CHUNK + 1));
}

#[test]
fn a_changed_entry_is_named_and_is_in_the_way_of_a_second_one() {
    let (_scratch, store) = store();
    put(&store, &entry(key(1), "aa")).expect("stored");
    let location = store.entry_location(key(1));
    let text = String::from_utf8(store.read(&location).expect("read").expect("an entry")).expect("text");
    store.write(&location, text.replace("\"aa\"", "\"bb\"").into()).expect("written");
    let fault = store.entry(key(1)).expect_err("changed");
    assert!(fault.contains("seal") && fault.contains("s3://robots/nightly/c/entries/"), "{fault}");
    let refused = put(&store, &entry(key(1), "aa")).expect_err("cannot be compared").to_string();
    assert!(refused.contains("BH-CAM-020") && refused.contains(&key(1).to_string()), "{refused}");
}

#[test]
fn a_store_belongs_to_one_campaign_and_notes_failures() {
    let (_scratch, store) = store();
    store.claim("a").expect("a new store");
    store.claim("a").expect("the same campaign");
    let error = store.claim("b").expect_err("another campaign").to_string();
    assert!(error.contains("BH-CAM-021") && error.contains("`s3://robots/nightly/c`"), "{error}");
    let failure = Failure { key: key(1), tries: Vec::new(), is_final: false };
    store.put_failure(&failure).expect("written");
    store.put_failure(&failure).expect("replaced");
    assert_eq!(store.failures().expect("read"), [failure]);
    put(&store, &entry(key(1), "aa")).expect("stored");
    assert_eq!(store.failures().expect("read"), []);
    let missing = store.read_plan().expect_err("no plan").to_string();
    assert!(missing.contains("BH-CAM-022"), "{missing}");
}
