//! Submitting a job to an engine, and waiting for it. What the engine says is shown, and not believed.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bridgehead_campaign::engine::kubernetes::Cluster;
use bridgehead_campaign::engine::{Job, Shards, ray};
use bridgehead_campaign::{Address, CampaignError, Key, Plan, Store};

use super::args::EngineArguments;
use super::session::Session;
use crate::clock;

/// Time between two questions to the engine.
const PAUSE: Duration = Duration::from_secs(1);
/// Pause after the results were counted, as a multiple of the time that it took.
const COUNT_PAUSES: u32 = 10;

/// Submits the shards to Ray, at the address of the arguments or of the environment.
pub(super) fn submit_to_ray(
    shards: &Shards,
    arguments: &EngineArguments,
) -> Result<ray::Submission, CampaignError> {
    let client = ray::Client::new(arguments.engine_address.as_deref())?;
    ray::submit(shards, &arguments.engine_arg, client)
}

/// Waits until the job is gone. A signal stops it: a job whose command is gone would execute runs that a repeated command
/// executes too.
pub(super) fn wait(
    session: &Session,
    job: &mut dyn Job,
    plan: &Plan,
    store: &dyn Store,
) -> Result<(), CampaignError> {
    let name = format!("{}: job {}", job.engine(), job.id());
    session.console.line(&format!("{name} is submitted"));
    let planned: HashSet<Key> = plan.runs.iter().map(|run| run.key).collect();
    let mut count_at = clock::now();
    while job.is_alive()? {
        if session.stop.load(Ordering::Relaxed) {
            session.console.set_live("");
            match job.stop() {
                Ok(()) => session.console.line(&format!("{name} is stopped")),
                Err(error) => session.complain(&error),
            }
            return Err(CampaignError::Interrupted);
        }
        if clock::now() >= count_at {
            let begin = clock::now();
            // A store that does not answer now may answer when it matters, after the end of the job.
            if let Ok(keys) = store.keys() {
                let done = keys.intersection(&planned).count();
                session.console.set_live(&format!("{name}, {done} of {} runs have a result", planned.len()));
            }
            // A list of a large bucket takes seconds, and is paid for.
            count_at = clock::now() + begin.elapsed() * COUNT_PAUSES;
        }
        std::thread::sleep(PAUSE);
    }
    session.console.set_live("");
    if let Some(reason) = job.reason() {
        session.console.line(&format!("note: {name} ended"));
        reason.lines().for_each(|line| session.console.line(&format!("  {line}")));
    }
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
