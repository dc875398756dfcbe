// Finds what is at a place of the picture.

import * as THREE from "three";
import type { Batch } from "./batch.ts";
import type { DrawnWorld } from "./drawn_world.ts";

export interface Hit {
  /** Index of the node; -1 for the plane z = 0, where nothing else is. */
  node: number;
  /** Index of the visual; -1 for that plane. */
  visual: number;
  point: THREE.Vector3;
}

const RAYS = new THREE.Raycaster();
const GROUND = new THREE.Plane(new THREE.Vector3(0, 0, 1), 0);

/** Returns what is at a place; coordinates reach from -1 to 1. Null if nothing is there. */
export function pick(world: DrawnWorld | null, camera: THREE.Camera, x: number, y: number): Hit | null {
  RAYS.setFromCamera(new THREE.Vector2(x, y), camera);
  const meshes = world?.batches.map((batch) => batch.mesh) ?? [];
  const [first] = RAYS.intersectObjects(meshes, false);
  if (first?.instanceId !== undefined) {
    const batch = first.object.userData.batch as Batch;
    const { node, visual } = batch.members[first.instanceId];
    return { node, visual, point: first.point };
  }
  const point = RAYS.ray.intersectPlane(GROUND, new THREE.Vector3());
  return point && { node: -1, visual: -1, point };
}

/** More shapes than these are not asked: it would take too long. */
const MOST_SHAPES = 2000;
/** What is this near to the point that is looked at belongs to it, metres. */
const NEAR = 0.8;

/** Returns true if something is between two points. */
export function isHidden(world: DrawnWorld, from: THREE.Vector3, to: THREE.Vector3): boolean {
  if (world.scene.visuals.length > MOST_SHAPES) return false;
  const rays = new THREE.Raycaster(from, to.clone().sub(from).normalize(), 0, from.distanceTo(to) - NEAR);
  const meshes = world.batches.map((batch) => batch.mesh);
  return rays.intersectObjects(meshes, false).length > 0;
}
