// A scene of the host as objects of the library: the shapes in batches, and the poses of the nodes.

import * as THREE from "three";
import type { Assets } from "../api/asset.ts";
import { type Scene, type SceneVisual, SHAPE } from "../api/scene_types.ts";
import { flatten, writeMatrix } from "../math.ts";
import type { PoseFrame } from "../poses/decode.ts";
import { Batch, type Member, type Place } from "./batch.ts";
import { readGlb } from "./glb.ts";
import { Lights } from "./lights.ts";
import { colorOf, keyOf, Materials } from "./materials.ts";
import { type Detail, detailFor, geometryOf, shapeOf } from "./shapes.ts";
import type { Textures } from "./textures.ts";

/** Members that will be one batch. */
interface Group {
  members: Member[];
  material: number;
  transparency: number;
  castsShadows: boolean;
  isPlane: boolean;
  create(): THREE.BufferGeometry;
}

/** What happens outside of the drawn world. */
export interface Surroundings {
  assets: Assets;
  textures: Textures;
  /** Something can be drawn that was not there before. */
  changed(): void;
  failed(text: string): void;
}

export class DrawnWorld {
  readonly group = new THREE.Group();
  readonly lights: Lights;
  readonly batches: Batch[] = [];
  /** Seven numbers for each node: its pose in the world. */
  readonly poses: Float32Array;
  private readonly matrices: Float32Array;
  /** The places of the shapes of each node. */
  private readonly places: Place[][];
  private readonly nodeIndices = new Map<string, number>();
  private readonly detail: Detail;
  private isDisposed = false;

  constructor(
    readonly scene: Scene,
    private readonly around: Surroundings,
    hasShadows: boolean,
  ) {
    const count = scene.nodes.length;
    this.poses = new Float32Array(count * 7);
    this.matrices = new Float32Array(count * 16);
    this.places = scene.nodes.map(() => []);
    scene.nodes.forEach((node, index) => {
      this.poses.set(flatten(node.pose), index * 7);
      this.nodeIndices.set(node.name, index);
      writeMatrix(this.matrices, index * 16, this.poses, index * 7);
    });
    this.detail = detailFor(scene.visuals.length);
    this.lights = new Lights(scene, hasShadows && scene.surroundings.shadows);
    this.group.add(this.lights.group);
    this.lights.apply(this.poses);
    this.addShapes(scene.visuals);
    void this.addMeshes(scene.visuals);
  }

  nodeIndex(name: string): number {
    return this.nodeIndices.get(name) ?? -1;
  }

  /** Indices of the nodes of an entity. */
  nodesOf(entity: string): number[] {
    const found: number[] = [];
    this.scene.nodes.forEach((node, index) => {
      if (node.entity === entity) found.push(index);
    });
    return found;
  }

  placesOf(node: number): readonly Place[] {
    return this.places[node] ?? [];
  }

  /** Moves the nodes of a frame; returns false if the frame is about another revision. */
  apply(frame: PoseFrame): boolean {
    if (frame.revision !== this.scene.revision) return false;
    const { nodes, poses, count } = frame;
    for (let entry = 0; entry < count; entry += 1) {
      const node = nodes ? nodes[entry] : entry;
      if (node >= this.places.length) continue;
      const [from, to] = [entry * 7, node * 7];
      for (let part = 0; part < 7; part += 1) this.poses[to + part] = poses[from + part];
      this.placeNode(node);
    }
    return true;
  }

  /** Lets the next drawing use all moved nodes. */
  flush(): void {
    for (const batch of this.batches) batch.flush();
    this.lights.apply(this.poses);
  }

  /** Box around everything except planes and things that are far larger than the rest. */
  bounds(): THREE.Box3 {
    const box = new THREE.Box3();
    const matrix = new THREE.Matrix4();
    const part = new THREE.Box3();
    for (const batch of this.batches) {
      batch.mesh.geometry.computeBoundingBox();
      const local = batch.mesh.geometry.boundingBox;
      if (!local) continue;
      batch.members.forEach((member, slot) => {
        if (this.scene.visuals[member.visual].type === SHAPE.PLANE) return;
        batch.mesh.getMatrixAt(slot, matrix);
        part.copy(local).applyMatrix4(matrix);
        if (Number.isFinite(part.min.x) && part.getSize(SIZE).length() < 500) box.union(part);
      });
    }
    return box;
  }

  dispose(): void {
    this.isDisposed = true;
    this.group.removeFromParent();
    this.lights.dispose();
    for (const batch of this.batches) batch.dispose();
  }

  private placeNode(node: number): void {
    writeMatrix(this.matrices, node * 16, this.poses, node * 7);
    for (const { batch, slot } of this.places[node]) batch.place(slot, this.matrices, node * 16);
  }

  /** Adds boxes, spheres and the like, which need nothing from the host. */
  private addShapes(visuals: readonly SceneVisual[]): void {
    const groups = new Map<string, Group>();
    visuals.forEach((visual, index) => {
      const shape = shapeOf(visual.type, visual.size);
      if (!shape || !this.isDrawn(visual)) return;
      const local = localMatrix(visual, shape.scale);
      const isPlane = visual.type === SHAPE.PLANE;
      const key = this.key(visual, shape.key, visual.material);
      const group = this.groupFor(groups, key, visual, visual.material, isPlane, () =>
        shape.create(this.detail),
      );
      group.members.push(this.member(visual, index, visual.material, local));
    });
    this.addGroups(groups);
  }

  /** Adds meshes when they have been loaded, each as soon as it is there. */
  private async addMeshes(visuals: readonly SceneVisual[]): Promise<void> {
    const users = new Map<number, number[]>();
    visuals.forEach((visual, index) => {
      if (visual.type !== SHAPE.MESH || visual.mesh < 0 || !this.isDrawn(visual)) return;
      users.set(visual.mesh, [...(users.get(visual.mesh) ?? []), index]);
    });
    const loads = [...users].map(([mesh, indices]) => this.addMesh(mesh, indices));
    await Promise.all(loads);
  }

  private async addMesh(index: number, visuals: readonly number[]): Promise<void> {
    const mesh = this.scene.meshes[index];
    if (!mesh) return;
    try {
      const primitives = readGlb(await this.around.assets.load(mesh.hash));
      if (this.isDisposed) return;
      const groups = new Map<string, Group>();
      primitives.forEach((primitive, number) => {
        for (const at of visuals) {
          const visual = this.scene.visuals[at];
          const material = visual.material >= 0 ? visual.material : (mesh.materials[number] ?? -1);
          const { x, y, z } = visual.size;
          const isMirrored = x * y * z < 0;
          const key = this.key(visual, `mesh ${number} ${isMirrored}`, material);
          const create = () => geometryOf(primitive, isMirrored);
          const group = this.groupFor(groups, key, visual, material, false, create);
          group.members.push(this.member(visual, at, material, localMatrix(visual, visual.size)));
        }
      });
      this.addGroups(groups);
      this.around.changed();
    } catch (error) {
      this.around.failed(`The mesh ${mesh.uri || mesh.hash.slice(0, 8)} is not shown: ${String(error)}`);
    }
  }

  private isDrawn(visual: SceneVisual): boolean {
    return visual.transparency < 1 && visual.node >= 0 && visual.node < this.scene.nodes.length;
  }

  private key(visual: SceneVisual, shape: string, material: number): string {
    const isStatic = this.scene.nodes[visual.node].is_static;
    const look = keyOf(this.scene.materials[material], visual.transparency);
    return `${shape}|${isStatic}|${visual.cast_shadows}|${look}`;
  }

  private groupFor(
    groups: Map<string, Group>,
    key: string,
    visual: SceneVisual,
    material: number,
    isPlane: boolean,
    create: () => THREE.BufferGeometry,
  ): Group {
    let group = groups.get(key);
    if (!group) {
      const { transparency, cast_shadows: castsShadows } = visual;
      group = {
        members: [],
        material,
        transparency,
        castsShadows: castsShadows && !isPlane,
        isPlane,
        create,
      };
      groups.set(key, group);
    }
    return group;
  }

  private member(visual: SceneVisual, index: number, material: number, local: Float32Array): Member {
    return { visual: index, node: visual.node, local, color: colorOf(this.scene.materials[material]) };
  }

  private addGroups(groups: Map<string, Group>): void {
    const materials = new Materials(this.scene, this.around.textures, this.around.changed);
    for (const group of groups.values()) {
      const source = this.scene.materials[group.material];
      const material = materials.create(source, group.transparency, group.isPlane);
      const batch = new Batch(group.create(), material, group.members, group.castsShadows);
      this.batches.push(batch);
      this.group.add(batch.mesh);
      group.members.forEach((member, slot) => {
        this.places[member.node].push({ batch, slot });
        batch.place(slot, this.matrices, member.node * 16);
      });
    }
  }
}

const SIZE = new THREE.Vector3();

function localMatrix(visual: SceneVisual, scale: { x: number; y: number; z: number }): Float32Array {
  const local = new Float32Array(16);
  writeMatrix(local, 0, flatten(visual.pose), 0, scale.x, scale.y, scale.z);
  return local;
}
