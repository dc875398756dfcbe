// Background, sky and fog of a scene.

import * as THREE from "three";
import type { SceneSurroundings } from "../api/scene_types.ts";
import { setColor } from "./materials.ts";

/** Brightness of the sky at a time of day: 1 by day, near 0 by night. */
export function daylight({ time, sunrise, sunset }: SceneSurroundings): number {
  const edge = 1;
  const after = Math.max(0, Math.min(1, (time - sunrise) / edge));
  const before = Math.max(0, Math.min(1, (sunset - time) / edge));
  return 0.04 + 0.96 * Math.min(after, before);
}

/** Sets the fog of a scene of the library. The background is the dome. */
export function surround(scene: THREE.Scene, surroundings: SceneSurroundings): void {
  scene.fog = fog(surroundings);
}

function fog({
  fog: kind,
  fog_color,
  fog_start,
  fog_end,
  fog_density,
}: SceneSurroundings): THREE.Fog | THREE.FogExp2 | null {
  const color = setColor(new THREE.Color(), fog_color).getHex();
  if (kind === "linear") return new THREE.Fog(color, fog_start, Math.max(fog_start + 0.01, fog_end));
  if (kind === "quadratic" || kind === "constant") return new THREE.FogExp2(color, fog_density);
  return null;
}

/** Colours of the dome, from above to below, in sRGB. */
interface Dome {
  zenith: readonly number[];
  horizon: readonly number[];
  below: readonly number[];
}

const DAY: Dome = { zenith: [0.27, 0.5, 0.8], horizon: [0.83, 0.9, 0.96], below: [0.66, 0.7, 0.74] };
const DUSK: Dome = { zenith: [0.06, 0.11, 0.21], horizon: [0.27, 0.34, 0.43], below: [0.13, 0.15, 0.18] };
/** For worlds that do not say what is around them. */
const STUDIO: Dome = { zenith: [0.6, 0.71, 0.83], horizon: [0.91, 0.94, 0.97], below: [0.76, 0.79, 0.82] };
const DARK_STUDIO: Dome = {
  zenith: [0.07, 0.09, 0.12],
  horizon: [0.2, 0.23, 0.28],
  below: [0.11, 0.13, 0.15],
};
/** Background of SDF for worlds that give none. */
const DEFAULT_BACKGROUND = 0.7;
/** Share of a given background that is left in the dark theme. */
const DIMMED = 0.45;

/** Returns what surrounds a scene: its sky, its background, or that of the page if it says nothing. */
export function domeOf(surroundings: SceneSurroundings, isDark: boolean): Dome {
  if (surroundings.sky) {
    const light = daylight(surroundings);
    return scaled(isDark ? DUSK : DAY, light);
  }
  const { r, g, b } = surroundings.background;
  const isDefault = [r, g, b].every((part) => Math.abs(part - DEFAULT_BACKGROUND) < 0.005);
  if (isDefault) return isDark ? DARK_STUDIO : STUDIO;
  const color = [r, g, b];
  return scaled({ zenith: color, horizon: color, below: color }, isDark ? DIMMED : 1);
}

function scaled({ zenith, horizon, below }: Dome, by: number): Dome {
  const [above, middle, under] = [zenith, horizon, below].map((color) => color.map((part) => part * by));
  return { zenith: above, horizon: middle, below: under };
}

/** A dome around the camera with the colours of the sky or of the background. */
export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly uniforms = {
    zenith: { value: new THREE.Vector3() },
    horizon: { value: new THREE.Vector3() },
    below: { value: new THREE.Vector3() },
  };

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: this.uniforms,
      side: THREE.BackSide,
      depthWrite: false,
      depthTest: false,
      fog: false,
      vertexShader: `
        varying vec3 direction;
        void main() {
          direction = position;
          gl_Position = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
        }`,
      fragmentShader: `
        varying vec3 direction;
        uniform vec3 zenith, horizon, below;
        void main() {
          float height = normalize(direction).z;
          vec3 above = mix(horizon, zenith, pow(clamp(height, 0.0, 1.0), 0.55));
          vec3 color = mix(above, below, smoothstep(0.0, 0.3, -height));
          gl_FragColor = linearToOutputTexel(vec4(pow(color, vec3(2.2)), 1.0));
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 12), material);
    this.mesh.renderOrder = -1000;
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => undefined;
  }

  set(surroundings: SceneSurroundings, isDark: boolean): void {
    const dome = domeOf(surroundings, isDark);
    this.uniforms.zenith.value.fromArray(dome.zenith);
    this.uniforms.horizon.value.fromArray(dome.horizon);
    this.uniforms.below.value.fromArray(dome.below);
  }
}
