//! The child's side of a probe: loads one file, makes and destroys an instance of each plugin, reports.
//!
//! The report goes into a file, because plugins may write to standard output. The name of each stage is written before
//! it begins, so that the parent knows the stage of a crash. Main thread of the child process.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::sync::Arc;

use std::path::{Path, PathBuf};

use bridgehead_abi::Host;
use bridgehead_abi::bridge::BridgeInstance;
use bridgehead_abi::model::ModelInstance;
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use serde_json::json;

use super::super::code::Code;
use super::super::hosts::LibraryHosts;
use super::super::instance::{CreateError, create_instance};
use super::super::known::KnownPlugin;
use super::super::library::{Factory, Library};
use super::super::private_copy::PrivateFolder;
use super::super::refusal::Refusal;
use super::super::report::FileReport;
use super::super::set::{LoadOptions, PluginSet};

/// The hidden argument that makes a process a probing child.
pub const ARGUMENT: &str = "--probe-child";

/// The report of the child.
pub(super) const REPORT_FILE: &str = "report.json";
/// The stage that the child is in.
pub(super) const STAGE_FILE: &str = "stage";
/// Standard error of the child.
pub(super) const ERROR_FILE: &str = "stderr";

/// Maximum memory that a child may map.
const MEMORY_LIMIT: u64 = 16 << 30;
/// Maximum size of a file that a child may write: enough for a private copy and a long error text.
const FILE_LIMIT: u64 = 1 << 30;

/// The request to a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildRequest {
    file: PathBuf,
    folder: PathBuf,
    seconds: u64,
}

/// Returns the request in the arguments of this process, if it is a probing child. Call it before anything else.
#[must_use]
pub fn request(arguments: impl IntoIterator<Item = OsString>) -> Option<ChildRequest> {
    let mut arguments = arguments.into_iter().skip_while(|argument| argument != OsStr::new(ARGUMENT)).skip(1);
    let file = arguments.next()?.into();
    let folder = arguments.next()?.into();
    let seconds = arguments.next()?.to_str()?.parse().ok()?;
    Some(ChildRequest { file, folder, seconds })
}

/// Executes the request. The process should exit with success after this; the result is in the report.
///
/// # Errors
/// Returns an error if the report cannot be written.
pub fn run(request: &ChildRequest, hosts: &mut dyn LibraryHosts) -> std::io::Result<()> {
    confine(request.seconds);
    let stage = |name: &str| {
        if let Err(error) = fs::write(request.folder.join(STAGE_FILE), name) {
            log::debug!("stage `{name}` could not be recorded: {error}");
        }
    };
    stage("loading the library or in its `init`");
    let mut set =
        PluginSet::with_private_folder(PrivateFolder::existing(&request.folder), LoadOptions::default());
    let file = set.load_file(&request.file, hosts);
    let refusal = match file.state.refusal() {
        Some(refusal) => Some(refusal.clone()),
        None => set.plugins().iter().find_map(|plugin| try_instance(plugin, &set, hosts, &stage).err()),
    };
    stage("in `deinit`");
    set.deinit();
    write_report(&request.folder, refusal.as_ref(), &file)?;
    stage("ending the process, after everything else succeeded");
    Ok(())
}

fn write_report(folder: &Path, refusal: Option<&Refusal>, file: &FileReport) -> std::io::Result<()> {
    fs::write(folder.join(REPORT_FILE), json!({ "refusal": refusal, "file": file }).to_string())
}

/// Creates an instance of a plugin and destroys it.
fn try_instance(
    plugin: &KnownPlugin,
    set: &PluginSet,
    hosts: &mut dyn LibraryHosts,
    stage: &dyn Fn(&str),
) -> Result<(), Refusal> {
    let name = &plugin.metadata.name;
    stage(&format!("creating and destroying an instance of `{name}`"));
    let Some((factory, library)) = plugin.loaded else { return Ok(()) };
    let Some(host) = set.library(library).map(Library::host) else { return Ok(()) };
    // SAFETY: the factories were checked when they were loaded; host objects live until the process ends; a
    // fresh instance may be destroyed at once, and is not used afterwards.
    let result = unsafe {
        match factory {
            Factory::Bridge(factory) => {
                create_instance(name, &Arc::new(()), |out| (factory.create)(host, out))
                    .map(|instance: BridgeInstance| (instance.destroy)(instance.ctx))
            }
            Factory::Model(factory) => {
                create_instance(name, &Arc::new(()), |out| (factory.create)(host, out))
                    .map(|instance: ModelInstance| (instance.destroy)(instance.ctx))
            }
            Factory::Unknown => Ok(()),
        }
    };
    result.map_err(|found| create_refusal(plugin, &found, hosts, host))
}

fn create_refusal(
    plugin: &KnownPlugin,
    found: &CreateError,
    hosts: &mut dyn LibraryHosts,
    host: *const Host,
) -> Refusal {
    let reason = hosts.take_explanation(host).map(|reason| format!(": {reason}")).unwrap_or_default();
    let text = format!("an instance of `{}` cannot be created: {found}{reason}", plugin.metadata.name);
    Refusal::new(Code::CreateFailed, text)
}

/// Limits the resources of the child, and ends it together with the parent, which enforces the time limit.
fn confine(seconds: u64) {
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        log::debug!("the child is not ended with its parent: {error}");
    }
    let limits = [
        (Resource::Core, 0),
        (Resource::Cpu, seconds.saturating_add(2)),
        (Resource::As, MEMORY_LIMIT),
        (Resource::Fsize, FILE_LIMIT),
    ];
    for (resource, most) in limits {
        if let Err(error) = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }) {
            log::debug!("a resource limit is not set: {error}");
        }
    }
}
