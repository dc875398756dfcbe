//! Rust types of the ABI as C declarations. C winds a declaration around the name it declares, so a type
//! is rendered inside out: each layer wraps the text of the name and hands it to the type below it.

use quote::ToTokens;
use syn::{Expr, GenericArgument, PathArguments, ReturnType, Type, TypeBareFn, TypePath};

use crate::names;

/// Declares `name` with a Rust type of the ABI; an empty name gives the bare type.
///
/// # Errors
/// A text saying which type has no C form.
pub fn declare(ty: &Type, name: &str) -> Result<String, String> {
    wrap(ty, false, name)
}

/// Rust tokens as text without white space, which is how the layout table stores a type.
#[must_use]
pub fn compact(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().split_whitespace().collect::<String>().replace(",)", ")")
}

/// Whether this is a function pointer; `Some(true)` for one that may be null.
#[must_use]
pub fn function_pointer(ty: &Type) -> Option<bool> {
    match ty {
        Type::BareFn(_) => Some(false),
        Type::Path(path) => option_of(path).map(|_| true),
        _ => None,
    }
}

/// The struct a field of this type contains by value, if any.
#[must_use]
pub fn value_dependency(ty: &Type) -> Option<String> {
    match ty {
        Type::Array(array) => value_dependency(&array.elem),
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

fn wrap(ty: &Type, constant: bool, inner: &str) -> Result<String, String> {
    match ty {
        Type::Ptr(pointer) => {
            let star = if constant { "*const " } else { "*" };
            let inner = if matches!(*pointer.elem, Type::Array(_)) {
                format!("({star}{inner})")
            } else {
                format!("{star}{inner}")
            };
            wrap(&pointer.elem, pointer.const_token.is_some(), &inner)
        }
        Type::Array(array) => {
            let length = length_of(&array.len)?;
            wrap(&array.elem, constant, &format!("{inner}[{length}]"))
        }
        Type::BareFn(function) => function_declaration(function, inner),
        Type::Path(path) => match option_of(path) {
            Some(function) => function_declaration(function, inner),
            None => Ok(named(&base_name(path)?, constant, inner)),
        },
        other => Err(format!("type `{}` is not known to the generator", other.to_token_stream())),
    }
}

fn named(base: &str, constant: bool, inner: &str) -> String {
    let qualifier = if constant { "const " } else { "" };
    format!("{qualifier}{base} {inner}").trim_end().to_owned()
}

fn function_declaration(function: &TypeBareFn, inner: &str) -> Result<String, String> {
    let mut parameters = Vec::new();
    for input in &function.inputs {
        let name =
            input.name.as_ref().map(|(name, _)| names::of_field(&name.to_string())).unwrap_or_default();
        parameters.push(declare(&input.ty, &name)?);
    }
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let inner = format!("(*{inner})({parameters})");
    match &function.output {
        ReturnType::Default => Ok(format!("void {inner}")),
        ReturnType::Type(_, ty) => wrap(ty, false, &inner),
    }
}

/// The function of an `Option<fn>`, the one generic type the ABI uses.
fn option_of(path: &TypePath) -> Option<&TypeBareFn> {
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(Type::BareFn(function))) => Some(function),
        _ => None,
    }
}

fn base_name(path: &TypePath) -> Result<String, String> {
    let Some(last) = path.path.segments.last().filter(|last| last.arguments.is_none()) else {
        return Err(format!(
            "generic type `{}`; only `Option` of a function is known",
            path.to_token_stream()
        ));
    };
    let rust = last.ident.to_string();
    Ok(match rust.as_str() {
        "u8" | "u16" | "u32" | "u64" => format!("uint{}_t", &rust[1..]),
        "i8" | "i16" | "i32" | "i64" => format!("int{}_t", &rust[1..]),
        "f32" => "float".to_owned(),
        "f64" => "double".to_owned(),
        "usize" => "size_t".to_owned(),
        "c_void" => "void".to_owned(),
        "bool" | "char" | "isize" | "u128" | "i128" | "str" | "String" => {
            return Err(format!("`{rust}` must not cross the boundary; use a fixed-size integer or `Str`"));
        }
        _ => names::of_type(&rust),
    })
}

fn length_of(length: &Expr) -> Result<String, String> {
    match length {
        Expr::Lit(literal) => Ok(literal.lit.to_token_stream().to_string()),
        other => Err(format!("array length `{}` is not a literal", other.to_token_stream())),
    }
}

#[cfg(test)]
mod tests;
