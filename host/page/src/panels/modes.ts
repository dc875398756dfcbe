// What the pointer, the arrow keys or the camera do for a while, and how it ends: one after the other, the one that is shown
// first.

import type { App } from "../app.ts";
import { moving } from "./move.ts";
import { placing } from "./placing.ts";

export type Mode = "placing" | "moving" | "driving" | "mounted";

/** Returns the mode that is shown; null if there is none. */
export function currentMode(app: App): Mode | null {
  if (placing.get()) return "placing";
  if (moving.get()) return "moving";
  if (app.drive.topic.get() !== null) return "driving";
  return app.view && app.view.mount.get().kind !== "free" ? "mounted" : null;
}

/** Leaves the mode that is shown. Returns false if there is none. */
export function leaveMode(app: App): boolean {
  const mode = currentMode(app);
  if (mode === "placing") placing.set(null);
  else if (mode === "moving") moving.set(false);
  else if (mode === "driving") app.drive.set(null);
  else if (mode === "mounted") app.view?.mount.set({ kind: "free" });
  return mode !== null;
}
