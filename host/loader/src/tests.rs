//! The whole loader with real files: compiled, truncated and patched, with the finding for each.

use std::fs;
use std::path::Path;

use super::*;

pub(crate) mod fixture;

use fixture::{Shelf, patch};

/// Loads one file alone and returns its report.
fn load_one(path: &Path) -> FileReport {
    PluginSet::default().load_file(path, &mut BareHosts)
}

/// Loads one file that must be refused.
fn refusal_of(path: &Path) -> Refusal {
    match load_one(path).state {
        FileState::Refused { refusal } => refusal,
        other => panic!("{} is {other:?}", path.display()),
    }
}

/// Finds the plugins of a search and opens all their libraries.
fn load(search: &SearchPath, options: LoadOptions) -> PluginSet {
    let mut set = PluginSet::search(search, options);
    let plugins = set.plugins().iter().map(|plugin| (plugin.metadata.kind, plugin.metadata.id.clone()));
    for (kind, id) in plugins.collect::<Vec<_>>() {
        set.open(kind, &id, &mut BareHosts);
    }
    set
}

#[track_caller]
fn assert_refused(path: &Path, code: Code, text: &str) {
    let refusal = refusal_of(path);
    assert_eq!(refusal.code, code, "{refusal}");
    assert!(refusal.text.contains(text), "`{}` does not contain `{text}`", refusal.text);
}

fn search(folders: &[&Path]) -> SearchPath {
    let mut search = SearchPath::new();
    for folder in folders {
        search.add(Origin::CommandLine, *folder);
    }
    search
}

#[test]
fn a_good_plugin_is_loaded_and_described() {
    let shelf = Shelf::new();
    let path = shelf.plugin("good", &[]);
    let mut set = load(&search(&[shelf.path()]), LoadOptions::default());

    let (plugin, factory) = set.model("good").expect("found by name");
    assert_eq!(plugin.metadata.id, "org.example.good");
    assert_eq!(plugin.metadata.version, "1.0.0");
    assert_eq!(factory.struct_size, bridgehead_abi::model::ModelFactory::SIZE);
    assert!(set.find(Kind::Model, "org.example.good").is_some(), "found by id");
    assert!(set.bridge("good").is_none(), "it is not a bridge");
    let (_, library) = plugin.loaded.expect("its library is open");
    assert_eq!(set.library(library).map(|library| library.path().to_owned()), Some(path.clone()));

    let report = set.report();
    assert_eq!(report.files.len(), 1, "the header and the source are not taken for plugins");
    assert_eq!(report.files[0].state, FileState::Loaded);
    assert_eq!(report.files[0].abi, Some([1, 0]));
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("JSON");
    assert_eq!(json["files"][0]["state"], "loaded");
    assert_eq!(json["files"][0]["path"], path.to_str().expect("UTF-8"));
    assert_eq!(json["files"][0]["plugins"][0]["kind"], "model");
    let text = report.to_text();
    assert!(text.starts_with("NAME  KIND   VERSION  STATE   RESTORE  ID"), "{text}");
    assert!(text.contains("\ngood  model  1.0.0    loaded  reset    org.example.good  Example"), "{text}");
    set.deinit();
}

#[test]
fn files_other_than_elf_are_refused() {
    let shelf = Shelf::new();
    let text = shelf.file("text.so", b"version https://git-lfs.github.com/spec/v1\n");
    assert_refused(&text, Code::NotElf, "it begins with `version https://git-lfs");
    assert_refused(&shelf.file("empty.so", b""), Code::NotElf, "the file is empty");
    assert_refused(&shelf.path().join("absent.so"), Code::Unreadable, "No such file");
    assert_refused(shelf.path(), Code::NotAFile, "not a regular file");
}

#[test]
fn a_truncated_file_is_refused_wherever_it_ends() {
    let shelf = Shelf::new();
    let whole = fs::read(shelf.plugin("whole", &[])).expect("the library");
    for length in [5, 40, whole.len() / 2, whole.len() - 1000, whole.len() - 1] {
        let cut = shelf.file("cut.so", &whole[..length]);
        assert_refused(&cut, Code::Truncated, &format!("the file ends after {length} bytes"));
    }
}

#[test]
fn a_file_for_another_machine_is_refused_by_name() {
    let shelf = Shelf::new();
    let whole = fs::read(shelf.plugin("whole", &[])).expect("the library");
    let patched = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] = value;
        shelf.file("patched.so", &bytes)
    };
    let (foreign, name) = if cfg!(target_arch = "x86_64") { (0xb7, "aarch64") } else { (0x3e, "x86_64") };
    let text = format!("built for {name}, this host runs on {}", std::env::consts::ARCH);
    assert_refused(&patched(18, foreign), Code::WrongMachine, &text);
    assert_refused(&patched(4, 1), Code::WrongClass, "a 32-bit ELF file");
    assert_refused(&patched(5, 2), Code::WrongClass, "big-endian");
    assert_refused(&patched(16, 2), Code::NotShared, "an executable, not a shared object");
    assert_refused(&patched(16, 1), Code::NotShared, "an object file");
}

#[test]
fn a_library_that_is_not_a_plugin_is_refused_before_its_constructor_runs() {
    let shelf = Shelf::new();
    let marker = shelf.path().join("constructor-ran");
    let source = format!(
        "#include <stdio.h>\n__attribute__((constructor)) static void run(void) {{ fclose(fopen(\"{}\", \"w\")); }}",
        marker.display()
    );
    let path = shelf.library("plain", &source);
    assert_refused(&path, Code::NotAPlugin, "no section `.bridgehead.meta`");
    assert!(!marker.exists(), "no code of a refused library runs");
}

#[test]
fn a_library_that_is_not_a_plugin_is_not_reported_beside_the_binary() {
    let shelf = Shelf::new();
    shelf.library("plain", "int answer(void) { return 42; }");
    shelf.file("text.so", b"text");
    let mut search = SearchPath::new();
    search.add_beside_binary(shelf.path());
    let set = load(&search, LoadOptions::default());
    let states: Vec<&FileState> = set.report().files.iter().map(|file| &file.state).collect();
    assert!(matches!(states.as_slice(), [FileState::NotAPlugin, FileState::Refused { .. }]), "{states:?}");
    assert!(!set.report().to_text().contains("libplain"), "{}", set.report().to_text());
}

#[test]
fn the_refusal_of_a_plugin_for_another_abi_names_both_versions() {
    let shelf = Shelf::new();
    let path = shelf.plugin("newer", &[("FIXTURE_ABI_MAJOR", "2"), ("FIXTURE_ABI_MINOR", "99")]);
    let refusal = refusal_of(&path);
    assert_eq!(refusal.code, Code::AbiVersion);
    assert_eq!(refusal.text, "built for plugin ABI 2.99, this host supports 1.x");
    assert!(refusal.to_string().ends_with("use a newer host"), "{refusal}");
}

#[test]
fn one_changed_field_is_named() {
    let shelf = Shelf::new();
    let include = shelf.changed_header(&[
        ("uint64_t sequence;", "uint32_t sequence;"),
        ("BH_LAYOUT_FIELD(\"Message.sequence\", \"u64\"", "BH_LAYOUT_FIELD(\"Message.sequence\", \"u32\""),
    ]);
    let refusal = refusal_of(&shelf.plugin_with_header("changed", &[], &include));
    assert_eq!(refusal.code, Code::LayoutDiffers);
    assert_eq!(
        refusal.details,
        ["Message.sequence: plugin has u32 (4 bytes at offset 24), host has u64 (8 bytes at offset 24)"],
        "the field behind it is aligned to 8, so nothing else moves"
    );
    assert_eq!(refusal.text, refusal.details[0]);
}

#[test]
fn a_missing_field_is_named_with_the_fields_it_moves() {
    let shelf = Shelf::new();
    let include = shelf.changed_header(&[
        ("    uint64_t step;\n    /** Vehicle", "    /** Vehicle"),
        ("    BH_LAYOUT_FIELD(\"Message.step\", \"u64\", bh_message, step) \\\n", ""),
    ]);
    let refusal = refusal_of(&shelf.plugin_with_header("shorter", &[], &include));
    assert_eq!(refusal.code, Code::LayoutDiffers);
    assert_eq!(refusal.text, "Message.step: missing in the plugin (and 7 more)");
    assert!(
        refusal.details[1].starts_with("Message.vehicle: plugin has Str (16 bytes at offset 32)"),
        "{refusal}"
    );
    assert_eq!(
        refusal.details[4..],
        [
            "Message.reserved: plugin has [u64; 2] (16 bytes at offset 72), host has [u64; 2] (16 bytes at offset 80)",
            "Message: plugin has 88 bytes aligned to 8, host has 96 bytes aligned to 8",
            "TxMessage.message: plugin has Message (88 bytes at offset 16), host has Message (96 bytes at offset 16)",
            "TxMessage: plugin has 104 bytes aligned to 8, host has 112 bytes aligned to 8",
        ][..],
        "{refusal}"
    );
}

#[test]
fn metadata_that_differs_from_the_code_is_refused() {
    let shelf = Shelf::new();
    let path = shelf.plugin("liar", &[]);
    patch(&path, br#""vendor":"Example""#, br#""vendor":"Trusted""#);
    let refusal = refusal_of(&path);
    assert_eq!(refusal.code, Code::DescriptorDiffers);
    assert_eq!(
        refusal.text,
        "the library's descriptors differ from its metadata: plugin 0 vendor: the code has `Example`, the metadata \
         has `Trusted`"
    );
}

#[test]
fn an_invalid_entry_is_refused() {
    let shelf = Shelf::new();
    let path = shelf.plugin("magic", &[]);
    patch(&path, b"BRIDGEHD", b"BRIDGE..");
    assert_refused(&path, Code::EntryInvalid, "it begins with `BRIDGE..`");

    let path = shelf.plugin("version", &[]);
    patch(&path, b"BRIDGEHD\x30\0\0\0\x01\0\0\0\0", b"BRIDGEHD\x30\0\0\0\x01\0\0\0\x07");
    assert_refused(&path, Code::EntryVersion, "the entry is of plugin ABI 1.7, the metadata of 1.0");

    let path = shelf.plugin("size", &[]);
    patch(&path, b"BRIDGEHD\x30", b"BRIDGEHD\x31");
    assert_refused(&path, Code::EntryInvalid, "Entry.struct_size is 49, this ABI has 48");
}

#[test]
fn a_hidden_entry_is_refused() {
    let shelf = Shelf::new();
    let path = shelf.plugin("hidden", &[]);
    let bytes = fs::read(&path).expect("the library");
    // The name is in two string tables; the linker reads the first one, `.dynstr`.
    let hidden = bytes.windows(23).position(|name| name == b"bridgehead_plugin_entry").expect("the name");
    let mut bytes = bytes;
    bytes[hidden] = b'X';
    assert_refused(
        &shelf.file("hidden.so", &bytes),
        Code::EntryMissing,
        "does not export `bridgehead_plugin_entry`",
    );
}

#[test]
fn a_null_pointer_in_place_of_a_required_function_is_named() {
    let shelf = Shelf::new();
    let path = shelf.plugin("null", &[("FIXTURE_CREATE_FUNCTION", "NULL")]);
    assert_refused(&path, Code::FactoryInvalid, "factory 0 is invalid: ModelFactory.create is null");
}

#[test]
fn an_undefined_symbol_is_found_when_loading() {
    let shelf = Shelf::new();
    let path = shelf.plugin("undefined", &[("FIXTURE_UNDEFINED", "1")]);
    let refusal = refusal_of(&path);
    assert_eq!(refusal.code, Code::Link);
    assert!(refusal.text.contains("undefined symbol: no_library_defines_this"), "{refusal}");
    assert!(
        refusal.text.contains(path.to_str().expect("UTF-8")),
        "the original is named, not the copy: {refusal}"
    );
}

#[test]
fn an_unknown_required_extension_is_refused_before_loading() {
    let shelf = Shelf::new();
    let requires = r#"BH_QUOTE(BH_EXT_LOG)","BH_QUOTE("bridgehead.teleport/1")"#;
    let path = shelf.plugin("needy", &[("FIXTURE_REQUIRES", requires)]);
    let refusal = refusal_of(&path);
    assert_eq!(refusal.code, Code::MissingExtension);
    assert_eq!(
        refusal.text,
        "plugin `needy` requires `bridgehead.teleport/1`, which this host does not offer"
    );
    assert!(refusal.details[0].contains("bridgehead.bus/1"), "{refusal}");
}

#[test]
fn the_first_of_two_duplicates_is_used() {
    let (first, second) = (Shelf::new(), Shelf::new());
    let path = first.plugin("twin", &[]);
    second.plugin("twin", &[("FIXTURE_ID", "\"org.example.other\"")]);
    let folders = search(&[first.path(), second.path()]);
    let set = load(&folders, LoadOptions::default());
    assert_eq!(set.model("twin").map(|(plugin, _)| plugin.metadata.id.as_str()), Some("org.example.twin"));
    assert_eq!(set.libraries().len(), 1, "the second is not even loaded");
    let FileState::Duplicate { refusal } = &set.report().files[1].state else { panic!("no duplicate") };
    assert_eq!(refusal.code, Code::Duplicate);
    assert_eq!(
        refusal.text,
        format!(
            "model plugin `twin` (org.example.other) is already there as `twin` (org.example.twin) from `{}`, \
             which is used",
            path.display()
        )
    );

    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    let set = load(&folders, strict);
    assert!(
        matches!(&set.report().files[1].state, FileState::Refused { refusal } if refusal.code == Code::Duplicate)
    );
}

#[test]
fn a_library_is_used_for_its_plugins_that_are_not_duplicates() {
    let (first, second) = (Shelf::new(), Shelf::new());
    first.pair("one", &[]);
    second.pair("two", &[]);
    let mut set = load(&search(&[first.path(), second.path()]), LoadOptions::default());
    let names: Vec<&str> = set.plugins().iter().map(|plugin| plugin.metadata.name.as_str()).collect();
    assert_eq!(names, ["shared", "one", "two"]);
    let report = set.report().files[1];
    assert_eq!(report.state, FileState::Loaded);
    assert_eq!(report.warnings.len(), 1);
    assert!(
        report.warnings[0].text.starts_with("model plugin `shared` (org.example.shared) is already there")
    );

    assert_eq!((first.notes(), second.notes()), (vec!["init one".into()], vec!["init two".into()]));
    set.deinit();
    set.deinit();
    assert_eq!(first.notes(), ["init one", "deinit one"], "only once");
    assert_eq!(second.notes(), ["init two", "deinit two"]);
}

#[test]
fn the_explanation_of_a_failed_init_is_quoted() {
    let shelf = Shelf::new();
    let refusal = refusal_of(&shelf.pair("away", &[("PAIR_REFUSES", "1")]));
    assert_eq!(refusal.code, Code::InitFailed);
    assert_eq!(refusal.text, "`init` returned IO: the licence server is away");
    assert_eq!(shelf.notes(), ["init away"], "`deinit` is not called after a failed `init`");
}

#[test]
fn a_library_with_a_wrong_number_of_plugins_is_refused_before_init() {
    let shelf = Shelf::new();
    let path = shelf.pair("short", &[("PAIR_COUNT", "1")]);
    assert_refused(&path, Code::DescriptorDiffers, "count: the code has 1, the metadata has 2 plugins");
    assert_eq!(shelf.notes(), Vec::<String>::new());
}

#[test]
fn a_plugin_of_a_later_kind_does_not_prevent_the_others_of_its_library() {
    let shelf = Shelf::new();
    shelf.pair("known", &[("PAIR_FIRST_KIND", "77"), ("PAIR_FIRST_WORD", "\"painter\"")]);
    let set = load(&search(&[shelf.path()]), LoadOptions::default());
    let report = set.report().files[0];
    assert_eq!(report.state, FileState::Loaded);
    assert_eq!(report.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::UnknownKind]);
    let names: Vec<&str> = set.plugins().iter().map(|plugin| plugin.metadata.name.as_str()).collect();
    assert_eq!(names, ["known"]);
    assert!(set.model("known").is_some() && set.find(Kind::Unknown, "shared").is_none());
}

#[test]
fn plugins_of_every_minor_are_used() {
    let shelf = Shelf::new();
    shelf.plugin("old", &[("FIXTURE_ABI_MINOR", "0")]);
    shelf.plugin("late", &[("FIXTURE_ABI_MINOR", "99")]);
    let set = load(&search(&[shelf.path()]), LoadOptions::default());
    for (name, report) in ["late", "old"].iter().zip(&set.report().files) {
        assert_eq!(report.state, FileState::Loaded);
        assert!(report.warnings.is_empty() && set.model(name).is_some(), "{name}");
    }
}

#[test]
fn abort_on_panic_is_a_warning_and_with_strict_a_refusal() {
    let shelf = Shelf::new();
    shelf.pair("fragile", &[("PAIR_PANIC", "\"abort\"")]);
    let set = load(&search(&[shelf.path()]), LoadOptions::default());
    let report = set.report().files[0];
    assert_eq!(report.state, FileState::Loaded);
    assert_eq!(report.warnings[0].code, Code::PanicAbort);

    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    let set = load(&search(&[shelf.path()]), strict);
    let refused = set.report().files[0].state.refusal().map(|refusal| refusal.code);
    assert_eq!(refused, Some(Code::PanicAbort));
    assert_eq!(set.libraries().len(), 0);
}

#[test]
fn a_file_above_the_limit_is_not_read_further() {
    let shelf = Shelf::new();
    shelf.plugin("large", &[]);
    let limited = LoadOptions { size_limit: 1000, ..LoadOptions::default() };
    let set = load(&search(&[shelf.path()]), limited);
    let refusal = set.report().files[0].state.refusal().cloned().expect("refused");
    assert_eq!(refusal.code, Code::TooLarge);
    assert!(refusal.text.ends_with("bytes, the limit is 1000"), "{refusal}");
}

#[test]
fn no_changed_byte_of_the_headers_makes_the_check_panic() {
    let shelf = Shelf::new();
    let mut bytes = fs::read(shelf.plugin("mutant", &[])).expect("the library");
    let (header, segments, sections) = (0..64, 64..64 + 56 * 9, bytes.len() - 64 * 30..bytes.len());
    for at in header.chain(segments).chain(sections) {
        let original = bytes[at];
        for value in [0, 0x7f, 0xff] {
            bytes[at] = value;
            let section = elf::SharedObject::parse(bytes.as_slice())
                .map(|object| object.section(".bridgehead.meta").is_some());
            assert!(section.is_ok() || section.is_err_and(|refusal| !refusal.text.is_empty()));
        }
        bytes[at] = original;
    }
    assert!(elf::SharedObject::parse(bytes.as_slice()).is_ok());
}

#[test]
fn the_same_file_found_twice_counts_once() {
    let shelf = Shelf::new();
    shelf.plugin("once", &[]);
    let set = load(&search(&[shelf.path(), shelf.path()]), LoadOptions::default());
    assert_eq!(set.report().files.len(), 1);
}

#[test]
fn overwriting_a_loaded_file_in_place_is_harmless() {
    let shelf = Shelf::new();
    let path = shelf.plugin("overwritten", &[]);
    let mut set = PluginSet::default();
    assert_eq!(set.load_file(&path, &mut BareHosts).state, FileState::Loaded);
    let length = fs::metadata(&path).expect("the file").len();
    fs::write(&path, vec![0; usize::try_from(length).expect("a small file")]).expect("overwritten");
    let (_, factory) = set.model("overwritten").expect("loaded");
    let host = set.libraries()[0].host();
    // SAFETY: the factory was checked; the library's host object lives until the process ends.
    assert_eq!(unsafe { (factory.register)(host) }, bridgehead_abi::status::OK);
}

#[test]
fn a_missing_plugin_is_explained() {
    let shelf = Shelf::new();
    shelf.plugin("present", &[]);
    shelf.plugin("late", &[("FIXTURE_ABI_MAJOR", "2")]);
    shelf.plugin("liar", &[("FIXTURE_UNDEFINED", "1")]);
    let set = load(&search(&[shelf.path()]), LoadOptions::default());
    assert_eq!(set.explain_missing(Kind::Model, "absent"), "no model plugin `absent`; available: `present`");
    assert_eq!(set.explain_missing(Kind::Bridge, "udp"), "no bridge plugin `udp`; available: none");
    let text = set.explain_missing(Kind::Model, "liar");
    assert!(text.contains("libliar.so` contains it but was refused: [BH-PLG-051]"), "{text}");
}

#[test]
fn the_private_folder_is_removed_with_the_set() {
    let shelf = Shelf::new();
    let path = shelf.plugin("tidy", &[]);
    let mut set = PluginSet::default();
    set.load_file(&path, &mut BareHosts);
    let folder = set.private_folder().expect("a folder").to_owned();
    assert!(folder.join("0/libtidy.so").is_file(), "the copy keeps the name");
    drop(set);
    assert!(!folder.exists());
}

#[test]
fn codes_are_unique_and_round_trip() {
    for pair in CODES.windows(2) {
        assert!(pair[0].number < pair[1].number, "{:?}", pair[1]);
    }
    for row in CODES {
        assert_eq!(Code::parse(&row.code.to_string()), Some(row.code));
        assert!(codes_markdown().contains(&format!("| {} | {} |", row.code, row.name)));
    }
}
