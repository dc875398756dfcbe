//! `bridgehead world save`: changes of models, written into the text of a file.

use crate::pose::{DVec3, Pose};
use crate::sdf::save::Change;
use crate::sdf::{SearchPath, load};
use crate::world::save::{NotSaved, write};

use super::super::EXIT_CONFIGURATION;
use super::super::args::SaveArguments;
use super::super::console::Console;

/// Changes and writes a file; gives the exit code.
pub(in crate::cli) fn save(arguments: &SaveArguments, console: &Console) -> u8 {
    match try_save(arguments, &super::search_path()) {
        Ok(findings) => {
            console.tell(&findings);
            0
        }
        Err(problem) => {
            console.line(&format!("error: {problem}"));
            EXIT_CONFIGURATION
        }
    }
}

/// Gives what is worth knowing about the file written, a line each.
fn try_save(arguments: &SaveArguments, search: &SearchPath) -> Result<String, String> {
    let target = arguments.output.as_path();
    if target.exists() && !arguments.overwrite {
        let reason = "there is a file already; name another one, or give `--overwrite`";
        return Err(NotSaved::new(target, reason).to_string());
    }
    let changes = changes(arguments)?;
    let loaded = load(&arguments.file, search).map_err(|error| error.to_string())?;
    // A model that is asked for by name and is not there is a slip of the pen, and nothing is written.
    let notes = write(&loaded, &changes, target, search, true).map_err(|error| error.to_string())?;
    Ok(notes.iter().map(|note| format!("warning: {note}\n")).collect())
}

fn changes(arguments: &SaveArguments) -> Result<Vec<Change>, String> {
    let removed = arguments.remove.iter().map(|model| Ok(Change::Remove { model: model.clone() }));
    let fixed =
        arguments.fix.iter().map(|model| Ok(Change::SetStatic { model: model.clone(), is_static: true }));
    let placed = arguments.place.iter().map(|text| {
        placement(text).ok_or_else(|| {
            format!(
                "[BH-CFG-001] `--place {text}` says no place: give MODEL=X Y Z ROLL PITCH YAW, \
                 six numbers in metres and radians"
            )
        })
    });
    removed.chain(fixed).chain(placed).collect()
}

fn placement(text: &str) -> Option<Change> {
    let (model, numbers) = text.rsplit_once('=')?;
    let numbers: Option<Vec<f64>> = numbers
        .split_whitespace()
        .map(|number| number.parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    let [x, y, z, roll, pitch, yaw] = numbers?.try_into().ok()?;
    let pose = Pose::from_rpy(DVec3::new(x, y, z), roll, pitch, yaw);
    Some(Change::Place { model: model.to_owned(), pose })
}
