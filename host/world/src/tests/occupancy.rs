//! Occupancy grids against shapes whose sections are known.

use crate::{Built, Grid, build};
use bridgehead_sdf as sdf;

/// A ground, a wall of 2 m x 0.1 m x 1 m, a pillar of radius 0.5 m beside it, a bar above the lidar, and a crate that can
/// move.
const ROOM: &str = r#"<sdf version="1.9"><world name="room">
  <model name="ground"><static>true</static><link name="l"><collision name="c"><geometry>
    <plane><normal>0 0 1</normal><size>10 10</size></plane></geometry></collision></link></model>
  <model name="wall"><static>true</static><pose>0 1.05 0.5 0 0 0</pose><link name="l"><collision name="c"><geometry>
    <box><size>2 0.1 1</size></box></geometry></collision></link></model>
  <model name="pillar"><static>true</static><pose>3 0 0.5 0 0 0</pose><link name="l"><collision name="c"><geometry>
    <cylinder><radius>0.5</radius><length>1</length></cylinder></geometry></collision></link></model>
  <model name="bar"><static>true</static><pose>-1 -1 1.5 0 0 0</pose><link name="l"><collision name="c"><geometry>
    <box><size>1 1 0.1</size></box></geometry></collision></link></model>
  <model name="crate"><pose>1 -1 0.25 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial>
    <collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>
</world></sdf>"#;

fn room() -> Built {
    let loaded = sdf::parse_str("room.sdf", ROOM).expect("loads");
    build(&loaded.world, 0.001, 1).expect("builds")
}

/// The occupied cells of the models with a name, as columns and rows.
fn occupied(built: &Built, grid: &Grid, is_meant: impl Fn(&str) -> bool) -> Vec<[usize; 2]> {
    let cells = built.world.occupancy(grid, |model| is_meant(&model.name));
    assert_eq!(cells.len(), grid.cells().expect("few"));
    let places = (0..cells.len()).filter(|index| cells[*index]);
    places.map(|index| [index % grid.size[0], index / grid.size[0]]).collect()
}

#[test]
fn a_wall_fills_its_cells_and_none_beside_it() {
    let built = room();
    let grid = Grid::over([[-2.0, -2.0], [4.0, 2.0]], 0.2, 0.1);
    assert_eq!(grid.size, [60, 40]);
    let wall = occupied(&built, &grid, |name| name == "wall");
    let expected: Vec<[usize; 2]> = (10..30).map(|column| [column, 30]).collect();
    assert_eq!(wall, expected, "from x -1 m to 1 m, and from y 1 m to 1.1 m");
}

#[test]
fn a_pillar_fills_the_cells_that_its_circle_meets() {
    let built = room();
    let grid = Grid::over([[2.0, -1.0], [4.0, 1.0]], 0.2, 0.05);
    let found = occupied(&built, &grid, |name| name == "pillar");
    let meets = |[column, row]: [usize; 2]| {
        // The point of the cell that is nearest to the middle of the pillar.
        let nearest = |cell: usize, low: f64, middle: f64| {
            let low = low + 0.05 * f64::from(u32::try_from(cell).expect("few"));
            middle.clamp(low, low + 0.05) - middle
        };
        nearest(column, 2.0, 3.0).hypot(nearest(row, -1.0, 0.0)) < 0.5 - 1e-5
    };
    let all = (0..40).flat_map(|row| (0..40).map(move |column| [column, row]));
    let expected: Vec<[usize; 2]> = all.filter(|cell| meets(*cell)).collect();
    assert_eq!(found, expected);
    assert!(expected.len() > 300, "{}", expected.len());
}

#[test]
fn a_grid_shows_its_height_alone() {
    let built = room();
    let at = |height: f64| {
        let grid = Grid::over([[-2.0, -2.0], [4.0, 2.0]], height, 0.1);
        ["ground", "wall", "bar", "crate"].map(|model| occupied(&built, &grid, |name| name == model).len())
    };
    assert_eq!(at(0.2), [0, 20, 0, 36], "the crate does not end at edges of cells along x and y");
    assert_eq!(at(1.5), [0, 0, 100, 0]);
    assert_eq!(at(-0.1), [2400, 0, 0, 0], "below the ground everything is solid");
}

#[test]
fn grids_of_one_world_have_the_same_cells() {
    let grid = Grid::over([[-1.03, 0.1], [0.99, 0.26]], 0.0, 0.05);
    assert_eq!(grid.low.map(|low| (low * 1e9).round()), [-1.05e9, 0.1e9]);
    assert_eq!(grid.size, [41, 4]);
    assert_eq!(Grid::over([[1.0, 1.0], [1.0, 1.0]], 0.0, 0.05).size, [1, 1]);
    let endless = Grid::over([[-1e300, -1e300], [1e300, 1e300]], 0.0, 0.05);
    assert_eq!(endless.cells(), None);
}

#[test]
fn a_point_is_found_in_its_cell() {
    let grid = Grid::over([[-1.0, 0.0], [1.0, 1.0]], 0.0, 0.5);
    assert_eq!(grid.cell_at([-0.9, 0.1]), Some([0, 0]));
    assert_eq!(grid.cell_at([0.9, 0.9]), Some([3, 1]));
    assert_eq!(grid.cell_at([-1.1, 0.1]), None);
    assert_eq!(grid.cell_at([0.0, 1.1]), None);
    assert_eq!(grid.cell_at([f64::NAN, 0.1]), None);
}

#[test]
fn what_a_wall_closes_off_is_not_reached() {
    let grid = Grid { low: [0.0, 0.0], height: 0.0, cell: 1.0, size: [4, 3] };
    #[rustfmt::skip]
    let occupied = [
        0, 1, 0, 0,
        0, 1, 1, 0,
        0, 0, 1, 0,
    ].map(|cell| cell == 1);
    let reached = |start| grid.reached_from(start, &occupied).iter().filter(|cell| **cell).count();
    assert_eq!(reached([0, 0]), 4);
    assert_eq!(reached([3, 2]), 4, "and not across a corner");
    assert_eq!(reached([1, 0]), 0, "a wall reaches nothing");
}
