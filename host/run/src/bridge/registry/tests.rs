//! Which creator of a bridge gets a data type, with and without converters of other plugins.

use std::ffi::c_void;

use super::*;

unsafe extern "C" fn convert(
    _: *mut c_void,
    _: *const bridgehead_abi::Message,
    _: *mut u8,
    _: usize,
    _: *mut usize,
) -> Status {
    status::OK
}

/// A bridge with these forms of types, and a converter of the type `mine` to a form.
fn rows(forms: &[(&str, &str)], converter: Option<&str>) -> Rows {
    // SAFETY: the function does nothing.
    let raw = unsafe { Callback::new(raw::Converter { user: std::ptr::null_mut(), convert }) };
    let converter = converter
        .map(|form| ("mine".to_owned(), (form.to_owned(), Converter { raw, host: std::ptr::null() })));
    Rows {
        types: forms.iter().map(|(of, form)| ((*of).to_owned(), (*form).to_owned())).collect(),
        converters_out: converter.into_iter().collect(),
        ..Rows::default()
    }
}

/// The type whose creator gets the type `mine`, and whether through the converter.
fn creator(creators: &[&'static str], rows: &Rows) -> Option<(&'static str, bool)> {
    let creators = creators.iter().map(|name| ((*name).to_owned(), *name)).collect();
    let found = rows.find(&creators, &rows.converters_out, "mine")?;
    Some((found.creator, found.converter.is_some()))
}

#[test]
fn a_bridge_has_its_own_types_and_perhaps_every_type() {
    assert_eq!(creator(&["mine", "*"], &rows(&[], None)), Some(("mine", false)));
    assert_eq!(creator(&["other", "*"], &rows(&[], None)), Some(("*", false)));
    assert_eq!(creator(&["other"], &rows(&[], None)), None);
}

#[test]
fn a_converter_makes_a_bridge_transport_a_type_in_a_form_that_it_has() {
    let forms = &[("other", "apollo.Scan")];
    assert_eq!(creator(&["other"], &rows(forms, Some("apollo.Scan"))), Some(("other", true)));
    assert_eq!(creator(&["other", "*"], &rows(forms, Some("apollo.Scan"))), Some(("other", true)));
    assert_eq!(
        creator(&["apollo.Scan", "other"], &rows(forms, Some("apollo.Scan"))),
        Some(("apollo.Scan", true))
    );
    assert_eq!(creator(&["*"], &rows(&[], Some("text"))), Some(("*", true)));
}

#[test]
fn a_converter_to_a_form_that_no_bridge_has_is_explained() {
    let rows = rows(&[("other", "apollo.Scan")], Some("text"));
    assert_eq!(creator(&["other"], &rows), None);
    let why = rows.unused_converter("mine").expect("a reason");
    assert_eq!(
        why,
        "a converter to `text` is registered for it, which is none of the bridge's types: `apollo.Scan`"
    );
    assert_eq!(rows.unused_converter("other"), None);
}
