//! The parameters of a `<plugin>`, as the plugins that serve it read them. Plain functions, any thread.

use std::sync::Arc;

use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;

use super::lookup::file;
use super::name::{Family, Part, Translation};
use super::translate::ElementContext;
use super::{ros, translate};

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
            let given = ros::with_topics(&row.translation, plugin, at.at);
            Arc::new(translate::translate(&row.translation, &given, at))
        }
        Some(_) | None => Arc::clone(&plugin.params),
    }
}

/// Returns the further plugins that serve parts of a `<plugin>`, with their parameters.
#[must_use]
pub fn parts(plugin: &Plugin, at: ElementContext<'_>) -> Vec<(&'static str, Params)> {
    let Some(row) = file(&plugin.filename).filter(|row| !row.translation.parts.is_empty()) else {
        return Vec::new();
    };
    let given = ros::with_topics(&row.translation, plugin, at.at);
    let served = |part: &Part| Some((part.plugin, translate::part(part, &given, at)?));
    row.translation.parts.iter().filter_map(served).collect()
}
