// Lines and points that change with every drawing.

import * as THREE from "three";
import type { Vector3 } from "../math.ts";

/** Segments between pairs of points, each with a colour. */
export class Lines {
  readonly object: THREE.LineSegments;
  private positions = new Float32Array(0);
  private colors = new Float32Array(0);
  private count = 0;

  constructor(options: { isOnTop?: boolean; opacity?: number } = {}) {
    const { isOnTop = true, opacity = 1 } = options;
    const material = new THREE.LineBasicMaterial({
      vertexColors: true,
      depthTest: !isOnTop,
      transparent: true,
      opacity,
    });
    this.object = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 500;
  }

  begin(): void {
    this.count = 0;
  }

  add(from: Vector3, to: Vector3, color: THREE.Color): void {
    const at = this.count * 6;
    if (at + 6 > this.positions.length) this.grow();
    this.positions.set([from.x, from.y, from.z, to.x, to.y, to.z], at);
    this.colors.set([color.r, color.g, color.b, color.r, color.g, color.b], at);
    this.count += 1;
  }

  end(): void {
    const { geometry } = this.object;
    const position = geometry.getAttribute("position") as THREE.BufferAttribute | undefined;
    if (position?.array !== this.positions) {
      geometry.dispose();
      geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3));
      geometry.setAttribute("color", new THREE.BufferAttribute(this.colors, 3));
    } else {
      position.needsUpdate = true;
      geometry.getAttribute("color").needsUpdate = true;
    }
    geometry.setDrawRange(0, this.count * 2);
  }

  private grow(): void {
    const size = Math.max(600, this.positions.length * 2);
    const [positions, colors] = [new Float32Array(size), new Float32Array(size)];
    positions.set(this.positions);
    colors.set(this.colors);
    [this.positions, this.colors] = [positions, colors];
  }
}

/** Least and greatest size of a point on the screen, pixels. */
const POINT_PIXELS = [1.5, 8];

/** Points of a size in the world: those that are far away are small, but can still be seen. */
export class Points {
  readonly object: THREE.Points;

  constructor(color: number, metres: number) {
    const material = new THREE.PointsMaterial({ color, size: metres, sizeAttenuation: true });
    material.onBeforeCompile = (shader) => {
      const [least, most] = POINT_PIXELS.map((pixels) => pixels.toFixed(1));
      shader.vertexShader = shader.vertexShader.replace(
        "#include <logdepthbuf_vertex>",
        `gl_PointSize = clamp(gl_PointSize, ${least}, ${most});\n#include <logdepthbuf_vertex>`,
      );
    };
    this.object = new THREE.Points(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
  }

  /** Colours each point by its distance from the origin: near ones are warm, far ones cold. */
  colorByDistance(positions: Float32Array): void {
    const { geometry } = this.object;
    const material = this.object.material as THREE.PointsMaterial;
    if (!material.vertexColors) {
      material.vertexColors = true;
      material.color.set(0xffffff);
      material.needsUpdate = true;
    }
    geometry.setAttribute("color", new THREE.BufferAttribute(distanceColors(positions), 3));
  }

  /** Sets x, y, z of each point. */
  set(positions: Float32Array): void {
    const { geometry } = this.object;
    const attribute = geometry.getAttribute("position") as THREE.BufferAttribute | undefined;
    if (attribute && attribute.array.length === positions.length) {
      attribute.copyArray(positions);
      attribute.needsUpdate = true;
    } else {
      geometry.dispose();
      geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    }
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    (this.object.material as THREE.Material).dispose();
  }
}

/** Returns red, green and blue of points by their distance from the origin, relative to the farthest. */
export function distanceColors(positions: Float32Array): Float32Array {
  const colors = new Float32Array(positions.length);
  let farthest = 1e-6;
  for (let at = 0; at < positions.length; at += 3) {
    farthest = Math.max(farthest, Math.hypot(positions[at], positions[at + 1], positions[at + 2]));
  }
  const color = new THREE.Color();
  for (let at = 0; at < positions.length; at += 3) {
    const share = Math.hypot(positions[at], positions[at + 1], positions[at + 2]) / farthest;
    color.setHSL(0.04 + 0.58 * share, 0.85, 0.55).toArray(colors, at);
  }
  return colors;
}

/** Copies a pose to an object. */
export function place(
  object: THREE.Object3D,
  pose: { position: Vector3; orientation: Vector3 & { w: number } },
): void {
  const { position: p, orientation: q } = pose;
  object.position.set(p.x, p.y, p.z);
  object.quaternion.set(q.x, q.y, q.z, q.w);
}
