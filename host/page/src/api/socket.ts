// The WebSocket: connects, and connects again when the host ends and comes back.

import { type Off, Signal } from "../state/signal.ts";
import { ApiError, type Http, subprotocols } from "./http.ts";
import { type Consumer, Subscriptions } from "./subscriptions.ts";

/** `connecting`: for the first time; `waiting`: the host is away; `token`: it requires one. */
export type Link = "connecting" | "open" | "waiting" | "token";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;
/** Longest silence of a host that sends the status several times per second. */
const SILENCE_MS = 8000;

interface ServerMessage {
  op: string;
  what?: string;
  epoch?: number;
  lost?: number;
  data?: unknown;
  code?: string;
  message?: string;
}

export class Socket {
  readonly link = new Signal<Link>("connecting");
  /** Number of connections so far; it grows when the host is there again. */
  readonly connections = new Signal(0);
  /** Bytes received since the page was opened. */
  receivedBytes = 0;
  /** Time after which a hidden tab disconnects: many tabs may be open, and a host serves a limited number. */
  sleepMs = 30_000;
  /** Events lost because this page was too slow. */
  lostEvents = 0;

  private readonly subscriptions = new Subscriptions();
  private socket: WebSocket | null = null;
  private waitMs = FIRST_WAIT_MS;
  private timer = 0;
  private sleepTimer = 0;
  private heardAt = 0;
  private isOrdering = false;

  constructor(private readonly http: Http) {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.doze() : this.wake()));
    window.addEventListener("online", () => this.wake());
    window.setInterval(() => this.checkSilence(), 2000);
  }

  /** Connects as soon as the host answers. */
  async start(): Promise<void> {
    window.clearTimeout(this.timer);
    this.close();
    try {
      // The answer shows whether the token is accepted; a refused WebSocket does not tell why.
      await this.http.json("/api");
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.link.set("token");
      else this.retry();
      return;
    }
    this.open();
  }

  subscribe(what: string, consumer: Consumer): Off {
    this.subscriptions.add(what, consumer);
    this.order();
    return () => {
      this.subscriptions.remove(what, consumer);
      this.order();
    };
  }

  private open(): void {
    const address = new URL("/ws", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address, subprotocols(this.http.currentToken()));
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.heardAt = performance.now();
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (event) => this.hear(event.data as string | ArrayBuffer);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.retry();
    };
  }

  private opened(socket: WebSocket): void {
    if (this.socket !== socket) return;
    this.waitMs = FIRST_WAIT_MS;
    this.subscriptions.forget();
    this.link.set("open");
    this.connections.update((count) => count + 1);
    this.order();
  }

  private close(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private retry(): void {
    this.link.set("waiting");
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.start(), this.waitMs);
    this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs * 1.6);
  }

  /** Disconnects after a while, unless messages are collected, for a plot for example. */
  private doze(): void {
    window.clearTimeout(this.sleepTimer);
    this.sleepTimer = window.setTimeout(() => {
      if (!document.hidden || this.link.get() !== "open" || this.subscriptions.hasTopics()) return;
      this.close();
      this.link.set("waiting");
    }, this.sleepMs);
  }

  /** A tab that was hidden, or a machine that slept, does not wait for its timer. */
  private wake(): void {
    window.clearTimeout(this.sleepTimer);
    if (document.hidden) return;
    this.heardAt = performance.now();
    if (this.link.get() === "waiting") void this.start();
  }

  private checkSilence(): void {
    const isLate = performance.now() - this.heardAt > SILENCE_MS;
    if (this.link.get() === "open" && isLate && !document.hidden) {
      this.close();
      this.retry();
    }
  }

  /** Sends the changed subscriptions, after the changes of this task. */
  private order(): void {
    if (this.isOrdering) return;
    this.isOrdering = true;
    queueMicrotask(() => {
      this.isOrdering = false;
      if (this.socket?.readyState !== WebSocket.OPEN) return;
      for (const order of this.subscriptions.orders()) this.socket.send(JSON.stringify(order));
    });
  }

  private hear(data: string | ArrayBuffer): void {
    this.heardAt = performance.now();
    if (typeof data !== "string") {
      this.receivedBytes += data.byteLength;
      for (const consumer of this.subscriptions.consumers("poses")) consumer.binary?.(data);
      return;
    }
    this.receivedBytes += data.length;
    this.hearText(data);
  }

  private hearText(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    const consumers = this.subscriptions.consumers(message.what ?? "");
    if (message.op === "event") {
      const lost = message.lost ?? 0;
      this.lostEvents += lost;
      for (const consumer of consumers) consumer.event?.(message.data, message.epoch ?? 0, lost);
    } else if (message.op === "error") {
      for (const consumer of consumers) consumer.refused?.(message.code ?? "", message.message ?? "");
    }
  }
}
