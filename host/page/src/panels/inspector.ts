// The selected entity: pose, velocity, sensors; it can be followed, moved and deleted.

import type { App } from "../app.ts";
import type { ElementDescription, EntityState } from "../api/types.ts";
import { DEGREES, fromRpy, toRpy } from "../math.ts";
import { Poller } from "../state/host.ts";
import { poseDenial } from "../state/lifecycle.ts";
import type { Off } from "../state/signal.ts";
import { Button, empty, field, numberInput, section } from "../ui/controls.ts";
import { fill, h, setName, setText } from "../ui/dom.ts";
import { fixed } from "../ui/format.ts";
import { deleteEntity, request } from "./actions.ts";
import { isImage } from "./image.ts";
import { jointList } from "./joints.ts";
import { topicLink } from "./open_topic.ts";
import { sensorMount } from "./sensor_view.ts";
import { servedBy } from "./vehicles.ts";

const PERIOD_MS = 200;

export function inspector(app: App): { element: HTMLElement; show(): void; hide(): void } {
  const body = h("div", {});
  const element = section("Selection", body);
  element.dataset.test = "selection";
  let poller: Poller | null = null;
  let isShown = false;
  let offs: Off[] = [];
  const select = (entity: string | null) => {
    poller?.stop();
    poller = null;
    for (const off of offs) off();
    offs = [];
    if (entity === null) {
      fill(body, empty("Click an entity in the view or in the list."));
      return;
    }
    const { content, take } = details(app, entity, offs);
    fill(body, content);
    poller = new Poller(PERIOD_MS, app.socket, async () => {
      take((await app.http.call<{ state: EntityState }>("get_entity_state", { entity })).state);
    });
    if (isShown) poller.start();
  };
  app.view?.selection.watch(select);
  app.host.entities.listen((entities) => {
    const selected = app.view?.selection.get();
    if (selected && !entities.includes(selected)) app.view?.selection.set(null);
  });
  const show = () => {
    isShown = true;
    poller?.start();
  };
  const hide = () => {
    isShown = false;
    poller?.stop();
  };
  return { element, show, hide };
}

/** Subscriptions that end with the selection are added to `offs`. */
function details(
  app: App,
  entity: string,
  offs: Off[],
): { content: HTMLElement; take(state: EntityState): void } {
  const values = stateTable();
  const pose = poseForm(app, entity, offs);
  const content = h(
    "div",
    {},
    h("h4", { "data-test": "selected-name" }, entity),
    buttons(app, entity, offs),
    values.element,
    pose.element,
    jointList(app, entity, offs),
    sensors(app, entity, offs),
  );
  const take = (state: EntityState) => {
    values.take(state);
    pose.take(state);
  };
  return { content, take };
}

function buttons(app: App, entity: string, offs: Off[]): HTMLElement {
  const first = () => app.view?.world.get()?.scene.nodes.find((node) => node.entity === entity)?.name ?? "";
  const follow = new Button(
    { label: "Follow", icon: "camera", title: "Move the camera with the entity (F)", id: "follow" },
    () => {
      const { view } = app;
      if (!view) return;
      const now = view.mount.get();
      const isFollowed = now.kind === "follow" && now.label === entity;
      view.mount.set(isFollowed ? { kind: "free" } : { kind: "follow", node: first(), label: entity });
    },
  );
  const show = new Button({ label: "Show", icon: "fit", id: "show" }, () => app.view?.focus(entity));
  const remove = new Button(
    {
      label: "Delete",
      kind: "danger",
      title: "Remove the entity from the world (Del)",
      id: "delete",
      isRequest: true,
    },
    () => {
      void deleteEntity(app, entity);
    },
  );
  remove.element.classList.add("of-run");
  const off = app.view?.mount.watch((mount) => {
    follow.element.setAttribute("aria-pressed", String(mount.kind === "follow" && mount.label === entity));
  });
  if (off) offs.push(off);
  return h("div", { class: "row" }, follow.element, show.element, remove.element);
}

function stateTable(): { element: HTMLElement; take(state: EntityState): void } {
  const rows: [string, string, (state: EntityState) => number[]][] = [
    ["Position", "m", ({ pose: { position: p } }) => [p.x, p.y, p.z]],
    ["Roll, pitch, yaw", "°", ({ pose }) => angles(pose.orientation)],
    ["Velocity", "m/s", ({ twist: { linear: v } }) => [v.x, v.y, v.z]],
    ["Turn rate", "rad/s", ({ twist: { angular: w } }) => [w.x, w.y, w.z]],
  ];
  const cells = rows.map(() => [0, 1, 2].map(() => h("td", { class: "number" }, "–")));
  const body = h("tbody");
  rows.forEach(([name, unit], index) => {
    const id = name.split(",")[0].toLowerCase().replace(" ", "-");
    body.append(
      h(
        "tr",
        { "data-test": `state-${id}` },
        h("th", { scope: "row" }, name),
        ...cells[index],
        h("td", { class: "unit" }, unit),
      ),
    );
  });
  const head = h(
    "tr",
    {},
    h("td", {}),
    ...["x", "y", "z"].map((name) => h("th", { scope: "col", class: "number" }, name)),
    h("td", {}),
  );
  const take = (state: EntityState) => {
    for (const [row, [, , read]] of rows.entries()) {
      for (const [column, value] of read(state).entries()) setText(cells[row][column], fixed(value));
    }
  };
  return {
    element: h(
      "table",
      { class: "table state", "aria-label": "Pose and velocity" },
      h("thead", {}, head),
      body,
    ),
    take,
  };
}

function angles(orientation: EntityState["pose"]["orientation"]): number[] {
  const { x, y, z } = toRpy(orientation);
  return [x * DEGREES, y * DEGREES, z * DEGREES];
}

/** A form that sets the pose; it is filled from the current pose. */
function poseForm(
  app: App,
  entity: string,
  offs: Off[],
): { element: HTMLElement; take(state: EntityState): void } {
  const names = ["x", "y", "z", "roll", "pitch", "yaw"];
  const inputs = names.map((name) => numberInput(0, { label: name, id: `pose-${name}` }));
  let latest: EntityState | null = null;
  let isFilled = false;
  const fillIn = () => {
    if (!latest) return;
    const { x, y, z } = latest.pose.position;
    [x, y, z, ...angles(latest.pose.orientation)].forEach((value, index) => {
      inputs[index].value = fixed(value, 4).replace(/\.?0+$/, "");
    });
    isFilled = true;
  };
  const read = new Button(
    { label: "Current", title: "Fill in the current pose", id: "pose-current" },
    fillIn,
  );
  const set = new Button({ label: "Set pose", kind: "primary", id: "pose-set", isRequest: true }, () => {
    const [x, y, z, roll, pitch, yaw] = inputs.map((input) => Number(input.value));
    const orientation = fromRpy(roll / DEGREES, pitch / DEGREES, yaw / DEGREES);
    const state = { pose: { position: { x, y, z }, orientation } };
    void request(app, "set_entity_state", { entity, state, set_pose: true, set_twist: false });
  });
  offs.push(app.host.status.watch((status) => set.allow(poseDenial(status))));
  const fields = inputs.map((input, index) => field(names[index], input, { unit: index < 3 ? "m" : "°" }));
  const element = h(
    "details",
    { class: "fold of-run", "data-test": "pose-form" },
    h("summary", {}, "Set the pose"),
    h("div", { class: "grid3" }, ...fields),
    h("div", { class: "row" }, set.element, read.element),
  );
  const take = (state: EntityState) => {
    latest = state;
    if (!isFilled) fillIn();
  };
  return { element, take };
}

function sensors(app: App, entity: string, offs: Off[]): HTMLElement {
  const list = h("ul", { class: "list" });
  const draw = () => {
    const elements = app.host.description.get()?.elements ?? [];
    const own = elements.filter(({ vehicle, kind }) => vehicle === entity && kind === "sensor");
    fill(list, ...own.map((element) => sensor(app, element)));
    if (own.length === 0) list.append(h("li", {}, empty("No sensors.")));
  };
  offs.push(app.host.description.watch(draw));
  return h("div", {}, h("h4", {}, "Sensors"), list);
}

function sensor(app: App, element: ElementDescription): HTMLElement {
  const name = sensorName(element);
  const about = h("span", { class: "hint" }, element.asked);
  const served = element.plugin === "" && servedBy(element);
  const pictures = element.topics.find(({ type }) => isImage(type))?.topic;
  const images = pictures !== undefined && imageButton(app, element.name, pictures);
  return h(
    "li",
    { class: "sensor" },
    h("div", { class: "grow" }, name, " ", about, " ", served),
    h("div", { class: "row" }, images, hasView(element) && lookButton(app, element)),
  );
}

/** The name of a sensor, which opens its topic. */
function sensorName({ name, topics }: ElementDescription): HTMLElement {
  const topic = mainTopic(topics);
  if (topic !== "") return topicLink(topic, name, { class: "name", title: `Open ${topic}` });
  const text = h("span", { class: "name" });
  setName(text, name);
  return text;
}

/** Returns the first topic that a sensor publishes; an empty text if it has none. */
export function mainTopic(topics: ElementDescription["topics"]): string {
  return topics.find(({ is_published }) => is_published)?.topic ?? "";
}

/** What an imu or a receiver of satellites measures has no direction. */
export function hasView({ asked }: { asked: string }): boolean {
  return /camera|lidar|ray|sonar|laser|thermal|segmentation|boundingbox/.test(asked);
}

function imageButton(app: App, name: string, topic: string): HTMLElement {
  const button = new Button(
    { label: "Image", kind: "quiet", title: `Show ${topic} beside the view`, id: `image-${name}` },
    () => app.images.toggle(topic),
  );
  return button.element;
}

function lookButton(app: App, element: ElementDescription): HTMLElement {
  const button = new Button(
    {
      label: "Look through",
      kind: "quiet",
      title: "Place the camera at the sensor",
      id: `look-${element.name}`,
    },
    () => app.view?.mount.set(sensorMount(element)),
  );
  return button.element;
}
