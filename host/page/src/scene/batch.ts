// Shapes that are drawn by one call: equal geometry and equal material. Each has its own matrix and colour.

import * as THREE from "three";
import type { Color } from "../api/types.ts";
import { multiplyMatrices } from "../math.ts";
import { setColor } from "./materials.ts";

/** A shape of a batch before the batch is made. */
export interface Member {
  /** Index of its visual. */
  visual: number;
  node: number;
  /** Matrix in the node, 16 numbers. */
  local: Float32Array;
  color: Color;
}

/** A batch, and the number of one of its shapes. */
export interface Place {
  batch: Batch;
  slot: number;
}

export class Batch {
  readonly mesh: THREE.InstancedMesh;
  private readonly locals: Float32Array;
  private isMoved = true;

  constructor(
    geometry: THREE.BufferGeometry,
    readonly material: THREE.Material,
    readonly members: readonly Member[],
    castsShadows: boolean,
  ) {
    this.mesh = new THREE.InstancedMesh(geometry, material, members.length);
    this.mesh.matrixAutoUpdate = false;
    // Its bounds change with every pose; to compute them costs more than to draw it.
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = castsShadows;
    this.mesh.receiveShadow = true;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.locals = new Float32Array(members.length * 16);
    const color = new THREE.Color();
    members.forEach((member, slot) => {
      this.locals.set(member.local, slot * 16);
      this.mesh.setColorAt(slot, setColor(color, member.color));
    });
    this.mesh.userData.batch = this;
  }

  /** Places a shape in the world. */
  place(slot: number, node: Float32Array, at: number): void {
    multiplyMatrices(
      this.mesh.instanceMatrix.array as Float32Array,
      slot * 16,
      node,
      at,
      this.locals,
      slot * 16,
    );
    this.isMoved = true;
  }

  /** Lets the next drawing use the new places. */
  flush(): void {
    if (!this.isMoved) return;
    this.isMoved = false;
    this.mesh.instanceMatrix.needsUpdate = true;
    // Computed again if a ray is cast.
    this.mesh.boundingSphere = null;
    this.mesh.boundingBox = null;
  }

  dispose(): void {
    this.mesh.dispose();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}
