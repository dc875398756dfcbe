// Marks the selected entity: a box around the shapes of each of its links.

import * as THREE from "three";
import { poseAt } from "../math.ts";
import type { DrawnWorld } from "./drawn_world.ts";

export class Outline {
  readonly group = new THREE.Group();
  private boxes: { node: number; lines: THREE.LineSegments }[] = [];
  private readonly material = new THREE.LineBasicMaterial({
    color: 0xff9a2e,
    depthTest: false,
    transparent: true,
  });

  /** Marks an entity, or nothing. */
  select(world: DrawnWorld | null, entity: string | null): void {
    this.clear();
    if (!world || entity === null) return;
    for (const node of world.nodesOf(entity)) {
      const box = localBox(world, node);
      if (box.isEmpty()) continue;
      const size = box.getSize(new THREE.Vector3()).addScalar(0.01);
      const geometry = new THREE.BoxGeometry(size.x, size.y, size.z);
      const centre = box.getCenter(new THREE.Vector3());
      const edges = new THREE.EdgesGeometry(geometry).translate(centre.x, centre.y, centre.z);
      geometry.dispose();
      const lines = new THREE.LineSegments(edges, this.material);
      lines.renderOrder = 900;
      this.group.add(lines);
      this.boxes.push({ node, lines });
    }
    this.update(world);
  }

  update(world: DrawnWorld | null): void {
    if (!world) return;
    for (const { node, lines } of this.boxes) {
      const { position, orientation } = poseAt(world.poses, node * 7);
      lines.position.set(position.x, position.y, position.z);
      lines.quaternion.set(orientation.x, orientation.y, orientation.z, orientation.w);
    }
  }

  private clear(): void {
    for (const { lines } of this.boxes) {
      lines.removeFromParent();
      lines.geometry.dispose();
    }
    this.boxes = [];
  }
}

/** Box around the shapes of a node, in its frame. */
export function localBox(world: DrawnWorld, node: number): THREE.Box3 {
  const box = new THREE.Box3();
  const matrix = new THREE.Matrix4();
  for (const { batch, slot } of world.placesOf(node)) {
    batch.mesh.geometry.computeBoundingBox();
    const part = batch.mesh.geometry.boundingBox?.clone();
    if (part) box.union(part.applyMatrix4(matrix.fromArray(batch.members[slot].local)));
  }
  return box;
}
