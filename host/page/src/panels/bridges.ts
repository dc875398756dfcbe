// One bridge: its connection string, status, failure, rates and losses; and a form that attaches another.

import type { App } from "../app.ts";
import type { BridgeInfo, PluginInfo } from "../api/types.ts";
import { Button, badge, field, select, textInput } from "../ui/controls.ts";
import { fill, h, setProse, setText } from "../ui/dom.ts";
import { count, rate } from "../ui/format.ts";
import { connectionProblem, EXAMPLES } from "./connections.ts";
import { standstill } from "./topic_rate.ts";
import { WORLD } from "./vehicles.ts";

const STATUS: readonly [text: string, kind: string][] = [
  ["disconnected", "bad"],
  ["connection lost", "bad"],
  ["connecting", "warn"],
  ["connected", "good"],
  ["disconnecting", "warn"],
];

/** Shortest and longest time over which a rate is measured: an older sample is from before the panel was hidden. */
const SHORTEST_MS = 700;
const LONGEST_MS = 5000;

/** A count at a time, from which a rate follows. */
interface Sample {
  delivered: number;
  at: number;
}

/** Messages per second, from samples of a count. */
export class RateMeter {
  perSecond = Number.NaN;
  private before: Sample | null = null;

  /** Takes a count, and when the host has answered with it: one answer may be shown several times. */
  take(now: Sample): void {
    const { before } = this;
    const passedMs = before ? now.at - before.at : Number.POSITIVE_INFINITY;
    if (before && passedMs < SHORTEST_MS) return;
    this.before = now;
    const isUsable = before !== null && passedMs <= LONGEST_MS;
    this.perSecond = isUsable
      ? Math.max(0, (now.delivered - before.delivered) / (passedMs / 1000))
      : Number.NaN;
  }
}

/** `at` of an update is when the host has answered, milliseconds. */
export function bridgeRow(
  app: App,
  first: BridgeInfo,
  changed: () => void,
): { element: Element; update(bridge: BridgeInfo, at: number): void } {
  const { label, bridge: name } = first;
  const vehicle = first.vehicle || WORLD;
  const status = badge("", "");
  status.dataset.test = "bridge-status";
  const connection = textInput({ label: `Connection string of ${label}`, id: `connection-${label}` });
  const failure = h("p", { class: "failure", "data-test": "bridge-failure" });
  const counts = h("p", { class: "hint", "data-test": "bridge-counts" });
  const addresses = h("p", { class: "hint" });
  let known = "";
  const meter = new RateMeter();
  const apply = new Button(
    { label: "Apply", title: "Connect with this connection string", id: `apply-${label}`, isRequest: true },
    () => void send(),
  );
  const remove = new Button(
    {
      label: "Disconnect",
      kind: "danger",
      title: "Disconnect the bridge and remove it",
      id: `disconnect-${label}`,
      isRequest: true,
    },
    async () => {
      await app.notices.run("The bridge cannot be disconnected", () =>
        app.http.call("disconnect_bridge", { label }),
      );
      changed();
    },
  );
  const send = async () => {
    if (!apply.isAllowed()) return;
    const request = { vehicle, bridge: name, connection: connection.value };
    known = connection.value;
    await app.notices.run("The bridge cannot be connected", () => app.http.call("connect_bridge", request));
    mark();
    changed();
  };
  const wrong = problemText();
  const mark = () => {
    const problem = connectionProblem(name, connection.value);
    wrong.show(connection, connection.value === known ? "" : problem);
    apply.allow(connection.value === known ? "the connection string is unchanged" : problem);
  };
  connection.addEventListener("input", mark);
  connection.addEventListener("keydown", (event) => {
    if (event.key === "Enter") void send();
  });
  const update = (bridge: BridgeInfo, at: number) => {
    const [text, kind] = STATUS[bridge.status] ?? ["unknown", "warn"];
    setText(status, text);
    status.className = `badge ${kind}`;
    const isEdited = connection.value !== known || document.activeElement === connection;
    if (!isEdited || known === "") connection.value = bridge.connection;
    known = bridge.connection;
    mark();
    setProse(failure, bridge.failure);
    failure.hidden = bridge.failure === "";
    meter.take({ delivered: bridge.delivered, at });
    // In a pause there is no rate.
    setText(counts, countsOf(bridge, standstill(app.host) === "" ? meter.perSecond : Number.NaN));
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
    wrong.element,
    failure,
    counts,
    addresses,
  );
  return { element, update };
}

/** A text below a field that says what is wrong with it. */
function problemText(): { element: HTMLElement; show(field: HTMLElement, problem: string): void } {
  const element = h("p", { class: "failure", hidden: true, "data-test": "connection-problem" });
  const show = (field: HTMLElement, problem: string) => {
    setProse(element, problem === "" ? "" : `${problem}.`);
    element.hidden = problem === "";
    field.setAttribute("aria-invalid", String(problem !== ""));
  };
  return { element, show };
}

/** What a bridge has sent. A replay sends nothing to others: its messages are counted at their topics. */
export function countsOf(info: BridgeInfo, perSecond: number): string {
  const { delivered, dropped, missed, lost } = info;
  if (info.bridge === "replay" && delivered + dropped + missed + lost === 0) {
    return "plays recorded messages; the topics count them";
  }
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
  const connection = textInput({ id: `attach-connection-${vehicle}` });
  const wrong = problemText();
  const mark = () => {
    const problem = connectionProblem(names.value, connection.value);
    wrong.show(connection, problem);
    connection.placeholder = `for example ${EXAMPLES[names.value] ?? "key=value;key=value"}`;
    attach.allow(names.value === "" ? "the host knows no bridge" : problem);
  };
  connection.addEventListener("input", mark);
  names.addEventListener("change", mark);
  const element = h("details", { class: "fold" }, h("summary", {}, "Attach a bridge"));
  const attach = new Button(
    { label: "Attach", kind: "primary", id: `attach-${vehicle}`, isRequest: true },
    async () => {
      const request = { vehicle, bridge: names.value, connection: connection.value };
      const answer = await app.notices.run("The bridge cannot be attached", () =>
        app.http.call("connect_bridge", request),
      );
      if (answer) element.open = false;
      changed();
    },
  );
  element.append(
    h(
      "div",
      { class: "stack" },
      field("Bridge", names, { class: "wide" }),
      field("Connection", connection, { class: "wide" }),
      wrong.element,
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
    mark();
  };
  return { element, update };
}
