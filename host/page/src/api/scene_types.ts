// The messages of `get_scene`.

import type { Color, Pose, Vector3 } from "./types.ts";

export const SHAPE = {
  NONE: 0,
  BOX: 1,
  SPHERE: 2,
  CYLINDER: 3,
  CAPSULE: 4,
  ELLIPSOID: 5,
  CONE: 6,
  PLANE: 7,
  MESH: 8,
} as const;

export const LIGHT = { POINT: 0, SPOT: 1, DIRECTIONAL: 2 } as const;

export const MATERIAL = { PHONG: 0, METAL: 1, SPECULAR: 2 } as const;

export interface SceneNode {
  name: string;
  entity: string;
  pose: Pose;
  is_static: boolean;
}

export interface SceneVisual {
  name: string;
  node: number;
  pose: Pose;
  type: number;
  size: Vector3;
  mesh: number;
  material: number;
  transparency: number;
  cast_shadows: boolean;
  visibility_flags: number;
  label: number;
  laser_retro: number;
  temperature: number;
}

export interface SceneLight {
  name: string;
  node: number;
  pose: Pose;
  type: number;
  direction: Vector3;
  diffuse: Color;
  specular: Color;
  intensity: number;
  is_on: boolean;
  visualize: boolean;
  cast_shadows: boolean;
  attenuation_range: number;
  attenuation_constant: number;
  attenuation_linear: number;
  attenuation_quadratic: number;
  inner_angle: number;
  outer_angle: number;
  falloff: number;
}

export interface SceneMaterial {
  name: string;
  type: number;
  ambient: Color;
  diffuse: Color;
  specular: Color;
  emissive: Color;
  shininess: number;
  metalness: number;
  roughness: number;
  glossiness: number;
  double_sided: boolean;
  unlit: boolean;
  render_order: number;
  alpha_cutoff: number;
  color_map: number;
  normal_map: number;
  normal_in_object_space: boolean;
  roughness_map: number;
  metalness_map: number;
  emissive_map: number;
  occlusion_map: number;
  environment_map: number;
  light_map: number;
  specular_map: number;
  glossiness_map: number;
}

export interface SceneMesh {
  hash: string;
  uri: string;
  bytes: number;
  triangles: number;
  materials: number[];
}

export interface SceneTexture {
  hash: string;
  uri: string;
  media_type: string;
  width: number;
  height: number;
  bytes: number;
}

export interface SceneSurroundings {
  ambient: Color;
  background: Color;
  sky: boolean;
  time: number;
  sunrise: number;
  sunset: number;
  shadows: boolean;
  grid: boolean;
  fog: string;
  fog_color: Color;
  fog_start: number;
  fog_end: number;
  fog_density: number;
}

export interface Scene {
  revision: number;
  world: string;
  surroundings: SceneSurroundings;
  nodes: SceneNode[];
  visuals: SceneVisual[];
  lights: SceneLight[];
  materials: SceneMaterial[];
  meshes: SceneMesh[];
  textures: SceneTexture[];
  /** Shapes that make contact. Absent if the host does not offer them. */
  collisions?: SceneVisual[];
}

/** A scene without anything, for a host without a world. */
export function emptyScene(revision: number): Scene {
  const grey = (level: number): Color => ({ r: level, g: level, b: level, a: 1 });
  return {
    revision,
    world: "",
    surroundings: {
      ambient: grey(0.4),
      background: grey(0.7),
      sky: false,
      time: 10,
      sunrise: 6,
      sunset: 20,
      shadows: false,
      grid: true,
      fog: "",
      fog_color: grey(1),
      fog_start: 0,
      fog_end: 0,
      fog_density: 0,
    },
    nodes: [],
    visuals: [],
    lights: [],
    materials: [],
    meshes: [],
    textures: [],
  };
}
