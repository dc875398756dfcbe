// Moves entities by dragging them in the view, along the ground. The host places them, also while it plays.

import * as THREE from "three";
import type { App } from "../app.ts";
import type { EntityState } from "../api/types.ts";
import { Signal } from "../state/signal.ts";
import type { View } from "../scene/view.ts";
import { newestOnly } from "../ui/newest.ts";

/** Dragging an entity moves it in place of turning the camera. */
export const moving = new Signal(false);

/** An entity that is being dragged. */
interface Drag {
  entity: string;
  start: EntityState["pose"];
  /** The point where it was taken, and the plane through it. */
  taken: THREE.Vector3;
  plane: THREE.Plane;
  pointer: number;
}

const STILL = { linear: { x: 0, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } };

/** Returns where an entity is if the point at which it was taken has moved along the ground. */
export function moved(
  start: EntityState["pose"],
  taken: { x: number; y: number },
  to: { x: number; y: number },
): EntityState["pose"] {
  const { x, y, z } = start.position;
  return { position: { x: x + to.x - taken.x, y: y + to.y - taken.y, z }, orientation: start.orientation };
}

/** Lets entities be dragged while `moving` is on, or with the shift key. */
export function handleDrags(app: App, view: View, canvas: HTMLCanvasElement): void {
  let drag: Drag | null = null;
  let isPressed = false;
  const send = newestOnly(async ({ entity, pose }: { entity: string; pose: EntityState["pose"] }) => {
    const request = { entity, state: { pose, twist: STILL }, set_pose: true, set_twist: true };
    await app.notices.run("The entity cannot be moved", () => app.http.call("set_entity_state", request));
  });
  const begin = async (event: PointerEvent) => {
    const hit = view.hitAt(event.clientX, event.clientY);
    const entity = hit && hit.node >= 0 ? view.world.get()?.scene.nodes[hit.node]?.entity : undefined;
    if (!hit || entity === undefined) return;
    // Before the camera turns with the same press.
    event.stopImmediatePropagation();
    isPressed = true;
    canvas.setPointerCapture(event.pointerId);
    view.selection.set(entity);
    const state = await app.notices.run("The entity cannot be moved", () =>
      app.http.call<{ state: EntityState }>("get_entity_state", { entity }),
    );
    if (!state || !isPressed) return;
    const plane = new THREE.Plane(new THREE.Vector3(0, 0, 1), -hit.point.z);
    drag = { entity, start: state.state.pose, taken: hit.point, plane, pointer: event.pointerId };
  };
  canvas.addEventListener(
    "pointerdown",
    (event) => {
      const mayMove = moving.get() || event.shiftKey;
      if (event.button === 0 && mayMove && app.host.recording.get() === null) void begin(event);
    },
    true,
  );
  canvas.addEventListener("pointermove", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const to = view.rayAt(event.clientX, event.clientY).intersectPlane(drag.plane, new THREE.Vector3());
    if (to) send({ entity: drag.entity, pose: moved(drag.start, drag.taken, to) });
  });
  const end = () => {
    drag = null;
    isPressed = false;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
}
