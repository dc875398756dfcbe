// Arrows over the view for driving with a finger: a vehicle drives while one is held.

import { append, h, icon } from "../ui/dom.ts";
import type { Direction, Drive } from "./driving.ts";

const ARROWS: readonly [direction: Direction, label: string, name: string][] = [
  ["ArrowUp", "Forward", "up"],
  ["ArrowLeft", "Left", "left"],
  ["ArrowRight", "Right", "right"],
  ["ArrowDown", "Back", "down"],
];

/** Screens that show the arrows; the style has the same condition. */
const FOR_FINGERS = "(pointer: coarse), (max-width: 760px)";

export function hasPad(): boolean {
  return window.matchMedia(FOR_FINGERS).matches;
}

export function drivePad(drive: Drive): HTMLElement {
  const pad = h("div", { class: "drive-pad", role: "group", "aria-label": "Drive", hidden: true });
  for (const [direction, label, name] of ARROWS) append(pad, arrow(drive, direction, label, name));
  // Holding a finger opens a menu otherwise.
  pad.addEventListener("contextmenu", (event) => event.preventDefault());
  drive.topic.watch((topic) => {
    pad.hidden = topic === null;
    // On a narrow screen the button that begins it is far below the view.
    if (topic !== null && hasPad()) pad.parentElement?.scrollIntoView({ block: "start" });
  });
  return pad;
}

function arrow(drive: Drive, direction: Direction, label: string, name: string): HTMLElement {
  const button = h(
    "button",
    { type: "button", class: `arrow ${name}`, "aria-label": label, title: label, "data-test": `pad-${name}` },
    icon("play"),
  );
  const release = () => {
    drive.release(direction);
    button.classList.remove("held");
  };
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    button.classList.add("held");
    drive.press(direction);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    button.addEventListener(end, release);
  return button;
}
