// Diagnostics: triggers, plugins, step times, the log, and errors. One of them at a time.

import type { App, Panel } from "../app.ts";
import { Button } from "../ui/controls.ts";
import { h } from "../ui/dom.ts";
import { errorsView } from "./errors.ts";
import { logView } from "./log.ts";
import { pluginsView } from "./plugins.ts";
import { timesView } from "./times.ts";
import { triggersView } from "./triggers.ts";

/** A part of the panel. */
export interface Part {
  id: string;
  title: string;
  element: HTMLElement;
  show(): void;
  hide(): void;
}

export function diagnosticsPanel(app: App): Panel {
  const parts: Part[] = [triggersView(app), pluginsView(app), timesView(app), logView(app), errorsView(app)];
  const bar = h("div", { class: "row segmented", role: "group", "aria-label": "Diagnostics" });
  const area = h("div", {});
  let current = parts[0];
  let isShown = false;
  const buttons = parts.map((part) => {
    const button = new Button({ label: part.title, id: `part-${part.id}` }, () => choose(part));
    bar.append(button.element);
    area.append(part.element);
    return button;
  });
  const choose = (part: Part) => {
    if (isShown) current.hide();
    current = part;
    parts.forEach((other, index) => {
      other.element.hidden = other !== part;
      buttons[index].element.setAttribute("aria-pressed", String(other === part));
    });
    if (isShown) part.show();
  };
  choose(parts[0]);
  const show = () => {
    isShown = true;
    current.show();
  };
  const hide = () => {
    isShown = false;
    current.hide();
  };
  return {
    id: "diagnostics",
    isOfRun: true,
    title: "Diagnostics",
    element: h("div", {}, h("div", { class: "part-bar" }, bar), area),
    show,
    hide,
  };
}
