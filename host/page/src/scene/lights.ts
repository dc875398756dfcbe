// Lights of the scene as lights of the library.

import * as THREE from "three";
import { LIGHT, type Scene, type SceneLight } from "../api/scene_types.ts";
import type { Color } from "../api/types.ts";
import { flatten, rotate, unit, writeMatrix } from "../math.ts";

/** The library divides light by pi, and SDF does not. */
const BRIGHTNESS = Math.PI;
/** More lights than these make the shaders too large; the first ones are drawn. */
const MOST_LIGHTS = 16;
const MOST_SPOT_SHADOWS = 2;
const SHADOW_PIXELS = 2048;
/** Depth within which two surfaces count as one, metres: more lets light through below things, less makes stripes. */
const SHADOW_DEPTH = 0.01;

/** Intensity and decay with which the library has nearly the brightness of SDF at 1 m and at half of the range. */
export function attenuation(light: SceneLight): { intensity: number; decay: number } {
  const at = (d: number) =>
    1 /
    Math.max(
      1e-3,
      light.attenuation_constant + light.attenuation_linear * d + light.attenuation_quadratic * d * d,
    );
  const near = 1;
  const far = Math.max(2, light.attenuation_range / 2);
  const decay = Math.max(0, Math.min(2, Math.log(at(near) / at(far)) / Math.log(far / near)));
  return { intensity: at(near), decay };
}

export class Lights {
  readonly group = new THREE.Group();
  /** Groups that move with their nodes. */
  private readonly moving = new Map<number, THREE.Group>();
  private sun: THREE.DirectionalLight | null = null;
  private readonly sunDirection = new THREE.Vector3(0, 0, -1);
  /** Lights that the scene has beyond what can be drawn. */
  readonly ignored: number;

  constructor(scene: Scene, hasShadows: boolean) {
    const ambient = new THREE.AmbientLight();
    // A factor, not a colour that someone sees: it is linear.
    const { r, g, b } = scene.surroundings.ambient;
    ambient.color.setRGB(r, g, b);
    // Not multiplied: surfaces reflect ambient light divided by pi, as in Gazebo's renderer and in the cameras of the host.
    ambient.intensity = 1;
    this.group.add(ambient);
    const lit = scene.lights.filter((light) => light.is_on);
    let spots = 0;
    for (const light of lit.slice(0, MOST_LIGHTS)) {
      const mayCast = hasShadows && light.cast_shadows;
      if (light.type === LIGHT.DIRECTIONAL) this.addSun(light, mayCast);
      else if (light.type === LIGHT.SPOT) this.addSpot(light, mayCast && spots++ < MOST_SPOT_SHADOWS);
      else this.addPoint(light);
    }
    this.ignored = Math.max(0, lit.length - MOST_LIGHTS);
    if (lit.length === 0) this.addDefault();
  }

  /** Moves the lights of nodes. */
  apply(poses: Float32Array): boolean {
    for (const [node, group] of this.moving) {
      writeMatrix(MATRIX, 0, poses, node * 7);
      group.matrix.fromArray(MATRIX);
      group.matrixWorldNeedsUpdate = true;
    }
    return this.moving.size > 0;
  }

  /** Lets the shadows of the sun surround a point. */
  centre(point: THREE.Vector3, radius: number): void {
    const sun = this.sun;
    if (!sun?.castShadow) return;
    const size = Math.max(3, Math.min(80, radius));
    // Whole pixels: otherwise the edges of shadows flicker while the camera moves.
    const pixel = (2 * size) / SHADOW_PIXELS;
    const snap = (value: number) => Math.round(value / (pixel * 16)) * pixel * 16;
    sun.target.position.set(snap(point.x), snap(point.y), snap(point.z));
    const distance = 2 * size + 10;
    sun.position.copy(sun.target.position).addScaledVector(this.sunDirection, -distance);
    const camera = sun.shadow.camera;
    if (Math.abs(camera.right - size) > size * 0.1) {
      camera.left = camera.bottom = -size;
      camera.right = camera.top = size;
      camera.near = 0.5;
      camera.far = 2 * distance;
      camera.updateProjectionMatrix();
      sun.shadow.bias = -SHADOW_DEPTH / camera.far;
      sun.shadow.normalBias = 1.5 * pixel;
    }
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof THREE.Light) object.dispose();
    });
  }

  private addSun(light: SceneLight, castsShadows: boolean): void {
    const sun = new THREE.DirectionalLight();
    this.place(light, sun, sun.target);
    sun.intensity = BRIGHTNESS * light.intensity;
    setLight(sun.color, light.diffuse);
    if (!castsShadows || this.sun) return;
    this.sun = sun;
    this.sunDirection.copy(sun.target.position).sub(sun.position).normalize();
    sun.castShadow = true;
    sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
  }

  private addSpot(light: SceneLight, castsShadows: boolean): void {
    const spot = new THREE.SpotLight();
    const { intensity, decay } = attenuation(light);
    spot.intensity = BRIGHTNESS * intensity * light.intensity;
    spot.decay = decay;
    spot.distance = light.attenuation_range;
    spot.angle = Math.min(Math.PI / 2, Math.max(0.01, light.outer_angle / 2));
    spot.penumbra = Math.max(0, Math.min(1, 1 - light.inner_angle / Math.max(1e-6, light.outer_angle)));
    setLight(spot.color, light.diffuse);
    spot.castShadow = castsShadows;
    spot.shadow.bias = -0.0004;
    this.place(light, spot, spot.target);
  }

  private addPoint(light: SceneLight): void {
    const point = new THREE.PointLight();
    const { intensity, decay } = attenuation(light);
    point.intensity = BRIGHTNESS * intensity * light.intensity;
    point.decay = decay;
    point.distance = light.attenuation_range;
    setLight(point.color, light.diffuse);
    this.place(light, point, null);
  }

  private place(light: SceneLight, object: THREE.Light, target: THREE.Object3D | null): void {
    const parent = light.node < 0 ? this.group : this.groupOf(light.node);
    const [x, y, z] = flatten(light.pose);
    object.position.set(x, y, z);
    parent.add(object);
    if (!target) return;
    const direction = rotate(unit(light.pose.orientation), light.direction);
    target.position.set(x + direction.x, y + direction.y, z + direction.z);
    parent.add(target);
  }

  private groupOf(node: number): THREE.Group {
    let group = this.moving.get(node);
    if (!group) {
      group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.moving.set(node, group);
      this.group.add(group);
    }
    return group;
  }

  /** A world without lights is lit from above and from the side. */
  private addDefault(): void {
    const sky = new THREE.HemisphereLight(0xffffff, 0x8d8d8d, BRIGHTNESS * 0.35);
    sky.position.set(0, 0, 1);
    const sun = new THREE.DirectionalLight(0xffffff, BRIGHTNESS * 0.6);
    sun.position.set(-3, -5, 8);
    this.group.add(sky, sun);
  }
}

/** Sets the colour of a light: how much light it is, which is linear, as for the cameras of the host. */
function setLight(color: THREE.Color, { r, g, b }: Color): void {
  color.setRGB(r, g, b);
}

const MATRIX = new Float32Array(16);
