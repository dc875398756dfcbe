// Drives a vehicle with the arrow keys: publishes velocities while keys are pressed, and zero when they are released.

import type { App } from "../app.ts";
import { Button, field, numberInput, section, select } from "../ui/controls.ts";
import { fill, h, setText } from "../ui/dom.ts";
import { fixed } from "../ui/format.ts";

const TWIST = "geometry_msgs/msg/Twist";
const PERIOD_MS = 100;

/** The velocities that pressed keys mean: forward in m/s and left in rad/s. */
export function velocities(
  keys: ReadonlySet<string>,
  speed: number,
  turn: number,
): { linear: number; angular: number } {
  const axis = (plus: string, minus: string) => (keys.has(plus) ? 1 : 0) - (keys.has(minus) ? 1 : 0);
  return { linear: axis("ArrowUp", "ArrowDown") * speed, angular: axis("ArrowLeft", "ArrowRight") * turn };
}

export function driveSection(app: App): HTMLElement {
  const topics = select([], "Topic for driving", "drive-topic");
  const speed = numberInput(0.5, { min: 0, step: 0.1, id: "drive-speed" });
  const turn = numberInput(1, { min: 0, step: 0.1, id: "drive-turn" });
  const now = h("output", { class: "hint", "data-test": "drive-now" }, "off");
  const keys = new Set<string>();
  let timer = 0;
  let isOn = false;
  const send = () => {
    const { linear, angular } = velocities(keys, Number(speed.value), Number(turn.value));
    setText(now, `${fixed(linear, 2)} m/s, ${fixed(angular, 2)} rad/s`);
    const message = { linear: { x: linear, y: 0, z: 0 }, angular: { x: 0, y: 0, z: angular } };
    const request = { topic: topics.value, type: TWIST, json: JSON.stringify(message) };
    void app.notices.run("The vehicle cannot be driven", () => app.http.call("publish_message", request));
  };
  const change = () => {
    window.clearInterval(timer);
    timer = keys.size > 0 ? window.setInterval(send, PERIOD_MS) : 0;
    send();
  };
  const halt = () => {
    if (keys.size === 0) return;
    keys.clear();
    change();
  };
  const button = new Button(
    { label: "Drive with the arrow keys", icon: "drive", id: "drive", isRequest: true },
    () => set(!isOn),
  );
  const set = (on: boolean) => {
    halt();
    isOn = on;
    button.element.setAttribute("aria-pressed", String(on));
    setText(now, on ? "press an arrow key" : "off");
    if (on) button.element.focus();
  };
  const isArrow = (key: string) => key.startsWith("Arrow");
  // Before the view, which turns the camera with the same keys.
  document.addEventListener(
    "keydown",
    (event) => {
      if (!isOn || !isArrow(event.key) || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      event.stopPropagation();
      if (keys.has(event.key)) return;
      keys.add(event.key);
      change();
    },
    true,
  );
  document.addEventListener("keyup", (event) => {
    if (keys.delete(event.key)) change();
  });
  window.addEventListener("blur", halt);
  document.addEventListener("visibilitychange", halt);
  topics.addEventListener("change", () => set(false));
  const element = section(
    "Drive",
    field("Topic", topics, { class: "wide" }),
    h(
      "div",
      { class: "row end" },
      field("Speed", speed, { unit: "m/s" }),
      field("Turn rate", turn, { unit: "rad/s" }),
    ),
    h("div", { class: "row" }, button.element, now),
  );
  element.classList.add("of-run");
  element.hidden = true;
  let shown: string | null = null;
  app.topics.all.watch((all) => {
    const names = all.filter(({ type }) => type === TWIST).map(({ topic }) => topic);
    if (names.join() === shown) return;
    shown = names.join();
    const chosen = topics.value;
    fill(topics, ...names.map((name) => h("option", { value: name }, name)));
    if (names.includes(chosen)) topics.value = chosen;
    else if (isOn) set(false);
    element.hidden = names.length === 0;
  });
  return element;
}
