// Spawns a shape, a model or a file at a place that is clicked in the view, or at a written one. It stands on the ground.

import type { App } from "../app.ts";
import type { EntityState, Spawnable } from "../api/types.ts";
import { DEGREES, fromRpy } from "../math.ts";
import { Button, field, numberInput, section, textInput } from "../ui/controls.ts";
import { fill, h } from "../ui/dom.ts";
import { placing } from "./placing.ts";
import {
  type Choice,
  heightOf,
  labelOf,
  modelChoice,
  SHAPES,
  type Shape,
  shapeChoice,
} from "./spawn_choices.ts";

const FILE = "file";
const ADDRESS = "address";

/** What is to be spawned, as the user chooses it. */
interface Chooser {
  element: HTMLElement;
  refresh(): void;
  /** Returns the choice; null if one is missing, after an error. */
  read(): Choice | null;
}

export function spawnSection(app: App): { element: HTMLElement; refresh(): void } {
  const chooser = modelChooser(app);
  const name = textInput({ placeholder: "as in the model", id: "spawn-name" });
  const inputs = ["x", "y", "z", "yaw"].map((axis) => numberInput(0, { label: axis, id: `spawn-${axis}` }));
  const spawn = async (choice: Choice, x: number, y: number, ground: number) => {
    const orientation = fromRpy(0, 0, Number(inputs[3].value) / DEGREES);
    const pose = { position: { x, y, z: ground + (choice.height ?? 0) }, orientation };
    const answer = await app.notices.run("The model cannot be spawned", () =>
      app.http.call<{ entity_name: string }>("spawn_entity", {
        name: name.value.trim(),
        allow_renaming: true,
        entity_resource: choice.resource,
        initial_pose: { pose },
      }),
    );
    if (!answer) return;
    if (choice.height === null) await raise(app, answer.entity_name, pose);
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
      const choice = chooser.read();
      if (choice) placing.set((x, y, z) => void spawn(choice, x, y, z));
    },
  );
  const here = new Button(
    {
      label: "Spawn here",
      title: "At the position in these fields; z is the height of the ground",
      id: "spawn-here",
      isRequest: true,
    },
    () => {
      const choice = chooser.read();
      const [x, y, z] = inputs.map((input) => Number(input.value));
      if (choice) void spawn(choice, x, y, z);
    },
  );
  placing.watch((action) => place.element.setAttribute("aria-pressed", String(action !== null)));
  if (!app.view) place.allow("the view is not available");
  const fields = inputs.map((input, index) =>
    field(["x", "y", "z", "yaw"][index], input, { unit: index < 3 ? "m" : "°" }),
  );
  const element = section(
    "Spawn",
    chooser.element,
    field("Name", name, { class: "wide" }),
    h("div", { class: "grid4" }, ...fields),
    h("div", { class: "row" }, place.element, here.element),
  );
  element.classList.add("of-run");
  return { element, refresh: chooser.refresh };
}

/** Raises a spawned entity that reaches below the ground: only the host knows how large the model of a file is. */
async function raise(app: App, entity: string, pose: EntityState["pose"]): Promise<void> {
  await app.notices.run("The model cannot be placed on the ground", async () => {
    const { bounds } = await app.http.call<{ bounds: Spawnable["spawn_bounds"] }>("get_entity_bounds", {
      entity,
    });
    const height = heightOf(bounds);
    if (height === null || height <= 0) return;
    const { x, y, z } = pose.position;
    const state = { pose: { position: { x, y, z: z + height }, orientation: pose.orientation } };
    await app.http.call("set_entity_state", { entity, state, set_pose: true, set_twist: false });
  });
}

function modelChooser(app: App): Chooser {
  const kind = h("select", { "aria-label": "What is spawned", "data-test": "spawn-kind" });
  const size = numberInput(0.5, { min: 0.01, step: 0.1, label: "Size", id: "spawn-size" });
  const address = textInput({
    placeholder: "file:///…, model://…, or a path",
    label: "Address of the model",
    id: "spawn-model",
  });
  const file = h("input", { type: "file", accept: ".sdf,.urdf,.xml", "data-test": "spawn-file" });
  let known: Spawnable[] = [];
  let content: { name: string; text: string } | null = null;
  const sizeField = field("Size", size, { class: "wide", unit: "m" });
  const addressField = field("Address", address, { class: "wide" });
  const fileField = field("File", file, { class: "wide" });
  const draw = () => {
    sizeField.hidden = !SHAPES.includes(kind.value as Shape);
    addressField.hidden = kind.value !== ADDRESS;
    fileField.hidden = kind.value !== FILE;
  };
  const options = () => {
    const chosen = kind.value;
    const models = known.map((one) =>
      h("option", { value: one.entity_resource.uri, title: one.description }, labelOf(one)),
    );
    fill(
      kind,
      h("optgroup", { label: "Shapes" }, ...SHAPES.map((shape) => h("option", { value: shape }, shape))),
      models.length > 0 && h("optgroup", { label: "Models" }, ...models),
      h(
        "optgroup",
        { label: "Other" },
        h("option", { value: FILE }, "a file …"),
        h("option", { value: ADDRESS }, "an address …"),
      ),
    );
    if ([...kind.options].some(({ value }) => value === chosen)) kind.value = chosen;
    draw();
  };
  kind.addEventListener("change", draw);
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    content = chosen ? { name: chosen.name, text: await chosen.text() } : null;
  });
  const refresh = async () => {
    if (app.host.missing("get_spawnables") !== "") return;
    const answer = await app.http.call<{ spawnables: Spawnable[] }>("get_spawnables").catch(() => null);
    known = answer?.spawnables ?? [];
    options();
  };
  app.host.services.listen(() => void refresh());
  options();
  const read = (): Choice | null => {
    const shape = SHAPES.find((one) => one === kind.value);
    if (shape) {
      const metres = Number(size.value);
      if (metres > 0) return shapeChoice(shape, metres);
      app.notices.error("The size must be more than 0 m.");
      return null;
    }
    const model = known.find((one) => one.entity_resource.uri === kind.value);
    if (model) return modelChoice(model);
    if (kind.value === FILE && content)
      return { resource: { uri: "", resource_string: content.text }, height: null };
    const uri = address.value.trim();
    if (kind.value === ADDRESS && uri !== "") return { resource: { uri, resource_string: "" }, height: null };
    app.notices.error(kind.value === FILE ? "Choose a file first." : "Write the address of a model first.");
    return null;
  };
  const element = h(
    "div",
    { class: "stack" },
    field("What", kind, { class: "wide" }),
    sizeField,
    fileField,
    addressField,
  );
  return { element, refresh: () => void refresh(), read };
}
