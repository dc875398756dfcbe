// Overlays that need nothing but the scene and the description of the world: frames, joint axes, paths.

import * as THREE from "three";
import { compose, poseAt, rotate, type Vector3 } from "../math.ts";
import { type Context, Overlay } from "./overlay.ts";
import { Lines } from "./primitives.ts";

const RED = new THREE.Color(0xe05252);
const GREEN = new THREE.Color(0x4caf50);
const BLUE = new THREE.Color(0x4a8df0);
const YELLOW = new THREE.Color(0xf5c542);
const VIOLET = new THREE.Color(0xb36bff);

/** More frames than these cost more time than they help. */
const MOST_FRAMES = 3000;

/** The axes of each link: x red, y green, z blue. */
export class FramesOverlay extends Overlay {
  private readonly lines = new Lines();

  constructor(context: Context) {
    super("frames", "Frames", context);
    this.group.add(this.lines.object);
  }

  protected override start(): void {}

  protected override stop(): void {
    this.lines.begin();
    this.lines.end();
  }

  protected override update(): void {
    const world = this.context.view.world.get();
    this.lines.begin();
    const count = Math.min(MOST_FRAMES, world?.scene.nodes.length ?? 0);
    const size = Math.max(0.1, Math.min(1, this.context.view.camera.distance() * 0.03));
    for (let node = 0; world && node < count; node += 1) {
      const { position: p, orientation } = poseAt(world.poses, node * 7);
      const add = (x: number, y: number, z: number, color: THREE.Color) => {
        const end = rotate(orientation, { x: x * size, y: y * size, z: z * size });
        this.lines.add(p, { x: p.x + end.x, y: p.y + end.y, z: p.z + end.z }, color);
      };
      add(1, 0, 0, RED);
      add(0, 1, 0, GREEN);
      add(0, 0, 1, BLUE);
    }
    this.lines.end();
  }
}

/** The first axis of each joint. */
export class JointsOverlay extends Overlay {
  private readonly lines = new Lines();

  constructor(context: Context) {
    super("joints", "Joint axes", context);
    this.group.add(this.lines.object);
  }

  protected override start(): void {}

  protected override stop(): void {
    this.lines.begin();
    this.lines.end();
  }

  protected override update(): void {
    const world = this.context.view.world.get();
    this.lines.begin();
    for (const joint of this.context.host.description.get()?.joints ?? []) {
      const node = world?.nodeIndex(joint.child) ?? -1;
      const { x, y, z } = joint.axis;
      if (!world || node < 0 || Math.hypot(x, y, z) < 0.5) continue;
      const frame = compose(poseAt(world.poses, node * 7), joint.pose);
      const axis = rotate(frame.orientation, joint.axis);
      const half = 0.2;
      const at = (side: number): Vector3 => ({
        x: frame.position.x + axis.x * side,
        y: frame.position.y + axis.y * side,
        z: frame.position.z + axis.z * side,
      });
      this.lines.add(at(-half), at(half), joint.type === "prismatic" ? VIOLET : YELLOW);
    }
    this.lines.end();
  }
}

const PATH_POINTS = 600;
const MOST_PATHS = 100;
const PATH_STEP_METRES = 0.04;

/** The way of each moving entity since the overlay was switched on. */
export class PathsOverlay extends Overlay {
  private readonly lines = new Lines({ isOnTop: false });
  private readonly paths = new Map<string, Vector3[]>();

  constructor(context: Context) {
    super("paths", "Paths", context);
    this.group.add(this.lines.object);
  }

  protected override start(): void {
    // After a reset everything is back where it began.
    this.keep(this.context.host.run.listen(() => this.paths.clear()));
  }

  protected override stop(): void {
    this.paths.clear();
    this.lines.begin();
    this.lines.end();
  }

  protected override update(): void {
    const world = this.context.view.world.get();
    if (!world) return;
    const seen = new Set<string>();
    for (let node = 0; node < world.scene.nodes.length && seen.size < MOST_PATHS; node += 1) {
      const { entity, is_static } = world.scene.nodes[node];
      if (is_static || seen.has(entity)) continue;
      seen.add(entity);
      this.extend(entity, poseAt(world.poses, node * 7).position);
    }
    this.lines.begin();
    for (const [entity, path] of this.paths) {
      if (!seen.has(entity)) this.paths.delete(entity);
      const color = colorFor(entity);
      for (let at = 1; at < path.length; at += 1) this.lines.add(path[at - 1], path[at], color);
    }
    this.lines.end();
  }

  private extend(entity: string, point: Vector3): void {
    const path = this.paths.get(entity) ?? [];
    this.paths.set(entity, path);
    const last = path[path.length - 1];
    const moved = last ? Math.hypot(point.x - last.x, point.y - last.y, point.z - last.z) : 1;
    if (moved < PATH_STEP_METRES) return;
    path.push(point);
    if (path.length > PATH_POINTS) path.shift();
  }
}

/** A colour that a name always has. */
export function colorFor(name: string): THREE.Color {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return new THREE.Color().setHSL((hash % 360) / 360, 0.7, 0.55);
}
