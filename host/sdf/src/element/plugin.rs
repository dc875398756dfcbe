//! `<plugin>`: a library to load and its parameters. The plugin loader decides which file the name refers to.
//! Plain values, usable from any thread.

use crate::document::Origin;
use bridgehead_params::Params;
use std::sync::Arc;

/// A `<plugin>` of a world, model, sensor or visual.
#[derive(Clone, Debug, Default)]
pub struct Plugin {
    /// The `name` attribute; optional since SDF 1.10.
    pub name: String,
    /// The `filename` attribute as written.
    pub filename: String,
    /// The whole element, for look-ups such as `wheel[1]/joint` or `@name`.
    pub params: Arc<Params>,
    /// The element in its file; [`Origin::xml`] returns its text byte for byte.
    pub origin: Origin,
}
