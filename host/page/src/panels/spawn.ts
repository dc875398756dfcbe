// Spawns a model at a place that is clicked in the view, or at a written one.

import type { App } from "../app.ts";
import type { Spawnable } from "../api/types.ts";
import { DEGREES, fromRpy } from "../math.ts";
import { Signal } from "../state/signal.ts";
import { Button, field, numberInput, section, textInput } from "../ui/controls.ts";
import { h } from "../ui/dom.ts";

/** What to do with the next click in the view, in place of selecting. */
export const placing = new Signal<((x: number, y: number, z: number) => void) | null>(null);

export function spawnSection(app: App): { element: HTMLElement; refresh(): void } {
  const models = h("datalist", { id: "spawnables" });
  const model = textInput({
    placeholder: "Choose a model, or write an address",
    label: "Model",
    id: "spawn-model",
  });
  model.setAttribute("list", models.id);
  const name = textInput({ placeholder: "as in the model", id: "spawn-name" });
  const inputs = ["x", "y", "z", "yaw"].map((axis) => numberInput(0, { label: axis, id: `spawn-${axis}` }));
  let known: Spawnable[] = [];
  const spawn = async (x: number, y: number, z: number) => {
    if (model.value.trim() === "") {
      app.notices.error("Choose a model first.");
      return;
    }
    const yaw = Number(inputs[3].value) / DEGREES;
    const answer = await app.notices.run("The model cannot be spawned", () =>
      app.http.call<{ entity_name: string }>("spawn_entity", {
        name: name.value.trim(),
        allow_renaming: true,
        entity_resource: { uri: uriOf(known, model.value.trim()) },
        initial_pose: { pose: { position: { x, y, z }, orientation: fromRpy(0, 0, yaw) } },
      }),
    );
    if (!answer) return;
    app.notices.info(`Spawned: ${answer.entity_name}`);
    await app.host.describe();
    app.view?.selection.set(answer.entity_name);
  };
  const place = new Button(
    {
      label: "Place in the view",
      icon: "add",
      kind: "primary",
      title: "Then click the place",
      id: "spawn-place",
      isRequest: true,
    },
    () => {
      if (model.value.trim() === "") app.notices.error("Choose a model first.");
      else placing.set((x, y, z) => void spawn(x, y, z + heightOf(known, model.value.trim())));
    },
  );
  const here = new Button(
    { label: "Spawn here", title: "At the position in these fields", id: "spawn-here", isRequest: true },
    () => {
      const [x, y, z] = inputs.map((input) => Number(input.value));
      void spawn(x, y, z);
    },
  );
  placing.watch((action) => place.element.setAttribute("aria-pressed", String(action !== null)));
  if (!app.view) place.allow("the view is not available");
  const refresh = async () => {
    if (app.host.missing("get_spawnables") !== "") return;
    const answer = await app.http.call<{ spawnables: Spawnable[] }>("get_spawnables").catch(() => null);
    known = answer?.spawnables ?? [];
    models.replaceChildren(
      ...known.map((spawnable) => h("option", { value: labelOf(spawnable) }, spawnable.description)),
    );
    model.placeholder =
      known.length > 1 ? `One of ${known.length} models, or an address` : "Name or address of a model";
  };
  app.host.services.listen(() => void refresh());
  const fields = inputs.map((input, index) =>
    field(["x", "y", "z", "yaw"][index], input, { unit: index < 3 ? "m" : "°" }),
  );
  const element = section(
    "Spawn",
    field("Model", model, { class: "wide" }),
    models,
    field("Name", name, { class: "wide" }),
    h("div", { class: "grid4" }, ...fields),
    h("div", { class: "row" }, place.element, here.element),
  );
  element.classList.add("of-run");
  return { element, refresh: () => void refresh() };
}

/** The last part of an address, without its ending. */
export function labelOf({ entity_resource: { uri } }: Spawnable): string {
  const parts = uri.replace(/\/(model\.(sdf|config|urdf))?$/, "").split("/");
  return (parts.pop() ?? uri).replace(/\.(sdf|urdf|world|xml)$/, "");
}

function uriOf(known: readonly Spawnable[], text: string): string {
  return known.find((spawnable) => labelOf(spawnable) === text)?.entity_resource.uri ?? text;
}

/** Distance of the origin of a model from its lowest point, so that it is placed on the surface. */
export function heightOf(known: readonly Spawnable[], text: string): number {
  const bounds = known.find((spawnable) => labelOf(spawnable) === text)?.spawn_bounds;
  const BOX = 1;
  if (bounds?.type !== BOX || bounds.points.length < 2) return 0;
  return Math.max(0, -bounds.points[1].z) + 0.001;
}
