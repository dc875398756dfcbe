// The drive: which topic it drives, which directions are pressed, and the velocities that are sent. Keys, the pad over the
// view and the section with its settings all use it.

import type { App } from "../app.ts";
import { Signal } from "../state/signal.ts";
import { fixed } from "../ui/format.ts";

export const TWIST = "geometry_msgs/msg/Twist";
const PERIOD_MS = 100;

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** The velocities that pressed directions mean: forward in m/s and left in rad/s. */
export function velocities(
  pressed: ReadonlySet<string>,
  speed: number,
  turn: number,
): { linear: number; angular: number } {
  const axis = (plus: string, minus: string) => (pressed.has(plus) ? 1 : 0) - (pressed.has(minus) ? 1 : 0);
  return { linear: axis("ArrowUp", "ArrowDown") * speed, angular: axis("ArrowLeft", "ArrowRight") * turn };
}

/** Returns what drives a topic; `still` is `paused` or `stopped` if the simulation stands still. */
export function drivingText(topic: string, still: string, hasPad: boolean): string {
  if (still !== "") return `Driving is ${still}: press Play.`;
  return hasPad ? `Hold an arrow to drive ${topic}.` : `Arrow keys drive ${topic}.`;
}

export class Drive {
  /** The topic that is driven; null while driving is off. */
  readonly topic = new Signal<string | null>(null);
  /** What is sent now, as text. */
  readonly sent = new Signal("");
  speed = 0.5;
  turn = 1;
  private readonly pressed = new Set<string>();
  private timer = 0;

  constructor(private readonly send: (topic: string, linear: number, angular: number) => void) {}

  /** Begins to drive a topic, or ends it; a vehicle that was driven halts. */
  set(topic: string | null): void {
    this.halt();
    this.topic.set(topic);
    this.sent.set("");
  }

  /** Ends it without a last message: the host or the topic is away. */
  end(): void {
    this.topic.set(null);
    this.halt();
  }

  press(direction: string): void {
    if (this.topic.get() === null || this.pressed.has(direction)) return;
    this.pressed.add(direction);
    this.change();
  }

  release(direction: string): void {
    if (this.pressed.delete(direction)) this.change();
  }

  /** Releases everything. */
  halt(): void {
    if (this.pressed.size === 0) return;
    this.pressed.clear();
    this.change();
  }

  private change(): void {
    globalThis.clearInterval(this.timer);
    // Drives of vehicles stop by themselves if no velocity arrives for a while.
    const repeat = () => this.sendNow();
    this.timer = this.pressed.size > 0 ? Number(globalThis.setInterval(repeat, PERIOD_MS)) : 0;
    this.sendNow();
  }

  private sendNow(): void {
    const topic = this.topic.get();
    if (topic === null) return;
    const { linear, angular } = velocities(this.pressed, this.speed, this.turn);
    this.sent.set(`${fixed(linear, 2)} m/s, ${fixed(angular, 2)} rad/s`);
    this.send(topic, linear, angular);
  }
}

/** Returns the drive of the page; it ends if the host is away, and halts if the window loses the focus. */
export function createDrive(app: Pick<App, "http" | "socket" | "notices" | "topics">): Drive {
  const drive = new Drive((topic, linear, angular) => {
    const message = { linear: { x: linear, y: 0, z: 0 }, angular: { x: 0, y: 0, z: angular } };
    const request = { topic, type: TWIST, json: JSON.stringify(message) };
    void app.notices.run("The vehicle cannot be driven", () => app.http.call("publish_message", request));
  });
  // The list shows whether the topic is still there, also while another panel is open.
  let off = () => {};
  drive.topic.listen((topic) => {
    off();
    off = topic === null ? () => {} : app.topics.use();
  });
  app.topics.all.listen((all) => {
    const topic = drive.topic.get();
    if (topic !== null && !all.some((info) => info.topic === topic && info.type === TWIST)) drive.end();
  });
  app.socket.link.listen((link) => {
    if (link !== "open") drive.end();
  });
  const halt = () => drive.halt();
  window.addEventListener("blur", halt);
  document.addEventListener("visibilitychange", halt);
  return drive;
}

/** Lets the arrow keys drive, before the view, which turns the camera with the same keys. */
export function driveByKeys(drive: Drive): void {
  document.addEventListener(
    "keydown",
    (event) => {
      const isEdited = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (drive.topic.get() === null || !event.key.startsWith("Arrow") || isEdited) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      event.stopPropagation();
      drive.press(event.key);
    },
    true,
  );
  document.addEventListener("keyup", (event) => drive.release(event.key));
}
