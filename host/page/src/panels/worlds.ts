// Loads, reloads, unloads and saves worlds.

import type { App } from "../app.ts";
import type { WorldResource } from "../api/types.ts";
import { denial, kindOf } from "../state/lifecycle.ts";
import { Button, checkbox, empty, section, textInput } from "../ui/controls.ts";
import { fill, h, setProse } from "../ui/dom.ts";
import { request } from "./actions.ts";
import { pathProblem } from "./connections.ts";

export function worldsSection(app: App): { element: HTMLElement; refresh(): void } {
  const list = h("ul", { class: "list", "aria-label": "Worlds that can be loaded" });
  const filter = textInput({
    placeholder: "Filter, or an address to load",
    label: "Filter of worlds",
    id: "world-filter",
  });
  let worlds: WorldResource[] = [];
  let loadedUri = "";
  const draw = () => {
    const wanted = filter.value.toLowerCase();
    const shown = worlds.filter(({ name }) => name.toLowerCase().includes(wanted));
    fill(
      list,
      ...shown.map((world) => row(app, world, aboutWorld(world, worlds, isLoaded(world)), isLoaded(world))),
    );
    if (shown.length === 0) list.append(h("li", {}, empty("No world of the list matches.")));
  };
  const refresh = async () => {
    if (app.host.missing("get_available_worlds") !== "") return;
    const answer = await app.http
      .call<{ worlds: WorldResource[] }>("get_available_worlds", { continue_on_error: true })
      .catch(() => null);
    worlds = answer?.worlds ?? [];
    const current = await app.http
      .call<{ world: { world_resource: { uri: string } } }>("get_current_world")
      .catch(() => null);
    loadedUri = current?.world.world_resource.uri ?? "";
    draw();
  };
  filter.addEventListener("input", draw);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && filter.value !== "") void load(app, filter.value);
  });
  const isLoaded = ({ name, world_resource }: WorldResource) => {
    if (name !== app.host.lastSeen.get()?.status.world) return false;
    // Several files may contain a world of one name.
    return loadedUri === ""
      ? worlds.filter((other) => other.name === name).length === 1
      : isSameFile(world_resource.uri, loadedUri);
  };
  app.host.services.listen(() => void refresh());
  let shownWorld: string | undefined;
  app.host.status.listen((status) => {
    if (!status || status.world === shownWorld) return;
    shownWorld = status.world;
    void refresh();
  });
  const element = section("Worlds", filter, list, actions(app), saving(app));
  return { element, refresh: () => void refresh() };
}

/** Compares the address of a file with one that may be relative or without `file://`. */
export function isSameFile(address: string, other: string): boolean {
  const [path, wanted] = [address, other].map((text) => text.replace(/^file:\/\//, "").replace(/^\.\//, ""));
  return path === wanted || (!wanted.startsWith("/") && path.endsWith(`/${wanted}`));
}

/** Returns what is shown beside a world: which file it is if another one has the same name, and whether it is loaded. */
export function aboutWorld(
  { name, world_resource, description }: WorldResource,
  all: readonly WorldResource[],
  isCurrent: boolean,
): string {
  const isAmbiguous = all.filter((other) => other.name === name).length > 1;
  const file = isAmbiguous ? world_resource.uri.replace(/^file:\/\//, "") : "";
  return [isCurrent ? "loaded" : "", description || file].filter((part) => part !== "").join(", ");
}

function row(app: App, world: WorldResource, about: string, isCurrent: boolean): HTMLElement {
  const { uri } = world.world_resource;
  const button = new Button(
    { label: "Load", kind: "quiet", title: uri, id: `load-${world.name}`, isRequest: true },
    () => void load(app, uri),
  );
  return h(
    "li",
    { class: isCurrent ? "current" : undefined },
    h("span", { class: "name", title: uri }, world.name),
    h("span", { class: "about", title: about }, about),
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
    { label: "Reload", title: "Reads the file of the world again", id: "reload", isRequest: true },
    () => void request(app, "reload_world"),
  );
  const unload = new Button(
    { label: "Unload", id: "unload", isRequest: true },
    () => void request(app, "unload_world"),
  );
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
    label: "File for the world",
    id: "save-path",
  });
  let overwrite = false;
  const wrong = h("p", { class: "failure", hidden: true, "data-test": "save-problem" });
  const write = async () => {
    const file = path.value.trim() || "saved.sdf";
    const answer = await app.notices.run("The file cannot be written", () =>
      app.http.call<{ path: string }>("save_world", { path: file, overwrite }),
    );
    if (answer) app.notices.info(`Written: ${answer.path || file}`);
  };
  const save = new Button(
    { label: "Save world", title: "Writes the world with its changes to a file", id: "save" },
    () => void write(),
  );
  const allow = () => {
    const status = app.host.status.get();
    const problem = pathProblem(path.value, "the output directory of the run");
    setProse(wrong, `${problem}.`);
    wrong.hidden = problem === "";
    path.setAttribute("aria-invalid", String(problem !== ""));
    const missing =
      status && kindOf(status.state) !== "none" ? problem : "no world is loaded; load one first";
    save.allow(missing);
  };
  path.addEventListener("input", allow);
  app.host.status.watch(allow);
  const box = checkbox("overwrite", false, (isChecked) => {
    overwrite = isChecked;
  });
  return h("div", { class: "stack" }, h("div", { class: "row" }, path, box, save.element), wrong);
}
