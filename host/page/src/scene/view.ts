// The 3-D view: draws when something changed, at most as often as the screen shows it.

import * as THREE from "three";
import { Signal } from "../state/signal.ts";
import { type Mount, ViewCamera } from "./camera.ts";
import { DrawBudget } from "./draw_budget.ts";
import type { DrawnWorld } from "./drawn_world.ts";
import { localBox, Outline } from "./outline.ts";
import { type Hit, isHidden, pick } from "./pick.ts";
import { Ground } from "./ground.ts";
import { Sky, surround } from "./surroundings.ts";

/** Called before each drawing. */
export type BeforeDraw = (now: number) => void;

/** Counts for tests and for the rate of the pose stream. */
export interface DrawCounts {
  frames: number;
  /** Duration of this page's own script for the last drawings, milliseconds. */
  scriptMs: number[];
  firstFrameAt: number;
}

const KEPT_DURATIONS = 600;

export class View {
  readonly camera: ViewCamera;
  readonly scene = new THREE.Scene();
  /** What overlays draw. */
  readonly overlays = new THREE.Group();
  readonly world = new Signal<DrawnWorld | null>(null);
  readonly selection = new Signal<string | null>(null);
  readonly hasShadows: Signal<boolean>;
  readonly hasGrid = new Signal(true);
  readonly mount = new Signal<Mount>({ kind: "free" });
  readonly counts: DrawCounts = { frames: 0, scriptMs: [], firstFrameAt: 0 };
  private readonly renderer: THREE.WebGLRenderer;
  private readonly sky = new Sky();
  private readonly ground = new Ground();
  private readonly outline = new Outline();
  private readonly before = new Set<BeforeDraw>();
  private vehicles: readonly string[] = [];
  private isDark = false;
  private isDirty = true;
  /** Something moved by itself, which is drawn as often as the renderer can without harm. */
  private hasMoved = false;
  private readonly budget = new DrawBudget();
  /** Signalled once the renderer has finished the last drawing. */
  private fence: WebGLSync | null = null;
  private isFitted = false;
  /** Duration of script for the next drawing so far: decoding and placing poses. */
  private spentMs = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    options: { hasShadows: boolean; isSmooth: boolean },
  ) {
    this.renderer = new THREE.WebGLRenderer({
      canvas,
      antialias: options.isSmooth,
      powerPreference: "high-performance",
    });
    this.renderer.setPixelRatio(options.isSmooth ? Math.min(2, window.devicePixelRatio) : 1);
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.hasShadows = new Signal(options.hasShadows);
    this.renderer.shadowMap.enabled = options.hasShadows;
    this.camera = new ViewCamera(canvas, () => this.draw());
    this.scene.add(this.sky.mesh, this.ground.mesh, this.outline.group, this.overlays);
    this.selection.listen(() => this.mark());
    this.mount.listen((mount) => {
      this.camera.setMount(mount);
      this.draw();
    });
    this.hasGrid.watch((isShown) => {
      this.ground.mesh.visible = isShown;
      this.draw();
    });
    new ResizeObserver(() => this.fitCanvas()).observe(canvas.parentElement ?? canvas);
    const loop = (now: number) => {
      requestAnimationFrame(loop);
      this.lookForEnd(now);
      if (this.isDirty || (this.hasMoved && this.budget.allows(now))) this.render(now);
    };
    requestAnimationFrame(loop);
  }

  /** Shows a world in place of the one before. */
  show(world: DrawnWorld): void {
    const before = this.world.get();
    before?.dispose();
    this.scene.add(world.group);
    surround(this.scene, world.scene.surroundings);
    this.world.set(world);
    this.paintSurroundings();
    if (before?.scene.world !== world.scene.world) {
      this.isFitted = false;
      this.hasGrid.set(world.scene.surroundings.grid);
    }
    this.mark();
    this.draw();
  }

  /** The theme of the page: a dark one has a dark sky. */
  setDark(isDark: boolean): void {
    this.isDark = isDark;
    this.paintSurroundings();
    this.draw();
  }

  /** What the first picture of a world is about. */
  setVehicles(names: readonly string[]): void {
    if (names.join() === this.vehicles.join()) return;
    this.vehicles = names;
    if (this.isFitted && this.camera.isUntouched()) this.isFitted = false;
    this.draw();
  }

  /** Something changed; it is drawn at the next opportunity. */
  draw(): void {
    this.isDirty = true;
  }

  /** Something moved by itself; it is drawn soon, on a slow machine less often than it moves. */
  drawMoved(): void {
    this.hasMoved = true;
  }

  /** Adds a duration to that of the next drawing. */
  spend(milliseconds: number): void {
    this.spentMs += milliseconds;
  }

  beforeDraw(action: BeforeDraw): () => void {
    this.before.add(action);
    return () => this.before.delete(action);
  }

  /** Shows the whole world. */
  fit(): void {
    const box = this.world.get()?.bounds();
    if (box) this.camera.fit(box);
    this.draw();
  }

  /** Shows an entity: comes nearer if it is small, and never goes back. */
  focus(entity: string): void {
    const world = this.world.get();
    if (world) this.camera.focus(boxOf(world, [entity]));
    this.draw();
  }

  /** Returns what is at a place of the page. */
  hitAt(clientX: number, clientY: number): Hit | null {
    this.world.get()?.flush();
    const { x, y } = this.inPicture(clientX, clientY);
    return pick(this.world.get(), this.camera.camera, x, y);
  }

  /** Returns the ray from the camera through a place of the page. */
  rayAt(clientX: number, clientY: number): THREE.Ray {
    const rays = new THREE.Raycaster();
    rays.setFromCamera(this.inPicture(clientX, clientY), this.camera.camera);
    return rays.ray;
  }

  /** Returns a place of the page in the coordinates of the picture, from -1 to 1. */
  private inPicture(clientX: number, clientY: number): THREE.Vector2 {
    const area = this.canvas.getBoundingClientRect();
    return new THREE.Vector2(
      ((clientX - area.left) / area.width) * 2 - 1,
      1 - ((clientY - area.top) / area.height) * 2,
    );
  }

  /** Returns the place of a point of the world in the page, in pixels; null if it is behind the camera. */
  project(x: number, y: number, z: number): { x: number; y: number } | null {
    // The camera may have been moved since the last drawing.
    this.camera.camera.updateMatrixWorld();
    const at = new THREE.Vector3(x, y, z).project(this.camera.camera);
    if (at.z > 1 || at.z < -1) return null;
    const area = this.canvas.getBoundingClientRect();
    return { x: area.left + ((at.x + 1) / 2) * area.width, y: area.top + ((1 - at.y) / 2) * area.height };
  }

  /** Returns the picture as PNG. */
  picture(): Promise<Blob | null> {
    this.render(performance.now());
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }

  /** Number of draw calls and triangles of the last drawing. */
  cost(): { calls: number; triangles: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }

  setShadows(isOn: boolean): void {
    this.renderer.shadowMap.enabled = isOn;
    this.hasShadows.set(isOn);
  }

  private mark(): void {
    this.outline.select(this.world.get(), this.selection.get());
    this.draw();
  }

  private paintSurroundings(): void {
    const scene = this.world.get()?.scene;
    if (!scene) return;
    this.sky.set(scene.surroundings, this.isDark);
    this.ground.set(scene, this.isDark);
  }

  /** Places the camera for the first picture: it shows the whole world, if one can see the vehicles in it, or else what moves;
      otherwise it shows only these. */
  private frame(world: DrawnWorld): void {
    world.flush();
    const all = world.bounds();
    const box = interesting(world, this.vehicles);
    const isWhole =
      box.isEmpty() ||
      (showsWhole(radiusOf(box), radiusOf(all)) &&
        !isHidden(world, this.camera.placeFor(all), box.getCenter(new THREE.Vector3())));
    if (isWhole) this.camera.fit(all);
    else this.camera.frame(box, (from, to) => isHidden(world, from, to));
  }

  private fitCanvas(): void {
    const parent = this.canvas.parentElement;
    if (!parent || parent.clientWidth === 0 || parent.clientHeight === 0) return;
    this.renderer.setSize(parent.clientWidth, parent.clientHeight);
    this.camera.setSize(parent.clientWidth, parent.clientHeight);
    // Without this the canvas is empty until the next frame.
    this.render(performance.now());
  }

  private render(now: number): void {
    const start = performance.now();
    this.isDirty = false;
    this.hasMoved = false;
    const world = this.world.get();
    if (world && !this.isFitted) {
      this.isFitted = true;
      this.frame(world);
    }
    for (const action of this.before) action(now);
    world?.flush();
    this.camera.update(world);
    this.outline.update(world);
    this.ground.centre(this.camera.target(), this.camera.distance());
    world?.lights.centre(this.camera.target(), this.camera.distance() * 1.2);
    this.renderer.shadowMap.needsUpdate = true;
    this.renderer.render(this.scene, this.camera.camera);
    this.setFence(now);
    this.count(start);
  }

  /** WebGL returns before anything is drawn; the fence tells when it is. */
  private setFence(now: number): void {
    const gl = this.gl();
    gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.budget.begin(now);
  }

  private lookForEnd(now: number): void {
    if (!this.budget.isDrawing()) return;
    const gl = this.gl();
    // A lost context has no fence, or one without a status.
    if (this.fence && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.UNSIGNALED) return;
    this.budget.end(now);
  }

  private gl(): WebGL2RenderingContext {
    return this.renderer.getContext() as WebGL2RenderingContext;
  }

  private count(start: number): void {
    const { counts } = this;
    counts.frames += 1;
    if (counts.firstFrameAt === 0 && this.world.get()) counts.firstFrameAt = performance.now();
    counts.scriptMs.push(performance.now() - start + this.spentMs);
    this.spentMs = 0;
    if (counts.scriptMs.length > KEPT_DURATIONS) counts.scriptMs.shift();
  }
}

/** In a world that is larger than this many times what it is about, one would look for it. */
const LARGEST_WORLD = 16;
/** In a world that is smaller than this many times what it is about, there is nothing else. */
const SMALLEST_WORLD = 1.5;

/** Returns true if the first picture shows the whole world, from the radius of what it is about and that of the world. */
export function showsWhole(shown: number, world: number): boolean {
  return world >= SMALLEST_WORLD * shown && world <= LARGEST_WORLD * shown;
}

function radiusOf(box: THREE.Box3): number {
  return box.getSize(new THREE.Vector3()).length() / 2;
}

/** More entities than these are a crowd, which is shown as a whole. */
const MOST_FRAMED = 12;
/** Of vehicles that are farther apart than this, only the first is shown, metres. */
const LARGEST_FRAME = 14;

/** Returns a box around what the first picture shows; empty for everything. */
function interesting(world: DrawnWorld, vehicles: readonly string[]): THREE.Box3 {
  const known = new Set(world.scene.nodes.map(({ entity }) => entity));
  const moving = world.scene.nodes.filter(({ is_static }) => !is_static).map(({ entity }) => entity);
  const present = vehicles.filter((name) => known.has(name));
  const shown = present.length > 0 ? present : [...new Set(moving)];
  if (shown.length === 0 || shown.length > MOST_FRAMED) return new THREE.Box3();
  const box = boxOf(world, shown);
  if (box.getSize(new THREE.Vector3()).length() <= LARGEST_FRAME) return box;
  return boxOf(world, shown.slice(0, 1));
}

/** Returns a box around the shapes of entities in the world. */
function boxOf(world: DrawnWorld, entities: readonly string[]): THREE.Box3 {
  const box = new THREE.Box3();
  const wanted = new Set(entities);
  world.scene.nodes.forEach(({ entity }, node) => {
    if (!wanted.has(entity)) return;
    const local = localBox(world, node);
    const [x, y, z, qx, qy, qz, qw] = world.poses.subarray(node * 7, node * 7 + 7);
    if (local.isEmpty()) box.expandByPoint(new THREE.Vector3(x, y, z));
    else {
      const turn = new THREE.Quaternion(qx, qy, qz, qw);
      box.union(local.applyMatrix4(new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), turn, ONE)));
    }
  });
  return box;
}

const ONE = new THREE.Vector3(1, 1, 1);
