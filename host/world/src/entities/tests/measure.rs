//! Bounds of entities, and entities in regions.

use super::*;

fn found(world: &World, region: Result<Region, RegionError>) -> Vec<&str> {
    let found = world.overlapping(&region.expect("a region"));
    found.into_iter().map(|index| world.models().get(index).expect("there").name.as_str()).collect()
}

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Returns a static model of one collision, 1 m from its link along x; the link is turned about z by 45 degrees.
fn shape(geometry: &str) -> String {
    format!(
        "<model name='s'><static>true</static><link name='l'><pose>0 0 0 0 0 0.7853981633974483</pose><collision name='c'>
        <pose>1 0 0 0 0 0</pose><geometry>{geometry}</geometry></collision></link></model>"
    )
}

#[test]
fn the_bounds_of_a_box_do_not_depend_on_its_pose() {
    let mut world = yard();
    let turned = Pose::from_rpy(v(0.0, 0.0, 5.0), 0.3, 0.4, 0.5);
    world.set_state("box_a", &StateChange { pose: Some(turned), ..Default::default() }).expect("set");
    let Bounds { low, high } = world.bounds("box_a").expect("there").expect("bounded");
    assert!(low.abs_diff_eq(DVec3::splat(-0.5), 1e-9) && high.abs_diff_eq(DVec3::splat(0.5), 1e-9));
    let ball = world.bounding_sphere("box_a").expect("there").expect("bounded");
    assert!(ball.centre.length() < 1e-9 && (ball.radius - 0.75_f64.sqrt()).abs() < 1e-9);
    let mut hull = world.convex_hull("box_a").expect("there");
    hull.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).expect("numbers"));
    assert_eq!(hull.len(), 8);
    assert!(hull[0].abs_diff_eq(DVec3::splat(-0.5), 1e-9), "{hull:?}");
    assert_eq!(world.bounds("nope"), Err(InfoError::NotFound("nope".into())));
}

#[test]
fn a_plane_has_no_bounds() {
    let world = yard();
    assert_eq!(world.bounds("ground"), Ok(None));
    assert_eq!(world.bounding_sphere("ground"), Ok(None));
    assert_eq!(world.convex_hull("ground"), Ok(vec![]));
}

#[test]
fn round_shapes_and_meshes_are_measured_exactly_in_the_frame_of_the_canonical_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = folder.path().join("tetra.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        .expect("written");
    let mesh = format!("<mesh><uri>{}</uri></mesh>", mesh.display());
    let cases: [(&str, [f64; 3], [f64; 3], f64); 6] = [
        ("<sphere><radius>0.5</radius></sphere>", [0.5, -0.5, -0.5], [1.5, 0.5, 0.5], 0.5),
        (
            "<cylinder><radius>0.3</radius><length>0.8</length></cylinder>",
            [0.7, -0.3, -0.4],
            [1.3, 0.3, 0.4],
            0.5,
        ),
        (
            "<capsule><radius>0.25</radius><length>1</length></capsule>",
            [0.75, -0.25, -0.75],
            [1.25, 0.25, 0.75],
            0.75,
        ),
        ("<cone><radius>0.3</radius><length>0.8</length></cone>", [0.7, -0.3, -0.4], [1.3, 0.3, 0.4], 0.5),
        ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", [0.0, -2.0, -3.0], [2.0, 2.0, 3.0], 3.0),
        (&mesh, [1.0, 0.0, 0.0], [3.0, 3.0, 4.0], 29.0_f64.sqrt() / 2.0),
    ];
    for (geometry, low, high, radius) in cases {
        let mut world = yard();
        world.spawn_now(&request(&shape(geometry), "s", at(4.0, 4.0, 4.0))).expect("spawned");
        let found = world.bounds("s").expect("there").expect("bounded");
        assert!(found.low.abs_diff_eq(DVec3::from(low), 1e-6), "{geometry}: {found:?}");
        assert!(found.high.abs_diff_eq(DVec3::from(high), 1e-6), "{geometry}: {found:?}");
        let ball = world.bounding_sphere("s").expect("there").expect("bounded");
        assert!((ball.radius - radius).abs() < 1e-6, "{geometry}: {ball:?} instead of {radius}");
        let hull = world.convex_hull("s").expect("there");
        assert!(hull.len() >= 4, "{geometry}: {hull:?}");
        let is_in =
            |point: &DVec3| point.cmpge(found.low - 1e-6).all() && point.cmple(found.high + 1e-6).all();
        assert!(hull.iter().all(is_in), "{geometry}: {hull:?}");
    }
}

#[test]
fn a_sphere_and_a_box_find_overlapping_entities_only() {
    let mut world = yard();
    assert_eq!(found(&world, Region::sphere(&[v(0.0, 0.0, 0.5), v(1.0, 0.0, 0.0)])), ["ground", "box_a"]);
    assert_eq!(found(&world, Region::sphere(&[v(0.0, 0.0, 1.6), v(0.5, 0.0, 0.0)])), Vec::<&str>::new());
    assert_eq!(found(&world, Region::aligned_box(&[v(6.0, 1.0, 1.0), v(4.0, -1.0, 0.1)])), ["box_b"]);
    assert_eq!(found(&world, Region::aligned_box(&[v(9.0, 9.0, -1.0), v(8.0, 8.0, -2.0)])), ["ground"]);
    let all = Region::aligned_box(&[DVec3::splat(1e9), DVec3::splat(-1e9)]);
    assert_eq!(found(&world, all), ["ground", "wall", "box_a", "box_b"]);
    // Turned by 45 degrees, the corner of its bounding box is outside of the crate itself.
    let turned = Pose::from_rpy(v(0.0, 0.0, 5.0), 0.0, 0.0, std::f64::consts::FRAC_PI_4);
    world.set_state("box_a", &StateChange { pose: Some(turned), ..Default::default() }).expect("set");
    let corner = |x: f64| Region::sphere(&[v(x, x, 5.0), v(0.05, 0.0, 0.0)]);
    assert_eq!(found(&world, corner(0.6)), Vec::<&str>::new());
    assert_eq!(found(&world, corner(0.3)), ["box_a"]);
    let flat = Region::aligned_box(&[v(0.1, 0.1, 5.0), v(-0.1, -0.1, 5.0)]);
    assert_eq!(found(&world, flat), ["box_a"]);
}

#[test]
fn a_hull_may_be_flat_and_is_searched_without_a_limit() {
    let mut world = yard();
    let roof = [v(-1.0, -1.0, 0.9), v(1.0, -1.0, 0.9), v(0.0, 1.0, 0.9), v(0.0, 0.0, 3.0)];
    assert_eq!(found(&world, Region::hull(&roof)), ["box_a"]);
    assert_eq!(found(&world, Region::hull(&roof[..3])), ["box_a"]);
    let above = roof.map(|point| point + DVec3::Z * 0.2);
    assert_eq!(found(&world, Region::hull(&above)), Vec::<&str>::new());
    assert_eq!(found(&world, Region::hull(&above[..3])), Vec::<&str>::new());
    for index in 0..150 {
        spawn(&mut world, &format!("c{index}"), at(f64::from(index) * 2.0, 50.0, 50.0));
    }
    let row = [v(-9.0, 50.0, 50.0), v(999.0, 50.0, 50.0), v(0.0, 50.0, 50.4)];
    assert_eq!(found(&world, Region::hull(&row)).len(), 150);
}

#[test]
fn meshes_and_heightmaps_are_found_by_their_surface() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = folder.path().join("tetra.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        .expect("written");
    let mut world = yard();
    let mesh = format!("<mesh><uri>{}</uri></mesh>", mesh.display());
    world.spawn_now(&request(&shape(&mesh), "still", at(0.0, 20.0, 10.0))).expect("spawned");
    let moves = shape(&mesh).replace("<static>true</static>", "");
    world.spawn_now(&request(&moves, "moves", at(0.0, 40.0, 10.0))).expect("spawned");
    // The corner of the mesh in the world.
    let tip = |y: f64| v(0.5_f64.sqrt(), y + 0.5_f64.sqrt(), 14.0);
    for (name, y) in [("still", 20.0), ("moves", 40.0)] {
        let ball = |offset: f64| Region::sphere(&[tip(y) + DVec3::Z * offset, v(0.1, 0.0, 0.0)]);
        assert_eq!(found(&world, ball(0.09)), [name]);
        assert_eq!(found(&world, ball(0.2)), Vec::<&str>::new());
        let around = Region::aligned_box(&[tip(y) + 0.1, tip(y) - 0.1]);
        assert_eq!(found(&world, around), [name]);
    }
}

#[test]
fn invalid_regions_are_refused_with_a_reason() {
    let refused = |region: Result<Region, RegionError>| region.map(|_| ()).expect_err("refused").to_string();
    let line = [v(0.0, 0.0, 0.0), v(1.0, 1.0, 1.0), v(2.0, 2.0, 2.0), v(-3.0, -3.0, -3.0)];
    let cases = [
        (Region::sphere(&[DVec3::ZERO]), "BH-ENT-045"),
        (Region::sphere(&[DVec3::ZERO; 3]), "BH-ENT-045"),
        (Region::sphere(&[]), "BH-ENT-045"),
        (Region::sphere(&[DVec3::ZERO, DVec3::NEG_X]), "BH-ENT-047"),
        (Region::sphere(&[DVec3::NAN, DVec3::X]), "BH-ENT-046"),
        (Region::sphere(&[DVec3::ZERO, DVec3::X * f64::INFINITY]), "BH-ENT-046"),
        (Region::aligned_box(&[DVec3::ONE]), "BH-ENT-045"),
        (Region::aligned_box(&[DVec3::NEG_ONE, DVec3::ONE]), "BH-ENT-048"),
        (Region::aligned_box(&[v(1.0, 1.0, -1.0), v(0.0, 0.0, 0.0)]), "BH-ENT-048"),
        (Region::aligned_box(&[DVec3::INFINITY, DVec3::ZERO]), "BH-ENT-046"),
        (Region::hull(&line[..2]), "BH-ENT-045"),
        (Region::hull(&line), "BH-ENT-049"),
        (Region::hull(&[DVec3::ONE; 5]), "BH-ENT-049"),
        (Region::hull(&[DVec3::ONE, DVec3::ZERO, DVec3::NAN]), "BH-ENT-046"),
    ];
    for (region, code) in cases {
        let error = refused(region);
        assert!(error.contains(code), "{code}: {error}");
    }
}
