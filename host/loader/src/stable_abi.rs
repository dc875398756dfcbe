//! The second layout check: compares the ABI types of a Rust library with the host's own by `abi_stable`.
//!
//! It compares each extension for itself, so that a host can have more of them than a library, or fewer. It follows
//! pointers and function signatures into every nested type, while the layout table compares names. It is only possible
//! if both sides use the same version of `abi_stable`, because the type descriptions are structs of that crate. Main
//! thread only.

use std::ffi::c_void;

use abi_stable::abi_stability::abi_checking::{
    AbiInstability, AbiInstabilityError, AbiInstabilityErrors, check_layout_compatibility,
};
use abi_stable::type_layout::{TLFieldOrFunction, TypeLayout};
use bridgehead_abi::{Str, extension, surface};

use super::code::Code;
use super::metadata::Metadata;
use super::refusal::Refusal;

/// Maximum number of types of a path in a message. A path through recursive types can be long.
const MAX_PATH: usize = 8;

/// Maximum number of differences of one type in a message.
const MAX_CAUSES: usize = 2;

/// Type of the extension [`extension::STABLE_ABI_LAYOUT`].
type LayoutFunction = unsafe extern "C" fn(name: Str) -> Option<&'static TypeLayout>;

/// Compares the types if the metadata offers it. Returns a warning if it is offered but not possible.
pub(super) fn check(
    metadata: &Metadata,
    get_factory: impl Fn(&str) -> *const c_void,
) -> Result<Option<Refusal>, Refusal> {
    let Some(version) = metadata.abi_stable.as_deref() else { return Ok(None) };
    let own_version = abi_stable::ABI_STABLE_VERSION;
    if version != own_version.version.as_str() {
        let text =
            format!("the plugin has abi_stable {version}, this host {own_version}: types were not compared");
        return Ok(Some(Refusal::new(Code::TypesUnchecked, text)));
    }
    let object = get_factory(extension::STABLE_ABI_LAYOUT);
    if object.is_null() {
        let text = format!(
            "the metadata names abi_stable {version}, the library has no `{}`",
            extension::STABLE_ABI_LAYOUT
        );
        return Ok(Some(Refusal::new(Code::TypesUnchecked, text)));
    }
    // SAFETY: by the ABI this id gives a function of this type, and both sides have the same `abi_stable`.
    let layout = unsafe { std::mem::transmute::<*const c_void, LayoutFunction>(object) };
    // SAFETY: the text lives for the call.
    compare_roots(surface::ROOTS, |name| unsafe { layout(Str::new(name)) })?;
    Ok(None)
}

/// Compares the roots that both sides know. Another one is an extension that only one side has.
fn compare_roots(
    names: &[&str],
    plugin: impl Fn(&str) -> Option<&'static TypeLayout>,
) -> Result<(), Refusal> {
    let both = names.iter().filter_map(|name| Some((plugin(name)?, surface::layout_of(name)?)));
    both.into_iter().try_for_each(|(plugin, host)| compare(plugin, host))
}

/// Compares in both directions, because `abi_stable` allows the implementation to have more than the interface.
fn compare(plugin: &'static TypeLayout, host: &'static TypeLayout) -> Result<(), Refusal> {
    expect_equal(host, plugin, ["host", "plugin"])?;
    expect_equal(plugin, host, ["plugin", "host"])
}

/// `sides` names the interface and the implementation.
fn expect_equal(
    interface: &'static TypeLayout,
    implementation: &'static TypeLayout,
    sides: [&str; 2],
) -> Result<(), Refusal> {
    let Err(mut errors) = check_layout_compatibility(interface, implementation) else { return Ok(()) };
    // The version of the crate grows with every addition. Whether versions are compatible was decided before.
    for error in &mut errors.errors {
        error.errs.retain(|found| !matches!(found, AbiInstability::PackageVersion(_)));
    }
    errors.errors.retain(|error| !error.errs.is_empty());
    if errors.errors.is_empty() { Ok(()) } else { Err(refusal(&errors, sides)) }
}

/// Summarises an error of hundreds of lines in one line.
fn refusal(errors: &AbiInstabilityErrors, sides: [&str; 2]) -> Refusal {
    log::debug!("abi_stable: {errors}");
    // A difference in a nested type also appears in each type around it.
    let text = match errors.errors.iter().max_by_key(|error| error.stack_trace.len()) {
        Some(error) => format!("{}: {}", path(errors.interface, error), causes(error, sides)),
        None => String::from("abi_stable found a difference and does not name it"),
    };
    Refusal::new(Code::TypesDiffer, text)
}

fn path(root: &'static TypeLayout, error: &AbiInstabilityError) -> String {
    // The path element of a function adds nothing to that of its field.
    let steps = error.stack_trace.iter().filter_map(|step| match &step.expected {
        TLFieldOrFunction::Field(field) => Some(field.name().trim_end_matches(',')),
        TLFieldOrFunction::Function(_) => None,
    });
    // The target of a pointer is a field called `0`.
    let named = steps.filter(|step| step.parse::<u32>().is_err());
    let mut path: Vec<&str> = std::iter::once(root.name()).chain(named).collect();
    if path.len() > MAX_PATH {
        path.splice(1..path.len() - (MAX_PATH - 2), ["…"]);
    }
    path.join(" → ")
}

fn causes(error: &AbiInstabilityError, sides: [&str; 2]) -> String {
    let causes: Vec<String> = error.errs.iter().take(MAX_CAUSES).map(|found| cause(found, sides)).collect();
    causes.join("; ")
}

/// Describes the differences that plain C structs can have. The others belong to kinds of types that the ABI lacks.
fn cause(instability: &AbiInstability, [this, other]: [&str; 2]) -> String {
    match instability {
        AbiInstability::Name(side) => format!("{this} has `{}`, {other} has `{}`", side.expected, side.found),
        AbiInstability::Size(side) => {
            format!("{this} has size {}, {other} has {}", side.expected, side.found)
        }
        AbiInstability::Alignment(side) => {
            format!("{this} has alignment {}, {other} has {}", side.expected, side.found)
        }
        AbiInstability::FieldCountMismatch(side) => {
            format!("{this} has {} fields or parameters, {other} has {}", side.expected, side.found)
        }
        AbiInstability::UnexpectedField(side) => {
            format!("{this} has a field `{}` where {other} has `{}`", side.expected.name(), side.found.name())
        }
        AbiInstability::MismatchedPrimitive(side) => {
            format!("{this} has {:?}, {other} has {:?}", side.expected, side.found)
        }
        _ => String::from("the definitions differ"),
    }
}

#[cfg(test)]
mod tests;
