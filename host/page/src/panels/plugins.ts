// Plugins with their state and their cost.

import type { App } from "../app.ts";
import type { BridgeInfo, PluginInfo } from "../api/types.ts";
import { Poller } from "../state/host.ts";
import { badge, empty, section, table } from "../ui/controls.ts";
import { h, setProse, setText } from "../ui/dom.ts";
import { count, milliseconds } from "../ui/format.ts";
import { Rows } from "../ui/rows.ts";
import type { Part } from "./diagnostics.ts";

const PERIOD_MS = 1000;
const KINDS: Record<string, string> = { running: "good", starting: "warn", failed: "bad" };

export function pluginsView(app: App): Part {
  const used = table("Plugins in use", [
    "Plugin",
    { title: "Calls", isNumber: true },
    { title: "Mean, µs", isNumber: true },
    { title: "p99, µs", isNumber: true },
    { title: "µs/step", isNumber: true },
  ]);
  const attached = h("p", { class: "hint" });
  const known = h("p", { class: "hint", "data-test": "known-plugins" });
  const none = empty("No plugin is in use.");
  const rows = new Rows<PluginInfo>(
    used.body,
    ({ label, plugin }) => `${label} ${plugin}`,
    (plugin) => row(app, plugin),
  );
  const poller = new Poller(PERIOD_MS, app.socket, async () => {
    const [{ plugins }, { bridges }] = await Promise.all([
      app.http.call<{ plugins: PluginInfo[] }>("get_plugins"),
      app.http.call<{ bridges: BridgeInfo[] }>("get_bridges").catch(() => ({ bridges: [] })),
    ]);
    const inUse = plugins.filter(({ state }) => state !== "known");
    rows.set([...inUse].sort((a, b) => total(b) - total(a)));
    none.hidden = inUse.length > 0;
    setText(attached, listed("Bridges in use, see Vehicles", attachedBridges(plugins, bridges)));
    setText(known, listed("Known, not in use", unused(plugins, bridges)));
  });
  const element = section(
    "Plugins, the most expensive first",
    h("div", { class: "scroll tall" }, used.element),
    none,
    attached,
    known,
  );
  return { id: "plugins", title: "Plugins", element, show: () => poller.start(), hide: () => poller.stop() };
}

function listed(title: string, names: readonly string[]): string {
  return names.length > 0 ? `${title}: ${names.join(", ")}.` : "";
}

/** The host reports what the bridges do in another list, and says of every plugin of a bridge that it is known. */
function named(plugins: readonly PluginInfo[], isWanted: (plugin: PluginInfo) => boolean): string[] {
  return plugins
    .filter((plugin) => plugin.state === "known" && isWanted(plugin))
    .map(({ plugin, version }) => `${plugin} ${version}`);
}

/** Returns the plugins of attached bridges, with their versions. */
export function attachedBridges(plugins: readonly PluginInfo[], bridges: readonly BridgeInfo[]): string[] {
  const used = new Set(bridges.map(({ bridge }) => bridge));
  return named(plugins, ({ kind, plugin }) => kind === "bridge" && used.has(plugin));
}

/** Returns the plugins that nothing uses, with their versions. */
export function unused(plugins: readonly PluginInfo[], bridges: readonly BridgeInfo[]): string[] {
  const used = new Set(bridges.map(({ bridge }) => bridge));
  return named(plugins, ({ kind, plugin }) => kind !== "bridge" || !used.has(plugin));
}

/** Time in calls since the beginning of the statistics, milliseconds. */
function total({ calls }: PluginInfo): number {
  return calls.count * calls.mean;
}

function row(app: App, plugin: PluginInfo): { element: Element; update(plugin: PluginInfo): void } {
  const state = badge("", "");
  const cells = [0, 1, 2, 3].map(() => h("td", { class: "number" }));
  const failure = h("p", { class: "failure" });
  const name = h(
    "td",
    {},
    h("div", {}, plugin.label || plugin.plugin, " ", state),
    h(
      "div",
      { class: "hint" },
      plugin.kind === "bridge"
        ? `${plugin.plugin} ${plugin.version}, bridge`
        : `${plugin.plugin} ${plugin.version}`,
    ),
    failure,
  );
  const update = (next: PluginInfo) => {
    setText(state, next.state);
    state.className = `badge ${KINDS[next.state] ?? ""}`;
    // Most plugins run; only the others need attention.
    state.hidden = next.state === "running";
    setProse(failure, next.failure);
    failure.hidden = next.failure === "";
    const { calls } = next;
    setText(cells[0], count(calls.count));
    setText(cells[1], milliseconds(calls.mean * 1000));
    setText(cells[2], milliseconds(calls.p99 * 1000));
    const step = app.host.status.get()?.step ?? 0;
    setText(cells[3], step > 0 ? milliseconds((total(next) / step) * 1000) : "–");
  };
  return { element: h("tr", { "data-plugin": plugin.label }, name, ...cells), update };
}
