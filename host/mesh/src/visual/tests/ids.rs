//! Ids of COLLADA that occur more than once.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::collada::DAE;
use super::*;
use crate::{Mesh, Selection};

/// The kinds and ids of the elements of the file.
const IDS: [(&str, &str); 13] = [
    ("image", "img"),
    ("effect", "fx"),
    ("material", "m1"),
    ("geometry", "g"),
    ("source", "p"),
    ("source", "n"),
    ("source", "t"),
    ("vertices", "v"),
    ("visual_scene", "s"),
    ("node", "top"),
    ("node", "inner"),
    ("float_array", "array"),
    ("controller", "skin"),
];

/// The triangle in a node that is shared, once as it is and once as a skin.
fn file() -> String {
    let skin =
        "<library_controllers><controller id='skin'><skin source='#g'/></controller></library_controllers>
      <library_nodes><node id='inner'><instance_controller url='#skin'/></node></library_nodes>
      <library_visual_scenes>";
    DAE.replace("<library_visual_scenes>", skin)
        .replace("<float_array>0 0 1<", "<float_array id='array'>0 0 1<")
        .replace("<node name='part'>", "<node id='top' name='part'><instance_node url='#inner'/>")
        .replace("id='m2'", "id='m2' name='Blue'")
}

/// The file with one id in place of another, wherever it is defined or referred to.
fn renamed(file: &str, from: &str, to: &str) -> String {
    file.replace(&format!("'{from}'"), &format!("'{to}'"))
        .replace(&format!("'#{from}'"), &format!("'#{to}'"))
        .replace(&format!(">{from}<"), &format!(">{to}<"))
}

fn read(file: &str) -> (VisualMesh, Triangles) {
    let folder = folder(&[("tri.dae", file)]);
    let path = folder.path().join("tri.dae");
    let mut seen = load(&path).unwrap();
    // The folder of each reading has a name of its own.
    seen.materials.iter_mut().for_each(|material| {
        assert!(material.color_map.take().is_some() == (material.name == "Wood"), "{material:?}");
    });
    let solid = Mesh::load(&path, Budget::default().of(&Origin::default())).unwrap();
    let all = Selection { part: None, is_centred: false, scale: DVec3::ONE };
    (seen, solid.select(&all).unwrap())
}

#[test]
fn elements_of_different_kinds_may_have_one_id() {
    let file = file();
    let (seen, solid) = read(&file);
    assert_eq!((seen.triangle_count(), solid.indices.len(), seen.warnings.len()), (4, 4, 0));
    for (kind, from) in IDS {
        for (other, to) in IDS.iter().filter(|(other, _)| *other != kind) {
            let (found, found_solid) = read(&renamed(&file, from, to));
            let of = format!("{kind} `{from}` with the id of {other} `{to}`");
            assert_eq!(format!("{found:?}"), format!("{seen:?}"), "{of}");
            assert_eq!(format!("{found_solid:?}"), format!("{solid:?}"), "{of}");
        }
    }
}

/// Some exporters number the sources of each geometry from the beginning.
#[test]
fn the_sources_of_a_geometry_are_its_own() {
    let (start, end) = (DAE.find("<geometry").unwrap(), DAE.find("</library_geometries>").unwrap());
    let second = DAE[start..end].replace("id='g'", "id='h'").replace("2 0 0 0 2 0", "5 0 0 0 7 0");
    let both = DAE
        .replace("</library_geometries>", &format!("{second}</library_geometries>"))
        .replace("<instance_geometry url='#g'>", "<instance_geometry url='#h'/><instance_geometry url='#g'>");
    let (seen, solid) = read(&both);
    assert_eq!(seen.triangle_count(), 4);
    // The unit of the file is 0.5 m; the node turns y to z and stretches z.
    assert!(solid.bounds()[1].abs_diff_eq(DVec3::new(2.5, 0.0, 3.5), 1e-9), "{:?}", solid.bounds());
    let widths: Vec<f32> =
        seen.parts.iter().map(|part| part.positions.iter().map(|at| at[0]).fold(0.0, f32::max)).collect();
    assert_eq!(widths, [2.5, 2.5, 1.0, 1.0]);
}

/// Of an id that two elements of one kind have, the first one counts, as in Gazebo.
#[test]
fn the_first_of_two_geometries_with_one_id_counts() {
    let (start, end) = (DAE.find("<geometry").unwrap(), DAE.find("</library_geometries>").unwrap());
    let second = DAE[start..end].replace("2 0 0 0 2 0", "5 0 0 0 7 0");
    let both = DAE.replace("</library_geometries>", &format!("{second}</library_geometries>"));
    assert!(read(&both).1.bounds()[1].abs_diff_eq(DVec3::new(1.0, 0.0, 1.0), 1e-9));
}

/// An id of another kind is no target.
#[test]
fn a_reference_to_another_kind_is_refused() {
    for (from, to) in
        [("geometry url='#g'", "geometry url='#s'"), ("'POSITION' source='#p'", "'POSITION' source='#v'")]
    {
        let folder = folder(&[("tri.dae", &DAE.replace(from, to))]);
        let error = load(&folder.path().join("tri.dae")).unwrap_err().to_string();
        assert!(
            error.contains("BH-MSH-003") && error.contains(&to[to.find('#').unwrap()..to.len() - 1]),
            "{error}"
        );
    }
}
