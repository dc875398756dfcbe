//! Addresses of meshes: viewers request only those that begin with `package://` from the server, and all others from the
//! network or from their own files.

/// The package of addresses that have none.
const PACKAGE: &str = "bridgehead";

/// Returns the address under which a viewer requests the mesh of a marker. Addresses on a network stay as they are.
pub(crate) fn viewer_address(mesh: &str) -> String {
    match mesh.split_once("://") {
        Some(("package" | "http" | "https" | "data", _)) => mesh.to_owned(),
        Some(("model", rest)) => format!("package://{rest}"),
        Some((_, rest)) => format!("package://{PACKAGE}/{}", rest.trim_start_matches('/')),
        None if mesh.is_empty() => String::new(),
        None => format!("package://{PACKAGE}/{}", mesh.trim_start_matches('/')),
    }
}
