// How the run ends at the request of this page. A host that is away afterwards has ended as asked; nothing is wrong.

import type { Link } from "../api/socket.ts";
import { kindOf } from "./lifecycle.ts";
import { Signal } from "./signal.ts";

/** The requests that end the process of the host unless it is kept alive, and what the user wants then. */
export const ENDINGS = {
  succeed: { outcome: "success", title: "End the run as a success?", label: "Succeed" },
  fail: { outcome: "failure", title: "End the run as a failure?", label: "Fail" },
  stop: { outcome: "stopped", title: "Stop the run?", label: "Stop" },
  abort: { outcome: "aborted", title: "Abort the run?", label: "Abort" },
  quit: { outcome: "quit", title: "Quit the host?", label: "Quit" },
} as const;

export type Ending = keyof typeof ENDINGS;

export function isEnding(service: string): service is Ending {
  return Object.hasOwn(ENDINGS, service);
}

/** Returns the question before a request that ends the run. */
export function questionBefore(service: Ending): string {
  const host =
    service === "quit"
      ? "and so does the host."
      : "and so does the host, unless it was started to be kept alive.";
  return `The run ends, ${host} The page connects again when a host is started at this address.`;
}

/** Returns what is said of a host that has ended as asked. */
export function textAfter(service: Ending, world: string): string {
  const name = world === "" ? "WORLD.sdf" : world;
  return `You ended the run: ${ENDINGS[service].outcome}. To start it again, repeat the command in its terminal, for example \`bridgehead run ${name}\`; the page connects by itself.`;
}

/** Returns true if a run has ended and its host goes on: one that ends has neither state on its way. */
export function isKeptAlive(before: string | undefined, now: string): boolean {
  return before !== now && ["stopped", "none"].includes(kindOf(now));
}

/** The ending that this page has asked for, as long as the host is away because of it. */
export class AskedEnding {
  readonly seen = new Signal<Ending | null>(null);
  private asked: Ending | null = null;

  constructor(link: Signal<Link>) {
    link.listen((now) => {
      if (now === "waiting") this.seen.set(this.asked);
      if (now !== "open") return;
      this.seen.set(null);
      this.asked = null;
    });
  }

  /** A request was sent that ends the host. */
  ask(service: Ending): void {
    this.asked = service;
  }

  /** The request was refused, or the host goes on: if it is away later, this is not why. */
  forget(): void {
    this.asked = null;
  }
}
