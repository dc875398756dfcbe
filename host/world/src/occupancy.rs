//! Occupancy grids: the cells of a horizontal grid in which models have a shape. Simulation thread only.

use bridgehead_physics::{ModelId, Space};
use bridgehead_sdf::pose::{DVec3, Pose};

use crate::entity::ModelEntity;
use crate::world::World;

/// How much smaller than its cell the tested box is on each side, metres, so that a wall that ends at the edge of a cell
/// is not in the next one.
const EDGE: f64 = 1e-6;
/// Share of a cell by which a bound may miss the edge of a cell that is meant.
const SLACK: f64 = 1e-6;

/// Where a grid lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The corner with the lowest x and y, world frame, metres.
    pub low: [f64; 2],
    /// Height of the grid above the origin of the world, metres.
    pub height: f64,
    /// Length of the sides of a cell, metres.
    pub cell: f64,
    /// Number of cells along x and along y.
    pub size: [usize; 2],
}

impl Grid {
    /// Returns the grid that covers an area. Its corner is a multiple of the length of a cell, so that the cells of two
    /// maps of one world are the same.
    #[must_use]
    pub fn over(area: [[f64; 2]; 2], height: f64, cell: f64) -> Self {
        let [low, high] = area;
        let axes = [0, 1].map(|axis| {
            // A bound that lies on an edge does not need another cell, whatever its last digit is.
            let first = (low[axis] / cell + SLACK).floor();
            let count = (high[axis] / cell - SLACK).ceil() - first;
            (first * cell, count.max(1.0))
        });
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at least 1, and saturates beyond every grid that fits into memory"
        )]
        let size = axes.map(|(_, count)| count as usize);
        Grid { low: axes.map(|(low, _)| low), height, cell, size }
    }

    /// Returns the number of cells; `None` if there are more than the machine can count.
    #[must_use]
    pub fn cells(&self) -> Option<usize> {
        self.size[0].checked_mul(self.size[1])
    }

    /// Returns the column and the row of the cell with a point of the world; `None` if it lies outside.
    #[must_use]
    pub fn cell_at(&self, point: [f64; 2]) -> Option<[usize; 2]> {
        let index = |axis: usize| {
            let cells = ((point[axis] - self.low[axis]) / self.cell).floor();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "not negative, and saturates beyond the grid"
            )]
            let index = (cells >= 0.0).then_some(cells as usize);
            index.filter(|index| *index < self.size[axis])
        };
        Some([index(0)?, index(1)?])
    }

    /// Returns for each free cell whether it can be reached from `start` along the axes over free cells.
    #[must_use]
    pub fn reached_from(&self, start: [usize; 2], occupied: &[bool]) -> Vec<bool> {
        let mut reached = vec![false; occupied.len()];
        let mut open = vec![start];
        while let Some([column, row]) = open.pop() {
            let index = row * self.size[0] + column;
            let is_new = occupied.get(index) == Some(&false);
            match reached.get_mut(index) {
                Some(cell) if is_new && !*cell => *cell = true,
                _ => continue,
            }
            let aside = [column.checked_sub(1), Some(column + 1).filter(|next| *next < self.size[0])];
            open.extend(aside.into_iter().flatten().map(|column| [column, row]));
            let beyond = [row.checked_sub(1), Some(row + 1).filter(|next| *next < self.size[1])];
            open.extend(beyond.into_iter().flatten().map(|row| [column, row]));
        }
        reached
    }

    /// Returns the space of a block of cells.
    fn space(&self, block: Block) -> Space {
        let [low, high] = [block.first, block.end].map(|cell| {
            [0, 1].map(|axis| {
                #[expect(clippy::cast_precision_loss, reason = "a grid has fewer than 2^52 columns")]
                let cells = cell[axis] as f64;
                self.low[axis] + cells * self.cell
            })
        });
        let at = |[x, y]: [f64; 2]| DVec3::new(x, y, self.height);
        let edge = DVec3::new(EDGE, EDGE, 0.0);
        Space::aligned(at(low) + edge, at(high) - edge)
    }
}

/// Cells between two corners, the second one excluded.
#[derive(Clone, Copy)]
struct Block {
    first: [usize; 2],
    end: [usize; 2],
}

impl Block {
    fn lengths(self) -> [usize; 2] {
        [0, 1].map(|axis| self.end[axis] - self.first[axis])
    }

    /// Returns the halves along the longer side.
    fn halves(self) -> [Self; 2] {
        let [columns, rows] = self.lengths();
        let axis = usize::from(rows > columns);
        let middle = self.first[axis].midpoint(self.end[axis]);
        let (mut lower, mut upper) = (self, self);
        lower.end[axis] = middle;
        upper.first[axis] = middle;
        [lower, upper]
    }
}

impl World {
    /// Returns for each cell of a grid whether a model that is meant has a shape there: solids with their volume, meshes
    /// and heightmaps with their surface, a plane with everything below it. Row by row from the lowest y, and in a row
    /// from the lowest x.
    ///
    /// `grid` must have a number of cells that fits into memory.
    #[must_use]
    pub fn occupancy(&self, grid: &Grid, is_meant: impl Fn(&ModelEntity) -> bool) -> Vec<bool> {
        let mut cells = vec![false; grid.cells().unwrap_or(0)];
        let models: Vec<ModelId> = self
            .models
            .iter()
            .filter(|(_, model)| model.is_present && is_meant(model))
            .filter_map(|(_, model)| model.physics)
            .collect();
        if !cells.is_empty() {
            self.mark(grid, Block { first: [0, 0], end: grid.size }, &models, &mut cells);
        }
        cells
    }

    /// Marks the occupied cells of a block. A block without a shape is not divided further.
    fn mark(&self, grid: &Grid, block: Block, models: &[ModelId], cells: &mut [bool]) {
        let space = grid.space(block);
        let near: Vec<ModelId> =
            models.iter().copied().filter(|model| self.physics.overlaps(*model, &space)).collect();
        if near.is_empty() {
            return;
        }
        if block.lengths() == [1, 1] {
            let [column, row] = block.first;
            if let Some(cell) = cells.get_mut(row * grid.size[0] + column) {
                *cell = true;
            }
            return;
        }
        for half in block.halves() {
            self.mark(grid, half, &near, cells);
        }
    }

    /// Returns the lowest and highest corner of the box around a model's shapes, in the world; `None` if it has no bounded
    /// shape.
    #[must_use]
    pub fn extent(&self, model: &ModelEntity) -> Option<[DVec3; 2]> {
        self.physics.extent(model.physics?, &Pose::IDENTITY)
    }
}
