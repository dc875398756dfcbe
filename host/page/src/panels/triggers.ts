// Triggers: those that wait, which can be removed, and those that fired.

import type { App } from "../app.ts";
import type { TriggerInfo } from "../api/types.ts";
import { Poller } from "../state/host.ts";
import { Button, empty, section, table } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { count, seconds } from "../ui/format.ts";
import { Rows } from "../ui/rows.ts";
import type { Part } from "./diagnostics.ts";
import { triggerForm } from "./trigger_form.ts";

const PERIOD_MS = 1000;
/** Firings that are shown, the latest first. */
const MOST = 200;

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
    triggerForm(app, () => poller.now()),
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
