//! What the plugins of this library have in common: the link that a parameter names, and whether forces move it.

use bridgehead_plugin_api::host::{Body, Dynamics, LinkId, Params};
use bridgehead_plugin_api::{Error, Result};

/// Returns the body of a link that forces move.
///
/// # Errors
/// Returns an error at the place of `path`, which names the link, if it is static or scripted.
pub(crate) fn moving_body(dynamics: Dynamics, link: LinkId, params: Params, path: &str) -> Result<Body> {
    let refuse = || -> Error {
        let name = params.text(path).unwrap_or_default();
        params.refuse(path, &name, "a link that forces move: this one is static or scripted")
    };
    dynamics.body(link)?.filter(|body| body.moves).ok_or_else(refuse)
}

/// The direction that a parameter gives, as a vector of length one.
///
/// # Errors
/// Returns an error if it is not three numbers, or has no direction.
pub(crate) fn direction(params: Params, path: &str, default: [f64; 3]) -> Result<[f64; 3]> {
    let vector = params.get_or(path, default)?;
    bridgehead_plugin_api::vector::unit(vector).ok_or_else(|| {
        params.refuse(path, &params.text(path).unwrap_or_default(), "a vector with a direction")
    })
}
