// Scenes for the mock host: one with every kind of shape, and one with many bodies.

import { checkerboard, ringMesh, sha256 } from "./mock_assets.mjs";

const grey = (level, a = 1) => ({ r: level, g: level, b: level, a });
const rgb = (r, g, b, a = 1) => ({ r, g, b, a });

export function pose(x = 0, y = 0, z = 0, yaw = 0) {
  return { position: { x, y, z }, orientation: { x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) } };
}

export const mesh = ringMesh();
export const texture = checkerboard(128, 8, [235, 235, 225], [70, 95, 130]);
export const assets = new Map([
  [sha256(mesh), { bytes: mesh, type: "model/gltf-binary" }],
  [sha256(texture), { bytes: texture, type: "image/png" }],
]);

export function material(diffuse, more = {}) {
  return {
    name: "",
    type: 0,
    ambient: diffuse,
    diffuse,
    specular: grey(0.1),
    emissive: grey(0),
    shininess: 20,
    metalness: 0,
    roughness: 0.5,
    glossiness: 0,
    double_sided: false,
    unlit: false,
    render_order: 0,
    alpha_cutoff: 0,
    color_map: -1,
    normal_map: -1,
    normal_in_object_space: false,
    roughness_map: -1,
    metalness_map: -1,
    emissive_map: -1,
    occlusion_map: -1,
    environment_map: -1,
    light_map: -1,
    specular_map: -1,
    glossiness_map: -1,
    ...more,
  };
}

export function visual(name, node, type, size, materialIndex, more = {}) {
  return {
    name,
    node,
    pose: pose(),
    type,
    size: { x: size[0], y: size[1], z: size[2] },
    mesh: -1,
    material: materialIndex,
    transparency: 0,
    cast_shadows: true,
    visibility_flags: 0xffffffff,
    label: -1,
    laser_retro: 0,
    temperature: -1,
    ...more,
  };
}

export function light(name, type, more = {}) {
  return {
    name,
    node: -1,
    pose: pose(0, 0, 5),
    type,
    direction: { x: -0.4, y: 0.25, z: -0.9 },
    diffuse: rgb(0.9, 0.9, 0.85),
    specular: grey(0.2),
    intensity: 1,
    is_on: true,
    visualize: true,
    cast_shadows: true,
    attenuation_range: 20,
    attenuation_constant: 1,
    attenuation_linear: 0,
    attenuation_quadratic: 0.1,
    inner_angle: 0.6,
    outer_angle: 1,
    falloff: 1,
    ...more,
  };
}

export function surroundings(more = {}) {
  return {
    ambient: grey(0.4),
    background: rgb(0.72, 0.77, 0.83),
    sky: false,
    time: 10,
    sunrise: 6,
    sunset: 20,
    shadows: true,
    grid: true,
    fog: "",
    fog_color: grey(1),
    fog_start: 1,
    fog_end: 100,
    fog_density: 1,
    ...more,
  };
}

const SHAPES = [
  ["red_box", 1, [1, 1, 1], rgb(0.9, 0.05, 0.05)],
  ["sphere", 2, [0.9, 0.9, 0.9], rgb(0.2, 0.5, 0.85)],
  ["cylinder", 3, [0.8, 0.8, 1.2], rgb(0.25, 0.65, 0.35)],
  ["capsule", 4, [0.5, 0.5, 1.4], rgb(0.85, 0.6, 0.2)],
  ["ellipsoid", 5, [1.2, 0.7, 0.5], rgb(0.6, 0.35, 0.75)],
  ["cone", 6, [0.9, 0.9, 1.2], rgb(0.2, 0.7, 0.7)],
];

/** One of each shape; the sphere and the mesh move. */
export function shapesScene(revision) {
  const nodes = [{ name: "ground::link", entity: "ground", pose: pose(), is_static: true }];
  const materials = [material(rgb(0.5, 0.52, 0.5), { color_map: 0, specular: grey(0) })];
  const visuals = [visual("ground::link::plane", 0, 7, [24, 24, 0], 0, { cast_shadows: false })];
  SHAPES.forEach(([name, type, size, color], index) => {
    materials.push(material(color));
    nodes.push({
      name: `${name}::link`,
      entity: name,
      pose: pose(index * 1.8 - 4.5, 0, size[2] / 2 + 0.01),
      is_static: false,
    });
    visuals.push(visual(`${name}::link::visual`, index + 1, type, size, index + 1));
  });
  materials.push(material(rgb(0.8, 0.65, 0.3), { type: 1, metalness: 0.4, roughness: 0.35 }));
  materials.push(material(rgb(0.3, 0.4, 0.6, 0.5)));
  nodes.push({ name: "ring::link", entity: "ring", pose: pose(0, 2.5, 1, 0), is_static: false });
  visuals.push(visual("ring::link::mesh", nodes.length - 1, 8, [1, 1, 1], -1, { mesh: 0 }));
  nodes.push({ name: "glass::link", entity: "glass", pose: pose(2.5, 2.5, 0.75), is_static: true });
  visuals.push(visual("glass::link::visual", nodes.length - 1, 1, [1.2, 0.1, 1.5], materials.length - 1));
  nodes.push({
    name: "textured::link",
    entity: "textured",
    pose: pose(-2.5, 2.5, 0.5, 0.5),
    is_static: true,
  });
  materials.push(material(grey(1), { color_map: 0 }));
  visuals.push(visual("textured::link::visual", nodes.length - 1, 1, [1, 1, 1], materials.length - 1));
  return {
    revision,
    world: "shapes",
    surroundings: surroundings({ sky: true }),
    nodes,
    visuals,
    lights: [
      light("sun", 2),
      light("lamp", 0, { pose: pose(-4, 3, 1.5), diffuse: rgb(1, 0.6, 0.3), cast_shadows: false }),
      light("spot", 1, {
        pose: pose(3.5, 3.5, 4),
        direction: { x: -0.2, y: -0.3, z: -1 },
        diffuse: rgb(0.6, 0.8, 1),
        attenuation_quadratic: 0.02,
      }),
    ],
    materials,
    meshes: [{ hash: sha256(mesh), uri: "ring.dae", bytes: mesh.length, triangles: 768, materials: [7, 8] }],
    textures: [
      {
        hash: sha256(texture),
        uri: "checker.png",
        media_type: "image/png",
        width: 128,
        height: 128,
        bytes: texture.length,
      },
    ],
    collisions: visuals.filter(({ type }) => type !== 8).map((shape) => ({ ...shape, material: -1 })),
  };
}

/** Poses of the nodes at a time, for the scene of shapes. */
export function shapesPoses(scene, time) {
  return scene.nodes.map(({ name, pose: start }) => {
    if (name === "sphere::link")
      return { ...pose(start.position.x, 1.2 * Math.sin(time), start.position.z, time) };
    if (name === "ring::link") return pose(0, 2.5, 1 + 0.3 * Math.sin(2 * time), time);
    return start;
  });
}

/** Many separate bodies in a square, in several colours. */
export function crowdScene(revision, count, moving) {
  const side = Math.ceil(Math.sqrt(count));
  const colors = [rgb(0.8, 0.3, 0.25), rgb(0.25, 0.5, 0.8), rgb(0.3, 0.65, 0.4), rgb(0.8, 0.65, 0.25)];
  const nodes = [];
  const visuals = [];
  for (let index = 0; index < count; index += 1) {
    const [x, y] = [(index % side) - side / 2, Math.floor(index / side) - side / 2];
    nodes.push({
      name: `body${index}::link`,
      entity: `body${index}`,
      pose: pose(x, y, 0.3),
      is_static: index >= moving,
    });
    visuals.push(
      visual(`body${index}::link::v`, index, index % 2 ? 1 : 2, [0.5, 0.5, 0.5], index % colors.length),
    );
  }
  return {
    revision,
    world: "crowd",
    surroundings: surroundings(),
    nodes,
    visuals,
    lights: [light("sun", 2)],
    materials: colors.map((color) => material(color)),
    meshes: [],
    textures: [],
  };
}
