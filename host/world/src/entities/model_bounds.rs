//! The bounding box of a model that is not in any world.

use bridgehead_sdf::SearchPath;
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::pose::DVec3;

use super::text::{SpawnSource, parse_model, reading_budget, text_of};
use crate::bounds::of_model;
use crate::populate::solids_of;
use crate::solid::Meshes;

/// Returns the lowest and highest corner of the bounding box of a model's collisions, in the model frame; `None` if it
/// has no bounded collision, or if it cannot be spawned. Reads the files of the model. Usable from any thread.
#[must_use]
pub fn bounds_of_source(source: &SpawnSource, search: &SearchPath) -> Option<[DVec3; 2]> {
    let (text, folder) = text_of(source)?;
    let budget = reading_budget().with(Limit::Time, Limit::Measuring.most());
    let parsed = parse_model(&text, folder.as_deref(), search, &budget).ok()?;
    if parsed.missing.is_some() {
        return None;
    }
    let mut problems = Vec::new();
    let solids = solids_of(&mut Meshes::default(), &parsed.model, &budget, &mut problems);
    let [low, high] = of_model(&parsed.model, &solids);
    (problems.is_empty() && low != high).then_some([low, high])
}
