// Receives poses and the scene they belong to. A hidden tab receives none.

import type { Assets } from "../api/asset.ts";
import type { Http } from "../api/http.ts";
import { emptyScene, type Scene } from "../api/scene_types.ts";
import type { Consumer } from "../api/subscriptions.ts";
import type { Socket } from "../api/socket.ts";
import { DrawnWorld } from "../scene/drawn_world.ts";
import { Textures } from "../scene/textures.ts";
import type { View } from "../scene/view.ts";
import { type Off, Signal } from "../state/signal.ts";
import { decode, type PoseFrame } from "./decode.ts";
import { RateControl } from "./rate.ts";

const PERIOD_MS = 1000;
const RETRY_MS = 1000;
const SHORT_RETRY_MS = 250;

const EMPTY_FRAME: PoseFrame = {
  revision: 0,
  step: 0,
  time: 0,
  epoch: 0,
  count: 0,
  lost: 0,
  nodes: null,
  poses: new Float32Array(),
};

export class PoseStream {
  /** Step, time and epoch of the last frame. */
  readonly latest = new Signal<PoseFrame | null>(null);
  readonly rate = new Signal(60);
  /** Frames per second that arrive and that are drawn. */
  readonly traffic = new Signal({ received: 0, drawn: 0, lost: 0, bytesPerSecond: 0 });
  private control = new RateControl();
  private readonly consumer: Consumer = { rate: 60, binary: (frame) => this.hear(frame) };
  private readonly textures: Textures;
  private off: Off | null = null;
  private isLoading = false;
  /** The revision of another host means nothing here. */
  private isOtherHost = false;
  private received = 0;
  private lost = 0;
  private drawnBefore = 0;
  private bytesBefore = 0;

  constructor(
    private readonly http: Http,
    private readonly socket: Socket,
    private readonly view: View,
    private readonly assets: Assets,
    private readonly failed: (text: string) => void,
  ) {
    this.textures = new Textures(assets, failed);
    document.addEventListener("visibilitychange", () => this.listen());
    socket.connections.listen(() => {
      this.isOtherHost = true;
      void this.load();
    });
    view.hasShadows.listen(() => this.rebuild());
    window.setInterval(() => this.review(), PERIOD_MS);
    this.listen();
  }

  private listen(): void {
    if (document.hidden) {
      this.off?.();
      this.off = null;
    } else if (!this.off) {
      this.off = this.socket.subscribe("poses", this.consumer);
    }
  }

  private hear(bytes: ArrayBuffer): void {
    const start = performance.now();
    const frame = decode(bytes);
    if (!frame) return;
    this.received += 1;
    this.lost += frame.lost;
    const isKnown = this.view.world.get()?.apply(frame) ?? false;
    if (isKnown) this.view.drawMoved();
    else void this.load();
    this.latest.set(frame);
    this.view.spend(performance.now() - start);
  }

  /** Gets the scene if the host has another one. */
  private async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const known = this.isOtherHost ? 0 : (this.view.world.get()?.scene.revision ?? 0);
      this.isOtherHost = false;
      const answer = await this.http.call<{ revision: number; scene?: Scene }>("get_scene", {
        known_revision: known,
      });
      const revision = Number(answer.revision);
      const scene = answer.scene && Number(answer.scene.revision) === revision ? answer.scene : null;
      if (scene && revision !== 0) this.show({ ...scene, revision });
      else if (revision !== known || !this.view.world.get()) this.show(emptyScene(revision));
      // The nodes may have moved since: the stream begins again, with all nodes.
      this.restart();
      this.endLoad(revision === known ? SHORT_RETRY_MS : 0);
    } catch (error) {
      this.failed(`The scene cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
      this.endLoad(RETRY_MS);
    }
  }

  /** Allows another load, after a while if this one brought nothing new. */
  private endLoad(afterMs: number): void {
    window.setTimeout(() => {
      this.isLoading = false;
      if (this.isOtherHost) void this.load();
    }, afterMs);
  }

  private show(scene: Scene): void {
    const hashes = new Set([...scene.meshes, ...scene.textures].map(({ hash }) => hash));
    this.assets.keep(hashes);
    this.textures.keep(hashes);
    this.view.show(this.drawn(scene));
  }

  private drawn(scene: Scene): DrawnWorld {
    const around = {
      assets: this.assets,
      textures: this.textures,
      changed: () => this.view.draw(),
      failed: this.failed,
    };
    return new DrawnWorld(scene, around, this.view.hasShadows.get());
  }

  private rebuild(): void {
    const world = this.view.world.get();
    if (!world) return;
    const next = this.drawn(world.scene);
    const { poses } = world;
    next.apply({ ...EMPTY_FRAME, revision: world.scene.revision, poses, count: poses.length / 7 });
    this.view.show(next);
  }

  private restart(): void {
    this.off?.();
    this.off = null;
    // In the next task, so that the host gets both messages.
    queueMicrotask(() => queueMicrotask(() => this.listen()));
  }

  /** Adapts the rate to what arrives and what is drawn. */
  private review(): void {
    const { frames } = this.view.counts;
    const drawn = frames - this.drawnBefore;
    const { received, lost } = this;
    const bytesPerSecond = (this.socket.receivedBytes - this.bytesBefore) / (PERIOD_MS / 1000);
    this.traffic.set({ received, drawn, lost, bytesPerSecond });
    this.bytesBefore = this.socket.receivedBytes;
    [this.drawnBefore, this.received, this.lost] = [frames, 0, 0];
    if (!document.hidden && this.control.after({ received, lost, drawn, seconds: PERIOD_MS / 1000 }))
      this.useRate();
  }

  private useRate(): void {
    const rate = this.control.rate();
    this.rate.set(rate);
    this.consumer.rate = rate;
    this.restart();
  }
}
