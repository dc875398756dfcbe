// One bridge: its connection string, status, failure, rates and losses; and a form that attaches another.

import type { App } from "../app.ts";
import type { BridgeInfo, PluginInfo } from "../api/types.ts";
import { Button, badge, field, select, textInput } from "../ui/controls.ts";
import { fill, h, setText } from "../ui/dom.ts";
import { count, rate } from "../ui/format.ts";
import { WORLD } from "./vehicles.ts";

const STATUS: readonly [text: string, kind: string][] = [
  ["disconnected", "bad"],
  ["connection lost", "bad"],
  ["connecting", "warn"],
  ["connected", "good"],
  ["disconnecting", "warn"],
];

/** A count at a time, from which a rate follows. */
interface Sample {
  delivered: number;
  at: number;
}

/** Returns messages per second between two samples. */
export function rateBetween(before: Sample | null, now: Sample): number {
  if (!before || now.at <= before.at) return Number.NaN;
  return Math.max(0, (now.delivered - before.delivered) / ((now.at - before.at) / 1000));
}

export function bridgeRow(
  app: App,
  first: BridgeInfo,
  changed: () => void,
): { element: Element; update(bridge: BridgeInfo): void } {
  const { label, bridge: name } = first;
  const vehicle = first.vehicle || WORLD;
  const status = badge("", "");
  status.dataset.test = "bridge-status";
  const connection = textInput({ label: `Connection string of ${label}`, id: `connection-${label}` });
  const failure = h("p", { class: "failure", "data-test": "bridge-failure" });
  const counts = h("p", { class: "hint", "data-test": "bridge-counts" });
  const addresses = h("p", { class: "hint" });
  let known = "";
  let before: Sample | null = null;
  const apply = new Button(
    { label: "Apply", title: "Connect with this connection string", id: `apply-${label}` },
    () => void send(),
  );
  const remove = new Button(
    {
      label: "Disconnect",
      kind: "danger",
      title: "Disconnect the bridge and remove it",
      id: `disconnect-${label}`,
    },
    async () => {
      await app.notices.run("The bridge cannot be disconnected", () =>
        app.http.call("disconnect_bridge", { label }),
      );
      changed();
    },
  );
  const send = async () => {
    const request = { vehicle, bridge: name, connection: connection.value };
    known = connection.value;
    await app.notices.run("The bridge cannot be connected", () => app.http.call("connect_bridge", request));
    mark();
    changed();
  };
  const mark = () => apply.allow(connection.value === known ? "the connection string is unchanged" : "");
  connection.addEventListener("input", mark);
  connection.addEventListener("keydown", (event) => {
    if (event.key === "Enter") void send();
  });
  const update = (bridge: BridgeInfo) => {
    const [text, kind] = STATUS[bridge.status] ?? ["unknown", "warn"];
    setText(status, text);
    status.className = `badge ${kind}`;
    const isEdited = connection.value !== known || document.activeElement === connection;
    if (!isEdited || known === "") connection.value = bridge.connection;
    known = bridge.connection;
    mark();
    setText(failure, bridge.failure);
    failure.hidden = bridge.failure === "";
    const now = { delivered: bridge.delivered, at: performance.now() };
    setText(counts, countsOf(bridge, rateBetween(before, now)));
    before = now;
    const places = bridge.endpoints.map(
      ({ address, purpose }) => `${address}${purpose ? ` (${purpose})` : ""}`,
    );
    setText(addresses, places.length > 0 ? `Addresses: ${places.join(", ")}` : "");
    addresses.hidden = places.length === 0;
  };
  const element = h(
    "div",
    { class: "bridge", "data-bridge": label },
    h(
      "div",
      { class: "row" },
      h("span", { class: "name" }, name),
      status,
      h("span", { class: "hint" }, label),
    ),
    h("div", { class: "row" }, connection, apply.element, remove.element),
    failure,
    counts,
    addresses,
  );
  return { element, update };
}

function countsOf({ delivered, dropped, missed, lost }: BridgeInfo, perSecond: number): string {
  const speed = Number.isFinite(perSecond) ? `, ${rate(perSecond)}/s` : "";
  const later = lost > 0 ? `, ${count(lost)} lost later` : "";
  return `${count(delivered)} delivered${speed}, ${count(dropped)} dropped, ${count(missed)} missed${later}`;
}

/** A form that attaches a bridge; closed at first. */
export function attachForm(
  app: App,
  vehicle: string,
  changed: () => void,
): { element: HTMLElement; update(plugins: readonly PluginInfo[]): void } {
  const names = select([], `Bridge for ${vehicle}`, `attach-name-${vehicle}`);
  const connection = textInput({ placeholder: "connection string", id: `attach-connection-${vehicle}` });
  const element = h("details", { class: "fold" }, h("summary", {}, "Attach a bridge"));
  const attach = new Button({ label: "Attach", kind: "primary", id: `attach-${vehicle}` }, async () => {
    const request = { vehicle, bridge: names.value, connection: connection.value };
    const answer = await app.notices.run("The bridge cannot be attached", () =>
      app.http.call("connect_bridge", request),
    );
    if (answer) element.open = false;
    changed();
  });
  element.append(
    h(
      "div",
      { class: "stack" },
      field("Bridge", names, { class: "wide" }),
      field("Connection", connection, { class: "wide" }),
      h("div", { class: "row" }, attach.element),
    ),
  );
  let shown = "";
  const update = (plugins: readonly PluginInfo[]) => {
    const bridges = [
      ...new Set(plugins.filter(({ kind }) => kind === "bridge").map(({ plugin }) => plugin)),
    ].sort();
    if (bridges.join() === shown) return;
    shown = bridges.join();
    fill(names, ...bridges.map((name) => h("option", { value: name }, name)));
    attach.allow(bridges.length > 0 ? "" : "the host knows no bridge");
  };
  return { element, update };
}
