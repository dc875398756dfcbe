// The form that adds a trigger, and what can be said about a trigger before it is sent.

import type { App } from "../app.ts";
import { Button, checkbox, field, section, textInput } from "../ui/controls.ts";
import { h, prose } from "../ui/dom.ts";
import { seconds } from "../ui/format.ts";

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

const EXAMPLES = {
  event: '{"name": "time", "time": 10}',
  action: '{"name": "log", "msg": "text"}',
} as const;

type Part = keyof typeof EXAMPLES;

/** Reads an event or action: a table as JSON, else the inline form. */
export function readPart(text: string): unknown {
  const trimmed = text.trim();
  return trimmed.startsWith("{") ? (JSON.parse(trimmed) as unknown) : trimmed;
}

/** Returns what is wrong with the form of an event or action; the host checks the rest. */
export function partProblem(part: Part, text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) {
    if (/^[\w/.-]+\s*(=.*)?$/s.test(trimmed)) return "";
    return `Write the ${part} as a name, as \`name=argument\`, or as a table in JSON: \`${EXAMPLES[part]}\`.`;
  }
  try {
    JSON.parse(trimmed);
    return "";
  } catch {
    return `This table is not JSON; an example is \`${EXAMPLES[part]}\`.`;
  }
}

const UNITS: Record<string, number> = { "": 1, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, m: 60, h: 3600 };

/** Returns the simulated seconds at which an event for a time happens; not a number for other events. */
export function timeOf(event: string): number {
  let time: unknown = /^\s*time\s*=(.*)$/.exec(event)?.[1];
  try {
    const table = readPart(event);
    if (table && typeof table === "object" && (table as { name?: unknown }).name === "time")
      time = (table as { time?: unknown }).time;
  } catch {
    return Number.NaN;
  }
  const match = /^\s*([\d.]+)\s*([a-z]*)\s*$/.exec(String(time));
  return match ? Number(match[1]) * (UNITS[match[2]] ?? Number.NaN) : Number.NaN;
}

/** Returns a warning if a trigger would fire as soon as it is added; an empty text otherwise. */
export function passedNote(event: string, now: number): string {
  return timeOf(event) <= now
    ? `It is ${seconds(now)} s already, so the trigger fires at once. \`next=2\` fires 2 s from now.`
    : "";
}

export function triggerForm(app: App, changed: () => void): HTMLElement {
  const events = h("datalist", { id: "trigger-events" }, ...EVENTS.map((value) => h("option", { value })));
  const actions = h("datalist", { id: "trigger-actions" }, ...ACTIONS.map((value) => h("option", { value })));
  const event = textInput({ placeholder: "time=10, or a table in JSON", id: "trigger-event" });
  event.setAttribute("list", events.id);
  const action = textInput({ placeholder: "pause, or a table in JSON", id: "trigger-action" });
  action.setAttribute("list", actions.id);
  const label = textInput({ placeholder: "its purpose", id: "trigger-label" });
  const problems = { event: problemOf("event", event), action: problemOf("action", action) };
  const passed = h("p", { class: "hint", hidden: true, "data-test": "trigger-passed" });
  const warn = () => {
    const note = passedNote(event.value, (app.host.status.get()?.time_ns ?? Number.NaN) / 1e9);
    passed.hidden = note === "";
    passed.replaceChildren(...prose(note));
  };
  event.addEventListener("input", warn);
  app.host.status.listen(() => {
    if (event.value !== "") warn();
  });
  let sticky = false;
  const add = new Button({ label: "Add", kind: "primary", id: "trigger-add", isRequest: true }, async () => {
    const isWrong = [problems.event.show(), problems.action.show()].includes(true);
    if (isWrong) return;
    const trigger = {
      event: readPart(event.value),
      action: readPart(action.value),
      label: label.value,
      sticky,
    };
    const answer = await app.notices.run("The trigger cannot be added", () =>
      app.http.call("add_triggers", { json: JSON.stringify(trigger) }),
    );
    if (answer) label.value = "";
    changed();
  });
  return section(
    "Add a trigger",
    events,
    actions,
    field("Event", event, { class: "wide" }),
    problems.event.element,
    passed,
    field("Action", action, { class: "wide" }),
    problems.action.element,
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

/** What is wrong with a field, below it, until it is edited. */
function problemOf(part: Part, input: HTMLInputElement): { element: HTMLElement; show(): boolean } {
  const element = h("p", { class: "failure", hidden: true, "data-test": `trigger-${part}-problem` });
  const set = (problem: string) => {
    element.hidden = problem === "";
    element.replaceChildren(...prose(problem));
    input.setAttribute("aria-invalid", String(problem !== ""));
  };
  input.addEventListener("input", () => set(""));
  const show = () => {
    const problem = partProblem(part, input.value);
    set(problem);
    return problem !== "";
  };
  return { element, show };
}
