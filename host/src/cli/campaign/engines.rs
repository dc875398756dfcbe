//! Waiting for an engine. What it says is shown, and not believed.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bridgehead_campaign::engine::{kubernetes::Cluster, slurm};
use bridgehead_campaign::{CampaignError, FolderStore, Key, Plan, Store as _};

use super::Session;
use super::args::EngineArguments;

/// Time between two questions to the engine.
const PAUSE: Duration = Duration::from_secs(1);

/// Waits until the job is gone.
pub(super) fn wait(
    session: &Session,
    mut job: slurm::Job,
    plan: &Plan,
    store: &FolderStore,
) -> Result<(), CampaignError> {
    session.console.line(&format!("slurm: job {} is submitted", job.id));
    let planned: HashSet<Key> = plan.runs.iter().map(|run| run.key).collect();
    while job.is_alive()? {
        if session.stop.load(Ordering::Relaxed) {
            session.console.line(&format!("slurm: job {0} goes on; `scancel {0}` ends it", job.id));
            return Err(CampaignError::Interrupted);
        }
        let done = store.keys()?.intersection(&planned).count();
        session.console.set_live(&format!(
            "slurm: job {}, {done} of {} runs have a result",
            job.id,
            planned.len()
        ));
        std::thread::sleep(PAUSE);
    }
    session.console.set_live("");
    Ok(())
}

/// Returns what only the manifest of Kubernetes needs; clap has checked that it is there.
pub(super) fn cluster(arguments: &EngineArguments) -> Cluster {
    Cluster {
        image: arguments.image.clone().unwrap_or_default(),
        claim: arguments.claim.clone().unwrap_or_default(),
    }
}
