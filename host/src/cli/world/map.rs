//! `bridgehead world map`: the occupancy grid of a world at a height, as `map_server` of Nav2 reads it. Main thread.
//!
//! The world is built as in a run, and asked which cells of the grid its models fill.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{LoadError, Severity};
use serde_json::Value;

use super::save::numbers;
use crate::atomic_file;
use crate::cli::args::MapArguments;
use crate::cli::console::Console;
use crate::cli::finding::finding;
use crate::cli::printed::{EXIT_CONFIGURATION, printed};
use crate::config::nearest;
use crate::world::{BuildError, Grid, ModelEntity, World, build};

/// Metres around the models of a map.
const MARGIN: f64 = 1.0;
/// The most cells of a map: about 400 m by 400 m of 5 cm.
const MOST_CELLS: usize = 64 << 20;
/// Grey of cells in the image: what `map_saver` of Nav2 writes.
const OCCUPIED: u8 = 0;
const FREE: u8 = 254;
const UNKNOWN: u8 = 205;
/// Least share of black of an occupied cell, and greatest share of black of a free one. With the 0.25 that Nav2 has by
/// default, the grey of unknown cells would be free.
const THRESHOLDS: [f64; 2] = [0.65, 0.196];

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
enum MapError {
    /// An option has a wrong value.
    #[error("[BH-PIC-008] `--{option} {text}` is not {expected}")]
    Option { option: &'static str, text: String, expected: &'static str },
    /// A file cannot be written.
    #[error("[BH-PIC-009] `{file}` is not written: {reason}")]
    NotWritten { file: String, reason: String },
    /// No model is at the height.
    #[error(
        "[BH-PIC-004] no model of the map is {height} m above the origin of `{world}`{heights}; try: another \
         `--height`, or the area with `--area`"
    )]
    Empty { world: String, height: f64, heights: String },
    /// The area has too many cells.
    #[error(
        "[BH-PIC-005] an area of {}x{} cells of {cell} m has more than {MOST_CELLS} of them; try: a smaller `--area`, or \
         larger cells with `--resolution`", size[0], size[1]
    )]
    TooLarge { size: [usize; 2], cell: f64 },
    /// The world has no such model.
    #[error("[BH-PIC-006] `--{option} {name}` names no {kind} model of `{world}`{meant}")]
    NoModel { option: &'static str, name: String, kind: &'static str, world: String, meant: String },
    /// The start of the robot is not free.
    #[error("[BH-PIC-007] `--from {text}` is {place}; try: the place of the robot, in metres")]
    NotFree { text: String, place: &'static str },
    /// The world cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The world cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Writes the map of a world; returns the exit code.
pub(in crate::cli) fn map(arguments: &MapArguments, console: &Console) -> u8 {
    match try_map(arguments) {
        Ok(summary) => printed(&summary, 0, EXIT_CONFIGURATION, console),
        Err(problem) => {
            console.line(&finding("error", "", &problem.to_string()));
            EXIT_CONFIGURATION
        }
    }
}

fn try_map(arguments: &MapArguments) -> Result<String, MapError> {
    let request = Request::read(arguments)?;
    let files = Files::of(&arguments.output)?;
    files.try_out(arguments.overwrite)?;
    let loaded = super::load::loaded(&arguments.file, &arguments.xacro)?;
    // What is not found is not in the map.
    for missing in loaded.diagnostics.iter().filter(|found| found.severity == Severity::Error) {
        log::error!("{missing}");
    }
    let built = build(&loaded.world, loaded.world.physics.max_step_size, 1)?;
    built.problems.iter().for_each(|problem| log::error!("{problem}"));
    let chosen = Chosen::of(arguments, &built.world)?;
    let grid = request.grid(&built.world, &chosen)?;
    let cells = request.cells(&grid, &built.world.occupancy(&grid, |model| chosen.has(model)))?;
    files.write(&grid, &cells)?;
    Ok(summary(&files, &grid, &cells, &chosen))
}

/// What the options ask for.
struct Request {
    world: String,
    height: f64,
    cell: f64,
    area: Option<[[f64; 2]; 2]>,
    from: Option<([f64; 2], String)>,
}

impl Request {
    fn read(arguments: &MapArguments) -> Result<Self, MapError> {
        let wrong =
            |option, text: &str, expected| MapError::Option { option, text: text.to_owned(), expected };
        let MapArguments { height, resolution, .. } = *arguments;
        if !height.is_finite() {
            return Err(wrong("height", &height.to_string(), "a number of metres"));
        }
        if !(resolution.is_finite() && resolution >= 1e-3) {
            return Err(wrong("resolution", &resolution.to_string(), "a number of metres, at least 0.001"));
        }
        let area = arguments.area.as_deref().map(|text| {
            let expected = "X_MIN Y_MIN X_MAX Y_MAX, four numbers in metres, the greater ones last";
            let [left, low, right, high] = numbers(text).ok_or_else(|| wrong("area", text, expected))?;
            let is_area = left < right && low < high;
            is_area.then_some([[left, low], [right, high]]).ok_or_else(|| wrong("area", text, expected))
        });
        let from = arguments.from.as_deref().map(|text| {
            let point = numbers(text).ok_or_else(|| wrong("from", text, "X Y, two numbers in metres"));
            point.map(|point| (point, text.to_owned()))
        });
        Ok(Request {
            world: arguments.file.display().to_string(),
            height,
            cell: resolution,
            area: area.transpose()?,
            from: from.transpose()?,
        })
    }

    /// Returns the grid over the area that was given, or else over the chosen models at the height.
    fn grid(&self, world: &World, chosen: &Chosen) -> Result<Grid, MapError> {
        let area = match self.area {
            Some(area) => area,
            None => self.area_of(world, chosen)?,
        };
        let grid = Grid::over(area, self.height, self.cell);
        match grid.cells() {
            Some(count) if count <= MOST_CELLS => Ok(grid),
            _ => Err(MapError::TooLarge { size: grid.size, cell: self.cell }),
        }
    }

    fn area_of(&self, world: &World, chosen: &Chosen) -> Result<[[f64; 2]; 2], MapError> {
        let models = world.models().iter().map(|(_, model)| model).filter(|model| chosen.has(model));
        let boxes: Vec<[DVec3; 2]> = models.filter_map(|model| world.extent(model)).collect();
        let is_at_height = |[low, high]: &&[DVec3; 2]| low.z <= self.height && self.height <= high.z;
        let whole = boxes.iter().filter(is_at_height).copied().reduce(joined);
        let [low, high] = whole.ok_or_else(|| MapError::Empty {
            world: self.world.clone(),
            height: self.height,
            heights: heights(&boxes),
        })?;
        Ok([[low.x - MARGIN, low.y - MARGIN], [high.x + MARGIN, high.y + MARGIN]])
    }

    /// Returns the grey of each cell.
    fn cells(&self, grid: &Grid, occupied: &[bool]) -> Result<Vec<u8>, MapError> {
        let reached = match &self.from {
            None => occupied.iter().map(|occupied| !occupied).collect(),
            Some((point, text)) => {
                let fault = |place| MapError::NotFree { text: text.clone(), place };
                let start = grid.cell_at(*point).ok_or_else(|| fault("outside of the map"))?;
                let reached = grid.reached_from(start, occupied);
                if !reached.contains(&true) {
                    return Err(fault("inside of a model"));
                }
                reached
            }
        };
        let grey = |(occupied, reached): (&bool, bool)| match (occupied, reached) {
            (true, _) => OCCUPIED,
            (false, true) => FREE,
            (false, false) => UNKNOWN,
        };
        Ok(occupied.iter().zip(reached).map(grey).collect())
    }
}

fn joined([a, b]: [DVec3; 2], [low, high]: [DVec3; 2]) -> [DVec3; 2] {
    [a.min(low), b.max(high)]
}

/// Returns between which heights models are, for a message.
fn heights(boxes: &[[DVec3; 2]]) -> String {
    match boxes.iter().copied().reduce(joined) {
        None => ", and no model of the map has a bounded collision".to_owned(),
        Some([low, high]) => format!(": they are between {} m and {} m", shown(low.z), shown(high.z)),
    }
}

/// The models of a map.
struct Chosen {
    with: Vec<String>,
    without: Vec<String>,
    /// Models that can move and are not in the map.
    left_out: Vec<String>,
}

impl Chosen {
    fn of(arguments: &MapArguments, world: &World) -> Result<Self, MapError> {
        let named = |is_static: bool| {
            let models = world.models().iter().map(|(_, model)| model);
            models.filter(move |model| model.is_static == is_static).map(|model| model.name.as_str())
        };
        let check = |option, names: &[String], is_static: bool, kind| {
            let known: Vec<&str> = named(is_static).collect();
            let unknown = names.iter().find(|name| !known.contains(&name.as_str()));
            unknown.map_or(Ok(()), |name| {
                let meant = nearest(name, &known).map_or_else(String::new, |near| format!("; try: `{near}`"));
                let world = arguments.file.display().to_string();
                Err(MapError::NoModel { option, name: name.clone(), kind, world, meant })
            })
        };
        check("with", &arguments.with, false, "movable")?;
        check("without", &arguments.without, true, "static")?;
        let left_out = named(false).filter(|name| !arguments.with.iter().any(|with| with == name));
        Ok(Chosen {
            left_out: left_out.map(str::to_owned).collect(),
            with: arguments.with.clone(),
            without: arguments.without.clone(),
        })
    }

    fn has(&self, model: &ModelEntity) -> bool {
        match model.is_static {
            true => !self.without.contains(&model.name),
            false => self.with.contains(&model.name),
        }
    }
}

/// The files of a map.
struct Files {
    yaml: PathBuf,
    image: PathBuf,
}

impl Files {
    fn of(yaml: &Path) -> Result<Self, MapError> {
        let is_yaml = yaml.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        if !is_yaml {
            return Err(not_written(
                yaml,
                &"its name does not end in `.yaml`, and the image is written beside it",
            ));
        }
        Ok(Files { yaml: yaml.to_owned(), image: yaml.with_extension("pgm") })
    }

    /// Fails if a file exists or cannot be written, before the world is loaded.
    fn try_out(&self, overwrite: bool) -> Result<(), MapError> {
        for file in [&self.yaml, &self.image] {
            if file.exists() && !overwrite {
                return Err(not_written(file, &"the file exists; name another one, or give `--overwrite`"));
            }
            atomic_file::try_out(file).map_err(|error| not_written(file, &error))?;
        }
        Ok(())
    }

    /// Writes the image, and then the file that names it.
    fn write(&self, grid: &Grid, cells: &[u8]) -> Result<(), MapError> {
        for (file, bytes) in [(&self.image, pgm(grid, cells)), (&self.yaml, self.description(grid).into())] {
            atomic_file::write(file, &bytes).map_err(|error| not_written(file, &error))?;
        }
        Ok(())
    }

    fn description(&self, grid: &Grid) -> String {
        let name = self.image.file_name().unwrap_or_default().to_string_lossy();
        // A string of JSON is one of YAML too.
        let name = Value::from(name.as_ref());
        let [x, y] = grid.low.map(shown);
        let [occupied, free] = THRESHOLDS;
        format!(
            "image: {name}\nmode: trinary\nresolution: {}\norigin: [{x}, {y}, 0]\nnegate: 0\n\
             occupied_thresh: {occupied}\nfree_thresh: {free}\n",
            grid.cell
        )
    }
}

/// Returns a number without the digits that a product of decimals brings.
fn shown(metres: f64) -> f64 {
    let rounded = (metres * 1e6).round() / 1e6;
    // Not a negative zero.
    rounded + 0.0
}

fn not_written(file: &Path, reason: &dyn ToString) -> MapError {
    MapError::NotWritten { file: file.display().to_string(), reason: reason.to_string() }
}

/// Returns an image whose first row is that with the highest y.
fn pgm(grid: &Grid, cells: &[u8]) -> Vec<u8> {
    let [columns, rows] = grid.size;
    let mut image = format!("P5\n{columns} {rows}\n255\n").into_bytes();
    image.extend(cells.rchunks(columns).flatten());
    image
}

fn summary(files: &Files, grid: &Grid, cells: &[u8], chosen: &Chosen) -> String {
    let count = |grey: u8| cells.iter().filter(|cell| **cell == grey).count();
    let ([columns, rows], cell, height) = (grid.size, grid.cell, grid.height);
    let [yaml, image] = [&files.yaml, &files.image].map(|file| file.display());
    let mut text = format!(
        "{yaml}, {image}: {columns} x {rows} cells of {cell} m, {height} m above the origin; occupied {}, free {}, \
         unknown {}\n",
        count(OCCUPIED),
        count(FREE),
        count(UNKNOWN)
    );
    if !chosen.left_out.is_empty() {
        let names = chosen.left_out.join(", ");
        let _ = writeln!(text, "left out, because they can move (--with MODEL): {names}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_of_an_image_is_that_with_the_highest_y() {
        let grid = Grid { low: [0.0, 0.0], height: 0.0, cell: 1.0, size: [3, 2] };
        let image = pgm(&grid, &[OCCUPIED, FREE, FREE, FREE, FREE, UNKNOWN]);
        assert_eq!(image, b"P5\n3 2\n255\n\xfe\xfe\xcd\x00\xfe\xfe");
    }

    #[test]
    fn thresholds_keep_the_three_greys_apart() {
        let black = |grey: u8| f64::from(255 - grey) / 255.0;
        let [occupied, free] = THRESHOLDS;
        assert!(black(OCCUPIED) >= occupied && black(FREE) <= free);
        assert!(black(UNKNOWN) > free && black(UNKNOWN) < occupied);
    }
}
