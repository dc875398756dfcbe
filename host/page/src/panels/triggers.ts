// Triggers: those that wait, those that fired, adding and removing.

import type { App } from "../app.ts";
import type { TriggerInfo } from "../api/types.ts";
import { Poller } from "../state/host.ts";
import { Button, checkbox, empty, field, section, table, textInput } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { count, seconds } from "../ui/format.ts";
import { Rows } from "../ui/rows.ts";
import type { Part } from "./diagnostics.ts";

const PERIOD_MS = 1000;
/** Firings that are shown, the latest first. */
const MOST = 200;

const EVENTS = [
  "start",
  "loop",
  "time=10",
  "next",
  "pause",
  "resume",
  "reset",
  "success",
  "failure",
  "stop",
  "message=/topic",
];
const ACTIONS = [
  "pause",
  "resume",
  "stop",
  "succeed",
  "fail",
  "reset",
  "reset=time,state",
  "keep_alive",
  "realtime_factor=1",
  "reset_statistics",
  "log=info: text",
];

export function triggersView(app: App): Part {
  const eta = h("p", { class: "hint", "data-test": "eta" });
  const waiting = list(app, "Waiting triggers", true, () => poller.now());
  const fired = list(app, "Fired triggers", false, () => undefined);
  const poller = new Poller(PERIOD_MS, app.socket, async () => {
    const [now, before] = await Promise.all([
      app.http.call<{ triggers: TriggerInfo[]; eta: number }>("get_triggers"),
      app.http.call<{ triggers: TriggerInfo[] }>("get_trigger_history"),
    ]);
    waiting.set(now.triggers);
    fired.set(before.triggers.slice(-MOST).reverse());
    setText(
      eta,
      now.eta >= 0
        ? `The run ends or is reset at ${seconds(now.eta)} s.`
        : "No trigger for a time ends the run.",
    );
  });
  const element = h(
    "div",
    {},
    section("Waiting", waiting.element, eta),
    addSection(app, () => poller.now()),
    section("Fired", fired.element),
  );
  return {
    id: "triggers",
    title: "Triggers",
    element,
    show: () => poller.start(),
    hide: () => poller.stop(),
  };
}

function list(
  app: App,
  label: string,
  isWaiting: boolean,
  changed: () => void,
): { element: HTMLElement; set(triggers: readonly TriggerInfo[]): void } {
  const last = isWaiting ? "Remove" : { title: "Step", isNumber: true };
  const { element, body } = table(label, [
    { title: isWaiting ? "Due, s" : "At, s", isNumber: true },
    "Event",
    "Action",
    "Label",
    last,
  ]);
  const none = empty(isWaiting ? "No trigger waits." : "No trigger has fired.");
  const rows = new Rows<TriggerInfo>(
    body,
    ({ id, step, at }) => (isWaiting ? String(id) : `${id} ${step} ${at}`),
    (trigger) => row(app, trigger, isWaiting, changed),
  );
  const set = (triggers: readonly TriggerInfo[]) => {
    rows.set(triggers);
    none.hidden = triggers.length > 0;
    element.hidden = triggers.length === 0;
  };
  element.hidden = true;
  return { element: h("div", { class: "scroll" }, element, none), set };
}

function row(
  app: App,
  trigger: TriggerInfo,
  isWaiting: boolean,
  changed: () => void,
): { element: Element; update(trigger: TriggerInfo): void } {
  const { id, event, action, label, sticky, source, step } = trigger;
  const at = h("td", { class: "number" });
  const remove = new Button(
    {
      label: `Remove the trigger ${id}`,
      icon: "close",
      kind: "quiet",
      isIconOnly: true,
      id: `remove-trigger-${id}`,
      isRequest: true,
    },
    async () => {
      await app.notices.run("The trigger cannot be removed", () => app.http.call("remove_trigger", { id }));
      changed();
    },
  );
  const last = isWaiting ? h("td", {}, remove.element) : h("td", { class: "number" }, count(step));
  const element = h(
    "tr",
    { title: `${sticky ? "sticky, " : ""}from ${source}`, "data-trigger": id },
    at,
    h("td", { class: "mono" }, event),
    h("td", { class: "mono" }, action),
    h("td", {}, label),
    last,
  );
  const update = (next: TriggerInfo) => setText(at, next.at >= 0 ? seconds(next.at) : "–");
  return { element, update };
}

/** Reads an event or action: a table as JSON, else the inline form. */
export function readPart(text: string): unknown {
  const trimmed = text.trim();
  return trimmed.startsWith("{") ? (JSON.parse(trimmed) as unknown) : trimmed;
}

function addSection(app: App, changed: () => void): HTMLElement {
  const events = h("datalist", { id: "trigger-events" }, ...EVENTS.map((value) => h("option", { value })));
  const actions = h("datalist", { id: "trigger-actions" }, ...ACTIONS.map((value) => h("option", { value })));
  const event = textInput({ placeholder: "time=10, or a table as JSON", id: "trigger-event" });
  event.setAttribute("list", events.id);
  const action = textInput({ placeholder: "pause, or a table as JSON", id: "trigger-action" });
  action.setAttribute("list", actions.id);
  const label = textInput({ placeholder: "its purpose", id: "trigger-label" });
  let sticky = false;
  const add = new Button({ label: "Add", kind: "primary", id: "trigger-add", isRequest: true }, async () => {
    const answer = await app.notices.run("The trigger cannot be added", async () => {
      const trigger = {
        event: readPart(event.value),
        action: readPart(action.value),
        label: label.value,
        sticky,
      };
      return app.http.call("add_triggers", { json: JSON.stringify(trigger) });
    });
    if (answer) label.value = "";
    changed();
  });
  return section(
    "Add a trigger",
    events,
    actions,
    field("Event", event, { class: "wide" }),
    field("Action", action, { class: "wide" }),
    field("Label", label, { class: "wide" }),
    h(
      "div",
      { class: "row" },
      add.element,
      checkbox("sticky: it stays after it fired", false, (isChecked) => {
        sticky = isChecked;
      }),
    ),
  );
}
