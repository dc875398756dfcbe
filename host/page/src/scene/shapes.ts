// Geometries of shapes. Most have a size of 1 along each axis and are scaled by the visual; a capsule depends on its
// proportions and has a geometry of its own for each. Texture coordinates have their origin at the upper left.

import * as THREE from "three";
import { SHAPE } from "../api/scene_types.ts";
import type { Vector3 } from "../math.ts";
import type { Primitive } from "./glb.ts";

/** Detail of round shapes: the number of segments around. */
export type Detail = 32 | 16 | 12;

/** A geometry, and the factors of its size. */
export interface Shape {
  key: string;
  scale: Vector3;
  create(detail: Detail): THREE.BufferGeometry;
}

/** Returns the detail for a number of shapes: fewer triangles for each if there are many. */
export function detailFor(shapes: number): Detail {
  return shapes > 1500 ? 12 : shapes > 300 ? 16 : 32;
}

/** Returns the shape of a visual; null for meshes, and for shapes without content. */
export function shapeOf(type: number, size: Vector3): Shape | null {
  switch (type) {
    case SHAPE.BOX:
      return { key: "box", scale: size, create: () => upright(new THREE.BoxGeometry(1, 1, 1)) };
    case SHAPE.SPHERE:
    case SHAPE.ELLIPSOID:
      return { key: "sphere", scale: size, create: sphere };
    case SHAPE.CYLINDER:
      return { key: "cylinder", scale: size, create: cylinder };
    case SHAPE.CONE:
      return { key: "cone", scale: size, create: cone };
    case SHAPE.PLANE:
      return { key: "plane", scale: { ...size, z: 1 }, create: () => upright(plane()) };
    case SHAPE.CAPSULE:
      return capsule(size);
    default:
      return null;
  }
}

/** In parts, because the depths of large triangles are not exact enough for lines that lie on them. */
function plane(): THREE.BufferGeometry {
  return new THREE.PlaneGeometry(1, 1, 32, 32);
}

function sphere(detail: Detail): THREE.BufferGeometry {
  return upright(new THREE.SphereGeometry(0.5, detail, Math.ceil(detail / 2)).rotateX(Math.PI / 2));
}

function cylinder(detail: Detail): THREE.BufferGeometry {
  return upright(new THREE.CylinderGeometry(0.5, 0.5, 1, detail).rotateX(Math.PI / 2));
}

function cone(detail: Detail): THREE.BufferGeometry {
  return upright(new THREE.ConeGeometry(0.5, 1, detail).rotateX(Math.PI / 2));
}

/** The size in z contains the caps. */
function capsule(size: Vector3): Shape {
  const radius = Math.max(size.x, size.y) / 2;
  const straight = Math.max(0, size.z - 2 * radius);
  const create = (detail: Detail) =>
    upright(new THREE.CapsuleGeometry(radius, straight, Math.ceil(detail / 4), detail).rotateX(Math.PI / 2));
  return { key: `capsule ${radius} ${straight}`, scale: { x: 1, y: 1, z: 1 }, create };
}

/** The library has the origin of texture coordinates at the lower left. */
function upright(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const uvs = geometry.getAttribute("uv");
  for (let vertex = 0; vertex < uvs.count; vertex += 1) uvs.setY(vertex, 1 - uvs.getY(vertex));
  return geometry;
}

/** Returns the geometry of a primitive; `isMirrored` turns its triangles over, for scales with a negative volume. */
export function geometryOf(primitive: Primitive, isMirrored: boolean): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(primitive.positions, 3));
  if (primitive.uvs) geometry.setAttribute("uv", new THREE.BufferAttribute(primitive.uvs, 2));
  const indices = primitive.indices ?? counted(primitive.positions.length / 3);
  geometry.setIndex(new THREE.BufferAttribute(isMirrored ? turned(indices) : indices, 1));
  if (primitive.normals) geometry.setAttribute("normal", new THREE.BufferAttribute(primitive.normals, 3));
  else geometry.computeVertexNormals();
  return geometry;
}

function counted(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, index) => index);
}

function turned<T extends Uint32Array | Uint16Array>(indices: T): T {
  const copy = indices.slice() as T;
  for (let at = 0; at + 2 < copy.length; at += 3) [copy[at + 1], copy[at + 2]] = [copy[at + 2], copy[at + 1]];
  return copy;
}
