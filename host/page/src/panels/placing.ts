// What the next click in the view does in place of selecting.

import { Signal } from "../state/signal.ts";

/** Takes the clicked point; null if a click selects. */
export const placing = new Signal<((x: number, y: number, z: number) => void) | null>(null);
