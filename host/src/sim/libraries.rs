//! Plugin libraries of a run: what was loaded from `.so` files, and the host objects that libraries get.

use std::sync::Arc;

use bridgehead_abi::status;

use super::SimError;
use crate::api::{Context, Owner, ParamsView, Shared};
use crate::bridge::BridgeRegistry;
use crate::config::RunConfig;
use crate::crash;
use crate::plugin::{
    Code, Factory, FileReport, Kind, LibraryHosts, LoadOptions, LoadedPlugin, Metadata, PluginSet,
};
use crate::report::Versions;

/// The plugins of a run. They stay loaded until the process ends.
pub struct Libraries {
    pub(super) plugins: PluginSet,
    pub(super) registry: BridgeRegistry,
}

impl Libraries {
    /// Loads the plugins of the search path. Also returns the problems that did not end the run.
    ///
    /// # Errors
    /// Returns an error if the temporary folder cannot be used, which concerns every plugin, or if the run is strict and
    /// there is a problem.
    pub(super) fn load(config: &RunConfig, shared: &Arc<Shared>) -> Result<(Self, Vec<String>), SimError> {
        register_standard_types(shared);
        let options = LoadOptions { strict: config.strict, ..LoadOptions::default() };
        let plugins = PluginSet::load(&config.search, options, &mut LibraryContexts(Arc::clone(shared)));
        if let Some(unusable) = unusable_folder(&plugins) {
            return Err(SimError::Plugins(unusable));
        }
        let mut problems = file_problems(&plugins);
        let (registry, refused) = BridgeRegistry::collect(&plugins);
        problems.extend(refused);
        problems.extend(register_models(&plugins));
        for problem in &problems {
            log::warn!("{problem}");
        }
        if let (true, Some(problem)) = (config.strict, problems.first()) {
            return Err(SimError::Plugins(format!("{problem} (an error because of --strict)")));
        }
        Ok((Libraries { plugins, registry }, problems))
    }

    /// Returns every loaded plugin, in search order.
    #[must_use]
    pub fn plugins(&self) -> &[LoadedPlugin] {
        self.plugins.plugins()
    }

    pub(super) fn has(&self, kind: Kind, name: &str) -> bool {
        self.plugins.find(kind, name).is_some()
    }

    pub(super) fn versions(&self) -> Versions {
        Versions::of(&self.plugins)
    }

    /// Calls `deinit` of every library, the last one first.
    pub(super) fn deinit(&mut self) {
        self.plugins.deinit();
    }
}

/// Creates the host objects that libraries register with.
struct LibraryContexts(Arc<Shared>);

impl LibraryHosts for LibraryContexts {
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

/// Registers the message types of the host, so that a plugin in C can name them without providing their descriptors.
fn register_standard_types(shared: &Shared) {
    for schema in bridgehead_plugin_api::messages::all_schemas() {
        if let Err(error) = shared.types.register(schema.full_name(), schema.descriptor_set(), "bridgehead") {
            log::error!("{error}");
        }
    }
}

/// Calls `register` of every model plugin, which registers its message types. Returns the problems.
fn register_models(plugins: &PluginSet) -> Vec<String> {
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

/// Returns the finding about a library whose private copy could not be made or executed.
fn unusable_folder(plugins: &PluginSet) -> Option<String> {
    let is_unusable =
        |file: &&FileReport| file.state.refusal().is_some_and(|refusal| refusal.code == Code::PrivateCopy);
    let file = plugins.report().files.iter().find(is_unusable)?;
    let refusal = file.state.refusal()?;
    Some(format!("{}: {refusal}", file.path.display()))
}

/// Warnings of the search, and findings about files that were not loaded.
fn file_problems(plugins: &PluginSet) -> Vec<String> {
    let report = plugins.report();
    let of_files = report
        .files
        .iter()
        .flat_map(|file| file.findings().map(|finding| format!("{}: {finding}", file.path.display())));
    report.warnings.iter().map(ToString::to_string).chain(of_files).collect()
}
