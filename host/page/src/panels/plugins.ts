// Plugins with their state and their cost.

import type { App } from "../app.ts";
import type { PluginInfo } from "../api/types.ts";
import { Poller } from "../state/host.ts";
import { badge, empty, section, table } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
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
  const known = h("p", { class: "hint" });
  const none = empty("No plugin is in use.");
  const rows = new Rows<PluginInfo>(
    used.body,
    ({ label, plugin }) => `${label} ${plugin}`,
    (plugin) => row(app, plugin),
  );
  const poller = new Poller(PERIOD_MS, app.socket, async () => {
    const { plugins } = await app.http.call<{ plugins: PluginInfo[] }>("get_plugins");
    const inUse = plugins.filter(({ state }) => state !== "known");
    rows.set([...inUse].sort((a, b) => total(b) - total(a)));
    none.hidden = inUse.length > 0;
    const others = plugins
      .filter(({ state }) => state === "known")
      .map(({ plugin, version }) => `${plugin} ${version}`);
    setText(known, others.length > 0 ? `Known, not in use: ${others.join(", ")}.` : "");
  });
  const element = section(
    "Plugins, the most expensive first",
    h("div", { class: "scroll tall" }, used.element),
    none,
    known,
  );
  return { id: "plugins", title: "Plugins", element, show: () => poller.start(), hide: () => poller.stop() };
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
    setText(failure, next.failure);
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
