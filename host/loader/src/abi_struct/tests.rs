//! Correct, incomplete and unreadable structs.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use bridgehead_abi::model::ModelInstance;
use bridgehead_abi::{Status, Str, status};

use super::*;

unsafe extern "C" fn awake(_ctx: *mut c_void) -> Status {
    status::OK
}
unsafe extern "C" fn reset(_ctx: *mut c_void, _scope: u32) -> Status {
    status::OK
}
unsafe extern "C" fn get_extension(_ctx: *mut c_void, _id: Str) -> *const c_void {
    std::ptr::null()
}
unsafe extern "C" fn destroy(_ctx: *mut c_void) {}

fn instance() -> ModelInstance {
    ModelInstance {
        struct_size: ModelInstance::SIZE,
        reserved: 0,
        ctx: std::ptr::null_mut(),
        awake,
        start: None,
        all_started: None,
        reset,
        sample: None,
        control: None,
        pause: None,
        resume: None,
        stop: None,
        save: None,
        load: None,
        get_extension,
        destroy,
    }
}

fn error_text(pointer: *const ModelInstance) -> Option<String> {
    // SAFETY: the tests pass null, misaligned or readable pointers.
    unsafe { checked_ref(pointer) }.err().map(|error| error.to_string())
}

#[test]
fn optional_functions_may_be_null() {
    assert_eq!(error_text(&raw const *Box::new(instance())), None);
}

#[test]
fn required_functions_may_not_be_null() {
    let mut memory = MaybeUninit::new(instance());
    let at = std::mem::offset_of!(ModelInstance, reset);
    // SAFETY: the offset is that of a pointer-sized field within the memory.
    unsafe { memory.as_mut_ptr().cast::<u8>().add(at).cast::<usize>().write(0) };
    assert_eq!(error_text(memory.as_ptr()).as_deref(), Some("ModelInstance.reset is null"));
}

#[test]
fn a_zeroed_struct_is_reported_by_its_size() {
    let memory = MaybeUninit::<ModelInstance>::zeroed();
    let size = ModelInstance::SIZE;
    assert_eq!(
        error_text(memory.as_ptr()),
        Some(format!("ModelInstance.struct_size is 0, this ABI has {size}"))
    );
}

#[test]
fn bad_pointers_are_not_followed() {
    assert_eq!(error_text(std::ptr::null()).as_deref(), Some("the ModelInstance pointer is null"));
    let misaligned = std::ptr::without_provenance(9);
    assert_eq!(error_text(misaligned).as_deref(), Some("the ModelInstance pointer 0x9 is not aligned"));
}
