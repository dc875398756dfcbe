//! The second layout check on types that differ in one place.

use abi_stable::StableAbi;

use super::*;
use crate::metadata::PanicStrategy;

mod plugin_side {
    #[repr(C)]
    #[derive(abi_stable::StableAbi)]
    pub(super) struct Message {
        pub(super) stamp: i64,
        pub(super) sequence: u32,
    }

    #[repr(C)]
    #[derive(abi_stable::StableAbi)]
    pub(super) struct Surface {
        pub(super) publish: unsafe extern "C" fn(message: *const Message) -> i32,
    }
}

mod host_side {
    #[repr(C)]
    #[derive(abi_stable::StableAbi)]
    pub(super) struct Message {
        pub(super) stamp: i64,
        pub(super) sequence: u64,
    }

    #[repr(C)]
    #[derive(abi_stable::StableAbi)]
    pub(super) struct Surface {
        pub(super) publish: unsafe extern "C" fn(message: *const Message) -> i32,
    }
}

fn metadata(version: Option<&str>) -> Metadata {
    let abi_stable = version.map(String::from);
    Metadata {
        schema: 1,
        abi: [0, 3],
        sdk: String::new(),
        abi_stable,
        panic: PanicStrategy::Unwind,
        plugins: Vec::new(),
    }
}

fn own_version() -> &'static str {
    abi_stable::ABI_STABLE_VERSION.version.as_str()
}

#[test]
fn equal_types_pass() {
    unsafe extern "C" fn layout(name: Str) -> Option<&'static TypeLayout> {
        // SAFETY: the text lives for the call.
        let name = std::str::from_utf8(unsafe { name.as_bytes() }).expect("a text");
        surface::layout_of(name)
    }
    let result = check(&metadata(Some(own_version())), |id| {
        assert_eq!(id, "bridgehead.stable-abi-layout/2");
        layout as *const c_void
    });
    assert_eq!(result, Ok(None));
}

#[test]
fn a_nested_difference_is_one_line_with_its_path() {
    let plugin = <plugin_side::Surface as StableAbi>::LAYOUT;
    let host = <host_side::Surface as StableAbi>::LAYOUT;
    let refusal = compare(plugin, host).expect_err("refused");
    assert_eq!(refusal.code, Code::TypesDiffer);
    assert_eq!(refusal.text, "Surface → publish → message → sequence: host has `u64`, plugin has `u32`");
}

#[test]
fn the_check_is_skipped_if_it_is_not_possible() {
    let never = |_: &str| -> *const c_void { panic!("the layout is not requested") };
    assert_eq!(check(&metadata(None), never), Ok(None));
    let note = check(&metadata(Some("0.10.0")), never).expect("not refused").expect("a note");
    assert_eq!(note.code, Code::TypesUnchecked);
    assert!(note.text.starts_with("the plugin has abi_stable 0.10.0, this host 0.11.3"), "{note}");
    let note =
        check(&metadata(Some(own_version())), |_| std::ptr::null()).expect("not refused").expect("a note");
    assert!(note.text.contains("has no `bridgehead.stable-abi-layout/2`"), "{note}");
}

#[test]
fn roots_that_one_side_lacks_are_ignored_and_the_others_compared() {
    let older = |name: &str| if name == "HostReport" { None } else { surface::layout_of(name) };
    assert_eq!(compare_roots(surface::ROOTS, older), Ok(()), "the plugin does not know a root");
    let newer = [surface::ROOTS, &["HostScene"]].concat();
    assert_eq!(compare_roots(&newer, surface::layout_of), Ok(()), "nobody knows a root");
    let changed = |name: &str| match name {
        "HostBus" => surface::layout_of("HostLog"),
        other => surface::layout_of(other),
    };
    assert_eq!(compare_roots(surface::ROOTS, changed).expect_err("refused").code, Code::TypesDiffer);
}
