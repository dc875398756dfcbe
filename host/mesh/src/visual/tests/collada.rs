//! Materials, inputs and nodes of COLLADA.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;

/// A triangle twice: with normals and coordinates of corners, turned by a node and bound to two materials.
pub(super) const DAE: &str = "<COLLADA><asset><unit meter='0.5'/></asset>
  <library_images><image id='img'><init_from>wood%20a.png</init_from></image></library_images>
  <library_effects><effect id='fx'><profile_COMMON>
    <newparam sid='srf'><surface><init_from>img</init_from></surface></newparam>
    <newparam sid='smp'><sampler2D><source>srf</source></sampler2D></newparam>
    <technique><phong><diffuse><texture texture='smp'/></diffuse><specular><color>0.1 0.2 0.3 1</color></specular>
      <shininess><float>7</float></shininess><transparent opaque='A_ONE'><color>1 1 1 1</color></transparent>
      <transparency><float>0.25</float></transparency></phong>
      <extra><technique><double_sided>1</double_sided></technique></extra></technique></profile_COMMON></effect>
    <effect id='fy'><profile_COMMON><technique><lambert><diffuse><color>0 0 1 1</color></diffuse></lambert></technique>
    </profile_COMMON></effect></library_effects>
  <library_materials><material id='m1' name='Wood'><instance_effect url='#fx'/></material>
    <material id='m2'><instance_effect url='#fy'/></material></library_materials>
  <library_geometries><geometry id='g' name='tri'><mesh>
    <source id='p'><float_array>0 0 0 2 0 0 0 2 0</float_array></source>
    <source id='n'><float_array>0 0 1</float_array></source>
    <source id='t'><float_array>0 0 1 0 0 1</float_array><technique_common><accessor stride='2'/></technique_common></source>
    <vertices id='v'><input semantic='POSITION' source='#p'/></vertices>
    <triangles material='A'><input semantic='VERTEX' offset='0' source='#v'/><input semantic='NORMAL' offset='1' source='#n'/>
      <input semantic='TEXCOORD' offset='2' set='0' source='#t'/><p>0 0 0 1 0 1 2 0 2</p></triangles>
    <polylist material='B'><input semantic='VERTEX' offset='0' source='#v'/><vcount>3</vcount><p>0 1 2</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id='s'><node name='part'><rotate>1 0 0 90</rotate><scale>1 1 3</scale>
    <instance_geometry url='#g'><bind_material><technique_common>
    <instance_material symbol='A' target='#m1'/><instance_material symbol='B' target='#m2'/>
    </technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url='#s'/></scene></COLLADA>";

#[test]
fn a_collada_primitive_has_the_material_that_its_node_binds() {
    let folder = folder(&[("tri.dae", DAE)]);
    let mesh = load(&folder.path().join("tri.dae")).unwrap();
    let names: Vec<_> = mesh.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!((names, mesh.warnings.len()), (vec!["part", "part"], 0));
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near(mesh.parts[0].positions[2], [0.0, 0.0, 1.0]), "{:?}", mesh.parts[0].positions);
    assert!(mesh.parts.iter().flat_map(|part| &part.normals).all(|normal| near(*normal, [0.0, -1.0, 0.0])));
    assert_eq!(mesh.parts[0].uvs, [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
    let [wood, blue] = &mesh.materials[..] else { panic!("{:?}", mesh.materials) };
    assert_eq!((wood.name.as_str(), wood.shininess, wood.double_sided), ("Wood", 7.0, true));
    assert_eq!((wood.diffuse[3], wood.specular), (0.25, [0.1, 0.2, 0.3, 1.0]));
    assert_eq!(wood.color_map, Some(Image::File(folder.path().join("wood a.png"))));
    assert_eq!(
        (blue.name.as_str(), blue.diffuse, mesh.parts[1].material),
        ("m2", [0.0, 0.0, 1.0, 1.0], Some(1))
    );
}

#[test]
fn a_mirrored_part_is_turned_over_and_keeps_its_outside() {
    let dae = DAE.replace("<rotate>1 0 0 90</rotate><scale>1 1 3</scale>", "<scale>1 1 -1</scale>");
    let folder = folder(&[("tri.dae", &dae)]);
    let part = &load(&folder.path().join("tri.dae")).unwrap().parts[0];
    assert_eq!((&part.indices[..], &part.normals[..]), (&[0, 2, 1][..], &[[0.0, 0.0, -1.0]; 3][..]));
}

#[test]
fn an_unknown_material_is_one_warning_and_a_symbol_may_be_an_id() {
    let unbound = DAE.replace("symbol='A'", "symbol='C'").replace("material='B'", "material='m2'");
    let missing = DAE.replace("<instance_effect url='#fx'/>", "");
    let folder = folder(&[("unbound.dae", &unbound), ("missing.dae", &missing)]);
    let mesh = load(&folder.path().join("unbound.dae")).unwrap();
    assert_eq!(mesh.parts.iter().map(|part| part.material).collect::<Vec<_>>(), [None, Some(0)]);
    assert_eq!((mesh.materials[0].name.as_str(), mesh.warnings.len()), ("m2", 0));
    let mesh = load(&folder.path().join("missing.dae")).unwrap();
    assert_eq!(mesh.parts.iter().map(|part| part.material).collect::<Vec<_>>(), [None, Some(0)]);
    assert!(mesh.warnings.len() == 1 && mesh.warnings[0].contains("`m1`"), "{:?}", mesh.warnings);
}

#[test]
fn the_set_of_coordinates_is_the_one_that_the_texture_names() {
    let second = "<input semantic='TEXCOORD' offset='2' set='0' source='#t'/>
      <input semantic='TEXCOORD' offset='3' set='1' source='#t'/><p>0 0 0 1 1 0 1 2 2 0 2 0</p>";
    let dae = DAE
        .replace(
            "<input semantic='TEXCOORD' offset='2' set='0' source='#t'/><p>0 0 0 1 0 1 2 0 2</p>",
            second,
        )
        .replace("<texture texture='smp'/>", "<texture texture='smp' texcoord='UV'/>");
    let bound = "<instance_material symbol='A' target='#m1'>
      <bind_vertex_input semantic='UV' input_semantic='TEXCOORD' input_set='1'/></instance_material>";
    let chosen = dae.replace("<instance_material symbol='A' target='#m1'/>", bound);
    let folder = folder(&[("lowest.dae", &dae), ("chosen.dae", &chosen)]);
    let uvs = |name: &str| load(&folder.path().join(name)).unwrap().parts[0].uvs.clone();
    assert_eq!(uvs("lowest.dae"), [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
    assert_eq!(uvs("chosen.dae"), [[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]]);
}

#[test]
fn opacity_follows_the_mode_of_transparency() {
    let opacity = |mode: &str, color: &str, factor: &str| {
        let dae = DAE
            .replace(
                "opaque='A_ONE'><color>1 1 1 1</color>",
                &format!("opaque='{mode}'><color>{color}</color>"),
            )
            .replace("<float>0.25</float>", &format!("<float>{factor}</float>"));
        let folder = folder(&[("tri.dae", &dae)]);
        load(&folder.path().join("tri.dae")).unwrap().materials[0].diffuse[3]
    };
    for (mode, color, factor, expected) in [
        ("A_ONE", "0 0 0 0.5", "0.5", 0.25),
        ("A_ZERO", "0 0 0 0.5", "0.5", 0.75),
        ("RGB_ZERO", "0.5 0.5 0.5 1", "0.5", 0.75),
        ("RGB_ONE", "0.5 0.5 0.5 1", "0.5", 0.25),
        // Modes that are mixed up.
        ("RGB_ZERO", "1 1 1 1", "1", 1.0),
        ("A_ONE", "0 0 0 1", "0", 1.0),
        ("A_ONE", "0 0 0 nan", "1", 1.0),
    ] {
        let found = opacity(mode, color, factor);
        assert!((found - expected).abs() < 1e-6, "{mode} {color} {factor}: {found}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_replaced() {
    let dae = DAE
        .replace("<float>7</float>", "<float>1e999</float>")
        .replace("0 0 1 1</color>", "0 nan inf 1</color>");
    let folder = folder(&[("tri.dae", &dae)]);
    let mesh = load(&folder.path().join("tri.dae")).unwrap();
    assert_eq!((mesh.materials[0].shininess, mesh.materials[1].diffuse), (0.0, [0.0, 1.0, 1.0, 1.0]));
}

#[test]
fn primitives_share_what_was_read_of_their_source() {
    // Were the source read for each primitive, this would take minutes.
    let numbers = "1 2 3 ".repeat(100_000);
    let more =
        "<triangles><input semantic='VERTEX' offset='0' source='#v'/><p>0 1 2</p></triangles>".repeat(5_000);
    let dae = DAE
        .replace("<float_array>0 0 0 2 0 0 0 2 0", &format!("<float_array>0 0 0 2 0 0 0 2 0 {numbers}"))
        .replace("</mesh>", &format!("{more}</mesh>"));
    let folder = folder(&[("tri.dae", &dae)]);
    assert_eq!(load(&folder.path().join("tri.dae")).unwrap().triangle_count(), 5_002);
}
