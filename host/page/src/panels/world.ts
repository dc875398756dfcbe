// Entities of the world: the list, the selected one, and spawning.

import type { App, Panel } from "../app.ts";
import { Button, empty, section, textInput } from "../ui/controls.ts";
import { h } from "../ui/dom.ts";
import { Rows } from "../ui/rows.ts";
import { inspector } from "./inspector.ts";
import { spawnSection } from "./spawn.ts";

/** More rows than these are not shown; the filter finds the others. */
const MOST_ROWS = 400;

export function worldPanel(app: App): Panel {
  const spawn = spawnSection(app);
  const entities = entityList(app);
  const selected = inspector(app);
  const element = h("div", {}, entities.element, selected.element, spawn.element);
  const show = () => {
    spawn.refresh();
    selected.show();
    entities.reveal();
  };
  return { id: "world", title: "World", element, show, hide: () => selected.hide() };
}

/** `reveal` scrolls the list to the selected entity: while it is hidden, it cannot be scrolled. */
function entityList(app: App): { element: HTMLElement; reveal(): void } {
  const filter = textInput({ placeholder: "Filter", label: "Filter of entities", id: "entity-filter" });
  const list = h("ul", { class: "list entities", "aria-label": "Entities" });
  const nothing = empty("No entity.");
  const more = h("p", { class: "hint" });
  const rows = new Rows<string>(
    list,
    (name) => name,
    (name) => {
      const choose = () => app.view?.selection.set(app.view.selection.get() === name ? null : name);
      const button = h(
        "button",
        { type: "button", class: "entry", "data-entity": name, on: { click: choose } },
        name,
      );
      const fit = new Button({ label: `Show ${name}`, icon: "fit", kind: "quiet", isIconOnly: true }, () =>
        app.view?.focus(name),
      );
      return { element: h("li", {}, button, fit.element), update: () => undefined };
    },
  );
  const draw = () => {
    const wanted = filter.value.toLowerCase();
    const all = app.host.entities.get().filter((name) => name.toLowerCase().includes(wanted));
    rows.set(all.slice(0, MOST_ROWS));
    nothing.hidden = all.length > 0;
    more.textContent = all.length > MOST_ROWS ? `${all.length - MOST_ROWS} more; use the filter.` : "";
    mark();
  };
  const mark = () => {
    const selection = app.view?.selection.get() ?? null;
    for (const button of list.querySelectorAll<HTMLElement>("[data-entity]")) {
      button.setAttribute("aria-pressed", String(button.dataset.entity === selection));
    }
  };
  filter.addEventListener("input", draw);
  app.host.entities.watch(draw);
  const reveal = () => {
    const row = list.querySelector("[aria-pressed=true]")?.parentElement;
    if (!row) return;
    const [place, area] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += scrollBy(place, area);
  };
  app.view?.selection.watch(() => {
    mark();
    reveal();
  });
  return { element: section("Entities", filter, list, nothing, more), reveal };
}

interface Span {
  top: number;
  bottom: number;
}

/** Returns how far a list is scrolled so that a row is within it; 0 if it is. The page itself is not scrolled. */
export function scrollBy(row: Span, list: Span): number {
  if (row.top < list.top) return row.top - list.top;
  return row.bottom > list.bottom ? row.bottom - list.bottom : 0;
}
