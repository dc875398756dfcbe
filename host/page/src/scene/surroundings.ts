// Background, sky, fog and grid of a scene.

import * as THREE from "three";
import type { SceneSurroundings } from "../api/scene_types.ts";
import { setColor } from "./materials.ts";

const GRID_METRES = 20;

/** Brightness of the sky at a time of day: 1 by day, near 0 by night. */
export function daylight({ time, sunrise, sunset }: SceneSurroundings): number {
  const edge = 1;
  const after = Math.max(0, Math.min(1, (time - sunrise) / edge));
  const before = Math.max(0, Math.min(1, (sunset - time) / edge));
  return 0.04 + 0.96 * Math.min(after, before);
}

/** Sets background and fog of a scene of the library. */
export function surround(scene: THREE.Scene, surroundings: SceneSurroundings): void {
  if (scene.background instanceof THREE.Texture) scene.background.dispose();
  scene.background = surroundings.sky ? null : setColor(new THREE.Color(), surroundings.background);
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

/** A dome with the colours of the sky, which surrounds the camera. */
export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly uniforms = { daylight: { value: 1 } };

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
        uniform float daylight;
        void main() {
          float height = normalize(direction).z;
          vec3 horizon = vec3(0.80, 0.86, 0.92), zenith = vec3(0.25, 0.47, 0.78), ground = vec3(0.60, 0.65, 0.70);
          vec3 above = mix(horizon, zenith, pow(clamp(height, 0.0, 1.0), 0.6));
          vec3 color = mix(above, ground, smoothstep(0.0, 0.35, -height)) * daylight;
          gl_FragColor = linearToOutputTexel(vec4(pow(color, vec3(2.2)), 1.0));
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 12), material);
    this.mesh.renderOrder = -1000;
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => undefined;
  }

  set(surroundings: SceneSurroundings): void {
    this.mesh.visible = surroundings.sky;
    this.uniforms.daylight.value = daylight(surroundings);
  }
}

/** Lines of one metre in the plane of x and y, with coloured axes. */
export function grid(): THREE.Group {
  const group = new THREE.Group();
  const lines = new THREE.GridHelper(GRID_METRES, GRID_METRES, 0x808890, 0x808890);
  lines.rotation.x = Math.PI / 2;
  lines.material.transparent = true;
  lines.material.opacity = 0.35;
  lines.material.depthWrite = false;
  lines.position.z = 0.002;
  lines.raycast = () => undefined;
  group.add(lines, axis(0xd64545, 1, 0), axis(0x4ca64c, 0, 1));
  return group;
}

function axis(color: number, x: number, y: number): THREE.Line {
  const half = GRID_METRES / 2;
  const points = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(x * half, y * half, 0)];
  const line = new THREE.Line(
    new THREE.BufferGeometry().setFromPoints(points),
    new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.8, depthWrite: false }),
  );
  line.position.z = 0.003;
  line.raycast = () => undefined;
  return line;
}
