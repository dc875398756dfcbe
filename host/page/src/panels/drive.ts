// The section that chooses what is driven and how fast.

import type { App } from "../app.ts";
import { Button, field, numberInput, section, select } from "../ui/controls.ts";
import { fill, h, setText } from "../ui/dom.ts";
import { TWIST } from "./driving.ts";

export function driveSection(app: App): HTMLElement {
  const { drive } = app;
  const topics = select([], "Topic for driving", "drive-topic");
  const speed = numberInput(drive.speed, { min: 0, step: 0.1, id: "drive-speed" });
  const turn = numberInput(drive.turn, { min: 0, step: 0.1, id: "drive-turn" });
  speed.addEventListener("input", () => {
    drive.speed = Number(speed.value);
  });
  turn.addEventListener("input", () => {
    drive.turn = Number(turn.value);
  });
  const now = h("output", { class: "hint", "data-test": "drive-now" });
  const button = new Button(
    {
      label: "Drive",
      icon: "drive",
      id: "drive",
      title: "With the arrow keys, or on a touch screen with the arrows over the view; Esc ends it",
      isRequest: true,
    },
    () => {
      drive.set(drive.topic.get() === null ? topics.value : null);
      if (drive.topic.get() !== null) button.element.focus();
    },
  );
  const draw = () => {
    const isOn = drive.topic.get() !== null;
    button.element.setAttribute("aria-pressed", String(isOn));
    setText(
      now,
      isOn ? drive.sent.get() || "press an arrow" : "with the arrow keys, or arrows over the view",
    );
  };
  drive.topic.watch(draw);
  drive.sent.listen(draw);
  topics.addEventListener("change", () => drive.set(null));
  const element = section(
    "Drive",
    field("Topic", topics, { class: "wide" }),
    h(
      "div",
      { class: "row end" },
      field("Speed", speed, { unit: "m/s" }),
      field("Turn rate", turn, { unit: "rad/s" }),
      button.element,
    ),
    now,
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
    element.hidden = names.length === 0;
  });
  return element;
}
