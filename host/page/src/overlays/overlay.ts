// What every overlay has: it can be switched on and off, and may be impossible.

import * as THREE from "three";
import type { Assets } from "../api/asset.ts";
import type { Http } from "../api/http.ts";
import type { Socket } from "../api/socket.ts";
import type { View } from "../scene/view.ts";
import type { Host } from "../state/host.ts";
import { setting } from "../state/settings.ts";
import { type Off, Signal } from "../state/signal.ts";
import type { TopicList } from "../state/topics.ts";
import type { Frames } from "./frames.ts";

/** What overlays use. */
export interface Context {
  view: View;
  host: Host;
  http: Http;
  socket: Socket;
  topics: TopicList;
  frames: Frames;
  assets: Assets;
}

export abstract class Overlay {
  readonly isOn: Signal<boolean>;
  /** Reason for which it cannot be shown; empty if it can. */
  readonly missing = new Signal("");
  protected readonly group = new THREE.Group();
  private offs: Off[] = [];

  constructor(
    readonly id: string,
    readonly title: string,
    protected readonly context: Context,
    isOnAtFirst = false,
  ) {
    this.isOn = setting(`overlay.${id}`, isOnAtFirst);
    context.view.overlays.add(this.group);
  }

  /** Called once, after all parts of the page are there. */
  begin(): void {
    this.isOn.watch((isOn) => {
      this.group.visible = isOn;
      for (const off of this.offs) off();
      this.offs = [];
      if (isOn) {
        this.offs.push(this.context.view.beforeDraw((now) => this.update(now)));
        this.start();
      } else {
        this.stop();
      }
      this.context.view.draw();
    });
  }

  /** Keeps a subscription until the overlay is switched off. */
  protected keep(off: Off): void {
    this.offs.push(off);
  }

  /** It is shown from now on. */
  protected abstract start(): void;

  /** It is hidden; what it drew is removed. */
  protected abstract stop(): void;

  /** Called before each drawing while it is shown. */
  protected update(_now: number): void {}
}

/** A topic that overlays subscribe to. */
interface Listened {
  topic: string;
  off: Off;
}

/** Subscribes to all topics of some types, also to later ones, while an overlay is shown. */
export class TopicsOfType {
  private listened: Listened[] = [];
  private readonly offs: Off[] = [];

  constructor(
    context: Context,
    choose: (topics: readonly { topic: string; type: string }[]) => readonly string[],
    rate: number | undefined,
    hear: (topic: string, message: Record<string, unknown>) => void,
    gone: (topic: string) => void,
  ) {
    this.offs.push(context.topics.use());
    const update = (topics: readonly { topic: string; type: string }[]) => {
      const wanted = new Set(choose(topics));
      for (const { topic, off } of this.listened.filter((one) => !wanted.has(one.topic))) {
        off();
        gone(topic);
      }
      this.listened = this.listened.filter(({ topic }) => wanted.has(topic));
      for (const topic of wanted) {
        if (this.listened.some((one) => one.topic === topic)) continue;
        const event = (data: unknown) => hear(topic, (data as { message: Record<string, unknown> }).message);
        this.listened.push({ topic, off: context.socket.subscribe(`topic:${topic}`, { rate, event }) });
      }
    };
    this.offs.push(context.topics.all.watch(update));
  }

  end(): void {
    for (const off of this.offs) off();
    for (const { off } of this.listened) off();
    this.listened = [];
  }
}
