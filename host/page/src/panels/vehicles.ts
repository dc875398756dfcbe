// The world and each vehicle with their bridges and sensors.

import type { App, Panel } from "../app.ts";
import type { BridgeInfo, ElementDescription, PluginInfo } from "../api/types.ts";
import { Poller } from "../state/host.ts";
import type { Off } from "../state/signal.ts";
import { empty } from "../ui/controls.ts";
import { h, setName } from "../ui/dom.ts";
import { Rows } from "../ui/rows.ts";
import { attachForm, bridgeRow } from "./bridges.ts";
import { topicLink } from "./open_topic.ts";
import { showRate } from "./topic_rate.ts";

const PERIOD_MS = 1000;
/** A bridge, and when the host has answered with its counts, milliseconds. */
type TimedBridge = BridgeInfo & { at: number };

/** How requests name the world. */
export const WORLD = "world";

export function vehiclesPanel(app: App): Panel {
  const cards = h("div", {});
  const none = empty("No vehicle: no model of the world has a sensor, a plugin or a bridge.");
  none.classList.add("section");
  let bridges: readonly TimedBridge[] = [];
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
    const at = performance.now();
    bridges = ofBridges.bridges.map((bridge) => ({ ...bridge, at }));
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
  update(bridges: readonly TimedBridge[], plugins: readonly PluginInfo[]): void;
}

function vehicleCard(app: App, name: string, changed: () => void): Card {
  const bridges = h("div", { class: "stack" });
  const noBridge = empty("No bridge.");
  const rows = new Rows<TimedBridge>(
    bridges,
    ({ label }) => label,
    (bridge) => {
      const row = bridgeRow(app, bridge, changed);
      return { element: row.element, update: (next) => row.update(next, next.at) };
    },
  );
  const attach = attachForm(app, name, changed);
  const elements = elementList(app, name);
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
  const update = (own: readonly TimedBridge[], plugins: readonly PluginInfo[]) => {
    rows.set(own);
    noBridge.hidden = own.length > 0;
    attach.update(plugins);
    elements.update();
  };
  return { element, update };
}

/** Sensors and plugins with the plugins that serve them, and below each its topics with their rates. */
function elementList(app: App, vehicle: string): { element: HTMLElement; update(): void } {
  const list = h("ul", { class: "elements", "aria-label": `Sensors and plugins of ${vehicle}` });
  const rows = new Rows<ElementDescription>(
    list,
    (one) => one.path || `${one.kind} ${one.model} ${one.name}`,
    (one) => elementRow(app, one),
  );
  const update = () => {
    const own =
      app.host.description.get()?.elements.filter((one) => (one.vehicle || WORLD) === vehicle) ?? [];
    rows.set(own);
    list.hidden = own.length === 0;
  };
  return { element: list, update };
}

/** How an element is served: by a plugin, by the host itself, or not at all. */
export function servedBy({ plugin, is_built_in }: ElementDescription): Node {
  if (plugin !== "") return h("span", { class: "hint", title: `served by the plugin ${plugin}` }, plugin);
  if (is_built_in) {
    return h(
      "span",
      { class: "badge", title: "The host does this itself; no plugin is needed." },
      "built in",
    );
  }
  return h("span", { class: "badge warn", title: "No plugin serves it." }, "not simulated");
}

function elementRow(
  app: App,
  first: ElementDescription,
): { element: Element; update(one: ElementDescription): void } {
  const topics = h("ul", { class: "of-element" });
  const name = h("span", { class: "name" });
  setName(name, first.name || first.kind);
  const asked = first.asked !== first.name && h("span", { class: "hint asked" }, first.asked);
  const head = h("div", { class: "head" }, h("div", {}, name, asked), servedBy(first));
  const rows = new Rows<ElementTopic>(
    topics,
    ({ topic }) => topic,
    (one) => topicRow(app, first, one),
  );
  const update = (one: ElementDescription) => {
    rows.set(one.topics);
    topics.hidden = one.topics.length === 0;
  };
  return { element: h("li", {}, head, topics), update };
}

type ElementTopic = ElementDescription["topics"][number];

function topicRow(
  app: App,
  element: ElementDescription,
  { topic, type, is_published }: ElementTopic,
): { element: Element; update(): void } {
  const speed = h("span", { class: "rate" });
  const name = `${is_published ? "" : "← "}${topic}`;
  const link = topicLink(topic, name, { class: "mono", title: `${topic}, ${type}` });
  const update = () => {
    const info = app.topics.find(topic);
    const isFirst = element.topics[0]?.topic === topic;
    showRate(app.host, speed, info, is_published, isFirst ? element.update_rate : 0);
  };
  return { element: h("li", {}, link, speed), update };
}
