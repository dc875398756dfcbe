//! Generated scenes: what the processor draws is compared with what a device draws.

use bridgehead_messages::bridgehead_simulation_interfaces::SceneMesh;

use super::bad_input::triangles;
use super::*;

/// Numbers that only look random.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 33).expect("31 bits")) / f64::from(1_u32 << 31)
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    fn chance(&mut self, share: f64) -> bool {
        self.share() < share
    }

    fn color(&mut self, alpha: f32) -> Option<ColorRgba> {
        let [r, g, b] = [self.single(), self.single(), self.single()];
        color(r, g, b, alpha)
    }

    #[expect(clippy::cast_possible_truncation, reason = "0 to 1")]
    fn single(&mut self) -> f32 {
        self.share() as f32
    }

    fn orientation(&mut self) -> DQuat {
        let [x, y, z] = [0; 3].map(|_| self.within(-3.0, 3.0));
        DQuat::from_euler(glam::EulerRot::ZYX, x, y, z)
    }

    fn material(&mut self) -> SceneMaterial {
        let opacity = if self.chance(0.2) { 0.5 } else { 1.0 };
        let map = |random: &mut Self| if random.chance(0.3) { 0 } else { -1 };
        SceneMaterial {
            diffuse: self.color(opacity),
            specular: if self.chance(0.5) { self.color(1.0) } else { color(0.0, 0.0, 0.0, 1.0) },
            emissive: if self.chance(0.2) { self.color(1.0) } else { None },
            shininess: self.within(0.0, 40.0),
            r#type: if self.chance(0.4) { 1 } else { 0 },
            metalness: self.share(),
            roughness: self.within(0.2, 1.0),
            double_sided: self.chance(0.3),
            unlit: self.chance(0.1),
            color_map: map(self),
            normal_map: map(self),
            roughness_map: map(self),
            metalness_map: map(self),
            emissive_map: map(self),
            occlusion_map: map(self),
            alpha_cutoff: if self.chance(0.2) { 0.4 } else { 0.0 },
            ..crate::material::plain()
        }
    }

    fn visual(&mut self, materials: i32) -> SceneVisual {
        let sizes = [0; 3].map(|_| self.within(0.4, 2.0));
        let at = [self.within(2.0, 12.0), self.within(-4.0, 4.0), self.within(-2.0, 3.0)];
        // A mesh may be mirrored.
        let kind = [1, 2, 3, 4, 5, 6, 8][self.index(7)];
        let turn = self.orientation();
        let mut visual = visual(kind, sizes, at, i32::try_from(self.index(8)).expect("small") % materials);
        if kind == 8 {
            visual.mesh = 0;
            visual.size = Some(Vector3 { x: 1.0, y: 2.0, z: if self.chance(0.5) { -2.0 } else { 2.0 } });
        }
        if let Some(pose) = &mut visual.pose {
            pose.orientation = Some(Quaternion { x: turn.x, y: turn.y, z: turn.z, w: turn.w });
        }
        visual
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
    fn index(&mut self, count: u32) -> usize {
        (self.share() * f64::from(count)) as usize
    }

    fn light(&mut self) -> SceneLight {
        let kind = u32::try_from(self.index(3)).expect("small");
        SceneLight {
            r#type: kind,
            pose: pose(self.within(0.0, 6.0), self.within(-4.0, 4.0), self.within(2.0, 6.0)),
            diffuse: self.color(1.0),
            specular: self.color(1.0),
            attenuation_linear: 0.1,
            attenuation_quadratic: 0.01,
            attenuation_range: 20.0,
            inner_angle: 0.6,
            outer_angle: 1.4,
            falloff: 1.0,
            intensity: 0.8,
            // The edges of shadows are compared by tests of their own.
            cast_shadows: false,
            ..sun(self.within(-1.0, 1.0), self.within(-1.0, 1.0), -1.0)
        }
    }

    fn scene(&mut self) -> Scene {
        let materials: Vec<_> = (0..4).map(|_| self.material()).collect();
        let mut visuals: Vec<_> = (0..8).map(|_| self.visual(4)).collect();
        visuals.push(visual(7, [60.0, 60.0, 1.0], [0.0, 0.0, -2.5], 0));
        let lights = (0..3).map(|_| self.light()).collect();
        let mut scene = scene(visuals, materials, lights);
        let fog = ["none", "constant", "linear", "quadratic"][self.index(4)];
        scene.surroundings = Some(SceneSurroundings {
            ambient: self.color(1.0),
            background: self.color(1.0),
            sky: self.chance(0.5),
            time: self.within(0.0, 24.0),
            sunrise: 6.0,
            sunset: 20.0,
            fog: fog.to_owned(),
            fog_color: self.color(1.0),
            fog_start: 2.0,
            fog_end: 15.0,
            fog_density: self.within(0.02, 0.3),
            ..SceneSurroundings::default()
        });
        scene.textures = vec![SceneTexture { hash: "texture".to_owned(), ..SceneTexture::default() }];
        scene.meshes = vec![SceneMesh { hash: "mesh".to_owned(), ..SceneMesh::default() }];
        scene
    }
}

/// An image without sharp edges, in which no channel is black; some of it is translucent.
fn waves() -> Vec<u8> {
    let side = 64;
    let mut pixels = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let wave = |phase: f64| {
                let angle = std::f64::consts::TAU * (f64::from(column) + 2.0 * f64::from(row) + phase)
                    / f64::from(side);
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
                let byte = (160.0 + 80.0 * libm::sin(angle)) as u8;
                byte
            };
            pixels.extend([wave(0.0), wave(20.0), wave(40.0), if row < 8 { 60 } else { 255 }]);
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&pixels).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

/// A generated scene, and how it is seen.
fn generated(seed: u64) -> (Scene, View, u32) {
    let mut random = Random(seed);
    let scene = random.scene();
    let place = [random.within(-2.0, 0.0), random.within(-1.0, 1.0), random.within(-1.0, 2.0)];
    let turn =
        DQuat::from_euler(glam::EulerRot::ZYX, random.within(-0.3, 0.3), random.within(-0.2, 0.3), 0.0);
    (scene, view(place, turn), if seed.is_multiple_of(4) { 4 } else { 1 })
}

fn content(hash: &str) -> Option<Vec<u8>> {
    match hash {
        "texture" => Some(waves()),
        _ => Some(triangles(9, &[0, 1, 4, 1, 2, 5, 3, 4, 7, 0, 4, 3])),
    }
}

#[test]
fn the_processor_draws_generated_scenes_as_a_device_does() {
    // Long tests would draw for ten minutes in one thread beside a busy machine.
    let (last, threads) = if std::env::var_os("BRIDGEHEAD_LONG").is_some() { (400, 4) } else { (12, 1) };
    let draw = |first: u64| {
        for seed in (first..=last).step_by(threads) {
            println!("from seed {first}: seed {seed}");
            let (scene, view, samples) = generated(seed);
            if draw_with(scene, &view, samples, &mut content).is_none() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for first in (1..).take(threads) {
            let thread = std::thread::Builder::new().name(format!("from seed {first}"));
            thread.spawn_scoped(scope, move || draw(first)).expect("a thread");
        }
    });
}

/// The checksum was made on another machine than that which runs the test. It changes with the formulas.
#[test]
fn images_of_the_processor_are_equal_on_all_machines() {
    let mut checksum = 0xcbf2_9ce4_8422_2325_u64;
    for seed in 1..=8 {
        let (mut scene, view, samples) = generated(seed);
        scene.surroundings.as_mut().expect("surroundings").shadows = true;
        scene.lights.iter_mut().for_each(|light| light.cast_shadows = true);
        let drawn = draw_by(&Choice::Processor, scene, &view, samples, &mut content).expect("drawn");
        let color = drawn.color.iter().flatten().map(|value| value.to_bits());
        let depth = drawn.depth.iter().map(|value| value.to_bits());
        for number in color.chain(depth).chain(drawn.visual.iter().copied()) {
            checksum = (checksum ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(format!("{checksum:016x}"), "1118687c5906b67c");
}
