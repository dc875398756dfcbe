//! Binary glTF is read back by the crate `gltf`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;

use super::collada::DAE;
use super::*;

#[test]
fn binary_gltf_is_read_back_as_it_was_written() {
    let folder = folder(&[("plate.obj", OBJ), ("look.mtl", MTL), ("tri.dae", DAE)]);
    for name in ["plate.obj", "tri.dae"] {
        let mesh = load(&folder.path().join(name)).unwrap();
        let glb = folder.path().join("again.glb");
        fs::write(&glb, mesh.to_glb()).unwrap();
        let again = load(&glb).unwrap();
        assert_eq!(again.parts.len(), mesh.parts.len());
        for (again, part) in again.parts.iter().zip(&mesh.parts) {
            assert_eq!((&again.positions, &again.uvs), (&part.positions, &part.uvs));
            assert_eq!(
                (&again.normals, &again.indices, again.material),
                (&part.normals, &part.indices, part.material)
            );
        }
        let colors = |mesh: &VisualMesh| mesh.materials.iter().map(|one| one.diffuse).collect::<Vec<_>>();
        assert_eq!(colors(&again), colors(&mesh));
        assert_eq!(mesh.to_glb(), load(&folder.path().join(name)).unwrap().to_glb(), "equal bytes");
    }
}

#[test]
fn a_file_states_its_bounds_and_the_look_of_its_materials() {
    let folder = folder(&[("plate.obj", OBJ), ("look.mtl", MTL)]);
    let mesh = load(&folder.path().join("plate.obj")).unwrap();
    let file = ::gltf::Gltf::from_slice(&mesh.to_glb()).unwrap();
    let primitives: Vec<_> = file.meshes().flat_map(|mesh| mesh.primitives()).collect();
    assert_eq!((file.meshes().len(), primitives.len()), (1, 2));
    let bounds = primitives[0].bounding_box();
    assert_eq!((bounds.min, bounds.max), ([0.0, 0.0, 0.0], [1.0, 1.0, 0.0]));
    let [red, green] = &file.materials().collect::<Vec<_>>()[..] else { panic!("two materials") };
    let metal = red.pbr_metallic_roughness();
    assert_eq!((red.name(), metal.base_color_factor()), (Some("red"), [1.0, 0.0, 0.0, 0.5]));
    // The exponent 20 of MTL.
    assert!(
        (metal.roughness_factor() - (2.0_f32 / 22.0).sqrt()).abs() < 1e-6,
        "{}",
        metal.roughness_factor()
    );
    assert_eq!((metal.metallic_factor(), red.double_sided()), (0.0, false));
    use ::gltf::material::AlphaMode::{Blend, Opaque};
    assert_eq!((red.alpha_mode(), green.alpha_mode(), file.images().len()), (Blend, Opaque, 0));
}

#[test]
fn a_mesh_without_parts_is_a_valid_file() {
    let bytes = VisualMesh::default().to_glb();
    assert_eq!(::gltf::Gltf::from_slice(&bytes).unwrap().meshes().len(), 0);
}

fn part() -> impl Strategy<Value = VisualPart> {
    let number = prop::num::f32::NORMAL | prop::num::f32::ZERO | prop::num::f32::SUBNORMAL;
    let number = number.prop_map(|number| if number.abs() > 1e30 { 1.0 } else { number });
    let positions = prop::collection::vec([number.clone(), number.clone(), number.clone()], 3..20);
    (positions, any::<bool>(), prop::collection::vec(0_usize..1000, 1..10)).prop_map(
        move |(positions, has_uvs, picks)| {
            let count = positions.len();
            let index = |pick: usize| u32::try_from(pick % count).unwrap();
            VisualPart {
                normals: vec![[0.0, 0.6, 0.8]; count],
                uvs: if has_uvs { positions.iter().map(|[x, y, _]| [*x, *y]).collect() } else { Vec::new() },
                indices: picks
                    .iter()
                    .flat_map(|pick| [index(*pick), index(pick + 1), index(pick + 7)])
                    .collect(),
                positions,
                ..VisualPart::default()
            }
        },
    )
}

proptest! {
    #[test]
    fn any_part_is_read_back_bit_for_bit(parts in prop::collection::vec(part(), 1..4)) {
        let mesh = VisualMesh { parts, ..VisualMesh::default() };
        let bytes = mesh.to_glb();
        let read = VisualMesh::of_bytes(Path::new("a.glb"), &bytes, Budget::default().of(&Origin::default()));
        let read = read.unwrap();
        for (read, part) in read.parts.iter().zip(&mesh.parts) {
            let bits = |all: &[[f32; 3]]| all.iter().map(|at| at.map(f32::to_bits)).collect::<Vec<_>>();
            // Transforms turn -0 into 0.
            prop_assert_eq!(&read.positions, &part.positions);
            prop_assert_eq!(bits(&read.normals), bits(&part.normals));
            prop_assert_eq!((&read.uvs, &read.indices), (&part.uvs, &part.indices));
        }
        prop_assert_eq!(read.parts.len(), mesh.parts.len());
    }
}
