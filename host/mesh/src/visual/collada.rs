//! COLLADA with its materials: each primitive of a geometry is a part.

use std::path::Path;

use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{Account, Element};

use super::effect::{Bound, Effects};
use super::sources::{Inputs, Sources};
use super::vertices::{Corner, Corners, turn_of};
use super::{VisualMesh, VisualPart};
use crate::ContentError;
use crate::collada::geometry::{is_primitive, polygons};
use crate::collada::{Found, each_geometry, parsed};

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<VisualMesh, ContentError> {
    let document = parsed(bytes, path)?;
    let mut effects = Effects::new(path);
    let mut sources = Sources::new(account);
    let mut parts = Vec::new();
    each_geometry(&document, account, &mut |found, ids| {
        let Some(mesh) = found.geometry.child("mesh") else { return Ok(()) };
        for primitive in mesh.children().filter(|child| is_primitive(child.name())) {
            charge(account, 1)?;
            let symbol = primitive.attribute("material").unwrap_or_default();
            let bound = effects.bound(found.instance, symbol, ids);
            if let Some(inputs) = sources.inputs(primitive, bound.set, ids)? {
                parts.push(part(primitive, &inputs, (found, &bound), account)?);
            }
        }
        Ok(())
    })?;
    Ok(VisualMesh { parts, materials: effects.materials, warnings: effects.warnings.into_vec() })
}

fn part(
    primitive: Element<'_>,
    inputs: &Inputs,
    (found, bound): (&Found<'_, '_>, &Bound),
    account: Account<'_>,
) -> Result<VisualPart, ContentError> {
    let turn = turn_of(found.pose);
    let mut corners = Corners::new(found.name, bound.material);
    for polygon in polygons(primitive, &|p| inputs.corners(p))? {
        charge(account, polygon.len().saturating_sub(2))?;
        let Some((first, rest)) = polygon.split_first() else { continue };
        for key in rest.windows(2).flat_map(|pair| [*first, pair[0], pair[1]]) {
            let corner = || {
                let corner = inputs.corner(key)?;
                let normal = corner.normal.map(|normal| turn * normal);
                Ok(Corner { position: found.pose.transform_point3(corner.position), normal, ..corner })
            };
            corners.push(key, corner)?;
        }
    }
    if found.pose.determinant() < 0.0 {
        corners.mirror();
    }
    Ok(corners.part)
}

fn charge(account: Account<'_>, amount: usize) -> Result<(), ContentError> {
    account.charge(Limit::Triangles, amount as u64).map_err(ContentError::Stopped)
}
