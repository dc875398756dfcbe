// Keys: those of the terminal, and a few for the view.

import type { App } from "../app.ts";
import { show } from "../ui/dialog.ts";
import { h } from "../ui/dom.ts";
import { deleteEntity, pause, play, quit, step, toggle } from "./actions.ts";
import { denial } from "../state/lifecycle.ts";
import { leaveMode } from "./modes.ts";

const KEYS: readonly [keys: string, does: string][] = [
  ["R", "play a stopped run, resume a paused one"],
  ["P", "pause"],
  ["Space", "play or pause, unless a button or field has the focus"],
  ["S", "run one step"],
  ["Q", "quit the host, after a question"],
  ["F", "follow the selected entity, or stop following"],
  ["Home", "show the whole world"],
  ["Del", "delete the selected entity, after a question"],
  ["Esc", "stop driving, clear the selection, leave a sensor, cancel placing"],
  ["arrow keys", "turn the camera if the view has the focus; drive if driving is on"],
  ["+ and −", "move the camera closer or away if the view has the focus"],
  ["?", "show this list"],
];

export function showKeys(): void {
  const rows = KEYS.map(([keys, does]) =>
    h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, keys)), h("td", {}, does)),
  );
  const content = h(
    "div",
    {},
    h("table", { class: "keys" }, h("tbody", {}, ...rows)),
    h(
      "p",
      { class: "hint" },
      "In the view: drag to turn, drag with the right button to move, use the wheel to come closer, click to select, drag with the shift key to move a thing along the ground.",
    ),
    h(
      "p",
      { class: "hint" },
      "On a touch screen: one finger turns, two fingers move and come closer, a tap selects. After Drive in the tab Topics, hold the arrows over the view to drive.",
    ),
    h(
      "p",
      { class: "hint" },
      h("a", { href: "licences.txt", target: "_blank" }, "Licences of the libraries of this page"),
      h(
        "span",
        { class: "of-run" },
        ", ",
        h("a", { href: "openapi.json", target: "_blank" }, "description of the interface"),
      ),
    ),
  );
  void show("Keys and help", content, [{ label: "Close", value: "close", kind: "primary" }], true);
}

export function listenToKeys(app: App): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === " " && (event.repeat || pressesSpace(event.target))) return;
    if (act(app, event.key)) event.preventDefault();
  });
}

/** Elements that the space key operates. */
const OPERATED = "button, a, summary, input, select, textarea, [role=tab], [role=slider]";

/** Returns true if the space key operates an element. Play and Pause are what the key does anyway. */
function pressesSpace(target: EventTarget | null): boolean {
  const element = target instanceof Element ? target.closest(OPERATED) : null;
  return element !== null && !element.matches("[data-test=play], [data-test=pause]");
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement
    ? !["checkbox", "button", "radio"].includes(target.type)
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Returns true if the key has a meaning. */
function act(app: App, key: string): boolean {
  const status = app.host.status.get();
  switch (key) {
    case "r":
      void play(app);
      return true;
    case " ":
      void toggle(app);
      return true;
    case "p":
      void pause(app);
      return true;
    case "s":
      void step(app, 1);
      return true;
    case "q": {
      const reason = denial("quit", status);
      if (reason === "") void quit(app);
      else app.notices.error(`The host cannot be quit: ${reason}.`);
      return true;
    }
    case "?":
      showKeys();
      return true;
    default:
      return actInView(app, key);
  }
}

function actInView(app: App, key: string): boolean {
  if (key === "Escape" && leaveMode(app)) return true;
  const { view } = app;
  if (!view) return false;
  const selected = view.selection.get();
  if (key === "Home") {
    view.mount.set({ kind: "free" });
    view.fit();
  } else if (key === "Escape") {
    view.selection.set(null);
  } else if (key === "Delete" && selected) {
    void deleteEntity(app, selected);
  } else if (key === "f" && selected) {
    const isFollowing = view.mount.get().kind === "follow";
    const node = view.world.get()?.scene.nodes.find(({ entity }) => entity === selected)?.name ?? "";
    view.mount.set(isFollowing ? { kind: "free" } : { kind: "follow", node, label: selected });
  } else {
    return false;
  }
  return true;
}
