// The dock: one panel at a time, chosen by tabs. The address keeps the chosen one.

import type { Panel } from "../app.ts";
import type { RecordingInfo } from "../api/types.ts";
import { setting } from "../state/settings.ts";
import type { Signal } from "../state/signal.ts";
import { h } from "../ui/dom.ts";

const NARROWEST = 340;
const WIDEST_BY_ITSELF = 660;
/** Width of a window up to which the dock is below the view; the style has the same number. */
const STACKED = 760;

/** Width of the dock in a window: the chosen one, or else a third of the window. */
export function dockWidth(window: number, chosen: number | null): number {
  const most = Math.max(NARROWEST, window - 420);
  const wanted = chosen ?? Math.min(WIDEST_BY_ITSELF, Math.max(440, window / 3));
  return Math.round(Math.max(NARROWEST, Math.min(most, wanted)));
}

/** `recording` is null for a run; a recording has fewer panels. */
export function dock(panels: readonly Panel[], recording: Signal<RecordingInfo | null>): HTMLElement {
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
  const area = h("div", { class: "panels" });
  let current: Panel | null = null;
  const tabs = panels.map((panel) => {
    const tab = h(
      "button",
      {
        type: "button",
        class: "tab",
        role: "tab",
        id: `tab-${panel.id}`,
        "aria-controls": `panel-${panel.id}`,
      },
      panel.title,
    );
    tab.addEventListener("click", () => choose(panel));
    list.append(tab);
    panel.element.id = `panel-${panel.id}`;
    panel.element.classList.add("panel");
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-labelledby", tab.id);
    panel.element.hidden = true;
    area.append(panel.element);
    return tab;
  });
  const choose = (panel: Panel) => {
    if (panel === current) return;
    current?.hide();
    panels.forEach((other, index) => {
      other.element.hidden = other !== panel;
      tabs[index].setAttribute("aria-selected", String(other === panel));
      tabs[index].tabIndex = other === panel ? 0 : -1;
    });
    current = panel;
    panel.show();
    if (location.hash !== `#${panel.id}`) history.replaceState(null, "", `#${panel.id}`);
  };
  list.addEventListener("keydown", (event) => {
    const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!turn || !current) return;
    event.preventDefault();
    event.stopPropagation();
    const offered = panels.filter(isOffered);
    const next = offered[(offered.indexOf(current) + turn + offered.length) % offered.length];
    choose(next);
    tabs[panels.indexOf(next)].focus();
  });
  const isOffered = (panel: Panel) => recording.get() === null || !panel.isOfRun;
  const byAddress = () =>
    panels.find((panel) => `#${panel.id}` === location.hash && isOffered(panel)) ?? panels[0];
  recording.listen(() => {
    panels.forEach((panel, index) => {
      tabs[index].hidden = !isOffered(panel);
    });
    if (current && !isOffered(current)) choose(byAddress());
  });
  window.addEventListener("hashchange", () => choose(byAddress()));
  choose(byAddress());
  const element = h("aside", { class: "dock", "aria-label": "Panels" }, list, area);
  return h("div", { class: "dock-frame" }, divider(element), element);
}

/** Changes the width of the dock. */
function divider(element: HTMLElement): HTMLElement {
  // Until it is dragged, the width follows that of the window.
  const width = setting<number | null>("dockWidth", null);
  const line = h("div", {
    class: "divider",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": "Width of the panels",
  });
  const apply = () => {
    const used = dockWidth(window.innerWidth, width.get());
    element.style.width = window.innerWidth <= STACKED ? "" : `${used}px`;
    line.setAttribute("aria-valuenow", String(used));
  };
  line.addEventListener("pointerdown", (event) => {
    line.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => width.set(window.innerWidth - moved.clientX);
    line.addEventListener("pointermove", move);
    line.addEventListener("pointerup", () => line.removeEventListener("pointermove", move), { once: true });
  });
  line.addEventListener("keydown", (event) => {
    const change = { ArrowLeft: 20, ArrowRight: -20 }[event.key];
    if (!change) return;
    event.preventDefault();
    event.stopPropagation();
    width.update((now) => dockWidth(window.innerWidth, now) + change);
  });
  line.addEventListener("dblclick", () => width.set(null));
  line.title = "Drag to change the width, double-click for the usual one";
  width.watch(apply);
  window.addEventListener("resize", apply);
  return line;
}
