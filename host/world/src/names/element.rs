//! The parameters of a `<plugin>`, as the plugins that serve it read them. Plain functions, any thread.

use std::sync::Arc;

use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;

use super::lookup::file;
use super::name::{Family, Part, Translation};
use super::translate;
use super::translate::ElementContext;

/// Returns the parameters of a `<plugin>`, translated for the plugin that serves it.
#[must_use]
pub fn translated(plugin: &Plugin, at: ElementContext<'_>) -> Arc<Params> {
    match file(&plugin.filename) {
        Some(row) if row.family == Family::GazeboSystem => {
            let mut params = translate::translate(&row.translation, &plugin.params, at);
            translate::make_topics_global(&mut params);
            Arc::new(params)
        }
        Some(row) if row.translation != Translation::NONE => {
            Arc::new(translate::translate(&row.translation, &plugin.params, at))
        }
        Some(_) | None => Arc::clone(&plugin.params),
    }
}

/// Returns the further plugins that serve parts of a `<plugin>`, with their parameters.
#[must_use]
pub fn parts(plugin: &Plugin, at: ElementContext<'_>) -> Vec<(&'static str, Params)> {
    let parts = file(&plugin.filename).map_or(&[][..], |row| row.translation.parts);
    let served = |part: &Part| Some((part.plugin, translate::part(part, &plugin.params, at)?));
    parts.iter().filter_map(served).collect()
}
