// Loads, reloads, unloads and saves worlds, and writes snapshots.

import type { App } from "../app.ts";
import type { WorldResource } from "../api/types.ts";
import { denial, kindOf } from "../state/lifecycle.ts";
import { Button, checkbox, empty, section, textInput } from "../ui/controls.ts";
import { fill, h } from "../ui/dom.ts";
import { request } from "./actions.ts";

export function worldsSection(app: App): { element: HTMLElement; refresh(): void } {
  const list = h("ul", { class: "list", "aria-label": "Worlds that can be loaded" });
  const filter = textInput({
    placeholder: "Filter, or an address to load",
    label: "Filter of worlds",
    id: "world-filter",
  });
  let worlds: WorldResource[] = [];
  const draw = () => {
    const wanted = filter.value.toLowerCase();
    const shown = worlds.filter(({ name }) => name.toLowerCase().includes(wanted));
    const current = app.host.status.get()?.world;
    fill(list, ...shown.map((world) => row(app, world, world.name === current)));
    if (shown.length === 0) list.append(h("li", {}, empty("No world of the list matches.")));
  };
  const refresh = async () => {
    const answer = await app.http
      .call<{ worlds: WorldResource[] }>("get_available_worlds", { continue_on_error: true })
      .catch(() => null);
    worlds = answer?.worlds ?? [];
    draw();
  };
  filter.addEventListener("input", draw);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && filter.value !== "") void load(app, filter.value);
  });
  let shownWorld: string | undefined;
  app.host.status.listen((status) => {
    if (status?.world === shownWorld) return;
    shownWorld = status?.world;
    draw();
  });
  const element = section("Worlds", filter, list, actions(app), saving(app));
  return { element, refresh: () => void refresh() };
}

function row(app: App, world: WorldResource, isCurrent: boolean): HTMLElement {
  const { uri } = world.world_resource;
  const button = new Button(
    { label: "Load", kind: "quiet", title: uri, id: `load-${world.name}` },
    () => void load(app, uri),
  );
  return h(
    "li",
    { class: isCurrent ? "current" : undefined },
    h("span", { class: "name", title: uri }, world.name),
    h("span", { class: "about" }, world.description || (isCurrent ? "loaded" : "")),
    button.element,
  );
}

async function load(app: App, uri: string): Promise<void> {
  app.notices.info("The world is being loaded.");
  await request(app, "load_world", { world_resource: { uri } });
  await app.host.describe();
}

function actions(app: App): HTMLElement {
  const reload = new Button(
    { label: "Reload", title: "Reads the file of the world again", id: "reload" },
    () => void request(app, "reload_world"),
  );
  const unload = new Button({ label: "Unload", id: "unload" }, () => void request(app, "unload_world"));
  app.host.status.watch((status) => {
    const isThere = status !== null && kindOf(status.state) !== "none";
    reload.allow(isThere ? "" : "no world is loaded; load one first");
    unload.allow(denial("unload_world", status));
  });
  return h("div", { class: "row" }, reload.element, unload.element);
}

/** Files are written below the output folder of the run. */
function saving(app: App): HTMLElement {
  const path = textInput({
    placeholder: "saved.sdf",
    label: "File for the world or snapshot",
    id: "save-path",
  });
  let overwrite = false;
  const write = async (service: string, ending: string) => {
    const file = path.value.trim() || `saved.${ending}`;
    const answer = await app.notices.run("The file cannot be written", () =>
      app.http.call<{ path: string }>(service, { path: file, overwrite }),
    );
    if (answer) app.notices.info(`Written: ${answer.path || file}`);
  };
  const save = new Button(
    { label: "Save world", title: "Writes the world with its changes to a file", id: "save" },
    () => void write("save_world", "sdf"),
  );
  const snapshot = new Button(
    { label: "Snapshot", title: "Writes the complete state, from which a run can continue", id: "snapshot" },
    () => void write("save_snapshot", "snapshot"),
  );
  const allow = () => {
    const status = app.host.status.get();
    const missing = status && kindOf(status.state) !== "none" ? "" : "no world is loaded; load one first";
    save.allow(missing);
    snapshot.allow(missing || app.host.missing("save_snapshot"));
  };
  app.host.status.watch(allow);
  app.host.services.listen(allow);
  const box = checkbox("overwrite", false, (isChecked) => {
    overwrite = isChecked;
  });
  return h("div", { class: "row" }, path, box, save.element, snapshot.element);
}
