//! What a probe loads plugins with: libraries in its own process, scripts in a worker.

use std::path::Path;
use std::time::Duration;

use bridgehead_plugin_api::abi::Host;

use crate::plugin::{BareHosts, LibraryHosts, Linkage, Metadata, Refusal, is_script};
use crate::worker::{self, WorkerLimits};

/// Time for a script to be imported. The process that has started the probe has a limit of its own, which is shorter by
/// default.
const IMPORT: Duration = Duration::from_secs(60);

/// Host objects without extensions.
#[derive(Default)]
pub(in crate::cli) struct ProbeHosts(BareHosts);

impl LibraryHosts for ProbeHosts {
    fn host_for(&mut self, library: &Metadata, file: &Path) -> *const Host {
        self.0.host_for(library, file)
    }

    fn take_explanation(&mut self, host: *const Host) -> Option<String> {
        self.0.take_explanation(host)
    }

    fn isolated(&mut self, file: &Path, copy: &Path, library: &Metadata) -> Option<Result<Linkage, Refusal>> {
        let limits = WorkerLimits { time: IMPORT, loading: IMPORT, memory: None, descriptors: None };
        is_script(file).then(|| worker::try_script((file, copy), library.clone(), &mut self.0, limits))
    }
}
