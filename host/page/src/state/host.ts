// The state of the host as the page knows it.

import type { Http } from "../api/http.ts";
import type { Socket } from "../api/socket.ts";
import type { HostStatus, RecordingInfo, Service, WorldDescription } from "../api/types.ts";
import { AskedEnding, isKeptAlive } from "./ending.ts";
import { type Off, Signal } from "./signal.ts";

const STATUS_RATE = 5;

export class Host {
  readonly status = new Signal<HostStatus | null>(null);
  /** The status that was received last; it stays if the host ends. */
  readonly lastSeen = new Signal<{ status: HostStatus; at: Date } | null>(null);
  /** Services by name. */
  readonly services = new Signal<ReadonlyMap<string, Service>>(new Map());
  readonly description = new Signal<WorldDescription | null>(null);
  /** The recording that is shown in place of a run; null for a run. */
  readonly recording = new Signal<RecordingInfo | null>(null);
  readonly entities = new Signal<readonly string[]>([]);
  /** Changes if simulated time runs backwards, or the world or the host is another one. */
  readonly run = new Signal("");
  readonly ending: AskedEnding;
  private isDescribing = false;
  private mustDescribe = false;

  constructor(
    private readonly http: Http,
    private readonly socket: Socket,
  ) {
    // Before the status is cleared: what is shown then depends on it.
    this.ending = new AskedEnding(socket.link);
    socket.connections.listen(() => void this.connected());
    socket.link.listen((link) => {
      if (link !== "open") this.status.set(null);
    });
    socket.subscribe("status", {
      rate: STATUS_RATE,
      event: (data) => this.take((data as { status: HostStatus }).status),
    });
    socket.subscribe("state", { event: () => void this.refresh() });
  }

  /** Returns the reason for which a service is missing; an empty text if the host offers it. */
  missing(service: string): string {
    return this.services.get().has(service) ? "" : `this host does not offer \`${service}\``;
  }

  /** Asks for the status now, after a request that changes it. */
  async refresh(): Promise<void> {
    try {
      this.take((await this.http.call<{ status: HostStatus }>("get_status")).status);
    } catch {
      // The connection shows that the host does not answer.
    }
  }

  /** Reads the content of the world again. */
  async describe(): Promise<void> {
    if (this.isDescribing) {
      this.mustDescribe = true;
      return;
    }
    this.isDescribing = true;
    try {
      const [world, entities] = await Promise.all([
        this.http.call<{ description: WorldDescription }>("get_world_description"),
        this.http.call<{ entities: string[] }>("get_entities").catch(() => ({ entities: [] as string[] })),
      ]);
      this.description.set(world.description);
      this.entities.set(entities.entities);
    } catch {
      this.entities.set([]);
    } finally {
      this.isDescribing = false;
      if (this.mustDescribe) {
        this.mustDescribe = false;
        void this.describe();
      }
    }
  }

  private async connected(): Promise<void> {
    try {
      const list = (await this.http.json("/api")) as { services: Service[]; recording?: RecordingInfo };
      this.recording.set(list.recording ?? null);
      this.services.set(new Map(list.services.map((service) => [service.name, service])));
    } catch {
      // The connection shows it.
    }
    await Promise.all([this.refresh(), this.describe()]);
  }

  private take(status: HostStatus): void {
    // The last answer of a host that ends may come after the connection is closed.
    if (this.socket.link.get() !== "open") return;
    const world = this.lastSeen.get()?.status.world;
    const isNew = this.status.get() === null;
    if (isKeptAlive(this.status.get()?.state, status.state)) this.ending.forget();
    this.status.set(status);
    this.lastSeen.set({ status, at: new Date() });
    this.run.set(`${this.socket.connections.get()} ${status.world} ${status.reset_epoch}`);
    if (isNew || world !== status.world) void this.describe();
  }
}

/** Calls a function repeatedly while someone looks at its result. */
export class Poller {
  private timer = 0;
  private isBusy = false;

  constructor(
    private readonly periodMs: number,
    private readonly socket: Socket,
    private readonly action: () => Promise<void>,
  ) {
    socket.connections.listen(() => this.now());
    document.addEventListener("visibilitychange", () => this.now());
  }

  start(): Off {
    window.clearInterval(this.timer);
    this.timer = window.setInterval(() => this.now(), this.periodMs);
    this.now();
    return () => this.stop();
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
  }

  now(): void {
    if (this.timer === 0 || this.isBusy || document.hidden || this.socket.link.get() !== "open") return;
    this.isBusy = true;
    this.action()
      .catch(() => undefined)
      .finally(() => {
        this.isBusy = false;
      });
  }
}
