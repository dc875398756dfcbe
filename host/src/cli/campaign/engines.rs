//! Waiting for an engine. What it says is shown, and not believed.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bridgehead_campaign::engine::{kubernetes::Cluster, slurm};
use bridgehead_campaign::{Address, CampaignError, Key, Plan, Store};

use super::Session;
use super::args::EngineArguments;

/// Time between two questions to the engine.
const PAUSE: Duration = Duration::from_secs(1);

/// Waits until the job is gone.
pub(super) fn wait(
    session: &Session,
    mut job: slurm::Job,
    plan: &Plan,
    store: &dyn Store,
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

/// Returns what only the manifest of Kubernetes needs.
pub(super) fn cluster(arguments: &EngineArguments, store: &Address) -> Result<Cluster, CampaignError> {
    if matches!(store, Address::Folder(_)) && arguments.claim.is_none() {
        let reason = "a store in a folder needs the volume that has it; try: `--claim NAME`".to_owned();
        return Err(CampaignError::EngineRefused { engine: "k8s", reason });
    }
    Ok(Cluster {
        // clap has checked that it is there.
        image: arguments.image.clone().unwrap_or_default(),
        claim: arguments.claim.clone(),
        secret: arguments.secret.clone(),
    })
}
