// The world and each vehicle with their bridges and sensors.

import type { App, Panel } from "../app.ts";
import type { BridgeInfo, ElementDescription, PluginInfo, TopicInfo } from "../api/types.ts";
import { Poller } from "../state/host.ts";
import type { Off } from "../state/signal.ts";
import { empty, table } from "../ui/controls.ts";
import { fill, h, setText } from "../ui/dom.ts";
import { rate } from "../ui/format.ts";
import { Rows } from "../ui/rows.ts";
import { attachForm, bridgeRow } from "./bridges.ts";

const PERIOD_MS = 1000;
/** How requests name the world. */
export const WORLD = "world";

export function vehiclesPanel(app: App): Panel {
  const cards = h("div", {});
  const none = empty("No vehicle: no model of the world has a sensor, a plugin or a bridge.");
  none.classList.add("section");
  let bridges: BridgeInfo[] = [];
  let plugins: PluginInfo[] = [];
  const rows = new Rows<string>(
    cards,
    (name) => name,
    (name) => {
      const card = vehicleCard(app, name, () => poller.now());
      const update = () =>
        card.update(
          bridges.filter((bridge) => (bridge.vehicle || WORLD) === name),
          plugins,
        );
      return { element: card.element, update };
    },
  );
  const draw = () => {
    const names = vehicleNames(app, bridges);
    rows.set(names);
    none.hidden = names.length > 1;
  };
  const poller = new Poller(PERIOD_MS, app.socket, async () => {
    const [ofBridges, ofPlugins] = await Promise.all([
      app.http.call<{ bridges: BridgeInfo[] }>("get_bridges"),
      app.http.call<{ plugins: PluginInfo[] }>("get_plugins"),
    ]);
    bridges = ofBridges.bridges;
    plugins = ofPlugins.plugins;
    draw();
  });
  app.host.description.listen(draw);
  let off: Off | null = null;
  const show = () => {
    off = app.topics.use();
    poller.start();
    draw();
  };
  const hide = () => {
    poller.stop();
    off?.();
  };
  return { id: "vehicles", isOfRun: true, title: "Vehicles", element: h("div", {}, cards, none), show, hide };
}

/** The world first, then top-level models with a sensor, a plugin or a bridge, in document order. */
export function vehicleNames(app: App, bridges: readonly BridgeInfo[]): string[] {
  const description = app.host.description.get();
  const used = new Set(description?.elements.map(({ vehicle }) => vehicle));
  for (const { vehicle } of bridges) used.add(vehicle);
  const models = description?.models.filter(({ name, vehicle }) => name === vehicle) ?? [];
  return [WORLD, ...models.map(({ name }) => name).filter((name) => used.has(name))];
}

interface Card {
  element: HTMLElement;
  update(bridges: readonly BridgeInfo[], plugins: readonly PluginInfo[]): void;
}

function vehicleCard(app: App, name: string, changed: () => void): Card {
  const bridges = h("div", { class: "stack" });
  const noBridge = empty("No bridge.");
  const rows = new Rows<BridgeInfo>(
    bridges,
    ({ label }) => label,
    (bridge) => bridgeRow(app, bridge, changed),
  );
  const attach = attachForm(app, name, changed);
  const elements = elementTable(app, name);
  const title = h(
    "button",
    { type: "button", class: "title", on: { click: () => app.view?.selection.set(name) } },
    name,
  );
  const element = h(
    "section",
    { class: "section vehicle", "data-vehicle": name },
    h("div", { class: "row" }, name === WORLD ? h("h4", {}, "World") : h("h4", {}, title)),
    bridges,
    noBridge,
    attach.element,
    elements.element,
  );
  const update = (own: readonly BridgeInfo[], plugins: readonly PluginInfo[]) => {
    rows.set(own);
    noBridge.hidden = own.length > 0;
    attach.update(plugins);
    elements.update();
  };
  return { element, update };
}

/** Sensors and plugins with their topics, rates and the plugins that serve them. */
function elementTable(app: App, vehicle: string): { element: HTMLElement; update(): void } {
  const { element, body } = table(`Sensors and plugins of ${vehicle}`, [
    "Sensor or plugin",
    "Topic",
    { title: "Rate, Hz", isNumber: true },
    "Served by",
  ]);
  const rows = new Rows<Line>(
    body,
    ({ key }) => key,
    (line) => elementRow(line),
  );
  const area = h("div", { class: "scroll" }, element);
  const update = () => {
    const own =
      app.host.description.get()?.elements.filter((one) => (one.vehicle || WORLD) === vehicle) ?? [];
    rows.set(own.flatMap((one) => lines(one, (topic) => app.topics.find(topic))));
    area.hidden = own.length === 0;
  };
  return { element: area, update };
}

interface Line {
  key: string;
  element: ElementDescription;
  isFirst: boolean;
  topic: string;
  type: string;
  isPublished: boolean;
  info: TopicInfo | undefined;
}

/** One line for each topic; one for an element without topics. */
function lines(element: ElementDescription, find: (topic: string) => TopicInfo | undefined): Line[] {
  const base = element.path || `${element.kind} ${element.model} ${element.name}`;
  const topics = element.topics.length > 0 ? element.topics : [{ topic: "", type: "", is_published: true }];
  return topics.map(({ topic, type, is_published }, index) => ({
    key: `${base} ${topic}`,
    element,
    isFirst: index === 0,
    topic,
    type,
    isPublished: is_published,
    info: find(topic),
  }));
}

function elementRow({ element, isFirst, topic, type, isPublished }: Line): {
  element: Element;
  update(line: Line): void;
} {
  const speed = h("td", { class: "number" });
  const served = h("td", {});
  if (isFirst) fill(served, element.plugin || h("span", { class: "badge warn" }, "not simulated"));
  const link = h(
    "a",
    { href: "#topics", "data-topic": topic, title: type },
    `${isPublished ? "" : "← "}${topic}`,
  );
  link.addEventListener("click", () => window.dispatchEvent(new CustomEvent("topic", { detail: topic })));
  const row = h(
    "tr",
    {},
    h(
      "td",
      {},
      isFirst && h("div", {}, element.name || element.kind),
      isFirst && element.asked !== element.name && h("div", { class: "hint" }, element.asked),
    ),
    h("td", { class: "mono" }, topic === "" ? "–" : link),
    speed,
    served,
  );
  const update = (line: Line) => {
    const wanted = element.update_rate > 0 && isFirst ? ` of ${rate(element.update_rate)}` : "";
    setText(speed, line.info ? `${rate(line.info.rate)}${wanted}` : "–");
    speed.title = line.info?.rate === 0 ? "A sensor that nobody listens to publishes nothing." : "";
  };
  return { element: row, update };
}
