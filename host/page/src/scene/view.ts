// The 3-D view: draws when something changed, at most as often as the screen shows it.

import * as THREE from "three";
import { Signal } from "../state/signal.ts";
import { type Mount, ViewCamera } from "./camera.ts";
import type { DrawnWorld } from "./drawn_world.ts";
import { Outline } from "./outline.ts";
import { type Hit, pick } from "./pick.ts";
import { grid, Sky, surround } from "./surroundings.ts";

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
  private readonly grid = grid();
  private readonly outline = new Outline();
  private readonly before = new Set<BeforeDraw>();
  private isDirty = true;
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
    this.scene.add(this.sky.mesh, this.grid, this.outline.group, this.overlays);
    this.selection.listen(() => this.mark());
    this.mount.listen((mount) => {
      this.camera.setMount(mount);
      this.draw();
    });
    this.hasGrid.watch((isShown) => {
      this.grid.visible = isShown;
      this.draw();
    });
    new ResizeObserver(() => this.fitCanvas()).observe(canvas.parentElement ?? canvas);
    const loop = (now: number) => {
      requestAnimationFrame(loop);
      if (this.isDirty) this.render(now);
    };
    requestAnimationFrame(loop);
  }

  /** Shows a world in place of the one before. */
  show(world: DrawnWorld): void {
    const before = this.world.get();
    before?.dispose();
    this.scene.add(world.group);
    surround(this.scene, world.scene.surroundings);
    this.sky.set(world.scene.surroundings);
    if (before?.scene.world !== world.scene.world) {
      this.isFitted = false;
      this.hasGrid.set(world.scene.surroundings.grid);
    }
    this.world.set(world);
    this.mark();
    this.draw();
  }

  /** Something changed; it is drawn at the next opportunity. */
  draw(): void {
    this.isDirty = true;
  }

  /** Adds a duration to that of the next drawing. */
  spend(milliseconds: number): void {
    this.spentMs += milliseconds;
  }

  beforeDraw(action: BeforeDraw): () => void {
    this.before.add(action);
    return () => this.before.delete(action);
  }

  /** Shows the whole world, or an entity. */
  fit(entity: string | null = null): void {
    const world = this.world.get();
    if (!world) return;
    const box = entity === null ? world.bounds() : this.boxOf(world, entity);
    this.camera.fit(box);
    this.draw();
  }

  /** Returns what is at a place of the page. */
  hitAt(clientX: number, clientY: number): Hit | null {
    const area = this.canvas.getBoundingClientRect();
    const x = ((clientX - area.left) / area.width) * 2 - 1;
    const y = 1 - ((clientY - area.top) / area.height) * 2;
    this.world.get()?.flush();
    return pick(this.world.get(), this.camera.camera, x, y);
  }

  /** Returns the place of a point of the world in the page, in pixels; null if it is behind the camera. */
  project(x: number, y: number, z: number): { x: number; y: number } | null {
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

  private boxOf(world: DrawnWorld, entity: string): THREE.Box3 {
    const box = new THREE.Box3();
    for (const node of world.nodesOf(entity)) {
      const at = node * 7;
      box.expandByPoint(new THREE.Vector3(world.poses[at], world.poses[at + 1], world.poses[at + 2]));
    }
    return box.isEmpty() ? box : box.expandByScalar(1);
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
    const world = this.world.get();
    if (world && !this.isFitted) {
      this.isFitted = true;
      world.flush();
      this.camera.fit(world.bounds());
    }
    for (const action of this.before) action(now);
    world?.flush();
    this.camera.update(world);
    this.outline.update(world);
    world?.lights.centre(this.camera.target(), this.camera.distance() * 1.2);
    this.renderer.shadowMap.needsUpdate = true;
    this.renderer.render(this.scene, this.camera.camera);
    this.count(start);
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
