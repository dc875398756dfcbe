// The grid on the ground: a line for each metre, a stronger one for every tenth, and the axes. It reaches as far as one sees.

import * as THREE from "three";
import { type Scene, type SceneVisual, SHAPE } from "../api/scene_types.ts";

/** Distance at which the lines have faded out, metres. */
const LEAST_REACH = 40;
const MOST_REACH = 1500;
/** Parts of the drawn square along each side: the depths of large triangles are not exact enough. */
const PARTS = 64;

/** Brightness of a ground below which dark lines would not be seen. */
const DARK_GROUND = 0.22;

function isWide({ type, size }: SceneVisual): boolean {
  return (type === SHAPE.PLANE || type === SHAPE.BOX) && Math.min(size.x, size.y) >= GROUND_METRES;
}

/** Returns how bright the ground is, from 0 to 1: the largest surface, or the background if there is none. */
export function groundBrightness({ visuals, materials, surroundings }: Scene): number {
  const [largest] = visuals.filter(isWide).sort((a, b) => b.size.x * b.size.y - a.size.x * a.size.y);
  const { r, g, b } = materials[largest?.material ?? -1]?.diffuse ?? surroundings.background;
  return 0.21 * r + 0.72 * g + 0.07 * b;
}

/** A surface this large near the height 0 is the ground, metres. */
const GROUND_METRES = 4;
const GROUND_HEIGHT = 0.2;
/** A plane down to this height is the ground too: the floor of a robot whose frame is at its middle, metres. */
const LOWEST_PLANE = -2;
/** Height of the lines over the ground, metres. */
const LIFT = 0.003;

/** Returns the height of the ground: the top of the largest level surface near 0, or of a plane somewhat below. */
export function groundHeight({ visuals, nodes }: Scene): number {
  let [height, area] = [0, 0];
  for (const { type, size, pose, node } of visuals) {
    const place = nodes[node];
    if (!place?.is_static || (type !== SHAPE.PLANE && type !== SHAPE.BOX)) continue;
    const isLevel = [pose, place.pose].every(({ orientation: q }) => Math.hypot(q.x, q.y) < 1e-6);
    const top = place.pose.position.z + pose.position.z + (type === SHAPE.BOX ? size.z / 2 : 0);
    const lowest = type === SHAPE.PLANE ? LOWEST_PLANE : -GROUND_HEIGHT;
    const isNear = top > lowest && top < GROUND_HEIGHT;
    const isGround = isLevel && Math.min(size.x, size.y) >= GROUND_METRES && isNear;
    if (isGround && size.x * size.y > area) [height, area] = [top, size.x * size.y];
  }
  return height;
}

export class Ground {
  readonly mesh: THREE.Mesh;
  private readonly uniforms = {
    centre: { value: new THREE.Vector2() },
    reach: { value: 40 },
    line: { value: new THREE.Color() },
    strength: { value: 1 },
  };

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: this.uniforms,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      fog: false,
      // The ground is at the same height.
      polygonOffset: true,
      polygonOffsetFactor: -0.5,
      polygonOffsetUnits: -4,
      vertexShader: `
        varying vec2 place;
        void main() {
          vec4 world = modelMatrix * vec4(position, 1.0);
          place = world.xy;
          gl_Position = projectionMatrix * viewMatrix * world;
        }`,
      fragmentShader: `
        varying vec2 place;
        uniform vec2 centre;
        uniform float reach, strength;
        uniform vec3 line;
        float lines(float metres) {
          vec2 at = place / metres, width = fwidth(at);
          vec2 away = abs(fract(at - 0.5) - 0.5) / width;
          float isThin = 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y));
          return (1.0 - min(min(away.x, away.y) / 1.1, 1.0)) * isThin;
        }
        void main() {
          float fade = 1.0 - smoothstep(0.25 * reach, reach, distance(place, centre));
          vec2 width = fwidth(place);
          float alpha = max(0.20 * lines(1.0), 0.42 * lines(10.0)) * strength;
          vec3 color = line;
          if (abs(place.y) < 0.9 * width.y) { color = vec3(0.85, 0.22, 0.22); alpha = 0.75; }
          if (abs(place.x) < 0.9 * width.x) { color = vec3(0.25, 0.62, 0.28); alpha = 0.75; }
          if (alpha * fade < 0.004) discard;
          gl_FragColor = vec4(color, alpha * fade);
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2, PARTS, PARTS), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    this.mesh.raycast = () => undefined;
  }

  /** Fits the lines to the ground of a scene: dark ones on a bright ground, and the other way round. */
  set(scene: Scene, isDark: boolean): void {
    this.mesh.position.z = groundHeight(scene) + LIFT;
    const isDarkGround = scene.visuals.some(isWide) ? groundBrightness(scene) < DARK_GROUND : isDark;
    this.uniforms.line.value.set(isDarkGround ? 0xffffff : 0x101820);
    this.uniforms.strength.value = isDarkGround ? 0.8 : 1.25;
  }

  /** The lines fade out around a point. */
  centre({ x, y }: THREE.Vector3, distance: number): void {
    this.uniforms.centre.value.set(x, y);
    const reach = Math.max(LEAST_REACH, Math.min(MOST_REACH, distance * 12));
    this.uniforms.reach.value = reach;
    this.mesh.scale.set(reach, reach, 1);
    this.mesh.position.x = x;
    this.mesh.position.y = y;
  }
}
