//! The text of the current world. The run only writes it to a file, so it is read from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use bridgehead_files::read_text;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::SaveWorldResponse;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::{Payload, Result};

use super::plan;
use super::questions::{Question, Questions};
use super::run_services::{Call, RunServices, judged};
use crate::msgs as gz;
use crate::node::Answer;

/// Largest text of a world, in bytes.
const MAX_WORLD: u64 = 64 << 20;

/// Requests so far, for names of files that are not used twice.
static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// Has the world saved, and leaves the rest to the thread of the scene. If that fails, the answer is dropped, and thereby
/// tells the caller so.
pub(super) fn generate(
    services: &Weak<RunServices>,
    questions: &Arc<Questions>,
    request: &[u8],
    answer: Answer,
) {
    if let Err(why) = plan::sdf_options(request).and_then(|()| call(services, questions, answer)) {
        refuse(&why);
    }
}

fn call(services: &Weak<RunServices>, questions: &Arc<Questions>, answer: Answer) -> Result<(), String> {
    let number = REQUESTS.fetch_add(1, Ordering::Relaxed);
    let call = plan::save(format!("gz-world-{}-{number}.sdf", process::id()));
    let name = format!("/{}", call.service);
    let sink = services.upgrade().and_then(|services| services.find(&name));
    let sink = sink.ok_or_else(|| format!("the run offers no `{name}`"))?;
    let (request, questions) = (Payload::from_vec(call.request.clone()), Arc::clone(questions));
    let accepted = sink.call(&request, move |outcome| match saved(outcome, &call) {
        Ok(path) => questions.ask(Question::Saved(path), answer),
        Err(why) => refuse(&why),
    });
    accepted.map_err(|error| error.to_string())
}

fn saved(outcome: Result<Payload>, call: &Call) -> Result<PathBuf, String> {
    let response = outcome.map_err(|error| error.to_string())?;
    judged(Ok(response.clone()), call)?;
    let decoded = SaveWorldResponse::decode(&*response).map_err(|error| error.to_string())?;
    Ok(decoded.path.into())
}

fn refuse(why: &str) {
    log::warn!("a call of `generate_world_sdf` failed: {why}");
}

/// Answers with the text of a saved world, and deletes the file.
pub(crate) fn answer(path: &Path, answer: Answer) {
    let text = read_text(path, MAX_WORLD);
    if let Err(error) = fs::remove_file(path) {
        log::warn!("the file `{}` of the saved world is left behind: {error}", path.display());
    }
    match text {
        Ok(data) => answer.send(gz::StringMsg { header: None, data }.encode_to_vec()),
        Err(error) => refuse(&format!("`{}` cannot be read: {error}", path.display())),
    }
}
