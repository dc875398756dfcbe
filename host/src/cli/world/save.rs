//! `bridgehead world save`: changes of models, written into the text of a file.

use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::save::Change;
use bridgehead_sdf::{LoadError, SearchPath};

use crate::cli::args::SaveArguments;
use crate::cli::console::Console;
use crate::cli::finding::finding;
use crate::cli::printed::EXIT_CONFIGURATION;
use crate::cli::world_file::search_path;
use crate::text::entry;
use crate::world::save::{NotSaved, write};

/// Why no file was written.
#[derive(Debug, thiserror::Error)]
enum SaveError {
    /// An option is given twice for one name.
    #[error("[BH-CFG-001] `--{option}` is given twice for `{name}`: give it once for each name")]
    Twice { option: &'static str, name: String },
    /// A removed model is also changed.
    #[error("[BH-CFG-001] `{name}` is named by `--remove` and by `--{option}`: give only one of them")]
    Removed { option: &'static str, name: String },
    /// The argument of an option is not a place.
    #[error("[BH-CFG-001] `--{option} {text}` is not a place: give {expected}")]
    Place { option: &'static str, text: String, expected: &'static str },
    /// The world cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The world cannot be saved.
    #[error(transparent)]
    NotSaved(#[from] NotSaved),
}

/// Changes and writes a file; returns the exit code.
pub(in crate::cli) fn save(arguments: &SaveArguments, console: &Console) -> u8 {
    match try_save(arguments, &search_path(&arguments.xacro.xacro)) {
        Ok(findings) => {
            console.tell(&findings);
            0
        }
        Err(problem) => {
            console.line(&finding("error", "", &problem.to_string()));
            EXIT_CONFIGURATION
        }
    }
}

/// Returns notes about the written file, one line each.
fn try_save(arguments: &SaveArguments, search: &SearchPath) -> Result<String, SaveError> {
    let target = arguments.output.as_path();
    if target.exists() && !arguments.overwrite {
        let reason = "the file exists; name another one, or give `--overwrite`";
        return Err(NotSaved::new(target, reason).into());
    }
    let changes = changes(arguments)?;
    let loaded = crate::cli::world::load::loaded(&arguments.file, &arguments.xacro)?;
    // An unknown model is probably a typing error, so nothing is written.
    let notes = write(&loaded, &changes, target, search, true)?;
    Ok(notes.iter().map(|note| format!("warning: {}\n", entry(note))).collect())
}

fn changes(arguments: &SaveArguments) -> Result<Vec<Change>, SaveError> {
    let removed = arguments.remove.iter().map(|model| Ok(Change::Remove { model: model.clone() }));
    let fixed =
        arguments.fix.iter().map(|model| Ok(Change::SetStatic { model: model.clone(), is_static: true }));
    let placed = arguments.place.iter().map(|text| placement(text).ok_or_else(|| slip("place", text, PLACE)));
    let camera = arguments.camera.iter().map(|text| {
        let pose = pose(text).ok_or_else(|| slip("camera", text, CAMERA))?;
        Ok(Change::PlaceCamera { pose })
    });
    let roads = arguments.road.iter().map(|text| road(text).ok_or_else(|| slip("road", text, ROAD)));
    let changes: Vec<Change> =
        removed.chain(fixed).chain(placed).chain(camera).chain(roads).collect::<Result<_, _>>()?;
    refuse_contradictions(&changes)?;
    Ok(changes)
}

/// Allows one change of each kind for a name, and none for a removed model.
fn refuse_contradictions(changes: &[Change]) -> Result<(), SaveError> {
    let named: Vec<(&'static str, &str)> = changes.iter().filter_map(option_and_name).collect();
    let mut all = named.iter().enumerate();
    let first =
        all.find_map(|(index, later)| named.iter().take(index).find_map(|before| clash(before, later)));
    first.map_or(Ok(()), Err)
}

/// Returns an error if two options, in the order of `changes`, contradict each other.
fn clash((before, name): &(&str, &str), (later, other): &(&'static str, &str)) -> Option<SaveError> {
    match (*before, *later) {
        _ if name != other => None,
        (before, later) if before == later => {
            Some(SaveError::Twice { option: later, name: (*name).to_owned() })
        }
        ("remove", "static" | "place") => {
            Some(SaveError::Removed { option: later, name: (*name).to_owned() })
        }
        _ => None,
    }
}

fn option_and_name(change: &Change) -> Option<(&'static str, &str)> {
    match change {
        Change::Remove { model } => Some(("remove", model)),
        Change::SetStatic { model, .. } => Some(("static", model)),
        Change::Place { model, .. } => Some(("place", model)),
        Change::SetRoad { road, .. } => Some(("road", road)),
        Change::Add { .. } | Change::SetInfo { .. } | Change::Contribute(_) | Change::PlaceCamera { .. } => {
            None
        }
    }
}

const PLACE: &str = "MODEL=X Y Z ROLL PITCH YAW, six numbers in metres and radians";
const CAMERA: &str = "X Y Z ROLL PITCH YAW, six numbers in metres and radians";
const ROAD: &str = "ROAD=X Y Z, X Y Z, three numbers in metres for each point";

fn slip(option: &'static str, text: &str, expected: &'static str) -> SaveError {
    SaveError::Place { option, text: text.to_owned(), expected }
}

fn placement(text: &str) -> Option<Change> {
    let (model, place) = text.rsplit_once('=')?;
    Some(Change::Place { model: model.to_owned(), pose: pose(place)? })
}

fn road(text: &str) -> Option<Change> {
    let (road, points) = text.rsplit_once('=')?;
    let points: Option<Vec<DVec3>> = points.split(',').map(|point| numbers(point).map(DVec3::from)).collect();
    Some(Change::SetRoad { road: road.to_owned(), points: points? })
}

/// Reads a place: metres and radians.
pub(super) fn pose(text: &str) -> Option<Pose> {
    let [x, y, z, roll, pitch, yaw] = numbers(text)?;
    Some(Pose::from_rpy(DVec3::new(x, y, z), roll, pitch, yaw))
}

/// Reads exactly `N` finite numbers.
pub(super) fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn asked(options: &[(&str, &str)]) -> Result<usize, String> {
        let all = |name: &str| -> Vec<String> {
            options.iter().filter(|(option, _)| *option == name).map(|(_, text)| (*text).to_owned()).collect()
        };
        let arguments = SaveArguments {
            xacro: crate::cli::args::XacroArguments::default(),
            file: PathBuf::new(),
            output: PathBuf::new(),
            overwrite: false,
            place: all("place"),
            remove: all("remove"),
            fix: all("static"),
            camera: None,
            road: all("road"),
        };
        changes(&arguments).map(|changes| changes.len()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_name_is_changed_once_in_each_way_and_not_where_it_goes() {
        let (place, road) = (("place", "m=0 0 0 0 0 0"), ("road", "m=0 0 0"));
        assert_eq!(asked(&[place, ("static", "m"), road, ("remove", "n"), ("static", "o")]), Ok(5));
        assert_eq!(asked(&[("remove", "m"), road]), Ok(2));
        for option in [place, road, ("remove", "m"), ("static", "m")] {
            let error = asked(&[option, option]).unwrap_err();
            let wanted = format!("[BH-CFG-001] `--{}` is given twice for `m`", option.0);
            assert!(error.starts_with(&wanted), "{error}");
        }
        for option in [place, ("static", "m")] {
            let error = asked(&[option, ("remove", "m")]).unwrap_err();
            let wanted = format!("[BH-CFG-001] `m` is named by `--remove` and by `--{}`", option.0);
            assert!(error.starts_with(&wanted), "{error}");
        }
    }
}
