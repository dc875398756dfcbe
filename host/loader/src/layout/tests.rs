//! Comparing layout tables.

use super::*;

fn own() -> Vec<u8> {
    section_bytes(bridgehead_abi::LAYOUT)
}

#[test]
fn the_own_table_is_equal() {
    assert_eq!(compare(&own()), Ok(()));
}

#[test]
fn structs_known_to_one_side_only_are_ignored() {
    let mut more = own();
    more.extend(section_bytes(&[LayoutRow::new("Later", "", "", 8, 16)]));
    more.extend(section_bytes(&[LayoutRow::new("Later", "field", "u64", 0, 8)]));
    assert_eq!(compare(&more), Ok(()));
    let fewer: Vec<LayoutRow> =
        bridgehead_abi::LAYOUT.iter().filter(|row| !row.name.starts_with(b"Pose.")).copied().collect();
    assert_eq!(compare(&section_bytes(&fewer)), Ok(()));
}

#[test]
fn an_added_field_is_named() {
    let mut more = own();
    more.extend(section_bytes(&[LayoutRow::new("Pose", "scale", "f64", 56, 8)]));
    let refusal = compare(&more).expect_err("refused");
    assert_eq!(refusal.code, Code::LayoutDiffers);
    assert_eq!(refusal.text, "Pose.scale: plugin has f64 (8 bytes at offset 56), host has no such field");
}

#[test]
fn a_malformed_table_is_refused() {
    let cut = own().len() - 1;
    let cases =
        [Vec::new(), own()[..cut].to_vec(), vec![0; ROW_SIZE], vec![0xff; ROW_SIZE], [own(), own()].concat()];
    for section in cases {
        let refusal = compare(&section).expect_err("refused");
        assert_eq!(refusal.code, Code::LayoutMalformed, "{refusal}");
    }
}

#[test]
fn different_spellings_of_a_type_are_equal() {
    let rust = "unsafe extern \"C\" fn(host: *const crate::Host, out: *mut core::ffi::c_void,) -> Status";
    let header = "unsafeextern\"C\"fn(*constHost,*mutc_void)->Status";
    assert_eq!(spelling::normal(rust), header);
    assert_eq!(spelling::normal(header), header);
    assert_eq!(
        spelling::normal("Option<unsafeextern\"C\"fn(id:crate::Str)>"),
        "Option<unsafeextern\"C\"fn(Str)>"
    );
    assert_eq!(spelling::readable(header), "fn(*const Host, *mut c_void) -> Status");
    assert_eq!(spelling::readable("[f64;3]"), "[f64; 3]");
}
