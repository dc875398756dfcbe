// What the state of the host allows, and why not. The host decides; this only explains its answer before the request.

import type { HostStatus } from "../api/types.ts";

export type StateKind = "playing" | "paused" | "stopped" | "changing" | "none" | "ending" | "unknown";

const KINDS: Record<string, StateKind> = {
  NoWorld: "none",
  Loading: "changing",
  Connect: "changing",
  Probe: "changing",
  Start: "changing",
  StepBegin: "playing",
  StepSimulator: "playing",
  StepController: "playing",
  StepEnd: "playing",
  Pause: "paused",
  Resume: "playing",
  Success: "ending",
  Fail: "ending",
  Stop: "ending",
  Stopped: "stopped",
  Reset: "changing",
  Abort: "ending",
  Disconnect: "ending",
  Quitting: "ending",
};

const NAMES: Record<string, string> = {
  NoWorld: "no world",
  Loading: "loading",
  Connect: "connecting",
  Probe: "probing",
  Start: "starting",
  Pause: "paused",
  Resume: "resuming",
  Success: "stopping",
  Fail: "stopping",
  Stop: "stopping",
  Stopped: "stopped",
  Reset: "resetting",
  Abort: "aborting",
  Disconnect: "disconnecting",
  Quitting: "quitting",
};

export function kindOf(state: string): StateKind {
  return KINDS[state] ?? "unknown";
}

/** The state in the words of the terminal. */
export function nameOf(state: string): string {
  return kindOf(state) === "playing" && state !== "Resume" ? "playing" : (NAMES[state] ?? state);
}

const RUN_REQUESTS = new Set(["stop", "halt", "succeed", "fail", "abort"]);

/** Returns the reason for which the host would deny a request; an empty text if it allows it. */
export function denial(request: string, status: HostStatus | null): string {
  if (!status) return "the host does not answer";
  if (status.allowed.includes(request)) return "";
  const kind = kindOf(status.state);
  if (request === "quit" && kind !== "ending") return "the configuration of the host does not allow it";
  if (kind === "none") return "no world is loaded; load one first";
  if (kind === "changing") return `the host is ${nameOf(status.state)}; wait until it is done`;
  if (kind === "ending") return "the run is ending";
  if (request === "step_simulation") return "steps need a paused simulation; pause it first";
  if (kind === "stopped") {
    if (request === "pause") return "the simulation is stopped; play it first";
    if (request === "resume") return "the simulation is stopped, not paused; play it";
    if (RUN_REQUESTS.has(request)) return "no run is in progress";
  }
  if (request === "play" || request === "resume") return "the simulation is playing";
  if (request === "pause") return "the simulation is paused";
  return `the host does not allow it while the simulation is ${nameOf(status.state)}`;
}

/** Returns the reason for which no snapshot can be restored; an empty text if one can. */
export function restoreDenial(status: HostStatus | null): string {
  if (!status) return "the host does not answer";
  const kind = kindOf(status.state);
  if (kind === "paused") return "";
  if (kind === "none") return "no world is loaded; load one first";
  return `a snapshot is restored only into a paused simulation, and this one is ${nameOf(status.state)}; pause it first`;
}

/** Returns the reason for which the pose of an entity cannot be set by hand; an empty text if it can. */
export function poseDenial(status: HostStatus | null): string {
  if (!status) return "the host does not answer";
  const kind = kindOf(status.state);
  if (kind === "paused" || kind === "stopped" || kind === "playing") return "";
  return `the host is ${nameOf(status.state)}`;
}
