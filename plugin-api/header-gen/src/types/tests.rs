//! Each shape of type the ABI uses, as a C declaration.

use super::*;

fn c(rust: &str) -> String {
    declare(&syn::parse_str(rust).unwrap(), "x").unwrap()
}

#[test]
fn plain_values() {
    assert_eq!(c("u32"), "uint32_t x");
    assert_eq!(c("usize"), "size_t x");
    assert_eq!(c("crate::Str"), "bh_str x");
    assert_eq!(c("[f64; 3]"), "double x[3]");
}

#[test]
fn pointers_keep_their_constness_layer_by_layer() {
    assert_eq!(c("*const u8"), "const uint8_t *x");
    assert_eq!(c("*mut *mut c_void"), "void **x");
    assert_eq!(c("*const *const Host"), "const bh_host *const *x");
    assert_eq!(c("*const [f64; 3]"), "const double (*x)[3]");
    assert_eq!(c("*mut [f64; 3]"), "double (*x)[3]");
}

#[test]
fn functions_and_optional_functions_are_pointers() {
    assert_eq!(c(r#"unsafe extern "C" fn()"#), "void (*x)(void)");
    assert_eq!(
        c(r#"Option<unsafe extern "C" fn(ctx: *mut c_void, register: Str) -> Status>"#),
        "bh_status (*x)(void *ctx, bh_str register_)"
    );
    assert_eq!(c(r#"unsafe extern "C" fn(id: Str) -> *const c_void"#), "const void *(*x)(bh_str id)");
    assert_eq!(function_pointer(&syn::parse_str(r#"Option<extern "C" fn()>"#).unwrap()), Some(true));
    assert_eq!(function_pointer(&syn::parse_str("u32").unwrap()), None);
}

#[test]
fn types_that_must_not_cross_are_refused_with_a_reason() {
    let refusal = declare(&syn::parse_str("bool").unwrap(), "x").unwrap_err();
    assert_eq!(refusal, "`bool` must not cross the boundary; use a fixed-size integer or `Str`");
    assert!(declare(&syn::parse_str("&'static str").unwrap(), "x").unwrap_err().contains("not known"));
    assert!(declare(&syn::parse_str("Vec<u8>").unwrap(), "x").unwrap_err().contains("only `Option`"));
}

#[test]
fn compact_text_has_no_white_space() {
    let ty: Type =
        syn::parse_str(r#"unsafe extern "C" fn(publisher: *mut c_void, len: usize) -> Status"#).unwrap();
    assert_eq!(compact(&ty), r#"unsafeextern"C"fn(publisher:*mutc_void,len:usize)->Status"#);
}
