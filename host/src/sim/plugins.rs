//! Plugin libraries of a run: the host objects they get, what they register, and what became of their files.

use std::sync::Arc;

use bridgehead_abi::status;

use crate::api::{Context, Owner, ParamsView, Shared};
use crate::crash;
use crate::plugin::{Factory, LibraryHosts, Metadata, PluginSet};

/// Host objects of libraries, for registration.
pub(super) struct Libraries(pub(super) Arc<Shared>);

impl LibraryHosts for Libraries {
    fn host_for(&mut self, library: &Metadata, _: &std::path::Path) -> *const bridgehead_abi::Host {
        let label = library.plugins.first().map_or_else(String::new, |plugin| plugin.name.clone());
        let context = Context::new(
            Owner::Library,
            label,
            Arc::clone(&self.0),
            ParamsView::default(),
            Default::default(),
        );
        let host = context.host();
        // A library is never unloaded and may use its host object until the process ends.
        #[expect(clippy::mem_forget, reason = "lives until the process ends")]
        std::mem::forget(context);
        host
    }

    fn take_explanation(&mut self, host: *const bridgehead_abi::Host) -> Option<String> {
        // SAFETY: the loader passes pointers that `host_for` made, and those live until the process ends.
        unsafe { Context::from_host(host) }.take_explanation()
    }
}

/// Makes the message types that come with the host known, so that a plugin in C can name them without bringing
/// their descriptors.
pub(super) fn register_standard_types(shared: &Shared) {
    for schema in bridgehead_plugin_api::messages::all_schemas() {
        if let Err(error) = shared.types.register(schema.full_name(), schema.descriptor_set(), "bridgehead") {
            log::error!("{error}");
        }
    }
}

/// Lets every model plugin register its message types. Gives what went wrong.
pub(super) fn register_models(plugins: &PluginSet) -> Vec<String> {
    let mut problems = Vec::new();
    for plugin in plugins.plugins() {
        let (Factory::Model(factory), Some(library)) = (plugin.factory, plugins.library(plugin.library))
        else {
            continue;
        };
        // SAFETY: the loader checked the factory; the library's host object lives until the process ends.
        let register = || unsafe { (factory.register)(library.host()) };
        let code = crash::during(&plugin.metadata.name, "register", register);
        if code < 0 {
            problems.push(format!(
                "[BH-PLG-096] plugin `{}` could not register its types ({})",
                plugin.metadata.name,
                status::name(code)
            ));
        }
    }
    problems
}

/// Says what became of files that were not loaded; gives what `--strict` does not accept.
pub(super) fn report_files(plugins: &PluginSet) -> Vec<String> {
    let report = plugins.report();
    report
        .warnings
        .iter()
        .map(ToString::to_string)
        .chain(
            report.files.iter().flat_map(|file| {
                file.findings().map(|finding| format!("{}: {finding}", file.path.display()))
            }),
        )
        .collect()
}
