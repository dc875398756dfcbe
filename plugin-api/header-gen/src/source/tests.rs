//! What the reader takes from a module and what it refuses.

use super::*;

fn module(text: &str) -> Result<Module, Error> {
    Module::parse("host", text)
}

fn value(rust: &str) -> Option<String> {
    value_of(&syn::parse_str(rust).unwrap())
}

#[test]
fn constants_have_their_value_in_c() {
    assert_eq!(value("7").as_deref(), Some("7"));
    assert_eq!(value("-101").as_deref(), Some("(-101)"));
    assert_eq!(value("u32::MAX").as_deref(), Some("UINT32_MAX"));
    assert_eq!(value("i64::MIN").as_deref(), Some("INT64_MIN"));
    assert_eq!(value("\"*\"").as_deref(), Some("\"*\""));
    assert_eq!(value("*b\"BH\"").as_deref(), Some("{'B', 'H'}"));
    assert_eq!(value("1 << 3"), None);
}

#[test]
fn an_abi_struct_gives_fields_with_docs_and_lists_for_rust_are_left_out() {
    let module = module(
        "//! Top.\n\
         /// All of them.\npub const OFFERED: &[&str] = &[A];\n\
         abi_struct! {\n/// A thing.\npub struct OneThing {\n/// Its size.\npub register: u32,\n} }",
    )
    .unwrap();
    assert_eq!(module.docs, "Top.");
    let [item] = module.items.as_slice() else { panic!("one item expected") };
    assert_eq!((item.c_name.as_str(), item.docs.as_str()), ("bh_one_thing", "A thing."));
    let Kind::Struct { fields, in_layout: true } = &item.kind else { panic!("an ABI struct expected") };
    assert_eq!((fields[0].name.as_str(), fields[0].c_name.as_str()), ("register", "register_"));
    assert_eq!(fields[0].docs, "Its size.");
}

#[test]
fn a_constant_that_c_cannot_hold_is_named_in_the_refusal() {
    let refusal = module("/// Bits.\npub const BITS: u32 = 1 << 3;").err().unwrap().to_string();
    assert_eq!(
        refusal,
        "`host::BITS` of the ABI has no form in C: its value is not a literal, `MIN` or `MAX`"
    );
}

#[test]
fn a_struct_used_by_value_must_stand_before_its_user() {
    let later =
        "abi_struct! { pub struct User { pub part: Part, } } abi_struct! { pub struct Part { pub x: u32, } }";
    let source = Source { modules: vec![module(later).unwrap()] };
    let refusal = source.check_order().unwrap_err().to_string();
    assert!(refusal.contains("host::User.part") && refusal.contains("move `Part` up"), "{refusal}");
}

#[test]
fn two_items_with_one_c_name_are_refused() {
    let twice = "/// A.\npub const A: u32 = 1;\n/// A.\npub const A: u32 = 2;";
    let refusal = Source { modules: vec![module(twice).unwrap()] }.check_names().unwrap_err().to_string();
    assert!(refusal.contains("`BH_A` is already the C name"), "{refusal}");
}
