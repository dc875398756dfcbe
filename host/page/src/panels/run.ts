// Run control: the status, every request to the lifecycle, the speed, and worlds.

import type { App, Panel } from "../app.ts";
import type { HostStatus } from "../api/types.ts";
import { isEnding } from "../state/ending.ts";
import { denial, kindOf, nameOf } from "../state/lifecycle.ts";
import { Button, checkbox, facts, field, numberInput, section, select, textInput } from "../ui/controls.ts";
import { h, setText } from "../ui/dom.ts";
import { count, factor, milliseconds, simulatedTime } from "../ui/format.ts";
import { endRun, pause, play, quit, request, reset, SCOPE } from "./actions.ts";
import { goalSection } from "./goal.ts";
import { markLastSeen } from "./header.ts";
import { snapshotSection } from "./snapshots.ts";
import { worldsSection } from "./worlds.ts";

export function runPanel(app: App): Panel {
  const worlds = worldsSection(app);
  const element = h(
    "div",
    {},
    statusSection(app),
    controlSection(app),
    snapshotSection(app),
    goalSection(app),
    speedSection(app),
    worlds.element,
  );
  return {
    id: "run",
    isOfRun: true,
    title: "Run",
    element,
    show: () => worlds.refresh(),
    hide: () => undefined,
  };
}

function statusSection(app: App): HTMLElement {
  const rows: [string, string, (status: HostStatus) => string][] = [
    ["State", "run-state", (s) => `${nameOf(s.state)}${s.state === "StepBegin" ? "" : ` (${s.state})`}`],
    ["World", "run-world", (s) => s.world || "none"],
    ["Simulated time", "run-time", (s) => simulatedTime(s.time_ns / 1e9)],
    ["Steps", "run-steps", (s) => `${count(s.step)}, ${milliseconds(s.step_width_ns / 1e6)} ms each`],
    [
      "Real-time factor",
      "run-factor",
      (s) => {
        const target = s.target_real_time_factor === 0 ? "unlimited" : factor(s.target_real_time_factor);
        const now = kindOf(s.state) === "playing" ? `${factor(s.real_time_factor)}, ` : "";
        // Until steps have run, nothing is known about it.
        const achievable = s.achievable_real_time_factor;
        return `${now}target ${target}${achievable > 0 ? `, achievable ${factor(achievable)}` : ""}`;
      },
    ],
    ["Resets", "run-epoch", (s) => count(s.reset_epoch)],
    ["Outcome if it ended now", "run-outcome", (s) => s.outcome || "–"],
    ["Errors", "run-errors", (s) => count(s.errors.length)],
  ];
  const cells = rows.map(([, id]) => h("span", { "data-test": id }));
  const list = facts(...rows.map(([term], index): [string, Node] => [term, cells[index]]));
  const seen = h("p", { class: "hint", "data-test": "last-seen", hidden: true });
  app.host.status.watch((status) => {
    const last = app.host.lastSeen.get();
    const known = status ?? last?.status;
    markLastSeen(list, app);
    seen.hidden = status !== null || !last;
    const why = app.host.ending.seen.get() ? "You ended the run." : "The host does not answer.";
    if (last) setText(seen, `${why} Last seen at ${last.at.toLocaleTimeString()}.`);
    for (const [index, [, , text]] of rows.entries()) setText(cells[index], known ? text(known) : "–");
  });
  return section("Status", seen, list);
}

/** The requests that end a run. */
const ENDS: readonly [service: string, label: string, title: string][] = [
  ["succeed", "Succeed", "Declares the run a success and ends it"],
  ["fail", "Fail", "Declares the run a failure and ends it"],
  ["stop", "Stop", "Ends the run, neither as a success nor as a failure"],
  ["halt", "Halt", "Ends the run, resets everything and allows it to be played again"],
  ["abort", "Abort", "Aborts the run"],
];

function controlSection(app: App): HTMLElement {
  const reason = textInput({ placeholder: "for the log and the result file", id: "reason" });
  const watched: [Button, string][] = [];
  const add = (button: Button, service: string) => {
    watched.push([button, service]);
    return button.element;
  };
  const main = h(
    "div",
    { class: "row" },
    add(
      new Button({ label: "Play", kind: "primary", id: "run-play", isRequest: true }, () => void play(app)),
      "play",
    ),
    add(new Button({ label: "Pause", id: "run-pause", isRequest: true }, () => void pause(app)), "pause"),
  );
  const ends = h("div", { class: "row" });
  for (const [service, label, title] of ENDS) {
    const send = () => {
      const members = { reason: reason.value };
      void (isEnding(service) ? endRun(app, service, members) : request(app, service, members));
    };
    ends.append(add(new Button({ label, title, id: `run-${service}`, isRequest: true }, send), service));
  }
  ends.append(
    add(
      new Button(
        { label: "Quit", kind: "danger", title: "Ends the host (Q)", id: "run-quit", isRequest: true },
        () => void quit(app),
      ),
      "quit",
    ),
  );
  const why = h("p", { class: "hint", "data-test": "denials" });
  app.host.status.watch((status) => {
    const isPaused = status !== null && kindOf(status.state) === "paused";
    for (const [button, service] of watched) {
      button.allow(denial(service === "play" && isPaused ? "resume" : service, status));
    }
    setText(why, status ? reasons(watched, status) : "");
  });
  return section(
    "Control",
    main,
    resetRow(app, watched),
    field("Reason", reason, { class: "wide" }),
    ends,
    why,
  );
}

/** Says what is not allowed now, and why. */
function reasons(watched: readonly [Button, string][], status: HostStatus): string {
  const byReason = new Map<string, string[]>();
  const isPaused = kindOf(status.state) === "paused";
  const all: [string, string][] = watched.map(([button, service]) => [button.label(), service]);
  for (const [label, service] of [...all, ["Step", "step_simulation"] as const]) {
    const reason = denial(service === "play" && isPaused ? "resume" : service, status);
    if (reason !== "") byReason.set(reason, [...(byReason.get(reason) ?? []), label]);
  }
  const parts = [...byReason].map(([reason, labels]) => `${labels.join(", ")}: ${reason}`);
  return parts.length === 0 ? "" : `Not allowed now: ${parts.join("; ")}.`;
}

function resetRow(app: App, watched: [Button, string][]): HTMLElement {
  const scopes = { time: true, state: true, spawned: true };
  const then = select(
    [
      ["keep", "then as before"],
      ["stopped", "then stopped"],
      ["play", "then playing"],
    ],
    "State after the reset",
    "reset-then",
  );
  const button = new Button({ label: "Reset", id: "run-reset", isRequest: true }, () => {
    const names = Object.keys(SCOPE) as (keyof typeof SCOPE)[];
    const chosen = names.filter((name) => scopes[name]);
    if (chosen.length === 0) {
      app.notices.error("Choose at least one scope of the reset.");
      return;
    }
    const scope = chosen.length === names.length ? 0 : chosen.reduce((sum, name) => sum + SCOPE[name], 0);
    void reset(app, scope, then.value);
  });
  watched.push([button, "reset"]);
  const boxes = (["time", "state", "spawned"] as const).map((name) =>
    checkbox(name, true, (isChecked) => {
      scopes[name] = isChecked;
    }),
  );
  return h("div", { class: "row" }, button.element, ...boxes, then);
}

const FACTORS = [0.1, 0.5, 1, 2, 5, 10];

function speedSection(app: App): HTMLElement {
  const input = numberInput(1, { min: 0, id: "factor-input" });
  const set = (value: number) => void request(app, "set_real_time_factor", { factor: value });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") set(Number(input.value));
  });
  const presets = FACTORS.map((value) => {
    const button = new Button({ label: `${value}×`, id: `factor-${value}`, isRequest: true }, () =>
      set(value),
    );
    return { value, element: button.element };
  });
  const unlimited = new Button({ label: "unlimited", id: "factor-unlimited", isRequest: true }, () =>
    set(-1),
  );
  app.host.status.watch((status) => {
    const target = status?.target_real_time_factor;
    for (const { value, element } of presets) element.setAttribute("aria-pressed", String(value === target));
    unlimited.element.setAttribute("aria-pressed", String(target === 0));
    if (target !== undefined && target > 0 && document.activeElement !== input) input.value = String(target);
  });
  const other = new Button({ label: "Set", id: "factor-set", isRequest: true }, () =>
    set(Number(input.value)),
  );
  return section(
    "Speed",
    h(
      "div",
      { class: "row segmented", role: "group", "aria-label": "Real-time factor" },
      ...presets.map(({ element }) => element),
      unlimited.element,
    ),
    h("div", { class: "row end" }, field("Simulated seconds per second", input), other.element),
  );
}
