// The shapes that make contact, as lines: of simple shapes at once, of meshes when their content is there.

import * as THREE from "three";
import { type SceneVisual, SHAPE } from "../api/scene_types.ts";
import { flatten, poseAt } from "../math.ts";
import { readGlb } from "../scene/glb.ts";
import { geometryOf, shapeOf } from "../scene/shapes.ts";
import { type Context, Overlay } from "./overlay.ts";
import { place } from "./primitives.ts";

/** Edges of two faces at a smaller angle are left out, degrees. */
const SMOOTH = 5;

/** Seen through visuals: most collisions are inside of them. */
const MATERIAL = new THREE.LineBasicMaterial({ color: 0x27d3a2, depthTest: false, transparent: true });

export class CollisionsOverlay extends Overlay {
  private shapes: { node: number; object: THREE.Group }[] = [];
  /** Counts what was drawn, so that a mesh that comes late is not added to another world. */
  private drawing = 0;

  constructor(context: Context) {
    super("collisions", "Collision shapes", context);
  }

  override begin(): void {
    this.context.view.world.watch((world) => {
      const isThere = world?.scene.collisions !== undefined;
      this.missing.set(isThere ? "" : "this host does not offer collision shapes");
      if (this.isOn.get()) this.build();
    });
    super.begin();
  }

  protected override start(): void {
    this.build();
  }

  protected override stop(): void {
    this.clear();
  }

  protected override update(): void {
    const world = this.context.view.world.get();
    if (!world) return;
    for (const { node, object } of this.shapes) place(object, poseAt(world.poses, node * 7));
  }

  private build(): void {
    this.clear();
    for (const collision of this.context.view.world.get()?.scene.collisions ?? []) {
      if (collision.type === SHAPE.MESH) void this.addMesh(collision, this.drawing);
      else this.addShape(collision);
    }
  }

  private addShape(collision: SceneVisual): void {
    const shape = shapeOf(collision.type, collision.size);
    // The edge of a plane is far away.
    if (!shape || collision.type === SHAPE.PLANE) return;
    this.add(collision, [shape.create(12)], shape.scale);
  }

  private async addMesh(collision: SceneVisual, drawing: number): Promise<void> {
    const mesh = this.context.view.world.get()?.scene.meshes[collision.mesh];
    if (!mesh) return;
    try {
      const primitives = readGlb(await this.context.assets.load(mesh.hash));
      if (drawing !== this.drawing) return;
      this.add(
        collision,
        primitives.map((primitive) => geometryOf(primitive, false)),
        collision.size,
      );
      this.context.view.draw();
    } catch {
      // The scene says why the mesh cannot be loaded, for its visual too.
    }
  }

  private add(
    collision: SceneVisual,
    solids: readonly THREE.BufferGeometry[],
    scale: { x: number; y: number; z: number },
  ): void {
    const object = new THREE.Group();
    const [x, y, z, qx, qy, qz, qw] = flatten(collision.pose);
    for (const solid of solids) {
      const lines = new THREE.LineSegments(new THREE.EdgesGeometry(solid, SMOOTH), MATERIAL);
      solid.dispose();
      lines.position.set(x, y, z);
      lines.quaternion.set(qx, qy, qz, qw);
      lines.scale.set(scale.x, scale.y, scale.z);
      object.add(lines);
    }
    this.group.add(object);
    this.shapes.push({ node: collision.node, object });
  }

  private clear(): void {
    this.drawing += 1;
    for (const { object } of this.shapes) {
      object.removeFromParent();
      for (const child of object.children) (child as THREE.LineSegments).geometry.dispose();
    }
    this.shapes = [];
  }
}
